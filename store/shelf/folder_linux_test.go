package shelf

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
)

// nobody is a user to whom only that is allowed on a file system which is allowed to all.
const nobody = 65534

// asNobody has the test's thread be nobody on file systems, if it is root, to whom nothing there is forbidden. The
// thread ends with the test.
func asNobody(t *testing.T, folder string) {
	t.Helper()
	if os.Geteuid() != 0 {
		return
	}
	runtime.LockOSThread()
	if err := errors.Join(os.Chown(folder, nobody, -1), os.Chmod(filepath.Dir(folder), 0o711)); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Setfsuid(nobody); err != nil {
		t.Fatal(err)
	}
}

// TestWhereTidyingFailsSolutionsAreKept has a folder that cannot be listed: nobody is told that nothing is kept.
func TestWhereTidyingFailsSolutionsAreKept(t *testing.T) {
	g := small()
	c, log := shelved(t.TempDir())
	if err := os.Chmod(c.Folders[0], 0o300); err != nil {
		t.Fatal(err)
	}
	t.Run("as nobody", func(t *testing.T) { // a goroutine of its own, whose thread ends with it
		asNobody(t, c.Folders[0])
		for range 2 {
			solve(t, c, problem(t, g, nil))
		}
	})
	if err := os.Chmod(c.Folders[0], 0o700); err != nil { // so that it can be removed
		t.Fatal(err)
	}
	if told := log.String(); *g.solved != 1 || strings.Contains(told, "cannot be kept") ||
		!strings.Contains(told, "more than it should") {
		t.Errorf("solved %d times: %s", *g.solved, told)
	}
}
