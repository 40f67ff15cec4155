package needs_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// sources calls a function for each Go file of the repository but this
// package's own.
func sources(t *testing.T, each func(name, text string)) {
	t.Helper()
	root := os.DirFS(filepath.Join("..", "..", ".."))
	files := 0
	err := fs.WalkDir(root, ".", func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && (name == "bot/fakes/needs" || strings.HasPrefix(entry.Name(), ".") && name != "."):
			return fs.SkipDir
		case !strings.HasSuffix(name, ".go"):
			return nil
		}
		files++
		text, err := fs.ReadFile(root, name)
		each(name, string(text))
		return err
	})
	if err != nil || files < 100 {
		t.Fatalf("%d files, %v", files, err)
	}
}

// skips returns where a Go file skips a test. What a property draws may be put
// aside: that skips no test.
func skips(t *testing.T, name, text string) []string {
	t.Helper()
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, name, text, 0)
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	var look func(body ast.Node, drawn []string)
	look = func(body ast.Node, drawn []string) {
		ast.Inspect(body, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncDecl:
				if n.Body != nil {
					look(n.Body, drawnBy(n.Type, drawn))
				}
				return false
			case *ast.FuncLit:
				look(n.Body, drawnBy(n.Type, drawn))
				return false
			case *ast.CallExpr:
				called, ok := n.Fun.(*ast.SelectorExpr)
				if !ok || !slices.Contains([]string{"Skip", "Skipf", "SkipNow"}, called.Sel.Name) {
					return true
				}
				if who, ok := called.X.(*ast.Ident); !ok || !slices.Contains(drawn, who.Name) {
					found = append(found, files.Position(n.Pos()).String())
				}
			}
			return true
		})
	}
	look(file, nil)
	return found
}

// drawnBy returns the names that stand for a property inside a function.
func drawnBy(f *ast.FuncType, outside []string) []string {
	drawn := slices.Clone(outside)
	for _, p := range f.Params.List {
		for _, id := range p.Names {
			drawn = slices.DeleteFunc(drawn, func(d string) bool { return d == id.Name })
			if isDrawn(p.Type) {
				drawn = append(drawn, id.Name)
			}
		}
	}
	return drawn
}

// isDrawn reports whether a type is *rapid.T.
func isDrawn(of ast.Expr) bool {
	star, ok := of.(*ast.StarExpr)
	if !ok {
		return false
	}
	named, ok := star.X.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	from, ok := named.X.(*ast.Ident)
	return ok && from.Name == "rapid"
}

func TestNoTestIsSkippedElsewhere(t *testing.T) {
	sources(t, func(name, text string) {
		for _, at := range skips(t, name, text) {
			t.Errorf("%s: tests are skipped by bot/fakes/needs only", at)
		}
	})
}

func TestSkipsAreSeen(t *testing.T) {
	for text, want := range map[string]int{ // how many
		`func f(t *testing.T) { t.Skip("x") }`:                                                1,
		`func f(t *testing.T) { g(func(t *rapid.T) { t.Skip("x") }) }`:                        0,
		`func f(b *testing.B) { b.Run("x", func(b *testing.B) { b.SkipNow() }) }`:             1,
		`func f(t *rapid.T) { t.Skipf("x") }; func g(t *testing.T) { t.Skipf("x") }`:          1,
		`func f(t *testing.T) { rapid.Check(t, func(t *rapid.T) {}); t.Skip("x") }`:           1,
		`func f(w town) { w.T.Skipf("x") }`:                                                   1,
		`func f(t *testing.T) { if testing.Short() { return } }; var x = parser.SkipFuncBody`: 0,
	} {
		if found := skips(t, "x_test.go", "package x\n"+text); len(found) != want {
			t.Errorf("%s: found %v", text, found)
		}
	}
}

var beside = regexp.MustCompile(`KNOBEL_SPECS|\.\./shared|"shared"`)

func TestNothingElseReadsWhatStandsBesideTheRepository(t *testing.T) {
	sources(t, func(name, text string) {
		if found := beside.FindString(text); found != "" {
			t.Errorf("%s names %s: what tests need stands in the repository, the platforms' specs are found by "+
				"bot/fakes/needs", name, found)
		}
	})
}
