// Package mapping turns what a backend offers into what a model sees.
//
// It works in two stages. A [Catalog] holds facts, in the backend's own words.
// [Build] applies [Rules] to catalogs and returns a [Surface]: the tools,
// resources and prompts as a model sees them, with a [Decision] for each
// difference between the two.
//
// The way back is mapping's too. [Tool.Bind] turns a model's arguments into a
// [Call] in the backend's words, [Surface.Resolve] turns a URI into a call or a
// read, and [Tool.Shape] turns what came back into an [Answer] that fits a
// model's context.
//
// The package does no I/O, reads no clock and starts no goroutine, so every
// decision in it can be tested by comparing text with text. A Surface never
// changes; any number of goroutines may use it.
package mapping
