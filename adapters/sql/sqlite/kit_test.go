package sqlite

import (
	"context"
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/mcp-bridge/mcp-bridge/adapters/adaptertest"
	bridgesql "github.com/mcp-bridge/mcp-bridge/adapters/sql"
	"github.com/mcp-bridge/mcp-bridge/internal/sqlkit"
)

func TestKit(t *testing.T) {
	file := filepath.Join(t.TempDir(), "kit.db")
	create(t, file, sqlkit.Schema)
	adaptertest.Run(t, sqlkit.Harness("main", `"WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r) SELECT count(*) FROM r"`, func(context.Context) (*adaptertest.Subject, error) {
		return &adaptertest.Subject{
			Adapter: Open(file, bridgesql.Options{}),
			State: func(context.Context) (string, error) {
				b, err := os.ReadFile(file)
				return fmt.Sprintf("%x", sha256.Sum256(b)), err
			},
		}, nil
	}))
}
