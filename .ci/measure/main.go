// Command measure prints sizes of the product's code, for .ci/measures.
//
//	measure statements DIR...           how many statements the Go files of these folders have, tests apart
//	measure functions BEFORE AFTER      how many functions the second coverage profile has entered more often
package main

import (
	"bufio"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
)

func main() {
	var n int
	var err error
	switch {
	case len(os.Args) > 2 && os.Args[1] == "statements":
		n, err = statements(os.Args[2:])
	case len(os.Args) == 4 && os.Args[1] == "functions":
		n, err = functions(os.Args[2], os.Args[3])
	default:
		err = fmt.Errorf("measure statements DIR... or measure functions BEFORE AFTER")
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "measure:", err)
		os.Exit(1)
	}
	fmt.Println(n)
}

// statements counts statements, but for the braces around them.
func statements(dirs []string) (n int, err error) {
	for _, dir := range dirs {
		files, err := filepath.Glob(filepath.Join(dir, "*.go"))
		if err != nil {
			return 0, err
		}
		for _, name := range files {
			if strings.HasSuffix(name, "_test.go") {
				continue
			}
			f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
			if err != nil {
				return 0, err
			}
			ast.Inspect(f, func(node ast.Node) bool {
				if _, block := node.(*ast.BlockStmt); !block {
					if _, statement := node.(ast.Stmt); statement {
						n++
					}
				}
				return true
			})
		}
	}
	return n, nil
}

// place is where a piece of code begins.
type place struct {
	file         string
	line, column int
}

// functions counts the functions of which the second run has gone through some piece
// more often than the first.
func functions(before, after string) (n int, err error) {
	was, err := profile(before)
	if err != nil {
		return 0, err
	}
	is, err := profile(after)
	if err != nil {
		return 0, err
	}
	entered := map[string][]int{}
	for at, times := range is {
		if times > was[at] {
			entered[at.file] = append(entered[at.file], at.line)
		}
	}
	for file, lines := range entered {
		fset := token.NewFileSet()
		f, err := parser.ParseFile(fset, strings.TrimPrefix(file, "knobel/"), nil, parser.SkipObjectResolution)
		if err != nil {
			return 0, err
		}
		for _, d := range f.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok {
				continue
			}
			for _, line := range lines {
				if line >= fset.Position(fn.Pos()).Line && line <= fset.Position(fn.End()).Line {
					n++
					break
				}
			}
		}
	}
	return n, nil
}

// profile reads how often each piece of code was gone through.
func profile(name string) (map[place]int, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	all := map[place]int{}
	for lines := bufio.NewScanner(f); lines.Scan(); {
		file, rest, ok := strings.Cut(lines.Text(), ".go:")
		if !ok {
			continue // the first line says the mode
		}
		var at place
		var toLine, toColumn, statements, times int
		if _, err := fmt.Sscanf(rest, "%d.%d,%d.%d %d %d", &at.line, &at.column, &toLine, &toColumn, &statements,
			&times); err != nil {
			return nil, fmt.Errorf("%s: %q: %w", name, lines.Text(), err)
		}
		at.file = file + ".go"
		all[at] += times
	}
	return all, nil
}
