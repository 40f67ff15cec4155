package conventions

import (
	"io/fs"
	"os"
	"strings"
	"testing"
)

// What CI leaves out of the race detector is a test that is there, so that no
// test of another name slips through in its place.
func TestUnracedTestsAreThere(t *testing.T) {
	var code strings.Builder
	err := fs.WalkDir(os.DirFS(root), ".", func(path string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() && strings.HasSuffix(path, "_test.go") {
			code.WriteString(document(t, path))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	named := 0
	for line := range strings.Lines(document(t, ".ci/unraced")) {
		if line = strings.TrimSpace(line); strings.HasPrefix(line, "#") {
			continue
		}
		named++
		if !strings.Contains(code.String(), "\nfunc "+line+"(t *testing.T)") {
			t.Errorf(".ci/unraced names %q, which is no test", line)
		}
	}
	if named < 10 {
		t.Errorf("only %d tests are named", named)
	}
}
