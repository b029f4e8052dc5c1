module github.com/mcp-bridge/mcp-bridge/.ci/tools

go 1.26.0

require (
	github.com/jingyugao/rowserrcheck v1.1.1
	github.com/nishanths/exhaustive v0.17.1
	github.com/polyfloyd/go-errorlint v1.8.0
	github.com/ryanrolds/sqlclosecheck v0.6.0
	github.com/sonatard/noctx v0.5.1
	github.com/timakin/bodyclose v0.0.0-20260723120731-857993a2939c
	go-simpler.org/sloglint v0.12.0
	golang.org/x/tools v0.52.0
)

require (
	github.com/BurntSushi/toml v1.4.1-0.20240526193622-a339e1f7089c // indirect
	github.com/ettle/strcase v0.2.0 // indirect
	github.com/gostaticanalysis/analysisutil v0.7.1 // indirect
	github.com/gostaticanalysis/comment v1.5.0 // indirect
	golang.org/x/exp/typeparams v0.0.0-20231108232855-2478ac86f678 // indirect
	golang.org/x/mod v0.42.0 // indirect
	golang.org/x/sync v0.24.0 // indirect
	golang.org/x/tools/go/packages/packagestest v0.1.1-deprecated // indirect
	honnef.co/go/tools v0.8.2 // indirect
)

tool honnef.co/go/tools/cmd/staticcheck
