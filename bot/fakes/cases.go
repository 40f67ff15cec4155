package fakes

import (
	"flag"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// Cases compares what a function makes of inputs with the lines of a file in testdata: "input => output". A side in
// quotes is a Go string; lines without => are comments.
func Cases(t TB, file string, of func(input string) string) {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join("testdata", file))
	if err != nil {
		t.Fatalf("%v", err)
	}
	tried := 0
	for line := range strings.Lines(string(raw)) {
		input, want, ok := strings.Cut(line, "=>")
		if !ok {
			continue
		}
		tried++
		if got := of(unquoted(input)); got != unquoted(want) {
			t.Errorf("%s: %q is %q, want %q", file, unquoted(input), got, unquoted(want))
		}
	}
	if tried == 0 {
		t.Errorf("%s has no cases", file)
	}
}

// unquoted returns one side of a case.
func unquoted(side string) string {
	side = strings.TrimSpace(side)
	if text, err := strconv.Unquote(side); err == nil {
		return text
	}
	return side
}

var redraw = flag.Bool("redraw", false, "write the files of drawn texts in testdata anew")

// Golden compares a text with a file in testdata, which -redraw rewrites.
func Golden(t TB, file, text string) {
	t.Helper()
	file = filepath.Join("testdata", file)
	if *redraw {
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatalf("%v", err)
		}
	}
	if want, err := os.ReadFile(file); err != nil || string(want) != text {
		t.Errorf("drawn otherwise than %s, %v: see what -redraw changes there:\n%s", file, err, text)
	}
}
