package main

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"maps"
	"net/http"
	"net/url"
	"runtime"
	"runtime/metrics"
	"strings"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"
	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/resource"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"

	"github.com/mcp-bridge/mcp-bridge/internal/outbound"
)

type telemetryConfig struct {
	Traces  string  `json:"traces,omitempty" jsonschema:"The address of a collector that takes OTLP over HTTP, such as http://127.0.0.1:4318; spans go to /v1/traces there. Default: what OTEL_EXPORTER_OTLP_ENDPOINT says, else none."`
	Headers headers `json:"headers,omitempty" jsonschema:"Headers to send to the collector. Default: those of OTEL_EXPORTER_OTLP_HEADERS."`
	Sample  percent `json:"sample,omitempty" jsonschema:"How many of a hundred traces to keep, where the client does not decide. Default: what OTEL_TRACES_SAMPLER says, else 100."`
}

// Check refuses what is no address of a collector.
func (t telemetryConfig) Check() error {
	if t.Traces == "" {
		return nil
	}
	if u, err := url.Parse(t.Traces); err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return fmt.Errorf("traces is not an address such as http://127.0.0.1:4318")
	}
	return nil
}

// A collector is where spans go.
type collector struct {
	url    string // with the path
	header headers
}

// collector returns where the config or the environment sends spans; nil is
// nowhere. The words of the environment are those of OpenTelemetry.
func (c *config) collector(lookup func(string) (string, bool)) (*collector, error) {
	env := func(name string) string {
		value, _ := lookup(name)
		return strings.TrimSpace(value)
	}
	if c.Telemetry.Traces != "" {
		return &collector{strings.TrimSuffix(c.Telemetry.Traces, "/") + "/v1/traces", c.Telemetry.Headers}, nil
	}
	exact, base := env("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"), env("OTEL_EXPORTER_OTLP_ENDPOINT")
	if strings.EqualFold(env("OTEL_SDK_DISABLED"), "true") || env("OTEL_TRACES_EXPORTER") == "none" || exact == "" && base == "" {
		return nil, nil
	}
	if p := cmp.Or(env("OTEL_EXPORTER_OTLP_TRACES_PROTOCOL"), env("OTEL_EXPORTER_OTLP_PROTOCOL")); p == "grpc" {
		return nil, fmt.Errorf("OTEL_EXPORTER_OTLP_PROTOCOL is grpc, and spans are sent over HTTP only: name the collector's HTTP port, 4318 as a rule, and set it to http/json")
	}
	to := cmp.Or(exact, strings.TrimSuffix(base, "/")+"/v1/traces")
	if err := (telemetryConfig{Traces: to}).Check(); err != nil {
		return nil, fmt.Errorf("OTEL_EXPORTER_OTLP_ENDPOINT: %w", err)
	}
	sent := headers{}
	for _, list := range []string{env("OTEL_EXPORTER_OTLP_HEADERS"), env("OTEL_EXPORTER_OTLP_TRACES_HEADERS")} {
		for pair := range strings.SplitSeq(list, ",") {
			name, value, found := strings.Cut(pair, "=")
			value, err := url.PathUnescape(strings.TrimSpace(value))
			if found && err == nil {
				sent[strings.TrimSpace(name)] = value
			}
		}
	}
	if err := sent.Check(); err != nil {
		return nil, fmt.Errorf("OTEL_EXPORTER_OTLP_HEADERS: %w", err)
	}
	return &collector{to, sent}, nil
}

// tracing makes what sends spans to the collector, nil for none. The caller
// shuts it down.
func (c *config) tracing(lookup func(string) (string, bool), log *slog.Logger) (*sdktrace.TracerProvider, error) {
	to, err := c.collector(lookup)
	if err != nil || to == nil {
		return nil, err
	}
	about, err := resource.New(context.Background(), // nothing is asked but the environment
		resource.WithAttributes(attribute.String("service.name", c.serverName()), attribute.String("service.version", version())),
		resource.WithFromEnv())
	if err != nil {
		return nil, fmt.Errorf("OTEL_RESOURCE_ATTRIBUTES: %w", err)
	}
	options := []sdktrace.TracerProviderOption{
		sdktrace.WithResource(about),
		sdktrace.WithBatcher(&otlpExporter{client: to.client(c.proxy), url: to.url, header: maps.Clone(to.header), log: log}),
	}
	if c.Telemetry.Sample != 0 {
		options = append(options, sdktrace.WithSampler(sdktrace.ParentBased(sdktrace.TraceIDRatioBased(float64(c.Telemetry.Sample)/100))))
	}
	return sdktrace.NewTracerProvider(options...), nil
}

// client reaches the collector wherever it is, and nothing else.
func (to *collector) client(proxy outbound.Proxy) *http.Client {
	u, err := url.Parse(to.url)
	if err != nil {
		u = &url.URL{} // collector has checked it
	}
	host := outbound.HostPort(u)
	return &http.Client{
		Transport:     outbound.Transport(func(hostPort string) bool { return hostPort == host }, proxy),
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		Timeout:       10 * time.Second, // OTLP's default
	}
}

// metering makes what measures, and the reader of what it has measured.
func metering() (*sdkmetric.MeterProvider, sdkmetric.Reader, error) {
	reader := sdkmetric.NewManualReader()
	provider := sdkmetric.NewMeterProvider(sdkmetric.WithReader(reader), sdkmetric.WithResource(resource.Empty()))
	return provider, reader, measureProcess(provider.Meter("github.com/mcp-bridge/mcp-bridge/cmd/mcp-bridge"))
}

// measureProcess measures the process itself, under the names that Prometheus'
// dashboards know where they have one.
func measureProcess(meter metric.Meter) error {
	begin := time.Now().Unix()
	for _, g := range []struct {
		name, unit, text string
		value            func() int64
	}{
		{"process.start.time", "s", "When the process began, in seconds since 1970.", func() int64 { return begin }},
		{"go.goroutines", "{goroutine}", "Goroutines.", func() int64 { return int64(runtime.NumGoroutine()) }},
		{"go.memory", "By", "Memory that the Go runtime holds, without what it has given back.", goMemory},
	} {
		_, err := meter.Int64ObservableGauge(g.name, metric.WithUnit(g.unit), metric.WithDescription(g.text),
			metric.WithInt64Callback(func(_ context.Context, o metric.Int64Observer) error {
				o.Observe(g.value())
				return nil
			}))
		if err != nil {
			return err
		}
	}
	return nil
}

func goMemory() int64 {
	of := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	metrics.Read(of)
	return int64(of[0].Value.Uint64() - of[1].Value.Uint64())
}
