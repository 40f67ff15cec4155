package board_test

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"knobel/bot/bare"
	"knobel/bot/chat"
	"knobel/bot/fakes/needs"
	"knobel/games"
	"knobel/games/shutbox"
	"knobel/games/wuerfelpoker"
	"knobel/games/zehntausend"
	"knobel/store"
)

// Boards as pages see them, each drawn for who looks.

// seenBy is a board for one who looks on a page of their own.
func seenBy(h *bare.House, table int64, by chat.Viewer) chat.Message {
	h.T.Helper()
	m, err := h.Bot.View(context.Background(), table, by)
	if err != nil {
		h.T.Fatal(err)
	}
	return m
}

// looks is how somebody looks who has a page of their own.
func looks(p *bare.Person) chat.Viewer {
	by := chat.Viewer{Lang: p.Locale, People: []chat.User{chat.User("test:" + p.Name)}}
	by.Unseated = !slices.ContainsFunc(p.BoardOf(p.Table().ID).People, func(seat chat.Person) bool {
		return seat.User == by.People[0]
	})
	return by
}

// movesIn are the moves that a view leads to: by its buttons, by touching what lies there, and on the pages that
// its buttons open; each with what is pressed for it.
func movesIn(h *bare.House, t store.Table, by chat.Viewer) map[games.Move]string {
	h.T.Helper()
	m := seenBy(h, t.ID, by)
	var presses []string
	for _, b := range slices.Concat(m.Buttons...) {
		presses = append(presses, b.Press)
	}
	for _, die := range m.Dice {
		presses = append(presses, die.Press)
	}
	if m.Pick != nil {
		for _, c := range m.Pick.Choices {
			presses = append(presses, c.Press)
		}
	}
	if m.Sheet != nil {
		for _, row := range m.Sheet.Rows {
			for _, cell := range row.Cells {
				presses = append(presses, cell.Press)
			}
		}
	}
	moves := map[games.Move]string{}
	for _, press := range presses {
		p, ok := chat.ParsePress(press)
		if !ok {
			continue
		}
		if _, _, command := p.Command(); command {
			continue
		}
		verb, page, ofTable := p.Verb()
		if !ofTable {
			moves[games.Move(p.What)] = press
		} else if verb == "show" && by.Open.Page == "" {
			by.Open = chat.Opened{Table: t.ID, Turn: t.Turn, Page: page}
			maps.Copy(moves, movesIn(h, t, by))
			by.Open = chat.Opened{}
		}
	}
	return moves
}

// Whoever is to move comes to every move of the rules from the board on their page, and to nothing else; nobody else
// comes to any.
func TestTheMoverReachesEveryMove(t *testing.T) {
	bare.Beside(t)
	looked, most := 0, 12
	if needs.IsLong() {
		most = 60
	}
	for _, g := range []games.Game{shutbox.Game{}, wuerfelpoker.New(), zehntausend.Game{}} {
		for i, variant := range g.Variants() {
			t.Run(g.Name()+" "+variant.Name, func(t *testing.T) {
				h := bare.New(t, g)
				line := "/" + g.Name()
				if i > 0 {
					line += " variant=" + variant.Name
				}
				people := h.Gather(line, "Anna", "Ben")
				if r := people[0].Presses("▶ Start"); r.Refused {
					t.Fatal(r.Toast)
				}
				chance := rand.New(rand.NewPCG(uint64(i), 1))
				for range most {
					table := people[0].Table()
					if table.State != store.Playing {
						break
					}
					playAny(h, table, people, chance)
					looked++
				}
			})
		}
	}
	if looked < 7*most {
		t.Errorf("only %d boards were looked at", looked)
	}
}

// labels are what can be pressed on a board.
func labels(m chat.Message) (all []string) {
	for _, b := range slices.Concat(m.Buttons...) {
		all = append(all, b.Label)
	}
	return all
}

// Each sees the buttons that are for them, in their own language, and whoever has no seat is told that they watch.
func TestEachSeesTheirOwnButtons(t *testing.T) {
	h := bare.New(t, shutbox.Game{})
	people := h.Gather("/shutbox", "Anna", "Ben")
	anna, ben, clara := people[0], people[1], h.Person("Clara")
	clara.Locale = "de"
	see := func(phase string, all map[*bare.Person]string) {
		t.Helper()
		for p, want := range all {
			m := seenBy(h, anna.Table().ID, looks(p))
			if got := fmt.Sprint(labels(m)); got != want {
				t.Errorf("%s: %s sees %s, not %s", phase, p.Name, got, want)
			}
			if m.Watching != (p == clara) || m.Lang != p.Locale {
				t.Errorf("%s: %s watches: %v, in %q", phase, p.Name, m.Watching, m.Lang)
			}
		}
	}
	see("lobby", map[*bare.Person]string{anna: "[Get up ▶ Start + House (plays anything) + House … ⚙ Rules]",
		ben: "[Get up]", clara: "[Mitspielen]"})
	anna.Presses("▶ Start")
	see("throw", map[*bare.Person]string{anna: "[🎲 Throw]", ben: "[]", clara: "[]"})
	anna.Presses("🎲 Throw")
	see("close", map[*bare.Person]string{anna: "[7 6+1 5+2 4+3 4+2+1]", ben: "[]", clara: "[]"})
	ben.Sends(verb(ben, "end"))
	see("asked to end", map[*bare.Person]string{anna: "[7 6+1 5+2 4+3 4+2+1 End it (1 of 2) Play on]",
		ben: "[Play on]", clara: "[]"})
	ben.Sends(verb(ben, "vote no"))
	h.PressOut(people)
	see("over", map[*bare.Person]string{anna: "[↻ Rematch Replay Dice ✓]",
		ben: "[↻ Rematch Replay Dice ✓]", clara: "[Nochmal ansehen Würfel ✓]"})
}

// What has changed in a lobby waits for those who have not agreed: they read what they can do, others for whom.
func TestEachReadsForWhomALobbyWaits(t *testing.T) {
	h := bare.New(t, shutbox.Game{})
	people := h.Gather("/shutbox", "Anna", "Ben", "Clara")
	anna, ben, clara := people[0], people[1], people[2]
	anna.Writes("/shutbox 20")
	const own = "All right? “Agree” keeps your seat, “Get up” frees it."
	reads := func(all map[*bare.Person]string) {
		t.Helper()
		for p, want := range all {
			if m := seenBy(h, anna.Table().ID, looks(p)); !slices.Contains(m.Lines, want) {
				t.Errorf("%s does not read %q:\n%s", p.Name, want, bare.Show(m))
			}
		}
	}
	reads(map[*bare.Person]string{ben: own, clara: own,
		anna: "Waiting for Ben and Clara to agree."})
	ben.Presses("Agree")
	waits := "Waiting for Clara to agree."
	reads(map[*bare.Person]string{anna: waits, ben: waits, h.Person("Dora"): waits, clara: own})
}

// playAny compares what all see with what the rules allow, and makes any move.
func playAny(h *bare.House, table store.Table, people []*bare.Person, chance *rand.Rand) {
	h.T.Helper()
	g := h.Games[1]
	m, err := g.Load(table.Rules, table.Match)
	if err != nil {
		h.T.Fatal(err)
	}
	seat := m.Turn()[0]
	mover := people[seat]
	legal := m.Moves(seat)
	reached := movesIn(h, table, looks(mover))
	for _, move := range legal {
		if reached[move] == "" {
			h.T.Fatalf("%s cannot come to %q, only to %q\n%s", mover.Name, move, slices.Sorted(maps.Keys(reached)),
				bare.Show(seenBy(h, table.ID, looks(mover))))
		}
	}
	for move := range reached {
		if !slices.Contains(legal, move) {
			h.T.Errorf("%q is offered, allowed are %q", move, legal)
		}
	}
	for _, other := range []*bare.Person{people[1-seat], h.Person("Clara")} {
		if found := movesIn(h, table, looks(other)); len(found) > 0 {
			h.T.Errorf("%s is not to move, and comes to %q", other.Name, slices.Sorted(maps.Keys(found)))
		}
	}
	if r := mover.Sends(reached[legal[chance.IntN(len(legal))]]); r.Refused {
		h.T.Fatalf("%s is told %q", mover.Name, r.Toast)
	}
}

// verb is what a button carries that does something to the newest table here.
func verb(p *bare.Person, asks string) string {
	p.T.Helper()
	t := p.Table()
	return fmt.Sprintf("1:%d:%d:!%s", t.ID, t.Turn, asks)
}

// Whoever has a vote finds what ends the game below the board, until that was asked; nobody who watches does.
func TestTheEndIsAskedForBelowTheBoard(t *testing.T) {
	h := bare.New(t, shutbox.Game{})
	people := h.Gather("/shutbox", "Anna", "Ben")
	anna, ben, clara := people[0], people[1], h.Person("Clara")
	ends := func(p *bare.Person) string { return seenBy(h, anna.Table().ID, looks(p)).Ends }
	if got := ends(anna); got != "" {
		t.Errorf("a lobby has its own button, and offers %q", got)
	}
	anna.Presses("▶ Start")
	anna.Presses("🎲 Throw")
	for p, want := range map[*bare.Person]bool{anna: true, ben: true, clara: false} {
		if got := ends(p); (got != "") != want {
			t.Errorf("%s is offered %q", p.Name, got)
		}
	}
	ben.Sends(ends(ben))
	if m := bare.Show(seenBy(h, anna.Table().ID, looks(anna))); !strings.Contains(m, "To end this table: Ben, 1 of 2") {
		t.Errorf("the vote has not begun:\n%s", m)
	}
	for _, p := range people {
		if got := ends(p); got != "" {
			t.Errorf("while a vote runs %s is offered %q", p.Name, got)
		}
	}
}

// Whoever has opened a table and got up, or whose seat is out, is not offered what they would be refused.
func TestTheEndIsNotOfferedToWhoIsRefused(t *testing.T) {
	h := bare.New(t, shutbox.Game{})
	people := h.Gather("/shutbox", "Anna", "Ben", "Clara")
	anna, ben := people[0], people[1]
	anna.Presses("Get up")
	ends := func(p *bare.Person) string { return seenBy(h, ben.Table().ID, looks(p)).Ends }
	ben.Presses("▶ Start")
	if got := ends(anna); got == "" {
		t.Error("before the first throw whoever has opened the table ends it, and is not offered that")
	}
	ben.Presses("🎲 Throw")
	if got := ends(anna); got != "" {
		t.Errorf("after it they are offered %q", got)
	}
	if r := anna.Writes("/abandon"); !r.Refused {
		t.Errorf("they may after all: %+v", r)
	}
}

// In their first lobby each reads what they can do there themselves.
func TestEachIsToldWhatTheyCanDoInTheirFirstLobby(t *testing.T) {
	h := bare.New(t, shutbox.Game{})
	people := h.Gather("/shutbox", "Anna", "Ben")
	anna, ben, clara := people[0], people[1], h.Person("Clara")
	clara.Locale = "de"
	for p, want := range map[*bare.Person]string{
		anna:  "New here? Others press “Sit down”, “+ House” adds a player, “▶ Start” begins.",
		ben:   "New here? You sit. Anna presses “▶ Start” once all are there.",
		clara: "Neu hier? „Mitspielen“ gibt dir einen Platz. Anna drückt „▶ Los“, wenn alle da sind.",
	} {
		if got := seenBy(h, anna.Table().ID, looks(p)).Guide; got != want {
			t.Errorf("%s reads %q", p.Name, got)
		}
	}
	anna.Presses("Get up") // now whoever sits decides
	if got := seenBy(h, ben.Table().ID, looks(ben)).Guide; !strings.Contains(got, "begins") {
		t.Errorf("whoever sits where the opener does not reads %q", got)
	}
}
