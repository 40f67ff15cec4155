package bare

// Leaderboards and statistics, and another way to count them.

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"knobel/bot/chat"
	"knobel/store"
)

// Game plays a game from its opening to its end: who sits there, "house" a house
// seat, and what each of them plays: "Anna say 3".
func (h *House) Game(line string, names []string, moves ...string) {
	h.T.Helper()
	opener := h.Person(names[0])
	opener.Writes(line)
	id := opener.Table().ID
	for _, name := range names[1:] {
		if name == "house" {
			opener.Sends(fmt.Sprintf("1:%d:0:!house meek", id))
		} else {
			h.Person(name).Sends(chat.LobbyPress(opener.Board(), "join"))
		}
	}
	for _, name := range names[1:] {
		if name != "house" {
			h.Agree(h.Person(name))
		}
	}
	opener.Sends(fmt.Sprintf("1:%d:0:!start", id))
	for range moves {
		t := opener.Table()
		name := t.Seats[t.Turn%int64(len(t.Seats))].Name // the holder of the box sits first
		i := slices.IndexFunc(moves, func(m string) bool { return strings.HasPrefix(m, name+" ") })
		h.Person(name).Sends(fmt.Sprintf("1:%d:%d:%s", id, t.Turn, strings.TrimPrefix(moves[i], name+" ")))
		moves = slices.Delete(slices.Clone(moves), i, i+1)
	}
	if t := opener.Table(); t.State != store.Over || t.ID != id {
		h.T.Fatalf("%s: table %d is %s", line, t.ID, t.State)
	}
}

// Begins fails unless an answer begins with these lines.
func Begins(t testing.TB, r chat.Reply, text string) {
	t.Helper()
	if got := Said(t, r); !strings.HasPrefix(got, strings.TrimSpace(text)+"\n") {
		t.Errorf("got\n%s\nwant\n%s", got, strings.TrimSpace(text))
	}
}

// ThreeEvenings plays in October, in November a week before, and today, the 14th of November 2023.
func ThreeEvenings(h *House) {
	h.Wait(-30 * 24 * time.Hour)
	h.Game("/pile 10", []string{"Ben", "Anna"}, "Ben take 6+5", "Anna take 2+1", "Ben take 4+3") // 18 : 3
	h.Wait(23 * 24 * time.Hour)
	h.Game("/tally point=1", []string{"Anna", "Ben", "Clara"}, "Anna say 10", "Ben say 10", "Clara say 11")
	h.Wait(7 * 24 * time.Hour)
	h.Game("/pile 5", []string{"Anna", "house", "Clara"}, "Anna take 6+5", "Clara take 4+3") // 11 : 3 : 7
	h.Game("/pile big 5", []string{"Anna", "Ben"}, "Anna take 8+1", "Ben take 7+2", "Anna take 6+3", "Ben take 5+4")
	h.Game("/pile 50", []string{"Anna"}, "Anna take 6+5", "Anna take 4+3", "Anna take 2+1") // alone, which is practice
	h.Sound()
}

// Counting is chance that gives other seeds every time, and the same in every run.
type Counting struct{ next byte }

func (c *Counting) Read(b []byte) (int, error) {
	for i := range b {
		c.next += 7
		b[i] = c.next
	}
	return len(b), nil
}

// TableOf reads a table.
func (h *House) TableOf(id int64) (t store.Table) {
	h.T.Helper()
	h.Reads(func(tx *store.Tx) (err error) {
		t, err = tx.Tables.Table(id)
		return err
	})
	return t
}
