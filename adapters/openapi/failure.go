package openapi

import (
	"fmt"
	"net/http"
	"strings"

	"github.com/mcp-bridge/mcp-bridge/mapping"
)

// maxDetail is how many bytes of a failed answer are shown.
const maxDetail = 2000

// statusFailure says what an answer outside 2xx means.
func statusFailure(r *reply) error {
	detail := string(r.body)
	if len(detail) > maxDetail {
		detail = strings.ToValidUTF8(detail[:maxDetail], "") + "…"
	}
	return &mapping.Error{
		Code:    statusCode(r.status),
		Problem: fmt.Sprintf("the API answered %s", statusWords(r.status)),
		Detail:  detail,
	}
}

// statusCode is the code that a status stands for (RFC 9110 section 15).
func statusCode(status int) mapping.Code {
	switch status {
	case http.StatusUnauthorized:
		return mapping.Unauthenticated
	case http.StatusForbidden:
		return mapping.Denied
	case http.StatusNotFound, http.StatusGone:
		return mapping.NotFound
	case http.StatusConflict, http.StatusPreconditionFailed, http.StatusLocked:
		return mapping.Conflict
	case http.StatusTooManyRequests, http.StatusRequestEntityTooLarge:
		return mapping.Exhausted
	case http.StatusRequestTimeout, http.StatusGatewayTimeout:
		return mapping.Timeout
	case http.StatusMethodNotAllowed, http.StatusNotImplemented:
		return mapping.Unsupported
	}
	if status >= 500 {
		return mapping.Unavailable
	}
	return mapping.Invalid
}
