package adaptertest_test

import (
	"testing"

	"github.com/mcp-bridge/mcp-bridge/adapters/adaptertest"
)

func TestFake(t *testing.T) {
	adaptertest.Run(t, harness(func(*notebook) {}))
}
