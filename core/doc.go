// Package core serves backends to a model over MCP.
//
// A [Bridge] serves any number of adapters, under the names their sources have.
// It asks each [Adapter] for its catalog, lets package mapping decide what a
// model sees of them, and guards what is called and read. [New] makes one;
// [Bridge.RunStdio] and [Bridge.Handler] serve it.
//
// To read how one request is answered, start at call.go: it is the list of
// steps. load.go says how catalogs come in, publish.go how a new surface
// replaces an old one. The official MCP SDK is a front of these functions:
// front.go is where its requests come in, encode.go where its content is made.
// shortfront.go is the other front, for the common requests over HTTP.
package core
