package bot_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"knobel/bot/chat"
	"knobel/games"
	"knobel/games/record"
	"knobel/games/wuerfelpoker"
	"knobel/store"
)

// constant is chance that is always the same: every seed is made of one byte.
type constant byte

func (c constant) Read(b []byte) (int, error) {
	for i := range b {
		b[i] = byte(c)
	}
	return len(b), nil
}

// pokerTable is a lobby at which the first person has opened a game and the
// others sit, with the same dice every time.
func pokerTable(t testing.TB, line string, names ...string) []*person {
	t.Helper()
	h := newHouse(t, wuerfelpoker.New())
	h.seeds = constant(1)
	h.restart()
	return h.gather(line, names...)
}

func (h *house) gather(line string, names ...string) []*person {
	h.t.Helper()
	var people []*person
	for i, name := range names {
		p := h.person(name)
		people = append(people, p)
		r := chat.Reply{}
		if i == 0 {
			r = p.writes(line)
		} else {
			r = p.sends(fmt.Sprintf("1:%d:0:!join", p.table().ID))
		}
		if r.Refused || p.writes("/luck fox").Refused {
			h.t.Fatalf("%s: %s", name, r.Toast)
		}
	}
	return people
}

func h(p *person) *house { return p.house }

// pressOn plays so many moves of whoever is to move, until the game is over: the
// first button of the board, now and then another.
func (h *house) pressOn(people []*person, moves int) {
	h.t.Helper()
	for i := range moves {
		table := people[0].table()
		if table.State != store.Playing {
			return
		}
		p, m := h.toMoveOn(h.boardOf(table.ID), people)
		b := firstMove(m)
		if strings.HasSuffix(b.Press, ":!play") && i%3 == 2 {
			p.sends(m.Dice[i%5].Press)
			p.sends(fmt.Sprintf("1:%d:%d:!show write", table.ID, table.Turn))
			b = firstMove(p.board())
		}
		if r := p.sends(b.Press); r.Refused {
			h.t.Fatalf("%s presses %q: %s\n%s", p.name, b.Label, r.Toast, show(m))
		}
	}
}

// firstMove is the first button of a board that picks nothing.
func firstMove(m chat.Message) chat.Button {
	all := slices.Concat(m.Buttons...)
	move := slices.IndexFunc(all, func(b chat.Button) bool { return !strings.Contains(b.Press, ":!pick ") })
	return all[max(move, 0)]
}

// toMove is whoever is to move, and the board before them.
func (h *house) toMove(people []*person) (*person, chat.Message) {
	h.t.Helper()
	return h.toMoveOn(people[0].board(), people)
}

// toMoveOn is toMove for a board.
func (h *house) toMoveOn(m chat.Message, people []*person) (*person, chat.Message) {
	h.t.Helper()
	for _, line := range m.People {
		if line.State != games.ToMove {
			continue
		}
		for _, p := range people {
			if line.User == chat.User("test:"+p.name) {
				return p, m
			}
		}
	}
	h.t.Fatalf("nobody is to move\n%s", show(m))
	return nil, m
}

// pressOut plays a game to its end.
func (h *house) pressOut(people []*person) {
	h.t.Helper()
	h.pressOn(people, 2000)
	if state := people[0].table().State; state != store.Over {
		h.t.Fatalf("the table is %s", state)
	}
}

// recordOf is the record of a finished table.
func (h *house) recordOf(table int64) record.Record {
	h.t.Helper()
	r, err := h.bot.Record(context.Background(), table)
	if err != nil {
		h.t.Fatal(err)
	}
	return r
}
