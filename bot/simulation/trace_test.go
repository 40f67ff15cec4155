package simulation

import (
	"crypto/sha256"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"time"
)

// oneSeed is the seed that KNOBEL_SEED asks for alone, or "".
func oneSeed() string { return os.Getenv("KNOBEL_SEED") }

// trace is what has happened in a town. What happens at the same instant
// happens in no order, and the trace has none there.
type trace struct {
	loud bool // told at once, too

	mu    sync.Mutex
	lines []line
	notes []string // all lines, and those of the log
	wrong []string // lines of the log that nothing explains
}

type line struct {
	at   time.Time
	said string
}

// tell adds to what has happened.
func (t *trace) tell(about ...any) {
	t.mu.Lock()
	defer t.mu.Unlock()
	l := line{time.Now(), strings.TrimSuffix(fmt.Sprintln(about...), "\n")}
	t.lines = append(t.lines, l)
	t.keep(l.said)
}

// note adds to what is shown where something is wrong.
func (t *trace) note(about ...any) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.keep(strings.TrimSuffix(fmt.Sprintln(about...), "\n"))
}

func (t *trace) keep(said string) {
	said = time.Now().Format("02 15:04:05.000 ") + said
	t.notes = append(t.notes, said)
	if t.loud {
		fmt.Println(said)
	}
}

// explained are the errors of a disk that is full or of a bot that dies.
var explained = []string{"database or disk is full", "disk I/O error"}

// Write takes a line of the bot's log.
func (t *trace) Write(p []byte) (int, error) {
	said := strings.TrimSpace(string(p))
	t.note("log:", said)
	if strings.Contains(said, "level=ERROR") &&
		!slices.ContainsFunc(explained, func(e string) bool { return strings.Contains(said, e) }) {
		t.amiss("the log has " + said)
	}
	return len(p), nil
}

// amiss notes what must not be.
func (t *trace) amiss(what string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.wrong = append(t.wrong, what)
}

// last is what was told last.
func (t *trace) last(lines int) []string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return slices.Clone(t.notes[max(0, len(t.notes)-lines):])
}

// sum is the same for towns in which the same has happened.
func (t *trace) sum() string {
	h := sha256.New()
	for _, l := range t.story() {
		_, _ = fmt.Fprintln(h, l)
	}
	return fmt.Sprintf("%x", h.Sum(nil))
}

// story is all that has happened.
func (t *trace) story() []string {
	t.mu.Lock()
	defer t.mu.Unlock()
	sorted := slices.Clone(t.lines)
	slices.SortFunc(sorted, func(a, b line) int {
		if c := a.at.Compare(b.at); c != 0 {
			return c
		}
		return strings.Compare(a.said, b.said)
	})
	var all []string
	for _, l := range sorted {
		all = append(all, fmt.Sprintf("%s %q", l.at.Format("02 15:04:05.000000000"), l.said))
	}
	return all
}
