// Package adaptertest shows what an adapter is and checks that one is right.
//
// [Fake] is the smallest correct adapter. Its backend is whatever Go values a
// test gives it, and its methods are the ones to copy when writing a real
// adapter.
//
// [Run] is the kit that every adapter passes. It takes a [Harness], which says
// how the adapter is opened and what is known of its backend, and makes one
// subtest of each promise. A failure says which promise is broken, why it
// matters and what was seen. [Check] does the same outside of a test.
//
// The package imports core, so a test that uses it from inside core's folder is
// written in package core_test.
package adaptertest
