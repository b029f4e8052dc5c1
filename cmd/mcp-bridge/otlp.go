package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"strconv"
	"sync"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
)

const (
	otlpTries = 3                // of one batch
	otlpWait  = time.Second      // before the second try; twice that before the third
	otlpMost  = 30 * time.Second // that a collector may ask us to wait
)

// An otlpExporter sends spans to a collector by OTLP over HTTP, as JSON. The
// official exporter links gRPC, whatever it speaks: 8 MB of program and 3 MB of
// memory before the first request.
type otlpExporter struct {
	client *http.Client
	url    string // with /v1/traces
	header map[string]string
	log    *slog.Logger

	mu      sync.Mutex
	failing bool // the newest batch was not taken: said once
}

// ExportSpans sends one batch. What cannot be sent is lost: a collector that is
// away must not hold up those who call.
func (e *otlpExporter) ExportSpans(ctx context.Context, spans []sdktrace.ReadOnlySpan) error {
	body, err := json.Marshal(otlpRequest(spans))
	if err != nil {
		return fmt.Errorf("encode spans: %w", err)
	}
	wait := otlpWait
	for try := 1; ; try++ {
		again, after, err := e.send(ctx, body)
		if !again || try == otlpTries {
			e.note(err, len(spans))
			return nil // otherwise the SDK would print it
		}
		pause := time.NewTimer(max(wait, min(after, otlpMost)))
		select {
		case <-pause.C:
		case <-ctx.Done():
			pause.Stop()
			e.note(ctx.Err(), len(spans))
			return nil
		}
		wait *= 2
	}
}

// send sends a batch once, and says whether another try makes sense and when.
func (e *otlpExporter) send(ctx context.Context, body []byte) (again bool, after time.Duration, err error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, e.url, bytes.NewReader(body))
	if err != nil {
		return false, 0, err
	}
	for name, value := range e.header {
		req.Header.Set(name, value)
	}
	req.Header.Set("Content-Type", "application/json")
	resp, err := e.client.Do(req)
	if err != nil {
		return ctx.Err() == nil, 0, err
	}
	defer resp.Body.Close()
	io.Copy(io.Discard, io.LimitReader(resp.Body, 64<<10)) // so that the connection serves again
	switch resp.StatusCode {
	case http.StatusOK:
		return false, 0, nil
	case http.StatusTooManyRequests, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		seconds, _ := strconv.Atoi(resp.Header.Get("Retry-After")) // a date is rare, and then it is 0
		return true, time.Duration(seconds) * time.Second, fmt.Errorf("the collector answers %s", resp.Status)
	}
	return false, 0, fmt.Errorf("the collector answers %s", resp.Status)
}

// note logs the first of several failures, and the first success after it.
func (e *otlpExporter) note(err error, spans int) {
	e.mu.Lock()
	defer e.mu.Unlock()
	switch {
	case err != nil && !e.failing:
		e.log.Warn("spans are lost", "spans", spans, "error", err.Error())
	case err == nil && e.failing:
		e.log.Info("spans are taken again")
	}
	e.failing = err != nil
}

// Shutdown has nothing to close.
func (e *otlpExporter) Shutdown(context.Context) error { return nil }

// The types below are ExportTraceServiceRequest of opentelemetry-proto in its
// JSON form: ids in hex, 64-bit integers as strings, enumerations as numbers.
type (
	otlpTraces struct {
		ResourceSpans []otlpResourceSpans `json:"resourceSpans"`
	}
	otlpResourceSpans struct {
		Resource   otlpResource     `json:"resource"`
		ScopeSpans []otlpScopeSpans `json:"scopeSpans"`
	}
	otlpResource struct {
		Attributes []otlpAttribute `json:"attributes,omitempty"`
	}
	otlpScopeSpans struct {
		Scope otlpScope  `json:"scope"`
		Spans []otlpSpan `json:"spans"`
	}
	otlpScope struct {
		Name    string `json:"name"`
		Version string `json:"version,omitempty"`
	}
	otlpSpan struct {
		TraceID      string          `json:"traceId"`
		SpanID       string          `json:"spanId"`
		TraceState   string          `json:"traceState,omitempty"`
		ParentSpanID string          `json:"parentSpanId,omitempty"`
		Flags        uint32          `json:"flags"`
		Name         string          `json:"name"`
		Kind         int             `json:"kind"`
		Start        string          `json:"startTimeUnixNano"`
		End          string          `json:"endTimeUnixNano"`
		Attributes   []otlpAttribute `json:"attributes,omitempty"`
		Links        []otlpLink      `json:"links,omitempty"`
		Status       otlpStatus      `json:"status"`
	}
	otlpLink struct {
		TraceID string `json:"traceId"`
		SpanID  string `json:"spanId"`
	}
	otlpStatus struct {
		Code int `json:"code,omitempty"`
	}
	otlpAttribute struct {
		Key   string    `json:"key"`
		Value otlpValue `json:"value"`
	}
	otlpValue struct {
		String string `json:"stringValue"`
	}
)

// otlpRequest puts spans below what they share.
func otlpRequest(spans []sdktrace.ReadOnlySpan) otlpTraces {
	if len(spans) == 0 {
		return otlpTraces{}
	}
	scopes := []otlpScopeSpans{}
	at := map[string]int{}
	for _, s := range spans {
		scope := s.InstrumentationScope()
		i, known := at[scope.Name]
		if !known {
			i = len(scopes)
			at[scope.Name] = i
			scopes = append(scopes, otlpScopeSpans{Scope: otlpScope{scope.Name, scope.Version}})
		}
		scopes[i].Spans = append(scopes[i].Spans, otlpSpanOf(s))
	}
	// One provider makes all of them, so they share its resource.
	resource := otlpResource{otlpAttributes(spans[0].Resource().Attributes())}
	return otlpTraces{[]otlpResourceSpans{{resource, scopes}}}
}

// The bits of flags that say whether a parent is in another process.
const (
	otlpKnowsRemote = 1 << 8
	otlpRemote      = 1 << 9
)

func otlpSpanOf(s sdktrace.ReadOnlySpan) otlpSpan {
	self, parent := s.SpanContext(), s.Parent()
	span := otlpSpan{
		TraceID:    self.TraceID().String(),
		SpanID:     self.SpanID().String(),
		TraceState: self.TraceState().String(),
		Flags:      uint32(self.TraceFlags()) | otlpKnowsRemote,
		Name:       s.Name(),
		Kind:       int(s.SpanKind()), // the numbers are the same
		Start:      strconv.FormatInt(s.StartTime().UnixNano(), 10),
		End:        strconv.FormatInt(s.EndTime().UnixNano(), 10),
		Attributes: otlpAttributes(s.Attributes()),
	}
	if parent.SpanID().IsValid() {
		span.ParentSpanID = parent.SpanID().String()
	}
	if parent.IsRemote() {
		span.Flags |= otlpRemote
	}
	for _, l := range s.Links() {
		span.Links = append(span.Links, otlpLink{l.SpanContext.TraceID().String(), l.SpanContext.SpanID().String()})
	}
	switch s.Status().Code { // the numbers are not the same
	case codes.Ok:
		span.Status.Code = 1
	case codes.Error:
		span.Status.Code = 2
	case codes.Unset:
	}
	return span
}

// otlpAttributes writes every value as a string: core's and the resource's are.
func otlpAttributes(all []attribute.KeyValue) []otlpAttribute {
	var list []otlpAttribute
	for _, a := range all {
		list = append(list, otlpAttribute{string(a.Key), otlpValue{a.Value.String()}})
	}
	return list
}
