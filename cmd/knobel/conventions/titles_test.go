package conventions

import (
	"go/ast"
	"go/token"
	"regexp"
	"strconv"
	"testing"
)

// failure is how a line of the log of level ERROR says that something failed.
var failure = regexp.MustCompile(`\b(cannot|could not|broke|panic|stopped|takes no changes|does not say|refuses)\b`)

// What the log holds as an ERROR says what failed, in words of an operator.
func TestErrorsSayWhatFailed(t *testing.T) {
	all, titles := sourceOf(t), 0
	for _, p := range all.built {
		if _, err := all.Import(p.ImportPath); err != nil {
			t.Fatal(err)
		}
		for _, f := range all.files[p.ImportPath] {
			ast.Inspect(f, func(n ast.Node) bool {
				for _, title := range titlesIn(all, n) {
					if said, err := strconv.Unquote(title.Value); err == nil && !failure.MatchString(said) {
						t.Errorf("%s: %q does not say what failed", all.fset.Position(title.Pos()), said)
					}
					titles++
				}
				return true
			})
		}
	}
	if titles < 40 {
		t.Errorf("only %d lines are found", titles)
	}
}

// titlesIn are the titles of errors that a node of the source logs, or has a loop or an answer log.
func titlesIn(all *source, n ast.Node) (titles []*ast.BasicLit) {
	add := func(e ast.Expr) {
		if lit, ok := e.(*ast.BasicLit); ok && lit.Kind == token.STRING {
			titles = append(titles, lit)
		}
	}
	switch n := n.(type) {
	case *ast.KeyValueExpr:
		if key, ok := n.Key.(*ast.Ident); ok && key.Name == "Waits" {
			add(n.Value)
		}
	case *ast.CallExpr:
		called, ok := n.Fun.(*ast.SelectorExpr)
		if !ok {
			break
		}
		of := all.info.TypeOf(called.X)
		switch {
		case of == nil:
		case of.String() == "*log/slog.Logger" && called.Sel.Name == "Error" && len(n.Args) > 0:
			add(n.Args[0])
		case of.String() == "*log/slog.Logger" && called.Sel.Name == "ErrorContext" && len(n.Args) > 1:
			add(n.Args[1])
		case of.String() == "knobel/bot/loop.Loop" && called.Sel.Name == "Run",
			of.String() == "*knobel/bot/web.Web" && called.Sel.Name == "failed":
			add(n.Args[2])
		}
	}
	return titles
}
