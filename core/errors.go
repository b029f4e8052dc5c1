package core

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/mcp-bridge/mcp-bridge/mapping"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// codeNotFound is how revisions before 2026-07-28 say that a resource does not
// exist; newer ones must not use it.
const codeNotFound = -32002

func errNoTool(name string) error {
	return &mapping.Error{Code: mapping.Invalid, Problem: fmt.Sprintf("unknown tool %q", name)}
}

func errNoPrompt(name string) error {
	return &mapping.Error{Code: mapping.Invalid, Problem: fmt.Sprintf("unknown prompt %q", name)}
}

// errGreeted is for a second handshake, which the protocol does not have.
func errGreeted() error {
	return &jsonrpc.Error{Code: jsonrpc.CodeInvalidRequest, Message: "this session has had its handshake"}
}

// errNoMethod is for a method that the revision of a request does not have.
func errNoMethod(method string) error {
	return &jsonrpc.Error{Code: jsonrpc.CodeMethodNotFound, Message: "there is no method " + method}
}

func errNoResource() error {
	return &mapping.Error{Code: mapping.NotFound, Problem: "there is no such resource"}
}

// protocolError turns whatever a request ended with into a JSON-RPC error with a
// code that its revision knows. uri is the resource that was asked for, "" for
// other requests.
func (b *Bridge) protocolError(err error, revision, uri string) error {
	var coded *jsonrpc.Error
	if errors.As(err, &coded) && coded.Code != 0 {
		if uri != "" && coded.Code == jsonrpc.CodeInvalidParams && coded.Data != nil {
			return notFound(coded.Message, revision, uri)
		}
		return err
	}
	var worded *mapping.Error
	if errors.As(err, &worded) {
		switch {
		case worded.Code == mapping.NotFound && uri != "":
			return notFound(worded.Error(), revision, uri)
		case worded.Code == mapping.Invalid || worded.Code == mapping.NotFound || worded.Code == mapping.Unsupported:
			return &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: worded.Error()}
		}
		return &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: worded.Error()}
	}
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: "this took too long; try again later"}
	case errors.Is(err, context.Canceled):
		return &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: "canceled"}
	case errors.Is(err, errClosed):
		return &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: "the server is shutting down"}
	}
	b.log.Error("request failed", b.failure(err)...)
	return &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: "internal error"}
}

func notFound(message, revision, uri string) error {
	data, err := json.Marshal(map[string]string{"uri": uri})
	if err != nil {
		data = nil // a string always marshals
	}
	code := int64(jsonrpc.CodeInvalidParams)
	if revision < revision20260728 {
		code = codeNotFound
	}
	return &jsonrpc.Error{Code: code, Message: message, Data: data}
}
