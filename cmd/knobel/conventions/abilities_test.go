package conventions

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// What a platform can do stands in chat.Platform, and is never found out by asserting:
// what is asserted is lost where something stands around an adapter.
func TestPlatformsAreNotAskedWhatTheyCanDo(t *testing.T) {
	var ours []string
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".go") || filepath.Dir(path) != filepath.Join(root, "bot", "chat") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		ours = append(ours, interfacesOf(file)...)
		return err
	})
	if err != nil || !slices.Contains(ours, "Platform") {
		t.Fatalf("the interfaces are %q (%v)", ours, err)
	}
	err = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".go") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			return err
		}
		for _, name := range assertedOf(file) {
			if slices.Contains(ours, name) {
				t.Errorf("%s asserts chat.%s: have chat.Platform say it, and chat.Basics where it is not so",
					path, name)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestPlatformsAreNotAskedRefuses shows that the check can fail.
func TestPlatformsAreNotAskedRefuses(t *testing.T) {
	const code = "package x\nfunc f(p any) { _, _ = p.(chat.Caller); switch p.(type) { case chat.Linked: } }"
	file, err := parser.ParseFile(token.NewFileSet(), "x.go", code, 0)
	if err != nil {
		t.Fatal(err)
	}
	if got := assertedOf(file); !slices.Equal(got, []string{"Caller", "Linked"}) {
		t.Errorf("asserted are %q", got)
	}
}

// interfacesOf are the exported interfaces that a file declares.
func interfacesOf(file *ast.File) (names []string) {
	ast.Inspect(file, func(n ast.Node) bool {
		if d, ok := n.(*ast.TypeSpec); ok && d.Name.IsExported() {
			if _, ok := d.Type.(*ast.InterfaceType); ok {
				names = append(names, d.Name.Name)
			}
		}
		return true
	})
	return names
}

// assertedOf are the names of package chat that a file asserts: p.(chat.Platform), or
// a case of a type switch.
func assertedOf(file *ast.File) (names []string) {
	note := func(kind ast.Expr) {
		if kind, ok := kind.(*ast.SelectorExpr); ok {
			if from, ok := kind.X.(*ast.Ident); ok && from.Name == "chat" {
				names = append(names, kind.Sel.Name)
			}
		}
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch is := n.(type) {
		case *ast.TypeAssertExpr:
			note(is.Type)
		case *ast.TypeSwitchStmt:
			for _, c := range is.Body.List {
				for _, kind := range c.(*ast.CaseClause).List {
					note(kind)
				}
			}
		}
		return true
	})
	return names
}
