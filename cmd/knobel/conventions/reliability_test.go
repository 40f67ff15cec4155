package conventions

import (
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// Every test named in docs/reliability.md exists, and each fault names at least one.
func TestFaultsHaveTheirTests(t *testing.T) {
	text := document(t, "docs/reliability.md")
	one := "`[a-z/]+\\.Test[A-Za-z]+(?:/[^`]+)?`"
	faults := regexp.MustCompile("(?m)^\\| .* \\| .* \\| ("+one+"(?:, "+one+")*) \\|$").FindAllStringSubmatch(text, -1)
	var rows [][]string
	for _, fault := range faults {
		named := regexp.MustCompile("`([a-z/]+)\\.(Test[A-Za-z]+)(?:/([^`]+))?`").FindAllStringSubmatch(fault[1], -1)
		rows = append(rows, named...)
	}
	if named := strings.Count(text, ".Test") - 1; len(faults) < 40 || len(rows) != named { // one is an example
		t.Errorf("%d faults have %d tests, %d tests are named", len(faults), len(rows), named)
	}
	for _, row := range rows {
		code := testsIn(t, row[1])
		if !strings.Contains(code, "func "+row[2]+"(t *testing.T)") {
			t.Errorf("%s has no %s", row[1], row[2])
		}
		story, script := "\n== "+row[3]+"\n", "\n# "+row[3]
		if row[3] != "" && !strings.Contains(code, `"`+row[3]+`"`) && !strings.Contains(code, story) &&
			!strings.Contains(code, script) {
			t.Errorf("%s in %s has no case %q", row[2], row[1], row[3])
		}
	}
}

// testsIn returns the text of a folder's tests and of their stories and scripts.
func testsIn(t *testing.T, folder string) string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(root, folder, "*_test.go"))
	stories, err2 := filepath.Glob(filepath.Join(root, folder, "testdata", "*.txt"))
	scripts, err3 := filepath.Glob(filepath.Join(root, folder, "testdata", "*", "*.txtar"))
	if err = errors.Join(err, err2, err3); err != nil {
		t.Fatal(err)
	}
	files = slices.Concat(files, stories, scripts)
	var all strings.Builder
	for _, file := range files {
		code, err := os.ReadFile(file)
		check(t, err)
		all.WriteString("\n" + string(code))
	}
	return all.String()
}

// Lists that many people edit have no duplicate entries.
func TestListsSayNothingTwice(t *testing.T) {
	for file, begins := range map[string]string{"docs/reliability.md": "| ", "CHANGELOG.md": "- "} {
		seen := map[string]bool{}
		for line := range strings.Lines(document(t, file)) {
			if line = strings.TrimSpace(line); !strings.HasPrefix(line, begins) ||
				strings.HasPrefix(line, "| fault |") {
				continue
			}
			if seen[line] {
				t.Errorf("%s says twice: %s", file, line)
			}
			seen[line] = true
		}
		if len(seen) < 20 {
			t.Errorf("%s has %d lines", file, len(seen))
		}
	}
}
