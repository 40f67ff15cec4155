package shelf

import (
	"bytes"
	"crypto/sha256"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"knobel/games"
	"knobel/games/gametest"
	"knobel/games/sheet"
)

// counted is a game that counts how often it is solved.
type counted struct {
	sheet.Game
	solved *int
}

func (c counted) Solve(rules games.Rules, seats int) (games.Perfect, error) {
	*c.solved++
	return c.Game.Solve(rules, seats)
}

// small is a game of a few rows, with an option that makes another problem.
func small() counted {
	return counted{sheet.New(&sheet.Set{
		Name:           "small",
		Options:        []sheet.Option{sheet.Choice("bonus", "10", "20", "30")},
		Variants:       []games.Variant{{Name: "classic"}},
		DifferenceOnly: true,
		Paper: func(c sheet.Chosen) sheet.Paper {
			return sheet.Paper{Dice: 5, Throws: 3, Sections: []sheet.Section{
				{Name: "upper", Rows: sheet.Faces()[:2],
					Bonus: []sheet.Step{{From: 6, Points: c.Number("bonus")}}},
				{Name: "lower", Rows: []sheet.Row{
					{Name: "pair", Need: sheet.Equal(2), Points: sheet.Points{Count: sheet.Used}},
					{Name: "chance", Points: sheet.Points{Count: sheet.AllDice}},
				}},
			}}
		},
	}), new(int)}
}

// problem is the problem of a game under some rules.
func problem(t *testing.T, g games.Game, rules games.Rules) games.Problem {
	t.Helper()
	p, err := games.ProblemOf(g, rules, 1)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// shelved is a shelf in a folder, and what it logs.
func shelved(folders ...string) (Config, *strings.Builder) {
	log := &strings.Builder{}
	return Config{Folders: folders, Program: func() string { return "v1" }, Key: []byte("key"),
		Log: slog.New(slog.NewTextHandler(log, nil))}, log
}

// solve solves a problem.
func solve(t *testing.T, c Config, p games.Problem) games.Perfect {
	t.Helper()
	solved, err := New(c).Solve(p)
	if err != nil {
		t.Fatal(err)
	}
	return solved
}

func TestWhatIsKeptIsNotSolvedAgain(t *testing.T) {
	g := small()
	c, log := shelved(filepath.Join(t.TempDir(), "made"))
	first := gametest.NumbersOf(t, solve(t, c, problem(t, g, nil)))
	again := gametest.NumbersOf(t, solve(t, c, problem(t, g, nil)))
	if *g.solved != 1 || !slices.Equal(first, again) {
		t.Errorf("solved %d times, %d numbers and %d", *g.solved, len(first), len(again))
	}
	if solve(t, c, problem(t, g, games.Rules{"bonus": "20"})); *g.solved != 2 {
		t.Errorf("other rules have been solved %d times", *g.solved-1)
	}
	if log.Len() > 0 {
		t.Errorf("it was logged: %s", log)
	}
}

func TestWithoutAKeyNothingIsKept(t *testing.T) {
	g := small()
	c, _ := shelved(t.TempDir())
	solve(t, c, problem(t, g, nil))
	c.Key = nil
	if solve(t, c, problem(t, g, nil)); *g.solved != 2 {
		t.Errorf("solved %d times", *g.solved)
	}
	var none *Shelf
	if _, err := none.Solve(problem(t, g, nil)); err != nil || *g.solved != 3 {
		t.Errorf("solved %d times: %v", *g.solved, err)
	}
}

// TestWhatIsOfNoUseIsSolvedAgain spoils a file that was kept: that is noticed, told, and put right.
func TestWhatIsOfNoUseIsSolvedAgain(t *testing.T) {
	flipped := func(at int) func([]byte) []byte {
		return func(file []byte) []byte {
			file[(at+len(file))%len(file)] ^= 1
			return file
		}
	}
	for name, spoil := range map[string]func([]byte) []byte{
		"a bit of the first line":    flipped(3),
		"a bit of the second line":   flipped(len(magic) + 12),
		"a bit of the first number":  flipped(500),
		"a bit of the last number":   flipped(-40),
		"a bit of the sum":           flipped(-1),
		"torn":                       func(file []byte) []byte { return file[:len(file)/2] },
		"torn within the first line": func(file []byte) []byte { return file[:5] },
		"empty":                      func([]byte) []byte { return nil },
		"longer":                     func(file []byte) []byte { return append(file, 0) },
		"forged by who has no key": func(file []byte) []byte {
			file[len(file)-40] ^= 1
			return again(file)
		},
	} {
		t.Run(name, func(t *testing.T) {
			g := small()
			c, log := shelved(t.TempDir())
			p := problem(t, g, nil)
			first := gametest.NumbersOf(t, solve(t, c, p))
			place := filepath.Join(c.Folders[0], New(c).nameOf(p))
			file, err := os.ReadFile(place)
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(place, spoil(file), 0o600); err != nil {
				t.Fatal(err)
			}
			again := gametest.NumbersOf(t, solve(t, c, p))
			if *g.solved != 2 || !slices.Equal(first, again) {
				t.Errorf("solved %d times", *g.solved)
			}
			if !strings.Contains(log.String(), "of no use") {
				t.Errorf("nothing was told: %s", log)
			}
			if solve(t, c, p); *g.solved != 2 {
				t.Errorf("put right, it was solved %d times", *g.solved)
			}
		})
	}
}

// again is a file with the sum that fits its bytes.
func again(file []byte) []byte {
	sum := sha256.Sum256(file[:len(file)-sha256.Size])
	return append(file[:len(file)-sha256.Size], sum[:]...)
}

// TestAnotherVersionSolvesAgain keeps a solution by one version, and asks the next for it.
func TestAnotherVersionSolvesAgain(t *testing.T) {
	g := small()
	c, log := shelved(t.TempDir())
	p := problem(t, g, nil)
	solve(t, c, p)
	c.Program = func() string { return "v2" }
	for range 2 {
		if solve(t, c, p); *g.solved != 2 {
			t.Errorf("solved %d times", *g.solved)
		}
	}
	if strings.Contains(log.String(), "WARN") {
		t.Errorf("it was told as if something were wrong: %s", log)
	}
}

// TestOthersHaveFilesOfTheirOwn has two installations share a folder.
func TestOthersHaveFilesOfTheirOwn(t *testing.T) {
	g := small()
	c, _ := shelved(t.TempDir())
	p := problem(t, g, nil)
	for range 2 {
		for _, key := range []string{"one", "other"} {
			c.Key = []byte(key)
			solve(t, c, p)
		}
	}
	if *g.solved != 2 {
		t.Errorf("solved %d times", *g.solved)
	}
	one, other := c, c
	one.Key = []byte("one")
	place := filepath.Join(c.Folders[0], New(one).nameOf(p))
	if err := os.Rename(place, filepath.Join(c.Folders[0], New(other).nameOf(p))); err != nil {
		t.Fatal(err)
	}
	if solve(t, other, p); *g.solved != 3 {
		t.Error("what another has kept was taken")
	}
}

// TestNumbersOfOtherRulesAreNoticed has a file with the key of the program that holds what it should not.
func TestNumbersOfOtherRulesAreNoticed(t *testing.T) {
	g := small()
	c, log := shelved(t.TempDir())
	p, other := problem(t, g, nil), problem(t, g, games.Rules{"bonus": "20"})
	layout, _ := p.Layout()
	wanted := aboutOf(p, layout)
	wanted.Program = c.Program()
	w, err := create(filepath.Join(c.Folders[0], New(c).nameOf(p)), wanted, New(c).sum())
	if err != nil {
		t.Fatal(err)
	}
	wrong := gametest.NumbersOf(t, solve(t, c, other))
	if err := w.finish(w.write(wrong)); err != nil {
		t.Fatal(err)
	}
	if right := gametest.NumbersOf(t, solve(t, c, p)); *g.solved != 2 || slices.Equal(right, wrong) {
		t.Errorf("solved %d times, %s", *g.solved, log)
	}
}

func TestWhereNothingCanBeKeptItIsToldOnce(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	g := small()
	c, log := shelved(filepath.Join(file, "within"))
	s := New(c)
	for range 2 {
		if _, err := s.Solve(problem(t, g, nil)); err != nil {
			t.Fatal(err)
		}
	}
	if n := strings.Count(log.String(), "cannot be kept"); *g.solved != 2 || n != 1 {
		t.Errorf("solved %d times, told %d times: %s", *g.solved, n, log)
	}
	c.Folders = append(c.Folders, t.TempDir())
	solve(t, c, problem(t, g, nil))
	if solve(t, c, problem(t, g, nil)); *g.solved != 3 {
		t.Errorf("with a second folder solved %d times", *g.solved-2)
	}
}

// TestWhatWasNotUsedForLongestGoesFirst has room for two of three solutions, beside one of an operator.
func TestWhatWasNotUsedForLongestGoesFirst(t *testing.T) {
	g := small()
	c, _ := shelved(t.TempDir())
	folder := c.Folders[0]
	operators := filepath.Join(folder, "mine"+extension)
	if _, err := SolveTo(t.Context(), operators, small().Game, nil, nil); err != nil {
		t.Fatal(err)
	}
	left := filepath.Join(folder, New(c).nameOf(problem(t, g, nil))+".5"+partly)
	if err := os.WriteFile(left, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	aged := func(place string, hours int) {
		t.Helper()
		then := time.Now().Add(-time.Duration(hours) * time.Hour)
		if err := os.Chtimes(place, then, then); err != nil {
			t.Fatal(err)
		}
	}
	aged(operators, 100)
	mine := sizeOf(t, folder)
	aged(left, 100)
	var problems []games.Problem
	for i, bonus := range []string{"10", "20", "30"} {
		p := problem(t, g, games.Rules{"bonus": bonus})
		problems = append(problems, p)
		if i == 2 {
			c.Most = sizeOf(t, folder) - mine + 100 // for what is there
			solve(t, c, problems[0])                // which is used once more
		}
		solve(t, c, p)
		aged(filepath.Join(folder, New(c).nameOf(p)), 10-i)
		if i == 1 {
			aged(filepath.Join(folder, New(c).nameOf(problems[0])), 20)
		}
	}
	for i, want := range []bool{true, false, true} {
		_, err := os.Stat(filepath.Join(folder, New(c).nameOf(problems[i])))
		if (err == nil) != want {
			t.Errorf("solution %d is there: %v", i, err)
		}
	}
	if _, err := os.Stat(operators); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(left); err == nil {
		t.Error("what was not finished is still there")
	}
	if bytes := sizeOf(t, folder) - mine; bytes > c.Most {
		t.Errorf("%d bytes are kept, at most %d", bytes, c.Most)
	}
}

// sizeOf is how many bytes the files of a folder have.
func sizeOf(t *testing.T, folder string) (bytes int64) {
	t.Helper()
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		info, err := entry.Info()
		if err != nil {
			t.Fatal(err)
		}
		bytes += info.Size()
	}
	return bytes
}

// TestAHalfWrittenFileIsNeverThere ends writing with an error, and too early.
func TestAHalfWrittenFileIsNeverThere(t *testing.T) {
	folder := t.TempDir()
	a := about{Game: "small", Count: 3}
	for _, end := range []error{nil, os.ErrDeadlineExceeded} {
		w, err := create(filepath.Join(folder, "a"+extension), a, sha256.New())
		if err != nil {
			t.Fatal(err)
		}
		if err := w.write([]float64{1, 2}); err != nil {
			t.Fatal(err)
		}
		if err := w.finish(end); err == nil {
			t.Error("two numbers of three were taken for a whole solution")
		}
	}
	if entries, err := os.ReadDir(folder); err != nil || len(entries) > 0 {
		t.Errorf("%d files are left: %v", len(entries), err)
	}
}

// A file says of itself no more than there is room for.
func TestWhatAFileSaysIsBounded(t *testing.T) {
	long := append([]byte(magic), bytes.Repeat([]byte(" "), 1<<20)...)
	if _, _, err := readAbout(bytes.NewReader(long)); err == nil {
		t.Error("a second line of a megabyte was read")
	}
}
