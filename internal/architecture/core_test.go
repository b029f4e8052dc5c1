package architecture

import (
	"fmt"
	"go/ast"
	"go/types"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// content are the SDK's types of what a model reads.
var content = []string{"TextContent", "ImageContent", "AudioContent", "EmbeddedResource", "ResourceLink", "ResourceContents"}

func TestOneFileBuildsContent(t *testing.T) {
	check(t, contentFiles)
}

func contentFiles(p *pkg) []string {
	if p.part() != "core" {
		return nil
	}
	var files []string
	for _, f := range p.files {
		ast.Inspect(f, func(n ast.Node) bool {
			lit, ok := n.(*ast.CompositeLit)
			if ok && isContent(p.info.TypeOf(lit)) {
				files = append(files, filepath.Base(p.fset.Position(lit.Pos()).Filename))
			}
			return true
		})
	}
	slices.Sort(files)
	files = slices.Compact(files)
	if len(files) > 1 {
		return []string{fmt.Sprintf("%s build MCP content in core, want one file: the next protocol revision is then a small change", strings.Join(files, " and "))}
	}
	return nil
}

func isContent(t types.Type) bool {
	if ptr, ok := t.(*types.Pointer); ok {
		t = ptr.Elem()
	}
	named, ok := t.(*types.Named)
	return ok && named.Obj().Pkg() != nil &&
		strings.HasPrefix(named.Obj().Pkg().Path(), "github.com/modelcontextprotocol/go-sdk/") &&
		slices.Contains(content, named.Obj().Name())
}
