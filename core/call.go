package core

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/mcp-bridge/mcp-bridge/mapping"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// CallTool calls a tool as a client would, for a program in this process. It
// waits for the first publish and asks nobody for confirmation. A failure of
// the tool is a result with IsError; the error is for a tool that does not
// exist and for ctx.
func (b *Bridge) CallTool(ctx context.Context, name string, args json.RawMessage) (*mcp.CallToolResult, error) {
	ctx, o := b.observe(ctx, "tools/call", nil)
	result, err := b.call(ctx, request{consent: consent{given: true}, trace: traceparent(ctx)}, name, args)
	o.over(err, err)
	return result, err
}

// call answers tools/call.
func (b *Bridge) call(ctx context.Context, r request, name string, args json.RawMessage) (*mcp.CallToolResult, error) {
	return onNewest(ctx, b, func(snap *snapshot) (*mcp.CallToolResult, error) {
		return b.callOn(ctx, snap, &r, name, args)
	})
}

// callOn answers tools/call as of a snapshot.
func (b *Bridge) callOn(ctx context.Context, snap *snapshot, r *request, name string, args json.RawMessage) (*mcp.CallToolResult, error) {
	tool := snap.surface.Tool(name)
	if tool == nil || !tool.MayUse(r.caller) {
		return nil, errNoTool(name)
	}
	op := b.begin(ctx, tool.Source)
	op.tool(tool)

	call, err := b.bind(tool, args)
	if err != nil {
		return encodeAnswer(op.answered(tool.ShapeError(err), op.refused(err)), *r), nil
	}
	if err := b.count(r, tool.Source); err != nil {
		return encodeAnswer(op.answered(tool.ShapeError(err), op.refused(err)), *r), nil
	}
	question, err := b.confirm(tool, call, args, r)
	if err != nil {
		return encodeAnswer(op.answered(tool.ShapeError(err), op.refused(err)), *r), nil
	}
	if question != nil {
		op.asked()
		return encodeQuestion(question), nil
	}
	if tool.Confirm && !r.consent.given {
		op.event.Decision = Confirmed
	}

	s := snap.sources[tool.Source]
	stop := b.fillCall(call, s, snap, *r)
	result, err := inTurn(ctx, b, s, r.caller.ID, func(ctx context.Context) (*mapping.Result, error) {
		caller, err := b.callerFor(ctx, s.name, r.caller, r.header)
		if err != nil {
			return nil, err
		}
		own := *call
		own.Caller = caller
		return s.adapter.Call(ctx, own)
	})
	stop()
	if b.outdated(snap, err) {
		return nil, err
	}
	if err != nil {
		return encodeAnswer(op.answered(tool.ShapeError(err), err), *r), nil
	}
	if result == nil {
		result = &mapping.Result{}
	}
	return encodeAnswer(op.answered(tool.Shape(call, result), nil), *r), nil
}

// bind reads the arguments of a call.
func (b *Bridge) bind(tool *mapping.Tool, args json.RawMessage) (*mapping.Call, error) {
	if most := b.options.Limits.ArgumentBytes; len(args) > most {
		return nil, &mapping.Error{
			Code:    mapping.Exhausted,
			Problem: fmt.Sprintf("the arguments have %d bytes", len(args)),
			Allowed: fmt.Sprintf("at most %d are taken", most),
			Next:    "send less, or in several calls",
		}
	}
	return tool.Bind(args)
}

// fillCall sets what a call carries beside its arguments. Once stop has been
// called, the adapter's reports no longer reach the client.
func (b *Bridge) fillCall(c *mapping.Call, s *source, snap *snapshot, r request) (stop func()) {
	voice := b.newVoice(s, r)
	c.Trace = r.trace
	c.Budget = snap.surface.Budget()
	c.MaxBytes = b.options.Limits.MaxBytes
	c.Progress = voice.progress
	c.Log = voice.log
	return voice.end
}
