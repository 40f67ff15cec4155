package conventions

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// Variables that tests and CI read stand where developers look or, where operators
// may want them, too, in docs/operation.md.
func TestVariablesOfTestsAreWrittenDown(t *testing.T) {
	// from a test to the process that it starts, and from .ci/measures to its test
	inner := []string{"KNOBEL_TEST_CRASHING", "KNOBEL_TEST_STOPPING"}
	told := document(t, "CONTRIBUTING.md") + document(t, "docs/development.md") + document(t, "docs/operation.md")
	known, found := knownSettings(t), 0
	err := fs.WalkDir(os.DirFS(root), ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() ||
			!strings.HasSuffix(path, "_test.go") && filepath.Base(filepath.Dir(path)) != ".ci" {
			return err
		}
		for _, m := range regexp.MustCompile(`(?:env\("|Env\("|\$\{)(KNOBEL_[A-Z_]+)`).FindAllStringSubmatch(document(t,
			path), -1) {
			if slices.Contains(known, m[1]) || slices.Contains(inner, m[1]) {
				continue
			}
			found++
			if !strings.Contains(told, "`"+m[1]) {
				t.Errorf("%s reads %s, which is written down nowhere", path, m[1])
			}
		}
		return nil
	})
	if err != nil || found < 10 {
		t.Errorf("%d are read (%v)", found, err)
	}
}

// What the program knows of a platform stands in its entry: no other file names it.
func TestPlatformsAreListedOnce(t *testing.T) {
	const list = "cmd/knobel/platforms.go"
	names := regexp.MustCompile(`\bname: ("[a-z]+")`).FindAllStringSubmatch(document(t, list), -1)
	files, err := filepath.Glob(filepath.Join(root, "cmd/knobel/*.go"))
	if err != nil || len(names) < 3 || len(files) < 30 {
		t.Fatalf("%d names and %d files were found (%v)", len(names), len(files), err)
	}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") || strings.HasSuffix(file, "/platforms.go") {
			continue
		}
		for _, name := range names {
			if code, _ := os.ReadFile(file); strings.Contains(string(code), name[1]) {
				t.Errorf("%s names the platform %s: have its entry in %s say what is asked for", file, name[1], list)
			}
		}
	}
}
