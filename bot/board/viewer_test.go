package board_test

import (
	"context"
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
	"time"

	"knobel/bot/bare"
	"knobel/bot/chat"
	"knobel/bot/fakes/needs"
	"knobel/games"
	"knobel/games/sheet/sets"
	"knobel/games/shutbox"
	"knobel/games/wuerfelpoker"
	"knobel/games/zehntausend"
	"knobel/store"
)

// Boards of browser pages, each drawn for its viewer.

// viewFor returns the board of a table for a viewer.
func viewFor(h *bare.House, table int64, viewer chat.Viewer) chat.Message {
	h.T.Helper()
	m, err := h.Bot.View(context.Background(), table, viewer)
	if err != nil {
		h.T.Fatal(err)
	}
	return m
}

// viewerOf returns the viewer for a person's own browser page.
func viewerOf(p *bare.Person) chat.Viewer {
	by := chat.Viewer{Lang: p.Locale, People: []chat.User{chat.User("test:" + p.Name)}}
	by.Unseated = !slices.ContainsFunc(p.BoardOf(p.Table().ID).People, func(seat chat.Person) bool {
		return seat.User == by.People[0]
	})
	return by
}

// movesIn returns the moves that a viewer can make: by buttons, by pressing dice, tiles or cells, and on the pages that
// buttons open. It maps each move to the press that makes it.
func movesIn(h *bare.House, t store.Table, viewer chat.Viewer) map[games.Move]string {
	h.T.Helper()
	m := viewFor(h, t.ID, viewer)
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
		} else if verb == "show" && viewer.Open.Page == "" {
			viewer.Open = chat.Opened{Table: t.ID, Turn: t.Turn, Page: page}
			maps.Copy(moves, movesIn(h, t, viewer))
			viewer.Open = chat.Opened{}
		}
	}
	return moves
}

// TestTheMoverReachesEveryMove checks that the mover's page offers every legal move and no other, and other pages none.
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

// TestBoardsDrawnTogetherAreThoseDrawnAlone checks that boards rendered together equal those rendered one by one.
func TestBoardsDrawnTogetherAreThoseDrawnAlone(t *testing.T) {
	h := bare.New(t, shutbox.Game{})
	people := h.Gather("/shutbox match=single", "Anna", "Ben")
	clara := h.Person("Clara")
	clara.Locale = "de"
	dora := h.Person("Dora")
	together := func() {
		t.Helper()
		table := people[0].Table()
		viewers := []chat.Viewer{viewerOf(people[0]), viewerOf(people[1]),
			viewerOf(clara), viewerOf(dora), {Lang: "en"}}
		for i := range viewers[2:] { // the viewers without a seat
			viewers[2+i].People = nil
		}
		var m chat.Message
		h.Reads(func(tx *store.Tx) (err error) {
			m, err = h.Bot.Calls.Boards.Render(tx, table, &chat.Viewer{}, viewers...)
			return err
		})
		if len(m.Views) != len(viewers) {
			t.Fatalf("%d boards for %d viewers", len(m.Views), len(viewers))
		}
		for _, v := range m.Views {
			if alone := viewFor(h, table.ID, v.By); !reflect.DeepEqual(without(v.Message), without(alone)) {
				t.Errorf("%s: %+v sees\n%s\nalone\n%s", table.State, v.By, bare.Show(v.Message), bare.Show(alone))
			}
		}
	}
	together()
	people[0].Presses("▶ Start")
	for n := 0; people[0].Table().State == store.Playing; n++ {
		if together(); n > 100 {
			t.Fatal("the game does not end")
		}
		mover, m := h.ToMove(people)
		mover.Sends(bare.FirstMove(m).Press)
		h.Wait(time.Second)
	}
	together()
}

// without returns a board without its Views.
func without(m chat.Message) chat.Message {
	m.Views = nil
	return m
}

// playAny compares the moves that people can make with the legal ones, then makes a random one.
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
	reached := movesIn(h, table, viewerOf(mover))
	for _, move := range legal {
		if reached[move] == "" {
			h.T.Fatalf("%s cannot come to %q, only to %q\n%s", mover.Name, move, slices.Sorted(maps.Keys(reached)),
				bare.Show(viewFor(h, table.ID, viewerOf(mover))))
		}
	}
	for move := range reached {
		if !slices.Contains(legal, move) {
			h.T.Errorf("%q is offered, allowed are %q", move, legal)
		}
	}
	for _, other := range []*bare.Person{people[1-seat], h.Person("Clara")} {
		if found := movesIn(h, table, viewerOf(other)); len(found) > 0 {
			h.T.Errorf("%s is not to move, and comes to %q", other.Name, slices.Sorted(maps.Keys(found)))
		}
	}
	if r := mover.Sends(reached[legal[chance.IntN(len(legal))]]); r.Refused {
		h.T.Fatalf("%s is told %q", mover.Name, r.Toast)
	}
}

// TestTheOpenerOfALobbyIsMarked checks that pages can tell the person who invites from one with a similar name, and
// that no one invites to a lobby that the bot has opened.
func TestTheOpenerOfALobbyIsMarked(t *testing.T) {
	h := bare.New(t, sets.Yamb())
	people := h.Gather("/yamb", "Anna B", "Anna")
	for i, p := range viewFor(h, people[0].Table().ID, viewerOf(people[1])).People {
		if p.Opener != (i == 0) {
			t.Errorf("%s is the opener: %v", p.Name, p.Opener)
		}
	}
	h.Tamper("UPDATE tables SET occasion = 'evening 0'")
	if m := viewFor(h, people[0].Table().ID, viewerOf(people[0])); m.People[0].Opener {
		t.Errorf("%s is the opener of %q", m.People[0].Name, m.Head)
	}
	people[0].Sends(chat.LobbyPress(people[0].Board(), "start"))
	if m := viewFor(h, people[0].Table().ID, viewerOf(people[0])); m.People[0].Opener {
		t.Errorf("the running game %q has an opener", m.Head)
	}
}

// TestPagesHoldTheSheetsOfAll checks that pages get the columns of all seats, and tell only the mover what to do.
func TestPagesHoldTheSheetsOfAll(t *testing.T) {
	h := bare.New(t, sets.Yamb())
	people := h.Gather("/yamb", "Anna", "Ben")
	people[0].Sends(chat.LobbyPress(people[0].Board(), "start"))
	people[0].Presses("🎲 Roll")
	for i, viewer := range []chat.Viewer{viewerOf(people[0]), viewerOf(people[1]), {Lang: "en"}} {
		m := viewFor(h, people[0].Table().ID, viewer)
		if m.Sheet == nil || len(m.Sheet.Columns) != 2*4 {
			t.Errorf("the sheet of page %d is %+v, want one of eight columns", i, m.Sheet)
		}
		if told := len(m.Lines) > 0; told != (i == 0) {
			t.Errorf("page %d reads %q", i, m.Lines)
		}
	}
}

// TestPeopleWhoShareABrowserReadTheirNames checks that the board of two players at one browser names the mover.
func TestPeopleWhoShareABrowserReadTheirNames(t *testing.T) {
	h := bare.New(t, shutbox.Game{})
	people := h.Gather("/shutbox", "Anna", "Ben")
	people[0].Sends(chat.LobbyPress(people[0].Board(), "start"))
	for _, c := range []struct {
		people []chat.User
		want   string
	}{
		{[]chat.User{"test:Anna"}, "Your turn: you start."},
		{[]chat.User{"test:Anna", "test:Ben"}, "Anna goes first."},
		{nil, "Anna goes first."},
	} {
		if got := viewFor(h, people[0].Table().ID, chat.Viewer{Lang: "en", People: c.people}).Head; got != c.want {
			t.Errorf("%q read %q, want %q", c.people, got, c.want)
		}
	}
}
