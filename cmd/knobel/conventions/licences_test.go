package conventions

import (
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/licensecheck"
)

// welcome are the licences under which others' work may be part of the program:
// those that let everybody use, change and pass it on, wherever it stands.
var welcome = []string{"Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "ISC", "MIT", "MPL-2.0", "FTL", "Unlicense",
	"CC0-1.0"}

// chosen are modules that let one choose, by the sentence that says so and the
// file of the licence that is taken: who changes it has to look again.
var chosen = map[string]struct{ says, file, licence string }{
	"github.com/golang/freetype": {"subject to your choice of exactly one of", "licenses/ftl.txt", "FTL"},
}

// Every module that is linked into the program has a licence that is welcome.
func TestLicences(t *testing.T) {
	t.Parallel()
	modules := linked(t)
	if len(modules) < 20 {
		t.Fatalf("only %d modules are linked: %v", len(modules), modules)
	}
	for path, dir := range modules {
		found := licencesIn(t, dir)
		if c, ok := chosen[path]; ok {
			text, err1 := os.ReadFile(filepath.Join(dir, "LICENSE"))
			_, err2 := os.Stat(filepath.Join(dir, c.file))
			if err := errors.Join(err1, err2); err != nil || !strings.Contains(string(text), c.says) {
				t.Errorf("%s does not say %q any longer: %v", path, c.says, err)
			}
			found = []string{c.licence}
		}
		if len(found) == 0 {
			t.Errorf("%s has no licence that is known", path)
		}
		for _, l := range found {
			if !slices.Contains(welcome, l) {
				t.Errorf("%s is under %s", path, l)
			}
		}
	}
}

// linked are the folders of all modules of others that the program is made of.
func linked(t *testing.T) map[string]string {
	t.Helper()
	out, err := exec.Command("go", "list", "-deps", "-json=Module", "knobel/cmd/knobel").Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	all := map[string]string{}
	for d := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p struct {
			Module *struct {
				Path, Dir string
				Main      bool
			}
		}
		err := d.Decode(&p)
		if errors.Is(err, io.EOF) {
			return all
		}
		if err != nil {
			t.Fatal(err)
		}
		if p.Module != nil && !p.Module.Main {
			all[p.Module.Path] = p.Module.Dir
		}
	}
}

// licencesIn are the licences that a module's own files of that name spell out.
func licencesIn(t *testing.T, dir string) (found []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		name := strings.ToUpper(e.Name())
		if e.IsDir() || !strings.HasPrefix(name, "LICEN") && !strings.HasPrefix(name, "COPYING") {
			continue
		}
		text, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range licensecheck.Scan(text).Match {
			if !slices.Contains(found, m.ID) {
				found = append(found, m.ID)
			}
		}
	}
	return found
}

// What tests and releases need is no part of the program.
func TestModulesOfTestsAreNotLinked(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", "knobel/cmd/knobel").Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	packages := strings.Fields(string(out))
	for _, p := range packages {
		name := p[strings.LastIndex(p, "/")+1:]
		if p == "testing" || strings.HasPrefix(p, "testing/") ||
			strings.HasSuffix(name, "test") && p != "internal/synctest" || name == "fakes" ||
			within(p, "knobel/bot/simulation") || strings.Contains(p, "jsonschema") ||
			strings.Contains(p, "CycloneDX") {
			t.Errorf("%s is linked into the program", p)
		}
	}
	others := len(slices.DeleteFunc(packages, func(p string) bool { return within(p, "knobel") }))
	if others < 180 || others > 383 {
		t.Errorf("the program is made of %d packages beside its own, asked are at most 383", others)
	}
}
