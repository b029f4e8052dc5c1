package openapi

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"net"
	"net/url"
	"syscall"

	"github.com/mcp-bridge/mcp-bridge/internal/outbound"
	"github.com/mcp-bridge/mcp-bridge/mapping"
)

// sendFailure says why no answer came. The URL stays out of it, for the log too:
// it may hold a credential.
func sendFailure(ctx context.Context, op *operation, err error) error {
	var e *url.Error
	if errors.As(err, &e) {
		err = e.Err
	}
	var refused *outbound.Refused
	switch {
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded), ctx.Err() != nil:
		return canceled(ctx, op, err)
	case errors.As(err, &refused):
		return &mapping.Error{
			Code: mapping.Denied, Problem: "the address that this call leads to is not public, and the operator did not name it, so nothing was sent there",
			Next: "do not retry; ask the operator to set the base URL of this API", Err: err,
		}
	case errors.Is(err, errHandler):
		return &mapping.Error{Code: mapping.Unavailable, Problem: "the API failed while it answered", Next: carriedOut(op), Err: err}
	case untrusted(err):
		return &mapping.Error{
			Code: mapping.Unavailable, Problem: "the API's certificate is not trusted, so nothing was sent",
			Next: "do not retry; ask the operator to look at the API's certificate", Err: err,
		}
	}
	return unreached(op, err)
}

// unreached is a connection that did not come about or broke.
func unreached(op *operation, err error) error {
	f := &mapping.Error{Code: mapping.Unavailable, Err: &brokenError{err}}
	var dns *net.DNSError
	var dial *net.OpError
	switch {
	case outbound.AtProxy(err):
		f.Problem, f.Next = "the API cannot be reached: the proxy on the way to it is down or refuses", "tell the user that the operator has to look at the proxy"
	case errors.As(err, &dns):
		f.Problem, f.Next = "the API cannot be reached: its address cannot be found", "ask the operator to look at the API's base URL"
	case errors.Is(err, syscall.ECONNREFUSED):
		f.Problem, f.Next = "the API cannot be reached: it refuses connections", "try again later, or tell the user that the API is down"
	case errors.As(err, &dial) && dial.Op == "dial":
		f.Problem, f.Next = "the API cannot be reached", "try again later, or tell the user that the API is down"
	default:
		f.Problem, f.Next = "the connection to the API broke before it had answered", carriedOut(op)
	}
	return f
}

// carriedOut says what a model has to know of a call without an answer.
func carriedOut(op *operation) string {
	if safe(op.method) {
		return "try again later"
	}
	return "it may have been carried out all the same; look before you call again"
}

// untrusted says that TLS refused the API's certificate or its protocol.
func untrusted(err error) bool {
	var certificate *tls.CertificateVerificationError
	var authority x509.UnknownAuthorityError
	var host x509.HostnameError
	var invalid x509.CertificateInvalidError
	var record tls.RecordHeaderError
	var alert tls.AlertError
	return errors.As(err, &certificate) || errors.As(err, &authority) || errors.As(err, &host) ||
		errors.As(err, &invalid) || errors.As(err, &record) || errors.As(err, &alert)
}
