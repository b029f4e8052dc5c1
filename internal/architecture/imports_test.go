package architecture

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"testing"
)

// A partRule says which packages of the repository a part may import.
type partRule struct {
	part   string // "x/..." is x and everything below it
	own    []string
	reason string
}

// parts holds a rule for each package; the first match counts.
var parts = []partRule{
	{"mapping", nil,
		"mapping is pure and knows nobody, so every decision in it is tested by comparing text with text"},
	{"core", []string{"mapping"},
		"core never imports an adapter or an exporter, so an embedder links only what it uses"},
	{"adapters/adaptertest", []string{"mapping", "core"},
		"the kit tests core.Adapter, and must not know a real adapter"},
	{"adapters/openapi", []string{"mapping", "internal/outbound", "internal/filewatch"},
		"an adapter never imports core or another adapter; only this one reads files, and tells when they change"},
	{"adapters/sql/*", []string{"mapping", "internal/outbound", "adapters/sql"},
		"a dialect shares adapters/sql and nothing else, so a database driver is linked only by whoever asks for it"},
	{"adapters/*", []string{"mapping", "internal/outbound"},
		"an adapter never imports core or another adapter, so a protocol revision touches one package and an adapter is written without knowing MCP"},
	{"internal/outbound", []string{"mapping"},
		"the way out serves every adapter, so it knows none"},
	{"internal/filewatch", nil,
		"it looks at files, whatever is in them"},
	{"internal/demo", nil,
		"the demo backends are what a user would bring: they know nothing of the bridge"},
	{"internal/strictjson", []string{"mapping"},
		"it reads text, whatever the text is about; mapping finds the word that was meant"},
	{"internal/vendorrules", nil,
		"a judge shares no code with what it judges"},
	{"internal/architecture", nil,
		"the rules hold no code"},
	{"internal/sqlkit", []string{"mapping", "adapters/adaptertest", "adapters/sql", "internal/vendorrules"},
		"it says what is known of one database to the kit, whoever serves it"},
	{"internal/pgtest", nil,
		"it starts a server for tests, whoever they are for"},
	{"internal/mytest", nil,
		"it starts a server for tests, whoever they are for"},
	{"internal/githubfake", nil,
		"a fake that knew its client would agree with the client's errors"},
	{"internal/githuboracle", nil,
		"a judge knows neither side"},
	{"internal/clients", nil,
		"the client tests see the bridge from outside, as a built program"},
	{"internal/conformance", []string{"core", "mapping", "adapters/adaptertest"},
		"the fixture server embeds core, as a user would"},
	{"cmd/...", []string{"..."},
		"the command wires everything"},
	{"bench/...", []string{"..."},
		"a measurement may look at anything"},
	{"examples/...", []string{"core", "mapping", "adapters/..."},
		"an example imports only what a user can import"},
}

// A moduleRule says which parts may import a module in non-test files.
type moduleRule struct {
	module string
	parts  []string // nil is tests only
	reason string
}

// modules holds every module that is imported anywhere; the longest match counts.
var modules = []moduleRule{
	{"github.com/modelcontextprotocol/go-sdk", []string{"core", "cmd/...", "internal/conformance"},
		"MCP is core's: the next revision then touches one package"},
	{"github.com/santhosh-tekuri/jsonschema/v6", []string{"mapping", "adapters/adaptertest", "internal/vendorrules"},
		"mapping alone checks arguments; the kit and the vendors' rules hold schemas against the metaschema"},
	{"github.com/google/jsonschema-go", []string{"core", "cmd/..."},
		"only core.Func and the schema of the config file are read off Go types"},
	{"github.com/getkin/kin-openapi", []string{"adapters/openapi", "internal/githuboracle"},
		"only one adapter reads OpenAPI documents; the oracle checks with a second implementation what another one does"},
	{"go.yaml.in/yaml/v4", []string{"adapters/openapi"},
		"only documents are YAML; kin-openapi brings this parser"},
	{"github.com/yosida95/uritemplate/v3", []string{"mapping"},
		"mapping alone decides about URIs"},
	{"github.com/jackc/pgx/v5", []string{"adapters/sql/postgres"},
		"a database driver is linked only by whoever asks for that database"},
	{"github.com/go-sql-driver/mysql", []string{"adapters/sql/mysql"},
		"a database driver is linked only by whoever asks for that database"},
	{"modernc.org/sqlite", []string{"adapters/sql/sqlite"},
		"a database driver is linked only by whoever asks for that database"},
	{"github.com/google/go-github/v66", []string{"adapters/github"},
		"only one adapter speaks to GitHub"},
	{"golang.org/x/net", []string{"adapters/openapi", "internal/outbound", "cmd/..."},
		"only answers of web servers come in the charsets of the web; net/http maps names that are no ASCII with it; the variables that name a proxy are the environment's"},
	{"golang.org/x/time", []string{"core", "cmd/..."},
		"limits are core's, and one on fetching an issuer's keys"},
	{"github.com/rs/cors", []string{"core"},
		"core serves HTTP, and browsers ask it what pages may do"},
	{"golang.org/x/sync", []string{"core"},
		"limits are core's"},
	{"github.com/MicahParks/keyfunc/v3", []string{"cmd/..."},
		"an embedder brings its own token check"},
	{"github.com/golang-jwt/jwt/v5", []string{"cmd/..."},
		"an embedder brings its own token check"},
	{"golang.org/x/oauth2", []string{"adapters/openapi", "cmd/..."},
		"only a client of backends fetches tokens"},
	{"github.com/spf13/pflag", []string{"cmd/..."},
		"only the command has a command line"},
	{"go.opentelemetry.io/otel", []string{"core", "cmd/..."},
		"core's observer speaks the API"},
	{"go.opentelemetry.io/otel/sdk", []string{"cmd/..."},
		"core never links an exporter"},
	{"go.opentelemetry.io/otel/exporters", []string{},
		"the OTLP exporter links gRPC and the Prometheus one a whole client: 4 MB of memory at every start, for two text formats"},
	{"github.com/prometheus/common", nil, "it reads in tests what is written for Prometheus; linked, it costs memory at every start"},
	{"go.opentelemetry.io/proto/slim/otlp", nil, "it reads in tests what is sent to collectors; linked, it costs memory at every start"},
	{"google.golang.org/protobuf", nil, "it decodes in tests what is sent to collectors"},
	{"github.com/mark3labs/mcp-go", nil, "a client that others wrote, for tests"},
	{"github.com/google/go-cmp", nil, "it may panic, and is for tests"},
	{"golang.org/x/tools", nil, "txtar is for tests"},
	{"github.com/rogpeppe/go-internal", nil, "testscript is for tests"},
}

// impure are standard packages that mapping may not import.
var impure = []string{
	"context", "crypto/rand", "database/...", "log/...", "math/rand/...", "net", "net/http/...", "os/...", "syscall",
}

func TestPartsImportOnlyWhatTheyMay(t *testing.T) {
	check(t, ownImports)
}

func ownImports(p *pkg) []string {
	rule, ok := partOf(p)
	if !ok {
		return []string{fmt.Sprintf("%s has no rule: decide in imports_test.go what it may import, and why", p.part())}
	}
	var bad []string
	for _, imp := range p.Imports {
		rest, ok := strings.CutPrefix(imp, module+"/")
		if ok && rest != p.part() && !matchAny(rule.own, rest) {
			bad = append(bad, fmt.Sprintf("%s imports %s: %s", p.part(), rest, rule.reason))
		}
	}
	return bad
}

func TestModulesAreImportedOnlyWhereTheyMay(t *testing.T) {
	check(t, moduleImports)
}

func moduleImports(p *pkg) []string {
	var bad []string
	for _, imp := range foreign(p.Imports) {
		rule, ok := moduleOf(imp)
		if !ok {
			bad = append(bad, fmt.Sprintf("%s imports %s: the default answer to a new dependency is no; a rule in imports_test.go says who may import it, and why", p.part(), imp))
		} else if !matchAny(rule.parts, p.part()) {
			bad = append(bad, fmt.Sprintf("%s imports %s: %s", p.part(), imp, rule.reason))
		}
	}
	for _, imp := range foreign(slices.Concat(p.TestImports, p.XTestImports)) {
		if _, ok := moduleOf(imp); !ok {
			bad = append(bad, fmt.Sprintf("tests of %s import %s: the default answer to a new dependency is no; a rule in imports_test.go says who may import it, and why", p.part(), imp))
		}
	}
	return bad
}

func TestMappingImportsNothingImpure(t *testing.T) {
	check(t, impureImports)
}

func impureImports(p *pkg) []string {
	if p.part() != "mapping" {
		return nil
	}
	var bad []string
	for _, imp := range p.Imports {
		if matchAny(impure, imp) {
			bad = append(bad, fmt.Sprintf("mapping imports %s: it has no context, no I/O, no clock and no chance, so every decision is tested by comparing text with text", imp))
		}
	}
	return bad
}

func TestImportRulesCanFail(t *testing.T) {
	own := module + "/"
	for _, c := range []struct {
		rule    func(*pkg) []string
		part    string
		imports string
	}{
		{ownImports, "mapping", own + "core"},
		{ownImports, "core", own + "adapters/openapi"},
		{ownImports, "adapters/openapi", own + "core"},
		{ownImports, "adapters/github", own + "adapters/openapi"},
		{ownImports, "adapters/sql/postgres", own + "adapters/sql/mysql"},
		{ownImports, "adapters/sql", own + "adapters/sql/mysql"},
		{ownImports, "adapters/adaptertest", own + "adapters/openapi"},
		{ownImports, "somewhere/new", "fmt"},
		{moduleImports, "mapping", "github.com/modelcontextprotocol/go-sdk/mcp"},
		{moduleImports, "adapters/openapi", "github.com/modelcontextprotocol/go-sdk/mcp"},
		{moduleImports, "adapters/sql", "github.com/jackc/pgx/v5/pgxpool"},
		{moduleImports, "core", "go.opentelemetry.io/otel/sdk/trace"},
		{moduleImports, "core", "github.com/google/go-cmp/cmp"},
		{moduleImports, "core", "example.com/new/thing"},
		{impureImports, "mapping", "net/http/httptest"},
		{impureImports, "mapping", "os"},
	} {
		p := &pkg{ImportPath: own + c.part, Imports: []string{c.imports}}
		if len(c.rule(p)) != 1 {
			t.Errorf("%s may import %s, want a complaint", c.part, c.imports)
		}
	}
}

// partOf finds the rule of a package.
func partOf(p *pkg) (partRule, bool) {
	for _, r := range parts {
		if match(r.part, p.part()) {
			return r, true
		}
	}
	return partRule{}, false
}

// moduleOf finds the rule of an import path outside the repository.
func moduleOf(imp string) (moduleRule, bool) {
	var best moduleRule
	for _, r := range modules {
		if match(r.module+"/...", imp) && len(r.module) > len(best.module) {
			best = r
		}
	}
	return best, best.module != ""
}

// foreign keeps the imports of other modules.
func foreign(imports []string) []string {
	var out []string
	for _, imp := range imports {
		first, _, _ := strings.Cut(imp, "/")
		if strings.Contains(first, ".") && imp != module && !strings.HasPrefix(imp, module+"/") {
			out = append(out, imp)
		}
	}
	return out
}

func matchAny(patterns []string, name string) bool {
	return slices.ContainsFunc(patterns, func(p string) bool { return match(p, name) })
}

// match knows "...", "x/..." for x and all below it, and * for one element.
func match(pattern, name string) bool {
	if pattern == "..." {
		return true
	}
	if above, ok := strings.CutSuffix(pattern, "/..."); ok {
		return name == above || strings.HasPrefix(name, above+"/")
	}
	ok, err := path.Match(pattern, name)
	return ok && err == nil
}
