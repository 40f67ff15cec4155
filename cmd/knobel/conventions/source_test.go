package conventions

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/scanner"
	"go/token"
	"go/types"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"knobel/bot/fakes"
)

// listedPackage is a package as "go list" prints it.
type listedPackage struct {
	ImportPath, Dir, Export string
	GoFiles, Imports        []string
	ImportMap               map[string]string // actual import paths, for packages vendored by the standard library
	Module                  *struct{ Path, Dir string }
}

// source is the program with its types: its own packages parsed from source, libraries from their compiled exports.
type source struct {
	packages []listedPackage // all packages, each after its imports
	byPath   map[string]listedPackage
	fset     *token.FileSet
	exports  types.Importer
	checked  map[string]*types.Package
	files    map[string][]*ast.File // by package
	info     *types.Info
}

var sourceOnce = sync.OnceValues(func() (*source, error) {
	out, err := exec.Command("go", "list", "-export", "-deps",
		"-json=ImportPath,Dir,Export,GoFiles,Imports,ImportMap,Module", "knobel/...").Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w", err)
	}
	s := &source{byPath: map[string]listedPackage{}, fset: token.NewFileSet(), checked: map[string]*types.Package{},
		files: map[string][]*ast.File{},
		info:  &types.Info{Uses: map[*ast.Ident]types.Object{}, Types: map[ast.Expr]types.TypeAndValue{}}}
	s.exports = importer.ForCompiler(s.fset, "gc", func(path string) (io.ReadCloser, error) {
		return os.Open(s.byPath[path].Export)
	})
	for d := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p listedPackage
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			return s, nil
		} else if err != nil {
			return nil, fmt.Errorf("go list: %w", err)
		}
		s.packages, s.byPath[p.ImportPath] = append(s.packages, p), p
	}
})

// loadSource returns the program, which is loaded only once.
func loadSource(t *testing.T) *source {
	t.Helper()
	s, err := sourceOnce()
	check(t, err)
	return s
}

// linked returns all packages that are linked into the program, by path.
func (s *source) linked() map[string]listedPackage {
	all := map[string]listedPackage{}
	var add func(path string)
	add = func(path string) {
		if _, known := all[path]; known || path == "C" {
			return
		}
		p := s.byPath[path]
		all[path] = p
		for _, imported := range p.Imports {
			add(cmp.Or(p.ImportMap[imported], imported))
		}
	}
	add("knobel/cmd/knobel")
	return all
}

// Import implements types.Importer: it type-checks the program's own packages and loads others from their exports.
func (s *source) Import(path string) (*types.Package, error) {
	if !within(path, "knobel") {
		return s.exports.Import(path)
	}
	if p, done := s.checked[path]; done {
		return p, nil
	}
	var files []*ast.File
	for _, name := range s.byPath[path].GoFiles {
		f, err := parser.ParseFile(s.fset, filepath.Join(s.byPath[path].Dir, name), nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		files = append(files, f)
	}
	return s.check(path, files)
}

// check type-checks a package, stores it and returns it.
func (s *source) check(path string, files []*ast.File) (*types.Package, error) {
	p, err := (&types.Config{Importer: s}).Check(path, s.fset, files, s.info)
	s.checked[path], s.files[path] = p, files
	return p, err
}

// No line of code is longer than maxColumns, except those of a text that cannot be broken, such as a browser script.
func TestLinesAreShort(t *testing.T) {
	files := 0
	err := filepath.WalkDir(root, func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(file, ".go") {
			return err
		}
		files++
		code, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		unbroken := linesOfTexts(code)
		for i, line := range strings.Split(string(code), "\n") {
			width := utf8.RuneCountInString(strings.ReplaceAll(line, "\t", "    "))
			if width > maxColumns && !unbroken[i+1] {
				t.Errorf("%s:%d: a line of %d columns, more than %d: break it", file, i+1, width, maxColumns)
			}
		}
		return nil
	})
	if err != nil || files < 500 {
		t.Fatalf("%d files, %v", files, err)
	}
}

// linesOfTexts returns the numbers of the lines with a text between backquotes.
func linesOfTexts(code []byte) map[int]bool {
	fset := token.NewFileSet()
	file := fset.AddFile("", fset.Base(), len(code))
	var s scanner.Scanner
	s.Init(file, code, nil, 0)
	lines := map[int]bool{}
	for {
		at, kind, text := s.Scan()
		if kind == token.EOF {
			return lines
		}
		if kind == token.STRING && strings.HasPrefix(text, "`") {
			for i := range strings.Count(text, "\n") + 1 {
				lines[file.Line(at)+i] = true
			}
		}
	}
}

// check ends the test on an error.
var check = fakes.Check
