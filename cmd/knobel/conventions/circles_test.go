package conventions

import (
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// maxCircle is the largest number of files of a package that may all need each other:
// whoever reads one of them has to read them all.
const maxCircle = 12

// built is a package as the go command builds it.
type built struct {
	ImportPath, Dir, Export string
	GoFiles                 []string
}

// Files of a package need each other one way only, but for small circles.
func TestCirclesAreSmall(t *testing.T) {
	all := buildOf(t)
	fset := token.NewFileSet()
	exports := importer.ForCompiler(fset, "gc", func(path string) (io.ReadCloser, error) {
		return os.Open(all[path].Export)
	})
	looked := 0
	for path, p := range all {
		if !within(path, "knobel/bot") && !within(path, "knobel/store") {
			continue
		}
		looked++
		largest := largestCircle(t, fset, exports, p)
		t.Logf("%s: of %d files at most %d need each other: %s", path, len(p.GoFiles), len(largest),
			strings.Join(largest, " "))
		if len(largest) > maxCircle {
			t.Errorf("%s: %d files need each other, at most %d may: put what they share into a file below", path,
				len(largest), maxCircle)
		}
	}
	if looked < 20 {
		t.Errorf("only %d packages were looked at", looked)
	}
}

// buildOf returns all packages that ours are made of, with what they export.
func buildOf(t *testing.T) map[string]built {
	t.Helper()
	out, err := exec.Command("go", "list", "-export", "-deps", "-json=ImportPath,Dir,Export,GoFiles",
		"knobel/...").Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	all := map[string]built{}
	for d := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p built
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			return all
		} else if err != nil {
			t.Fatalf("go list: %v", err)
		}
		all[p.ImportPath] = p
	}
}

// largestCircle returns the largest set of files of a package that all need each other.
func largestCircle(t *testing.T, fset *token.FileSet, exports types.Importer, p built) []string {
	t.Helper()
	var files []*ast.File
	for _, name := range p.GoFiles {
		f, err := parser.ParseFile(fset, filepath.Join(p.Dir, name), nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, f)
	}
	info := &types.Info{Uses: map[*ast.Ident]types.Object{}}
	pkg, err := (&types.Config{Importer: exports}).Check(p.ImportPath, fset, files, info)
	if err != nil {
		t.Fatal(fmt.Errorf("%s: %w", p.ImportPath, err))
	}
	needs := map[string]map[string]bool{}
	for id, what := range info.Uses {
		if what.Pkg() != pkg {
			continue
		}
		from, to := filepath.Base(fset.Position(id.Pos()).Filename), filepath.Base(fset.Position(what.Pos()).Filename)
		if needs[from] == nil {
			needs[from] = map[string]bool{}
		}
		needs[from][to] = true
	}
	var largest []string
	for _, file := range p.GoFiles {
		circle := []string{file}
		for _, other := range p.GoFiles {
			if other != file && reaches(needs, file, other) && reaches(needs, other, file) {
				circle = append(circle, other)
			}
		}
		if len(circle) > len(largest) {
			largest = circle
		}
	}
	slices.Sort(largest)
	return largest
}

// reaches reports whether a file needs another, over any number of others.
func reaches(needs map[string]map[string]bool, from, to string) bool {
	seen := map[string]bool{}
	next := []string{from}
	for len(next) > 0 {
		file := next[len(next)-1]
		next = next[:len(next)-1]
		if needs[file][to] {
			return true
		}
		for other := range needs[file] {
			if !seen[other] {
				seen[other] = true
				next = append(next, other)
			}
		}
	}
	return false
}
