// Package clients tests the built command with the MCP clients that others
// wrote: the JavaScript SDKs, which most hosts are made of. It has no code that
// runs.
//
// The clients are npm packages, pinned in testdata/package-lock.json and
// installed by
//
//	npm ci --prefix internal/clients/testdata
//
// Without them the tests are skipped, except in CI (CI=true), where they fail.
package clients
