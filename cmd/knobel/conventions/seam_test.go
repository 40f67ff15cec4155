package conventions

import (
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// ofAnEngine is what belongs behind the seam that knobel/store/engine is: words of one
// engine, and imports that reach files.
var ofAnEngine = struct {
	words   *regexp.Regexp
	imports []string
}{
	regexp.MustCompile(`(?i)\bpragma|sqlite_|\bvacuum\b|\bwal_|-wal\b|\browid\b`),
	[]string{"os", "io/fs", "path/filepath", "database/sql", "syscall", "unsafe"},
}

// behindTheSeam are the faults of a file of the store's: nothing in it may be of one
// engine.
func behindTheSeam(t *testing.T, name string, content []byte) (faults []string) {
	t.Helper()
	if word := ofAnEngine.words.Find(content); word != nil {
		faults = append(faults, "says "+string(word))
	}
	file, err := parser.ParseFile(token.NewFileSet(), name, content, parser.ImportsOnly)
	if err != nil {
		t.Fatal(err)
	}
	for _, imported := range file.Imports {
		path, err := strconv.Unquote(imported.Path.Value)
		if err != nil {
			t.Fatal(err)
		}
		for _, wrong := range ofAnEngine.imports {
			if path == wrong {
				faults = append(faults, "imports "+path)
			}
		}
	}
	return faults
}

func TestTheStoreKnowsNoEngine(t *testing.T) {
	for _, folder := range []string{"store", "store/engine"} {
		files, err := filepath.Glob(filepath.Join("../../..", folder, "*.go"))
		if err != nil || len(files) == 0 {
			t.Fatalf("%s has %d files: %v", folder, len(files), err)
		}
		for _, name := range files {
			if strings.HasSuffix(name, "_test.go") {
				continue
			}
			content, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			for _, fault := range behindTheSeam(t, name, content) {
				t.Errorf("%s %s: that belongs into store/sqlite", name, fault)
			}
		}
	}
}

// TestTheStoreKnowsNoEngineRefuses shows that the check can fail.
func TestTheStoreKnowsNoEngineRefuses(t *testing.T) {
	for _, wrong := range []string{
		"import \"os\"",
		"import \"database/sql\"",
		"const q = `PRAGMA user_version`",
		"const q = `SELECT name FROM sqlite_master`",
		"const q = `SELECT * FROM pragma_foreign_key_check`",
		"const end = \"-wal\"",
	} {
		if len(behindTheSeam(t, "store/wrong.go", []byte("package store\n"+wrong+"\n"))) == 0 {
			t.Errorf("the store may say %s", wrong)
		}
	}
}
