package shelf

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"knobel/games"
)

// write writes a file that is so old.
func write(t *testing.T, place, text string, hours int) {
	t.Helper()
	if err := os.WriteFile(place, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	then := time.Now().Add(-time.Duration(hours) * time.Hour)
	if err := os.Chtimes(place, then, then); err != nil {
		t.Fatal(err)
	}
}

// TestFilesOfOthersStay has no room for anything in a folder that others use too.
func TestFilesOfOthersStay(t *testing.T) {
	c, log := shelved(t.TempDir())
	c.Most = 1
	for name, stays := range map[string]bool{
		"chemistry.solution":                          true,
		"small.solution.5.partly":                     true,
		"report.partly":                               true,
		"small-0123456789abcdef.solution":             false, // torn, as it has no head
		"small-0123456789abcdef.solution.77.partly":   true,  // as it has no head
		"small-0123456789ABCDEF.solution":             true,
		"small-0123456789abcdef0.solution.77.partly.": true,
	} {
		t.Run(name, func(t *testing.T) {
			place := filepath.Join(c.Folders[0], name)
			write(t, place, "what somebody has written", 100)
			solve(t, c, problem(t, small(), nil))
			if _, err := os.Stat(place); (err == nil) != stays {
				t.Errorf("it stays: %v", err == nil)
			}
		})
	}
	if log.Len() > 0 {
		t.Errorf("it was logged: %s", log)
	}
}

// TestWhatWasBegunGoes has files in the folder that were begun long ago, by whatever program of ours.
func TestWhatWasBegunGoes(t *testing.T) {
	c, _ := shelved(t.TempDir())
	solve(t, c, problem(t, small(), nil))
	whole, err := filepath.Glob(filepath.Join(c.Folders[0], "*.solution"))
	if err != nil || len(whole) != 1 {
		t.Fatal(whole, err)
	}
	text, err := os.ReadFile(whole[0])
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{
		"small-0123456789abcdef.solution.77.partly", "maxi.solution.5.partly", "probe-3.partly",
	} {
		for _, begun := range []string{"", string(text[:len(text)-9])} {
			for hours, stays := range map[int]bool{2: true, 100: false} {
				place := filepath.Join(c.Folders[0], part)
				write(t, place, begun, hours)
				if err := New(c).trim(c.Folders[0]); err != nil {
					t.Fatal(err)
				}
				if _, err := os.Stat(place); (err == nil) != stays {
					t.Errorf("%s of %d bytes, %d hours old, stays: %v", part, len(begun), hours, err == nil)
				}
			}
		}
	}
}

// TestFilesOfOthersTakeNoRoom has more of them than the shelf may have.
func TestFilesOfOthersTakeNoRoom(t *testing.T) {
	g := small()
	c, _ := shelved(t.TempDir())
	c.Most = 100_000
	write(t, filepath.Join(c.Folders[0], "chemistry.solution"), strings.Repeat("H", 100_001), 0)
	for range 2 {
		solve(t, c, problem(t, g, nil))
	}
	if *g.solved != 1 {
		t.Errorf("solved %d times", *g.solved)
	}
}

// TestWithoutAFolderItIsToldOnce has no folder at all.
func TestWithoutAFolderItIsToldOnce(t *testing.T) {
	c, log := shelved()
	s, g := New(c), small()
	for range 2 {
		if _, err := s.Solve(problem(t, g, nil)); err != nil {
			t.Fatal(err)
		}
	}
	if n := strings.Count(log.String(), "cannot be kept"); n != 1 || !strings.Contains(log.String(), "no folder") {
		t.Errorf("it was told %d times: %s", n, log)
	}
}

// TestWhatSaysNothingOfItselfIsTold puts files on the shelf that are no solutions.
func TestWhatSaysNothingOfItselfIsTold(t *testing.T) {
	c, log := shelved(t.TempDir())
	for name, told := range map[string]bool{
		"chemistry.solution":              true,
		"small-0123456789abcdef.solution": false, // it is told when its problem is asked for
		"notes.txt":                       false,
	} {
		t.Run(name, func(t *testing.T) {
			log.Reset()
			place := filepath.Join(c.Folders[0], name)
			write(t, place, "H2O", 0)
			New(c).Stock([]games.Game{twelve()})
			if n := strings.Count(log.String(), "of no use"); (n == 1) != told || n > 1 {
				t.Errorf("it was told %d times: %s", n, log)
			}
			if err := os.Remove(place); err != nil {
				t.Fatal(err)
			}
		})
	}
}

// TestAFolderIsNoFileForASolution is found before anything is solved.
func TestAFolderIsNoFileForASolution(t *testing.T) {
	folder := t.TempDir()
	if _, err := SolveTo(t.Context(), folder, twelve(), nil, nil); err == nil ||
		!strings.Contains(err.Error(), "no file") {
		t.Errorf("%v", err)
	}
	if entries, err := os.ReadDir(folder); err != nil || len(entries) > 0 {
		t.Errorf("%d files are left: %v", len(entries), err)
	}
}

// TestThePlaceOfSolutionsIsTold looks where they are kept, and finds what is put there.
func TestThePlaceOfSolutionsIsTold(t *testing.T) {
	folder := t.TempDir()
	file := filepath.Join(folder, "file")
	write(t, file, "", 0)
	c, _ := shelved(filepath.Join(file, "within"), filepath.Join(folder, "to", "be", "made"))
	if p, err := New(c).Place(); err != nil || p != (Place{Folder: c.Folders[1]}) {
		t.Errorf("%+v: %v", p, err)
	}
	if _, err := os.Stat(filepath.Join(folder, "to")); err == nil {
		t.Error("it was made, though nothing is kept")
	}
	solve(t, c, problem(t, small(), nil))
	write(t, filepath.Join(c.Folders[1], "notes.txt"), "H2O", 0)
	p, err := New(c).Place()
	if err != nil || p.Folder != c.Folders[1] || p.Files != 1 || p.Bytes != sizeOf(t, p.Folder)-3 {
		t.Errorf("%+v: %v", p, err)
	}
	for _, nowhere := range [][]string{c.Folders[:1], nil} {
		c.Folders = nowhere
		if p, err := New(c).Place(); err == nil {
			t.Errorf("%q: %+v", nowhere, p)
		}
	}
}
