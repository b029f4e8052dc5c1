// Package adaptertest shows what an adapter is and checks that one is right.
//
// [Fake] is the smallest correct adapter. Its backend is whatever Go values a
// test gives it, and its methods are the ones to copy when writing a real
// adapter.
//
// The package imports core, so a test that uses it from inside core's folder is
// written in package core_test.
package adaptertest
