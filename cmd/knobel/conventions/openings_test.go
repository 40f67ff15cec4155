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

// maxUnopened is the number of lines up to which a file needs no opening.
const maxUnopened = 60

// TestFilesOpenWithWhatTheyAreFor keeps every file of more than a screenful from
// beginning with details.
func TestFilesOpenWithWhatTheyAreFor(t *testing.T) {
	files := 0
	err := filepath.WalkDir(root, func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go") {
			return err
		}
		files++
		source := token.NewFileSet()
		f, err := parser.ParseFile(source, file, nil, parser.ParseComments)
		if err != nil {
			return err
		}
		if source.File(f.Pos()).LineCount()-1 > maxUnopened && !opens(f) {
			t.Errorf("%s: say below the package clause, in a comment of its own, what this file is for", file)
		}
		return nil
	})
	if err != nil || files < 100 {
		t.Fatalf("%d files, %v", files, err)
	}
}

// TestFilesThatDoNotOpenAreFound shows the test above what it is to refuse.
func TestFilesThatDoNotOpenAreFound(t *testing.T) {
	for code, want := range map[string]bool{
		"// Package p is a pool.\npackage p\nconst most = 3":                       true,
		"package p\n// Where pools are shared.\n\nconst most = 3":                  true,
		"package p\nimport \"fmt\"\n\n// Where pools are shared.\n\nvar _ = fmt.A": true,
		"package p\n// pool is what the best share.\ntype pool int":                true,
		"package p\n// share shares a pool.\nfunc share() {}":                      true,
		"package p\n// most is the largest pool.\nconst most = 3":                  false,
		"package p\n//go:embed a.txt\n\nvar a string":                              false,
		"package p\nfunc share() {}\n// Where pools are shared.\n":                 false,
		"package p\ntype pool int // what the best share":                          false,
	} {
		f, err := parser.ParseFile(token.NewFileSet(), "p.go", code, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		if got := opens(f); got != want {
			t.Errorf("%q opens: %v, want %v", code, got, want)
		}
	}
}

// opens reports whether a file says at its head what it is for: in the comment
// of its package, in one that belongs to nothing else, or in that of a type or
// function with which it begins. The comment of a constant tells of the constant.
func opens(f *ast.File) bool {
	if f.Doc != nil {
		return true
	}
	head := f.End()
	own := map[*ast.CommentGroup]bool{}
	for _, d := range f.Decls {
		var doc *ast.CommentGroup
		switch d := d.(type) {
		case *ast.FuncDecl:
			doc = d.Doc
		case *ast.GenDecl:
			if d.Tok == token.IMPORT {
				continue
			}
			if doc = d.Doc; d.Tok != token.TYPE {
				own[doc], doc = true, nil
			}
		}
		if doc != nil {
			return true
		}
		head = d.Pos()
		break
	}
	for _, c := range f.Comments {
		if c.Pos() > f.Name.Pos() && c.Pos() < head && !own[c] && c.Text() != "" {
			return true
		}
	}
	return false
}
