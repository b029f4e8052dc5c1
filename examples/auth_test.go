package examples_test

import (
	"context"
	"fmt"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"

	"github.com/mcp-bridge/mcp-bridge/adapters/openapi"
	"github.com/mcp-bridge/mcp-bridge/core"
	"github.com/mcp-bridge/mcp-bridge/mapping"
)

// verify looks a token up where the service keeps its own. Yours may check a JWT.
func verify(_ context.Context, token string) (core.Identity, error) {
	if token != "anns-token" {
		return core.Identity{}, &mapping.Error{Code: mapping.Unauthenticated, Problem: "the token is unknown"}
	}
	return core.Identity{Caller: mapping.Caller{ID: "ann", Scopes: []string{"pets:read"}}}, nil
}

// A bridge asks who calls, and a client without a token learns where to get one.
func Example_auth() {
	pets := openapi.New(openapi.Bytes(spec), openapi.Options{Handler: petAPI()})
	b, err := core.New(core.Options{
		Name: "petstore",
		Auth: &core.Auth{
			Verify:               verify,
			Resource:             "https://mcp.example.com/mcp",
			AuthorizationServers: []string{"https://issuer.example.com"},
		},
		Rules: mapping.Rules{Scopes: map[string][]string{"effect:reads": {"pets:read"}}},
	}, core.Sources{"pets": pets})
	if err != nil {
		log.Fatal(err)
	}
	defer b.Close()
	mux := http.NewServeMux()
	mux.Handle("/mcp", b.Handler())
	mux.Handle("/.well-known/oauth-protected-resource", b.Metadata())
	mux.Handle("/.well-known/oauth-protected-resource/mcp", b.Metadata())

	answer := httptest.NewRecorder()
	mux.ServeHTTP(answer, httptest.NewRequestWithContext(context.Background(), http.MethodPost, "http://localhost/mcp", nil))
	fmt.Println(answer.Code, answer.Header().Get("WWW-Authenticate"))

	answer = httptest.NewRecorder()
	mux.ServeHTTP(answer, httptest.NewRequestWithContext(context.Background(), http.MethodGet, "http://localhost/.well-known/oauth-protected-resource/mcp", nil))
	fmt.Println(answer.Code, strings.TrimSpace(answer.Body.String()))
	// Output:
	// 401 Bearer resource_metadata="https://mcp.example.com/.well-known/oauth-protected-resource/mcp"
	// 200 {"resource":"https://mcp.example.com/mcp","authorization_servers":["https://issuer.example.com"],"scopes_supported":["pets:read"],"bearer_methods_supported":["header"],"resource_name":"petstore"}
}
