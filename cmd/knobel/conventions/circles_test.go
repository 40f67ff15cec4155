package conventions

import (
	"go/ast"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// maxCircle is the largest number of files of a package that may all need each other:
// whoever reads one of them has to read them all.
const maxCircle = 12

// Files of a package need each other one way only, but for small circles.
func TestCirclesAreSmall(t *testing.T) {
	all := sourceOf(t)
	looked := 0
	for _, p := range all.built {
		path := p.ImportPath
		if !within(path, "knobel/bot") && !within(path, "knobel/store") {
			continue
		}
		looked++
		largest := largestCircle(t, all, p)
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

// largestCircle returns the largest set of files of a package that all need each other.
func largestCircle(t *testing.T, all *source, p built) []string {
	t.Helper()
	pkg, err := all.Import(p.ImportPath)
	if err != nil {
		t.Fatal(err)
	}
	needs := map[string]map[string]bool{}
	for _, f := range all.files[p.ImportPath] {
		from := all.fset.Position(f.Pos()).Filename
		needs[filepath.Base(from)] = map[string]bool{}
		ast.Inspect(f, func(n ast.Node) bool {
			id, ok := n.(*ast.Ident)
			if what := all.info.Uses[id]; ok && what != nil && what.Pkg() == pkg {
				needs[filepath.Base(from)][filepath.Base(all.fset.Position(what.Pos()).Filename)] = true
			}
			return true
		})
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
