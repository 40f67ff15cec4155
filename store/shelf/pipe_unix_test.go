//go:build unix

package shelf

import (
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"knobel/games"
)

// TestPipesAreNotWaitedFor puts pipes where files are looked for: nobody writes into them.
func TestPipesAreNotWaitedFor(t *testing.T) {
	g := small()
	c, log := shelved(t.TempDir())
	p := problem(t, g, nil)
	for _, name := range []string{"pipe" + extension, New(c).nameOf(p)} {
		if err := syscall.Mkfifo(filepath.Join(c.Folders[0], name), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	New(c).Stock([]games.Game{g.Game})
	for range 2 {
		solve(t, c, p)
	}
	if n := strings.Count(log.String(), "it is no file"); n != 2 || *g.solved != 1 {
		t.Errorf("told %d times, solved %d times: %s", n, *g.solved, log)
	}
}
