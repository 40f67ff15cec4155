// Command measure prints what one press costs, for .ci/press.
//
//	measure tell STORY FOLDER     runs a story and writes the coverage of its press to FOLDER
//	measure count PROFILE NAME=FUNCTION,FUNCTION...
//	                              prints how many functions, files and packages a press with the coverage PROFILE
//	                              enters, and after each NAME how often it enters the named functions
package main

import (
	"bufio"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path"
	"slices"
	"strings"
)

func main() {
	switch {
	case len(os.Args) == 4 && os.Args[1] == "tell" && stories[os.Args[2]] != nil:
		tell(os.Args[2], os.Args[3])
	case len(os.Args) > 2 && os.Args[1] == "count":
		entered, err := press(os.Args[2])
		if err == nil {
			err = show(entered, os.Args[3:])
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, "measure:", err)
			os.Exit(1)
		}
	default:
		fmt.Fprintln(os.Stderr, "measure tell STORY FOLDER, or measure count PROFILE NAME=FUNCTION...")
		os.Exit(2)
	}
}

// function is a function that is entered while the measured press is handled.
type function struct {
	file, name string // name as in "knobel/store.Tx.Table"
	times      int    // how often its first statement is reached
}

// show prints how many functions, files and packages were entered, and how often each NAME=FUNCTION,… of counted was.
func show(entered []function, counted []string) error {
	files, packages := map[string]bool{}, map[string]bool{}
	for _, f := range entered {
		files[f.file], packages[path.Dir(f.file)] = true, true
	}
	fmt.Printf("functions %d\nfiles %d\npackages %d\n", len(entered), len(files), len(packages))
	for _, c := range counted {
		name, functions, ok := strings.Cut(c, "=")
		if !ok {
			return fmt.Errorf("%q is not of the form NAME=FUNCTION", c)
		}
		n := 0
		for _, f := range entered {
			if slices.Contains(strings.Split(functions, ","), f.name) {
				n += f.times
			}
		}
		fmt.Printf("%s %d\n", name, n)
	}
	return nil
}

// block is the beginning of a block of code.
type block struct{ line, column int }

// press returns the functions that the measured press enters, according to a coverage profile (path: name).
func press(name string) (entered []function, err error) {
	files, err := profile(name)
	if err != nil {
		return nil, err
	}
	for file, blocks := range files {
		fset := token.NewFileSet()
		f, err := parser.ParseFile(fset, strings.TrimPrefix(file, "knobel/"), nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		for _, d := range f.Decls {
			if d, ok := d.(*ast.FuncDecl); ok && d.Body != nil {
				from, to := fset.Position(d.Pos()).Line, fset.Position(d.End()).Line
				if reached, times := within(blocks, from, to); reached {
					entered = append(entered, function{file, path.Dir(file) + "." + nameOf(d), times})
				}
			}
		}
	}
	return entered, nil
}

// within reports whether any block between the lines from and to was reached, and how often (times) the first one was.
func within(blocks map[block]int, from, to int) (reached bool, times int) {
	first := block{to + 1, 0}
	for at, n := range blocks {
		if at.line < from || at.line > to {
			continue
		}
		reached = reached || n > 0
		if at.line < first.line || at.line == first.line && at.column < first.column {
			first, times = at, n
		}
	}
	return reached, times
}

// nameOf returns the name of a function, or of a method with its receiver's type: "Tx.Table".
func nameOf(d *ast.FuncDecl) string {
	if d.Recv == nil {
		return d.Name.Name
	}
	kind := d.Recv.List[0].Type
	if star, ok := kind.(*ast.StarExpr); ok {
		kind = star.X
	}
	if generic, ok := kind.(*ast.IndexExpr); ok {
		kind = generic.X
	}
	return fmt.Sprint(kind, ".", d.Name.Name)
}

// profile reads a coverage profile (path: name). It returns, by file and block, how often each block was reached.
func profile(name string) (map[string]map[block]int, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	all := map[string]map[block]int{}
	for lines := bufio.NewScanner(f); lines.Scan(); {
		file, rest, ok := strings.Cut(lines.Text(), ".go:")
		if !ok {
			continue // the first line is the mode
		}
		var at block
		var toLine, toColumn, statements, times int
		if _, err := fmt.Sscanf(rest, "%d.%d,%d.%d %d %d", &at.line, &at.column, &toLine, &toColumn, &statements,
			&times); err != nil {
			return nil, fmt.Errorf("%s: %q: %w", name, lines.Text(), err)
		}
		file += ".go"
		if all[file] == nil {
			all[file] = map[block]int{}
		}
		all[file][at] += times
	}
	return all, nil
}
