package conventions

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/licensecheck"
)

// acceptedLicences holds the accepted licences of third-party code in the program.
var acceptedLicences = []string{"Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "ISC", "MIT", "MPL-2.0", "FTL",
	"Unlicense", "CC0-1.0"}

// chosenLicences holds modules with a choice of licences: the sentence that offers the choice, and the file of the
// chosen one. If either changes, the choice must be reviewed.
var chosenLicences = map[string]struct{ says, file, licence string }{
	"github.com/golang/freetype": {"subject to your choice of exactly one of", "licenses/ftl.txt", "FTL"},
}

// Every module that is linked into the program has an accepted licence.
func TestLicences(t *testing.T) {
	t.Parallel()
	modules := map[string]string{}
	for path, p := range loadSource(t).linked() {
		if p.Module != nil && !within(path, "knobel") {
			modules[p.Module.Path] = p.Module.Dir
		}
	}
	if len(modules) < 20 {
		t.Fatalf("only %d modules are linked: %v", len(modules), modules)
	}
	for path, dir := range modules {
		found := licencesIn(t, dir)
		if c, ok := chosenLicences[path]; ok {
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
			if !slices.Contains(acceptedLicences, l) {
				t.Errorf("%s is under %s", path, l)
			}
		}
	}
}

// licencesIn returns the licences found in the LICENSE and COPYING files of a module.
func licencesIn(t *testing.T, dir string) (found []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	check(t, err)
	for _, e := range entries {
		name := strings.ToUpper(e.Name())
		if e.IsDir() || !strings.HasPrefix(name, "LICEN") && !strings.HasPrefix(name, "COPYING") {
			continue
		}
		text, err := os.ReadFile(filepath.Join(dir, e.Name()))
		check(t, err)
		for _, m := range licensecheck.Scan(text).Match {
			if !slices.Contains(found, m.ID) {
				found = append(found, m.ID)
			}
		}
	}
	return found
}

// Modules for tests and releases are not linked into the program.
func TestModulesOfTestsAreNotLinked(t *testing.T) {
	others := 0
	for p := range loadSource(t).linked() {
		name := p[strings.LastIndex(p, "/")+1:]
		if p == "testing" || strings.HasPrefix(p, "testing/") ||
			strings.HasSuffix(name, "test") && p != "internal/synctest" || name == "fakes" ||
			within(p, "knobel/bot/simulation") || strings.Contains(p, "jsonschema") ||
			strings.Contains(p, "CycloneDX") {
			t.Errorf("%s is linked into the program", p)
		}
		if !within(p, "knobel") {
			others++
		}
	}
	if others < 180 || others > 383 {
		t.Errorf("the program is made of %d packages beside its own, asked are at most 383", others)
	}
}
