package fakes

import (
	"flag"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// Cases compares the results of convert with the lines of a file in testdata: "input => output". A side in quotes is a
// Go string; lines without => are comments.
func Cases(t TB, file string, convert func(input string) string) {
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
		if got := convert(unquoted(input)); got != unquoted(want) {
			t.Errorf("%s: %q is %q, want %q", file, unquoted(input), got, unquoted(want))
		}
	}
	if tried == 0 {
		t.Errorf("%s has no cases", file)
	}
}

// unquoted returns side without surrounding space. If side is a Go string in quotes, it returns the string.
func unquoted(side string) string {
	side = strings.TrimSpace(side)
	if text, err := strconv.Unquote(side); err == nil {
		return text
	}
	return side
}

var redraw = flag.Bool("redraw", false, "write the files of drawn texts in testdata anew")

// Golden fails the test unless text is the content of a file in testdata. With -redraw it writes the file.
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
