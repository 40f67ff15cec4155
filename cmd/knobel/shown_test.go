package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

// evil is what a stranger writes who wants terminals to do something: a colour and
// a title, in two spellings, a bell, a return, a turned line, lines of its
// own, and a byte that is no text.
const evil = "\x1b[31m\x1b]0;evil\x07\u009b2J\rtwo\u202eturned\u2028\x7f\xff\na line of my own"

// showsNothingEvil wants a text that no terminal obeys.
func showsNothingEvil(t *testing.T, what, text string) {
	t.Helper()
	for i, r := range strings.ToValidUTF8(text, "\x7f") {
		if obeyed(r) {
			t.Errorf("%s: %U is written: %q", what, r, text[max(0, i-40):min(len(text), i+40)])
			return
		}
	}
}

// Whatever a stranger writes into any text of a record, and into its keys, verify
// and review show it without a terminal's obeying it.
func TestRecordsOfStrangersAreShownAsText(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "records.jsonl")
	code, _, complained := typed(t, nil, "simulate", "shutbox", "--seats", "house:random,house:fewest", "--tiles",
		"9", "--games", "1", "--seed", "1", "--records", file)
	line, err := os.ReadFile(file)
	if code != 0 || err != nil {
		t.Fatal(complained, err)
	}
	look := func(what string, text []byte) {
		writes(t, file, append(text, '\n'))
		for _, command := range []string{"verify", "review"} {
			_, out, complained := typed(t, nil, command, file)
			showsNothingEvil(t, command+what, out+complained)
			for line := range strings.Lines(complained + out) {
				if strings.HasPrefix(line, "a line of") {
					t.Errorf("%s%s: a line of the stranger's own: %s", command, what, out+complained)
				}
			}
		}
		_, out, complained := typed(t, nil, "review", "--json", file)
		showsNothingEvil(t, "review --json"+what, out+complained)
		if out != "" && !json.Valid([]byte(out)) {
			t.Errorf("%s: no JSON: %s", what, out)
		}
	}
	odd, err := json.Marshal(evil)
	check(t, err)
	tried := map[string]int{}
	for _, at := range regexp.MustCompile(`"[^"\\]*"`).FindAllIndex(line, -1) {
		if text := string(line[at[0]:at[1]]); tried[text] < 2 {
			tried[text]++
			look(" of "+text, slices.Concat(line[:at[0]], odd, bytes.TrimSpace(line[at[1]:])))
		}
	}
	if len(tried) < 30 {
		t.Errorf("only %d texts were tried", len(tried))
	}
	for _, broken := range []string{evil, `{"` + evil + `":1}`,
		strings.Replace(string(line), `"stake"`, `"`+evil+`"`, 1), `{"record":"` + evil + `"}`} {
		look(" of a broken line", []byte(broken))
	}
}

// Every command shows what was typed as text, whatever it is: arguments, flags,
// files that are not there.
func TestEveryCommandShowsForeignTextAsText(t *testing.T) {
	db := filepath.Join(t.TempDir(), "none.db")
	var try func(c *cobra.Command, path []string)
	try = func(c *cobra.Command, path []string) {
		for _, odd := range [][]string{{evil}, {"--" + evil}, {"--db", evil + "/x/y", evil}, {"-" + evil},
			{"--log", evil}, {"--stake", evil}, {"--help", evil}} {
			_, out, complained := typed(t, map[string]string{"KNOBEL_DB": db}, append(path, odd...)...)
			showsNothingEvil(t, strings.Join(path, " "), out+complained)
		}
		for _, below := range c.Commands()[:min(len(c.Commands()), 1)] { // those of games are all alike
			try(below, append(path, below.Name()))
		}
	}
	for _, c := range commandLine().Commands() {
		if c.Name() != "serve" {
			try(c, []string{c.Name()})
		}
	}
}

// Characters are not torn, however they are written, and JSON stays what it was.
func TestShownTextIsNotTorn(t *testing.T) {
	const text = "Jürgen 🎲 – “Kniffel”\n\tein\u202e Würfel\u0085 \xf0\x9f"
	for size := 1; size < 9; size++ {
		var b strings.Builder
		s := &shown{out: &b}
		for rest := []byte(text); len(rest) > 0; rest = rest[min(size, len(rest)):] {
			if n, err := s.Write(rest[:min(size, len(rest))]); err != nil || n != min(size, len(rest)) {
				t.Fatal(n, err)
			}
		}
		s.end()
		if want := "Jürgen 🎲 – “Kniffel”\n\tein\\u202e Würfel\\u0085 \\xf0\\x9f"; b.String() != want {
			t.Errorf("%d bytes at a time: %q", size, b.String())
		}
	}
	name := "a\u202eb\u009bc\x1bd"
	line, err := json.Marshal(name)
	check(t, err)
	var b strings.Builder
	if _, err := (&shown{out: &b}).Write(line); err != nil {
		t.Fatal(err)
	}
	var back string
	if err := json.Unmarshal([]byte(b.String()), &back); err != nil || back != name {
		t.Errorf("%s is %q (%v)", b.String(), back, err)
	}
}
