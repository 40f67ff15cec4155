package needs_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"knobel/bot/fakes/needs"
)

// asking is a test that wants something and tells how it ended.
type asking struct{ skipped, failed string }

func (*asking) Helper()                             {}
func (a *asking) Skipf(format string, args ...any)  { a.skipped = fmt.Sprintf(format, args...) }
func (a *asking) Fatalf(format string, args ...any) { a.failed = fmt.Sprintf(format, args...) }

func TestSpecsAreFoundBesideTheCheckoutOrWhereOneSays(t *testing.T) {
	root := t.TempDir()
	deep, beside, said := filepath.Join(root, "knobel", "deep", "er"), filepath.Join(root, "shared", "specs"),
		filepath.Join(root, "said")
	for _, folder := range []string{deep, beside, said} {
		if err := os.MkdirAll(folder, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for _, file := range []string{filepath.Join(root, "knobel", "go.mod"), filepath.Join(beside, "a.json"),
		filepath.Join(said, "b.json")} {
		if err := os.WriteFile(file, nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		name, variable, from, file string
		found                      string // its folder
		skipped, failed            bool
	}{
		{name: "beside the checkout", from: deep, file: "a.json", found: beside},
		{name: "not there", from: deep, file: "b.json", skipped: true},
		{name: "outside a checkout", from: root, file: "a.json", skipped: true},
		{name: "as said", variable: said, from: deep, file: "b.json", found: said},
		{name: "not where one says", variable: said, from: deep, file: "a.json", failed: true},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Setenv("KNOBEL_SPECS", c.variable)
			t.Chdir(c.from)
			a := &asking{}
			path := needs.Specs(a, c.file)
			if (a.skipped != "") != c.skipped || (a.failed != "") != c.failed {
				t.Fatalf("skipped %q, failed %q", a.skipped, a.failed)
			}
			if c.skipped && !strings.Contains(a.skipped, "KNOBEL_SPECS") {
				t.Errorf("skipped without a word of what to do: %s", a.skipped)
			}
			if c.found != "" && !same(t, path, filepath.Join(c.found, c.file)) {
				t.Errorf("found %s", path)
			}
		})
	}
}

func same(t *testing.T, a, b string) bool {
	t.Helper()
	one, err1 := os.Stat(a)
	two, err2 := os.Stat(b)
	if err1 != nil || err2 != nil {
		t.Fatal(err1, err2)
	}
	return os.SameFile(one, two)
}

func TestProgramsAreThoseOneNames(t *testing.T) {
	t.Setenv("KNOBEL_TEST_BARE", "")
	for variable, ask := range map[string]func(needs.TB) string{"CHROMIUM": needs.Browser, "KNOBEL_AXE": needs.Axe,
		"NGINX": needs.Nginx, "POSTGRES": needs.PostgreSQL, "PGBOUNCER": needs.PgBouncer} {
		t.Setenv(variable, "/opt/mine")
		if a := (&asking{}); ask(a) != "/opt/mine" || a.skipped != "" {
			t.Errorf("%s is not heeded: %s", variable, a.skipped)
		}
	}
}

func TestOneVariableTurnsAllProgramsOff(t *testing.T) {
	t.Setenv("KNOBEL_TEST_BARE", "1")
	for variable, ask := range map[string]func(needs.TB) string{"CHROMIUM": needs.Browser, "NGINX": needs.Nginx,
		"POSTGRES": needs.PostgreSQL, "PGBOUNCER": needs.PgBouncer} {
		for _, named := range []string{"", "/opt/mine"} { // else they are looked for where they usually are
			t.Setenv(variable, named)
			a := &asking{}
			if path := ask(a); path != "" || !strings.HasPrefix(a.skipped, "skipped for want of ") {
				t.Errorf("%s=%s: found %q, said %q", variable, named, path, a.skipped)
			}
		}
	}
}

func TestWithoutAxeOneLineSaysHowToGetIt(t *testing.T) {
	t.Setenv("KNOBEL_AXE", "")
	a := &asking{}
	if path := needs.Axe(a); path != "" || !strings.Contains(a.skipped, "bash .ci/axe") {
		t.Errorf("found %q, said %q", path, a.skipped)
	}
}

func TestWithoutABrowserOneLineSaysWhatToInstall(t *testing.T) {
	t.Setenv("CHROMIUM", "")
	t.Setenv("PATH", t.TempDir())
	a := &asking{}
	if path := needs.Browser(a); path != "" || !strings.Contains(a.skipped, "apt-get install chromium") ||
		strings.Contains(a.skipped, "\n") {
		t.Errorf("found %q, said %q", path, a.skipped)
	}
}

func TestWithoutHistoryOneLineSaysHowToGetIt(t *testing.T) {
	t.Chdir(t.TempDir())
	a := &asking{}
	if needs.History(a, "303cbe3cfa91"); !strings.Contains(a.skipped, "since 303cbe3c: ") ||
		!strings.Contains(a.skipped, "git fetch --unshallow") || strings.Contains(a.skipped, "\n") {
		t.Errorf("said %q", a.skipped)
	}
}

func TestDearTestsAreLeftToThoseWhoAskForThem(t *testing.T) {
	for variable, ask := range map[string]func(needs.TB){"KNOBEL_TEST_LONG": needs.Long,
		"KNOBEL_TEST_ALONE": needs.Alone} {
		for set, skipped := range map[string]bool{"": true, "1": false} {
			t.Setenv(variable, set)
			a := &asking{}
			if ask(a); (a.skipped != "") != skipped || skipped && !strings.Contains(a.skipped, variable) {
				t.Errorf("%s=%s: said %q", variable, set, a.skipped)
			}
		}
	}
}
