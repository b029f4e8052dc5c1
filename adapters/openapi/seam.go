package openapi

import (
	"context"
	"net/http"

	"github.com/mcp-bridge/mcp-bridge/mapping"
)

// The three functions below belong in request.go, send.go and answer.go.

func (a *Adapter) request(ctx context.Context, op *operation, c mapping.Call) (*http.Request, error) {
	return nil, &mapping.Error{Code: mapping.Unsupported, Problem: "requests cannot be built yet"}
}

func (a *Adapter) send(req *http.Request, op *operation, c mapping.Call) (*http.Response, error) {
	return nil, &mapping.Error{Code: mapping.Unsupported, Problem: "requests cannot be sent yet"}
}

func (a *Adapter) result(op *operation, resp *http.Response, c mapping.Call) (*mapping.Result, error) {
	return nil, &mapping.Error{Code: mapping.Unsupported, Problem: "answers cannot be read yet"}
}
