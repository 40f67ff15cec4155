package conventions

import (
	"cmp"
	"flag"
	"fmt"
	"go/ast"
	"go/types"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

var lower = flag.Bool("lower", false, "lower the limits in .ci/limits to what TestLimits measures")

const limitsFile = root + "/.ci/limits"

// slack is how far the numbers of lines and statements may be below their limits. Other values must equal theirs.
const slack = 100

// limitedTypes names the types with their own limits. All other types share one limit for fields and one for methods.
var limitedTypes = []string{"bot.Visit", "chat.Event", "chat.Message", "chat.Platform", "chat.Core", "store.Table",
	"store.Tx"}

// TestLimits checks that the program stays within .ci/limits. A commit that shrinks a measure lowers its limit.
func TestLimits(t *testing.T) {
	measured := append(linesAndStatements(t), measureTypes(t)...)
	content, err := os.ReadFile(limitsFile)
	check(t, err)
	text := string(content)
	for _, m := range measured {
		t.Logf("%s %d%s", m.name, m.value, m.note)
		line := regexp.MustCompile(`(?m)^` + regexp.QuoteMeta(m.name) + ` (\d+)$`)
		was := line.FindStringSubmatch(text)
		if was == nil {
			t.Errorf(".ci/limits has no line %s %d", m.name, m.value)
			continue
		}
		limit, err := strconv.Atoi(was[1])
		switch {
		case err != nil:
			t.Errorf(".ci/limits: %q: %v", was[0], err)
		case m.value > limit:
			t.Errorf("%s is %d, its limit is %d: make something smaller%s", m.name, m.value, limit, m.note)
		case *lower:
			text = line.ReplaceAllString(text, fmt.Sprintf("%s %d", m.name, m.value))
		case m.value < limit-m.slack:
			t.Errorf("%s is %d, its limit is %d: run go test ./cmd/knobel/conventions -run TestLimits -lower", m.name,
				m.value, limit)
		}
	}
	if text != string(content) {
		check(t, os.WriteFile(limitsFile, []byte(text), 0o644))
	}
}

// measure is a value that has a limit.
type measure struct {
	name  string
	value int
	slack int    // how far the value may be below its limit
	note  string // name of the type with this value, for messages
}

// productFolders returns the folders of the packages that are linked into the program.
func productFolders(t *testing.T) map[string]bool {
	t.Helper()
	dirs := map[string]bool{}
	for path, p := range loadSource(t).linked() {
		if within(path, "knobel") {
			dirs[p.Dir] = true
		}
	}
	return dirs
}

// linesAndStatements measures the lines of the program and of its tests, and the program's statements and packages.
func linesAndStatements(t *testing.T) []measure {
	t.Helper()
	top, err := filepath.Abs(root)
	check(t, err)
	dirs := productFolders(t)
	lines := map[bool]int{}
	err = filepath.WalkDir(top, func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(file, ".go") {
			return err
		}
		code, err := os.ReadFile(file)
		lines[dirs[filepath.Dir(file)] && !strings.HasSuffix(file, "_test.go")] += strings.Count(string(code), "\n")
		return err
	})
	check(t, err)
	statements := 0
	all := loadSource(t)
	for _, p := range all.packages {
		if !dirs[p.Dir] {
			continue
		}
		if _, err := all.Import(p.ImportPath); err != nil {
			t.Fatal(err)
		}
		for _, f := range all.files[p.ImportPath] {
			ast.Inspect(f, func(node ast.Node) bool {
				_, statement := node.(ast.Stmt)
				if _, braces := node.(*ast.BlockStmt); statement && !braces {
					statements++
				}
				return true
			})
		}
	}
	return []measure{
		{"lines of the product", lines[true], slack, ""},
		{"lines of tests and their support", lines[false], slack, ""},
		{"statements of the product", statements, slack, ""},
		{"packages of the product", len(dirs), 0, ""},
	}
}

// measureTypes measures the fields of structs and the methods of interfaces and other types: those of limitedTypes, and
// the largest number among all others.
func measureTypes(t *testing.T) (all []measure) {
	t.Helper()
	source, dirs := loadSource(t), productFolders(t)
	others := map[string][]measure{}
	for _, p := range source.packages {
		if !dirs[p.Dir] {
			continue
		}
		pkg, err := source.Import(p.ImportPath)
		check(t, err)
		for _, name := range pkg.Scope().Names() {
			object, ok := pkg.Scope().Lookup(name).(*types.TypeName)
			if !ok || object.IsAlias() {
				continue
			}
			full := pkg.Name() + "." + name
			for kind, n := range countMembers(object.Type()) {
				if slices.Contains(limitedTypes, full) {
					all = append(all, measure{name: kind + " of " + full, value: n})
				} else {
					others[kind] = append(others[kind], measure{value: n, note: " (" + full + ")"})
				}
			}
		}
	}
	for _, kind := range []string{"fields", "interface methods", "methods"} {
		widest := slices.MaxFunc(others[kind], func(a, b measure) int { return cmp.Compare(a.value, b.value) })
		widest.name = kind + " of any other type"
		all = append(all, widest)
	}
	slices.SortFunc(all, func(a, b measure) int { return cmp.Compare(a.name, b.name) })
	return all
}

// countMembers returns the numbers of fields and methods of a type, by kind.
func countMembers(t types.Type) map[string]int {
	n := map[string]int{}
	switch is := t.Underlying().(type) {
	case *types.Struct:
		n["fields"] = is.NumFields()
	case *types.Interface:
		n["interface methods"] = is.NumMethods()
	}
	if named, ok := t.(*types.Named); ok && named.NumMethods() > 0 {
		n["methods"] = named.NumMethods()
	}
	return n
}
