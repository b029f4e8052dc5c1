package core

import (
	"context"

	"github.com/mcp-bridge/mcp-bridge/mapping"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// ReadResource reads a resource as a client would, for a program in this
// process. It waits for the first publish. The error is a *mapping.Error where
// the resource does not exist or could not be read.
func (b *Bridge) ReadResource(ctx context.Context, uri string) (*mcp.ReadResourceResult, error) {
	ctx, o := b.observe(ctx, "resources/read", nil)
	result, err := b.read(ctx, request{trace: traceparent(ctx)}, uri)
	o.over(err, err)
	return result, err
}

// read answers resources/read. An unknown source, a resource that the caller may
// not see, and a missing item answer alike.
func (b *Bridge) read(ctx context.Context, r request, uri string) (*mcp.ReadResourceResult, error) {
	return onNewest(ctx, b, func(snap *snapshot) (*mcp.ReadResourceResult, error) {
		return b.readOn(ctx, snap, &r, uri)
	})
}

// readOn answers resources/read as of a snapshot.
func (b *Bridge) readOn(ctx context.Context, snap *snapshot, r *request, uri string) (*mcp.ReadResourceResult, error) {
	target, err := snap.surface.Resolve(uri)
	if target != nil && !target.Address.MaySee(r.caller) {
		return nil, errNoResource()
	}
	if err != nil {
		return nil, err
	}
	op := b.begin(ctx, target.Address.Source)
	op.resource(target.Address)

	s := snap.sources[target.Address.Source]
	if err := b.count(r, s.name); err != nil {
		op.fails(op.refused(err))
		return nil, target.ShapeError(err)
	}
	result, err := b.fetch(ctx, s, snap, target, *r)
	if b.outdated(snap, err) {
		return nil, err
	}
	if err != nil {
		op.fails(err)
		return nil, target.ShapeError(err)
	}
	blocks, err := target.Shape(result)
	if err != nil {
		op.fails(err)
		return nil, err
	}
	op.done(blocks)
	return encodeContents(blocks), nil
}

// fetch asks the adapter: a read is either a call of an operation or the
// adapter's own.
func (b *Bridge) fetch(ctx context.Context, s *source, snap *snapshot, t *mapping.Target, r request) (*mapping.Result, error) {
	var use func(context.Context, mapping.Caller) (*mapping.Result, error)
	if t.Call != nil {
		stop := b.fillCall(t.Call, s, snap, r)
		defer stop()
		use = func(ctx context.Context, caller mapping.Caller) (*mapping.Result, error) {
			call := *t.Call
			call.Caller = caller
			return s.adapter.Call(ctx, call)
		}
	} else {
		voice := b.newVoice(s, r)
		defer voice.end()
		t.Read.Trace = r.trace
		t.Read.Budget = snap.surface.Budget()
		t.Read.MaxBytes = b.options.Limits.MaxBytes
		t.Read.Log = voice.log
		use = func(ctx context.Context, caller mapping.Caller) (*mapping.Result, error) {
			read := *t.Read
			read.Caller = caller
			return s.adapter.Read(ctx, read)
		}
	}
	result, err := inTurn(ctx, b, s, r.caller.ID, func(ctx context.Context) (*mapping.Result, error) {
		caller, err := b.callerFor(ctx, s.name, r.caller, r.header)
		if err != nil {
			return nil, err
		}
		return use(ctx, caller)
	})
	if result == nil && err == nil {
		result = &mapping.Result{}
	}
	return result, err
}
