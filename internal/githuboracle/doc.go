// Package githuboracle holds requests to GitHub, and answers, against GitHub's
// own description of its API.
//
// [Load] reads the description from $BRIDGE_CORPUS, where there is one, once in a
// process. [Oracle.Wrap] puts it before a handler and fails a test for what either
// side does that the description does not allow; [Oracle.Judge] does so for one
// exchange, as from a recording.
package githuboracle
