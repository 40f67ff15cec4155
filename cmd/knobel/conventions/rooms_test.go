package conventions

import (
	"io/fs"
	"path/filepath"
	"strings"
	"testing"
)

// maxRoomFiles is how many files a room may have: people find their way in what is small.
const maxRoomFiles = 30

// No package of the bot has more files than somebody keeps in mind.
func TestRoomsAreSmall(t *testing.T) {
	files := map[string]int{}
	err := filepath.WalkDir(filepath.Join(root, "bot"), func(path string, d fs.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(path, ".go") && !strings.HasSuffix(path, "_test.go") {
			files[filepath.Dir(path)]++
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(files) < 10 {
		t.Fatalf("only %d packages were found", len(files))
	}
	for folder, n := range files {
		if n > maxRoomFiles {
			t.Errorf("%s has %d files, at most %d are read: move what belongs together into a room of its own", folder,
				n, maxRoomFiles)
		}
	}
}
