package conventions

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"
)

// How large a room may be, and what every visit carries: people find their way in what
// is small.
const (
	maxRoomFiles   = 30
	maxVisitFields = 10
)

// No package of the bot has more files than somebody keeps in mind.
func TestRoomsAreSmall(t *testing.T) {
	files := map[string]int{}
	err := filepath.WalkDir(filepath.Join(root, "bot"), func(path string, d fs.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(path, ".go") && !strings.HasSuffix(path, "_test.go") {
			files[filepath.Dir(path)]++
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(files) < 10 {
		t.Fatalf("only %d packages were found", len(files))
	}
	for folder, n := range files {
		if n > maxRoomFiles {
			t.Errorf("%s has %d files, at most %d are read: move what belongs together into a room of its own", folder,
				n, maxRoomFiles)
		}
	}
}

// A visit carries what every room needs. What one room needs is that room's.
func TestAVisitIsSmall(t *testing.T) {
	file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(root, "bot", "bot.go"), nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	fields := 0
	ast.Inspect(file, func(n ast.Node) bool {
		spec, ok := n.(*ast.TypeSpec)
		if !ok || spec.Name.Name != "Visit" {
			return true
		}
		for _, f := range spec.Type.(*ast.StructType).Fields.List {
			fields += max(len(f.Names), 1)
		}
		return false
	})
	if fields == 0 || fields > maxVisitFields {
		t.Errorf("Visit has %d fields, at most %d are kept in mind", fields, maxVisitFields)
	}
}
