package needs_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	skips  = regexp.MustCompile(`\.Skip(f|Now)?\(`)
	beside = regexp.MustCompile(`KNOBEL_SPECS|\.\./shared|"shared"`)
)

// Only this package skips tests, with a reason. The Skip of a property test only discards a draw.
func TestNoTestIsSkippedElsewhere(t *testing.T) {
	root, files := os.DirFS(filepath.Join("..", "..", "..")), 0
	err := fs.WalkDir(root, ".", func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && (name == "bot/fakes/needs" || strings.HasPrefix(entry.Name(), ".") && name != "."):
			return fs.SkipDir
		case !strings.HasSuffix(name, ".go"):
			return nil
		}
		files++
		text, err := fs.ReadFile(root, name)
		if skips.Match(text) && !strings.Contains(string(text), "rapid.T") {
			t.Errorf("%s skips a test: bot/fakes/needs alone does", name)
		}
		if found := beside.Find(text); found != nil {
			t.Errorf("%s names %s: what tests need stands in the repository", name, found)
		}
		return err
	})
	if err != nil || files < 100 {
		t.Fatalf("%d files, %v", files, err)
	}
}
