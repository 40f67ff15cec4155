// Package needs is the one place where a test is skipped, and only for lack of something that cannot be in the
// repository: the platforms' API descriptions, a browser, axe-core, nginx, PostgreSQL, PgBouncer, a network, earlier
// commits, or the time that only .ci/long takes. Each function says in one line what to do.
package needs

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
)

// TB is the needed part of testing.TB.
type TB interface {
	Helper()
	Fatalf(format string, args ...any)
	Skipf(format string, args ...any)
}

// The lines that skipped tests print.
const (
	noChrom    = "skipped for want of a browser: apt-get install chromium-headless-shell, or set CHROMIUM to one"
	noDesktop  = "skipped for want of a full browser: apt-get install chromium"
	noAxe      = "skipped for want of axe-core: bash .ci/axe FOLDER brings it, then set KNOBEL_AXE to its axe.min.js"
	noNginx    = "skipped for want of nginx: apt-get install nginx-light, or set NGINX to one"
	noPostgres = "skipped for want of PostgreSQL: apt-get install postgresql, or set POSTGRES to the folder of " +
		"initdb and postgres"
	noPooler  = "skipped for want of PgBouncer: apt-get install pgbouncer, or set PGBOUNCER to one"
	noLAN     = "skipped for want of a network: give an interface that is up a private IPv4 or a global IPv6 address"
	noHistory = "skipped for want of the repository's history since %.8s: apt-get install git, and clone all of it " +
		"or git fetch --unshallow"
	noTime  = "left to .ci/long, which sets KNOBEL_TEST_LONG=1"
	noPeace = "left to .ci/long, which sets KNOBEL_TEST_ALONE=1 and has nothing run beside it"
)

// IsLong reports whether KNOBEL_TEST_LONG asks for long tests.
func IsLong() bool { return os.Getenv("KNOBEL_TEST_LONG") != "" }

// Alone skips a test that measures time, unless KNOBEL_TEST_ALONE says that nothing else runs.
func Alone(t TB) {
	t.Helper()
	if os.Getenv("KNOBEL_TEST_ALONE") == "" {
		t.Skipf(noPeace)
	}
}

// bare reports whether KNOBEL_TEST_BARE hides all browsers, PostgreSQL, PgBouncer and nginx, to test a machine
// without them.
func bare() bool { return os.Getenv("KNOBEL_TEST_BARE") != "" }

// Long skips a test that takes too long for every change, unless IsLong.
func Long(t TB) {
	t.Helper()
	if !IsLong() {
		t.Skipf(noTime)
	}
}

// found returns path. If path is empty, it skips the test; without is the reason.
func found(t TB, path, without string) string {
	t.Helper()
	if path == "" {
		t.Skipf("%s", without)
	}
	return path
}

// Browser returns the program of a Chromium: CHROMIUM, else one on the path, preferably the headless one, which is
// quicker.
func Browser(t TB) string {
	t.Helper()
	return found(t, program("CHROMIUM", "chromium-headless-shell", "chromium", "chromium-browser", "google-chrome",
		"google-chrome-stable", "chrome"), noChrom)
}

// Desktop returns the program of a full Chromium, which shows notifications.
func Desktop(t TB) string {
	t.Helper()
	return found(t, program("", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable"), noDesktop)
}

// Axe returns the path of axe-core, a script that checks accessibility: KNOBEL_AXE.
func Axe(t TB) string {
	t.Helper()
	return found(t, os.Getenv("KNOBEL_AXE"), noAxe)
}

// Nginx returns the path of nginx: $NGINX, else the one in $PATH, else Debian's in /usr/sbin, outside users' $PATH.
func Nginx(t TB) string {
	t.Helper()
	return found(t, program("NGINX", "nginx", "/usr/sbin/nginx"), noNginx)
}

// PostgreSQL returns the folder of PostgreSQL's programs, see FindPostgreSQL.
func PostgreSQL(t TB) string {
	t.Helper()
	return found(t, FindPostgreSQL(), noPostgres)
}

// FindPostgreSQL returns the folder of initdb and postgres: POSTGRES, else Debian's newest version, else the one on
// the path, else "".
func FindPostgreSQL() string {
	if bare() {
		return ""
	}
	if folder := os.Getenv("POSTGRES"); folder != "" {
		return folder
	}
	folders, _ := filepath.Glob("/usr/lib/postgresql/*/bin") // the pattern is valid
	slices.SortFunc(folders, func(a, b string) int { return version(b) - version(a) })
	if path, err := exec.LookPath("initdb"); err == nil {
		folders = append(folders, filepath.Dir(path))
	}
	for _, folder := range folders {
		if program("", filepath.Join(folder, "initdb")) != "" && program("", filepath.Join(folder, "postgres")) != "" {
			return folder
		}
	}
	return ""
}

// version returns the PostgreSQL version in folder, such as /usr/lib/postgresql/17/bin; 0: it contains none.
func version(folder string) int {
	n, _ := strconv.Atoi(filepath.Base(filepath.Dir(folder)))
	return n
}

// PgBouncer returns the path of PgBouncer: $PGBOUNCER, else the one in $PATH, else Debian's in /usr/sbin.
func PgBouncer(t TB) string {
	t.Helper()
	return found(t, program("PGBOUNCER", "pgbouncer", "/usr/sbin/pgbouncer"), noPooler)
}

// Network skips a test if there is false: this machine has no address in a network.
func Network(t TB, there bool) {
	t.Helper()
	if !there {
		t.Skipf(noLAN)
	}
}

// History skips a test if the repository lacks the commit since, as in an archive or a shallow clone.
func History(t TB, since string) {
	t.Helper()
	if exec.Command("git", "merge-base", "--is-ancestor", since, "HEAD").Run() != nil {
		t.Skipf(noHistory, since)
	}
}

// program returns the value of an environment variable, else the path of the first name that can be run, else "".
func program(variable string, names ...string) string {
	if bare() {
		return ""
	}
	if path := os.Getenv(variable); variable != "" && path != "" {
		return path
	}
	for _, name := range names {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	return ""
}
