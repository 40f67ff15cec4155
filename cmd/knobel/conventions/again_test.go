package conventions

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// lookedAt has .ci/again look at what a go test has printed, where .ci/once holds a
// list; passes reports whether the test passes when it is run once more. It returns
// what was said and which commands were run. The checks fail in any case.
func lookedAt(t *testing.T, printed, list string, passes bool) (said, ran string) {
	t.Helper()
	dir := t.TempDir()
	write := func(name, text string, mode os.FileMode) string {
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, []byte(text), mode); err != nil {
			t.Fatal(err)
		}
		return file
	}
	test := "#!/bin/sh\necho \"$@\" >>" + filepath.Join(dir, "ran") + "\n"
	if !passes {
		test += "exit 1\n"
	}
	script := write("again", document(t, ".ci/again"), 0o700)
	write("once", list, 0o600)
	cmd := exec.Command("bash", script, write("log", printed, 0o600), write("test", test, 0o700))
	cmd.Env = append(os.Environ(), "KNOBEL_ARTIFACTS="+dir)
	out, err := cmd.CombinedOutput()
	if left := new(exec.ExitError); !errors.As(err, &left) || left.ExitCode() != 1 {
		t.Errorf("it ends with %v: %s", err, out)
	}
	runs, err := os.ReadFile(filepath.Join(dir, "ran"))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		t.Fatal(err)
	}
	return string(out), string(runs)
}

// onceFailed is what a go test prints of which one test fails.
const onceFailed = `=== RUN   TestFine
--- PASS: TestFine (0.00s)
=== RUN   TestDoor
    door_test.go:7: status 500 | not 200
--- FAIL: TestDoor (0.10s)
FAIL
FAIL	knobel/bot/web	1.200s
ok  	knobel/bot	2.100s
FAIL
`

func TestFailedOnceIsRememberedAndMendedTheSecondTime(t *testing.T) {
	t.Parallel()
	const others = "# a list\nknobel/bot/web TestDoors | 2026-01-02 | it hung | nothing\nknobel/bot TestDoor | " +
		"2026-01-02 | it hung | nothing\n"
	const tenTimes = "-timeout 10m -count 10 -run ^TestDoor$ knobel/bot/web\n"
	t.Run("a name that is not in the list", func(t *testing.T) {
		said, ran := lookedAt(t, onceFailed, others, true)
		line := regexp.MustCompile(`(?m)^knobel/bot/web TestDoor \| \d{4}-\d\d-\d\d \| door_test.go:7: status 500 / not 200 \| …$`)
		if ran != tenTimes || !line.MatchString(said) || !strings.Contains(said, "commit this line of .ci/once") {
			t.Errorf("it ran %q and says %s", ran, said)
		}
	})
	t.Run("one that is printed without the tests that pass", func(t *testing.T) {
		short := "--- FAIL: TestDoor (0.10s)\n    door_test.go:7: status 500\nFAIL\nFAIL\tknobel/bot/web\t1.200s\n"
		if said, _ := lookedAt(t, short, others, true); !strings.Contains(said, " | door_test.go:7: status 500 | …\n") {
			t.Errorf("it says %s", said)
		}
	})
	t.Run("a name that is in the list", func(t *testing.T) {
		const before = "knobel/bot/web TestDoor | 2026-01-03 | status 500 | the disk was full\n"
		said, ran := lookedAt(t, onceFailed, others+before, true)
		if ran != "" || !strings.Contains(said, before) || !strings.Contains(said, "mended now") {
			t.Errorf("it ran %q and says %s", ran, said)
		}
	})
	t.Run("a test that fails again", func(t *testing.T) {
		said, ran := lookedAt(t, onceFailed, others, false)
		if ran != tenTimes || strings.Contains(said, "commit this line") {
			t.Errorf("it ran %q and says %s", ran, said)
		}
	})
	for name, printed := range map[string]string{
		"two tests":                       strings.Replace(onceFailed, "--- PASS: TestFine", "--- FAIL: TestFine", 1),
		"a race":                          "WARNING: DATA RACE\n" + onceFailed,
		"a panic":                         "panic: boom\n" + onceFailed,
		"a package that touches nothing":  strings.Replace(onceFailed, "knobel/bot/web", "knobel/games", 1),
		"a package that does not compile": "FAIL\tknobel/bot/web [build failed]\n",
	} {
		t.Run(name, func(t *testing.T) {
			if said, ran := lookedAt(t, printed, others, true); ran != "" ||
				strings.Contains(said, "commit this line") {
				t.Errorf("it ran %q and says %s", ran, said)
			}
		})
	}
}

// The list of what failed once names tests that are there, with a day, what they
// printed and what was found, each once.
func TestFailedOnceIsListedWhole(t *testing.T) {
	named := map[string]bool{}
	for line := range strings.Lines(document(t, ".ci/once")) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		m := regexp.MustCompile(`^knobel/(\S+) (Test\w+) \| \d{4}-\d\d-\d\d \| [^|]*\S \| ([^|]*\S)\n$`).FindStringSubmatch(line)
		if m == nil || m[3] == "…" {
			t.Errorf("not a package, a test, a day, what it printed and what was found: %s", line)
			continue
		}
		if !strings.Contains(testsIn(t, m[1]), "func "+m[2]+"(t *testing.T)") {
			t.Errorf("%s has no %s: its line goes", m[1], m[2])
		}
		if named[m[1]+m[2]] {
			t.Errorf("%s of %s is listed twice", m[2], m[1])
		}
		named[m[1]+m[2]] = true
	}
}
