// Package clients tests the built command with the MCP clients that others
// wrote: the JavaScript SDKs, which most hosts are made of, the Inspector that is
// made of them, and two written in Go. Each does over every transport that it has
// what a host does; clients_test.go is the table. A page in Chromium is one more
// (Debian's package chromium). It has no code that runs.
//
// The JavaScript clients are npm packages, pinned in testdata/package-lock.json
// and installed by
//
//	npm install --no-save --prefix internal/clients/testdata
//
// Without them their tests are skipped, except in CI (CI=true), where they fail.
package clients
