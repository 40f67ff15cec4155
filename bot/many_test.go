package bot_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"pgregory.net/rapid"

	"knobel/bot/chat"
	"knobel/bot/review"
	"knobel/store"
)

// atOnce has several people do something at the same moment and returns how
// many were not refused.
func atOnce(people []*person, does func(*person) chat.Reply) (done int) {
	var all sync.WaitGroup
	var taken atomic.Int32
	begin := make(chan struct{})
	for _, p := range people {
		all.Go(func() {
			<-begin
			if r := does(p); !r.Refused {
				taken.Add(1)
			}
		})
	}
	close(begin)
	all.Wait()
	return int(taken.Load())
}

func TestTwoPressesAtOnceAreOneMove(t *testing.T) {
	h := newHouse(t)
	anna, ben := h.person("Anna"), h.person("Ben")
	anna.writes("/coin")
	ben.presses("Sit down")
	anna.presses("▶ Start")
	throw := anna.button("Throw").Press
	if n := atOnce([]*person{anna, anna, anna, ben}, func(p *person) chat.Reply { return p.sends(throw) }); n != 1 {
		t.Errorf("%d presses counted", n)
	}
	if table := anna.table(); table.Turn != 1 || len(h.moves(1)) != 1 {
		t.Errorf("%d moves, %d stored", table.Turn, len(h.moves(1)))
	}
	h.sound()
}

func TestLastSeatIsTakenOnce(t *testing.T) {
	h := newHouse(t, pile{})
	var crowd []*person
	for i := range 8 {
		crowd = append(crowd, h.person(fmt.Sprint("P", i)))
	}
	h.person("Anna").writes("/pile")
	if n := atOnce(crowd, func(p *person) chat.Reply { return p.sends("1:1:0:!join") }); n != 3 {
		t.Errorf("%d of 3 seats were taken", n)
	}
}

func TestTwoTablesOpenedAtOnceAreOne(t *testing.T) {
	h := newHouse(t)
	anna, ben := h.person("Anna"), h.person("Ben")
	atOnce([]*person{anna, ben}, func(p *person) chat.Reply { return p.writes("/coin") })
	if id := anna.table().ID; id != 1 {
		t.Errorf("the newest table is %d", id)
	}
}

func TestTwoRematchesAtOnceAreOne(t *testing.T) {
	h := newHouse(t)
	anna, ben := h.person("Anna"), h.person("Ben")
	anna.writes("/coin")
	ben.presses("Sit down")
	anna.presses("▶ Start")
	anna.presses("Throw")
	ben.presses("Throw")
	rematch := anna.button("↻ Rematch").Press
	if n := atOnce([]*person{anna, ben}, func(p *person) chat.Reply { return p.sends(rematch) }); n != 2 {
		t.Errorf("%d of two presses counted", n)
	}
	table := anna.table()
	if table.ID != 2 || len(table.Seats) != 2 || !table.Seats[0].Confirmed || !table.Seats[1].Confirmed {
		t.Errorf("table %d with %v", table.ID, table.Seats)
	}
}

// TestEvenings plays random evenings: whatever people press, books add to
// zero, boards can be drawn, and every stored table replays.
func TestEvenings(t *testing.T) {
	evening := 0
	h := newHouse(t, pile{})
	rapid.Check(t, func(r *rapid.T) {
		evening++
		var people []*person
		for i := range rapid.IntRange(1, 5).Draw(r, "people") {
			p := h.person(fmt.Sprint("E", evening, "P", i))
			p.place = chat.Place(fmt.Sprint("test:1/evening", evening))
			p.admin = i == 0
			people = append(people, p)
		}
		for range rapid.IntRange(5, 60).Draw(r, "steps") {
			p := rapid.SampledFrom(people).Draw(r, "who")
			h.step(r, p)
		}
		h.balanced(r)
	})
	h.sound()
	h.export(review.Wanted{})
}

// step has somebody do anything that they could.
func (h *house) step(r *rapid.T, p *person) {
	reply := chat.Reply{}
	switch rapid.IntRange(0, 9).Draw(r, "what") {
	case 0:
		lines := []string{"/pile 7", "/coin 3", "/pile big 1", "/coin", "/abandon", "/table", "/luck x", "/fair",
			"/rules", "/language de", "/language en"}
		reply = p.writes(rapid.SampledFrom(lines).Draw(r, "line"))
	case 1:
		words := []string{"!join", "!start", "!rematch", "!end yes", "!end", "!vote yes", "!vote no", "!undo",
			"!pick 0", "!play", "throw", "!house meek", "!set size=8", "!unhouse"}
		reply = p.sends(fmt.Sprintf("1:%d:%d:%s", rapid.IntRange(1, 9).Draw(r, "table"),
			rapid.IntRange(0, 3).Draw(r, "turn"), rapid.SampledFrom(words).Draw(r, "word")))
	default:
		var table store.Table
		err := h.store.View(context.Background(), func(tx *store.Tx) (err error) {
			table, err = tx.LastTableAt(string(p.place))
			return err
		})
		if err != nil {
			p.writes("/pile 7")
			return
		}
		var all []chat.Button
		for _, row := range h.boardOf(table.ID).Buttons {
			all = append(all, row...)
		}
		if len(all) == 0 {
			return
		}
		reply = p.sends(rapid.SampledFrom(all).Draw(r, "button").Press)
	}
	if strings.Contains(reply.Toast, "our side") || strings.Contains(reply.Toast, "Bei uns klemmt") {
		r.Fatalf("an error of ours")
	}
}

// balanced fails unless all accounts of the chat add up to zero.
func (h *house) balanced(r *rapid.T) {
	faults, err := h.store.Check(context.Background())
	if err != nil {
		r.Fatal(err)
	}
	for _, fault := range faults {
		r.Error(fault)
	}
}
