package conventions

import (
	"go/scanner"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"
)

// Lines are short enough to be read side by side. A text that cannot be
// broken, such as a script for the browser or a message of a platform, may be longer.
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
			wide := utf8.RuneCountInString(strings.ReplaceAll(line, "\t", "    "))
			if wide > maxColumns && !unbroken[i+1] {
				t.Errorf("%s:%d: a line of %d columns, more than %d: break it", file, i+1, wide, maxColumns)
			}
		}
		return nil
	})
	if err != nil || files < 500 {
		t.Fatalf("%d files, %v", files, err)
	}
}

// linesOfTexts returns the lines of Go code with a text between backquotes.
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
