package discord

import (
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"knobel/bot/discord/discordtest"
)

// crowd is several people at one table, who all press at once.
type crowd struct {
	*stage
	people []*discordtest.Person
	read   map[string][]string // the refusals that were read, by the reader's language
}

// seated opens a table for four people, two of them German, and sits
// everybody down at once.
func seated(t *testing.T) *crowd {
	t.Helper()
	c := &crowd{stage: open(t, discordtest.Options{}), read: map[string][]string{}}
	for _, p := range [][2]string{{"Anna", "de"}, {"Ben", "en-GB"}, {"Clara", "de"}, {"Dan", "en-US"}} {
		c.people = append(c.people, c.server.Person(p[0], p[1]))
	}
	c.answer(c.hall.Slash(c.people[0], "shutbox", discordtest.Option{Name: "stake", Value: 3}))
	lobby := c.board()
	if moved := c.atOnce(lobby, lobby.Buttons()[0].CustomID); moved != 3 {
		t.Fatalf("%d of three sat down beside Anna\n%s", moved, c.log)
	}
	return c
}

// atOnce lets everybody press a button twice at the same time, and says how
// many presses changed the board. All others are refused, to each alone.
func (c *crowd) atOnce(m discordtest.Message, id string) (moved int) {
	c.Helper()
	presses := make([]*discordtest.Interaction, 2*len(c.people))
	by := func(i int) *discordtest.Person { return c.people[i%len(c.people)] }
	var pressing sync.WaitGroup
	for i := range presses {
		pressing.Go(func() { presses[i] = c.hall.Press(by(i), m.ID, id) })
	}
	pressing.Wait()
	for i, p := range presses {
		a := c.answer(p)
		switch {
		case a.Type == 7:
			moved++
		case private(a, ""):
			c.read[by(i).Locale] = append(c.read[by(i).Locale], a.Message.Text())
		default:
			c.Errorf("%s is answered %d: %q", by(i).Name, a.Type, a.Message.Text())
		}
	}
	presses[0].Redeliver()
	return moved
}

// finished reports whether the game on a board is at its end.
func finished(m discordtest.Message) bool {
	return slices.ContainsFunc(labels(m), func(label string) bool { return strings.Contains(label, "Revanche") })
}

// Everybody presses everything twice at once, from the first press to the
// last; what was answered is delivered again; and in the middle the bot starts
// anew. Each press gets one answer, one press a turn counts, and the books are
// in order.
func TestACrowdAtOneTable(t *testing.T) {
	t.Parallel()
	c := seated(t)
	start, ok := c.board().Button("Los")
	if !ok {
		t.Fatalf("no start among %q", labels(c.board()))
	}
	if moved := c.atOnce(c.board(), start.CustomID); moved != 1 {
		t.Fatalf("the game was started %d times\n%s", moved, c.log)
	}
	turns := 0
	for ; !finished(c.board()) && turns < 200; turns++ {
		m := c.board()
		if moved := c.atOnce(m, m.Buttons()[0].CustomID); moved != 1 {
			t.Fatalf("%d presses of %q counted on\n%s\n%s", moved, m.Buttons()[0].Label, m.Text(), c.log)
		}
		if turns == 3 {
			c.stop()
			c.start()
		}
	}
	c.stop() // what was delivered again is over, too
	if m := c.board(); !finished(m) || len(c.hall.Messages()) != 1 {
		t.Errorf("after %d turns there are %d messages, the last of them\n%s", turns, len(c.hall.Messages()), m.Text())
	}
	for locale, all := range c.read {
		german := slices.ContainsFunc(all, func(text string) bool {
			return strings.Contains(text, "am Zug") || strings.Contains(text, "schon weiter")
		})
		english := slices.ContainsFunc(all, func(text string) bool { return strings.Contains(text, "turn") || strings.Contains(text, "moved on") })
		if german != (locale == "de") || english == (locale == "de") {
			t.Errorf("in %s people read %q", locale, slices.Compact(slices.Sorted(slices.Values(all))))
		}
	}
	for _, r := range c.server.Requests("") {
		if r.Status == http.StatusTooManyRequests {
			t.Errorf("%s %s was too much", r.Method, r.Path)
		}
	}
	c.sound()
}
