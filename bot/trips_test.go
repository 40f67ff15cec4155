package bot_test

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"knobel/bot/bare"
	"knobel/bot/chat"
	"knobel/bot/fakes/needs"
	"knobel/bot/lease"
	"knobel/games"
	"knobel/games/shutbox"
	"knobel/games/wuerfelpoker"
	"knobel/games/zehntausend"
	"knobel/store"
	"knobel/store/storetest"
)

// mostTrips is how often a press waits for a server at most, its board included: each is a way there and back, which
// takes as long as the network between takes.
const mostTrips = 4

// TestAPressTakesFourRoundTrips counts how often a press waits for a server. The first press of each person tells what
// theirs read.
func TestAPressTakesFourRoundTrips(t *testing.T) {
	bare.Beside(t)
	t.Run("alone", func(t *testing.T) { countTrips(t, bare.NewIn(t, storetest.OnServer(t), bare.Relay{})) })
	t.Run("one of several", func(t *testing.T) {
		h := bare.NewIn(t, storetest.OnServer(t), bare.Relay{})
		h.Leases = lease.New(lease.Config{Store: h.Store, Name: "a"})
		h.RestartBot()
		if err := h.Leases.Start(t.Context()); err != nil {
			t.Fatal(err)
		}
		countTrips(t, h)
	})
	t.Run("beside who runs the loops", func(t *testing.T) {
		h := bare.NewIn(t, storetest.OnServer(t), bare.Relay{})
		h.Leases = lease.New(lease.Config{Store: h.Store, Name: "b"}) // it has nothing
		h.RestartBot()
		countTrips(t, h)
	})
}

// countTrips presses at a table whose boards the adapter draws with its answers.
func countTrips(t *testing.T, h *bare.House) {
	t.Helper()
	s := h.Seat(0)
	for press := range 10 {
		h.Wait(bare.Leisure)
		if trips := tripsOf(t, s); press > 1 && trips > mostTrips || trips == 0 {
			t.Errorf("press %d takes %d round trips", press, trips)
		}
	}
}

// tripsOf is the next press at a table with its board, and returns how often it waits for the server.
func tripsOf(t *testing.T, s *bare.Seated) int64 {
	t.Helper()
	trips, _ := waitsFor(s.People[0], bare.Carried(s))
	return trips
}

// trips is how often what somebody asks waits for the server, its board included, and that board.
func waitsFor(p *bare.Person, ev chat.Event) (trips int64, board chat.Message) {
	p.T.Helper()
	before := p.Store.RoundTrips()
	r := p.Bot.Handle(p.T.Context(), ev)
	if r.Refused || r.Board == 0 {
		p.T.Fatalf("refused: %+v", r)
	}
	edit := func(_ context.Context, m chat.Message, ref chat.Ref) (chat.Ref, error) {
		board = m
		return cmp.Or(ref, "test:1/1/board"), nil
	}
	if err := p.Bot.Draw(p.T.Context(), r.Board, false, edit); err != nil {
		p.T.Fatal(err)
	}
	return p.Store.RoundTrips() - before, board
}

// TestAFirstPressTakesFourRoundTrips has a replica that has just begun meet chats in which others have played. What
// presses read is learned in three of them, by a press of each person: at the first table a seat has the table's
// number, and it takes another to tell them apart.
func TestAFirstPressTakesFourRoundTrips(t *testing.T) {
	bare.Beside(t)
	for what, leases := range map[string]bool{"alone": false, "one of several": true} {
		t.Run(what, func(t *testing.T) {
			h := bare.NewIn(t, storetest.OnServer(t), bare.Relay{})
			var tables []*bare.Seated
			for i := range 6 {
				s := h.SeatIn(chat.Chat(fmt.Sprint("test:chat ", i)), i)
				tripsOf(t, s) // it posts the board
				tables = append(tables, s)
			}
			h.Restart()
			if leases {
				h.Leases = lease.New(lease.Config{Store: h.Store, Name: "a"})
				h.RestartBot()
				if err := h.Leases.Start(t.Context()); err != nil {
					t.Fatal(err)
				}
			}
			for i, s := range tables {
				for press := range 2 {
					h.Wait(bare.Leisure)
					if trips := tripsOf(t, s); i > 2 && trips > mostTrips {
						t.Errorf("press %d in chat %d takes %d round trips", press, i, trips)
					}
				}
			}
		})
	}
}

// TestAGameTakesFourRoundTrips plays games of two, each in a chat of its own, and then opens the next table with the
// same people. What people wait for is counted once the replica has met steps of that kind. Shut the Box is played
// always, other games in the long run.
func TestAGameTakesFourRoundTrips(t *testing.T) {
	bare.Beside(t)
	for line, n := range map[string]int{"shutbox 3": 16, "wuerfelpoker": 5, "zehntausend 3": 7} {
		if line != "shutbox 3" && !needs.IsLong() {
			continue
		}
		t.Run(line, func(t *testing.T) {
			h := bare.NewIn(t, storetest.OnServer(t), shutbox.Game{}, wuerfelpoker.New(), zehntausend.New())
			h.Leases = lease.New(lease.Config{Store: h.Store, Name: "a"})
			h.RestartBot()
			if err := h.Leases.Start(t.Context()); err != nil {
				t.Fatal(err)
			}
			met, ends, counted := map[string]int{}, 0, 0 // in how many games before
			for i := range n {
				now := map[string]int{}
				for _, s := range countedGame(h, i, line) {
					now[s.kind] = met[s.kind] + 1
					if met[s.kind] < unmet {
						continue
					}
					counted++
					if strings.HasSuffix(s.kind, endsGame) {
						ends++
					}
					most := int64(mostTrips)
					if s.kind == "open" || s.kind == "rematch" {
						most++ // the number of a table is never asked ahead
					}
					if s.trips > most {
						t.Errorf("game %d: %s takes %d round trips, met in %d games", i, s.kind, s.trips, met[s.kind])
					}
				}
				maps.Copy(met, now)
			}
			for _, kind := range []string{"open", "join", "start", "throw", "rematch"} {
				if met[kind] <= unmet {
					t.Errorf("%s was met in %d games", kind, met[kind])
				}
			}
			if ends == 0 {
				t.Error("no end of a game was counted")
			}
			t.Logf("%d steps were counted, of these kinds: %v", counted, met)
		})
	}
}

// unmet is in how many chats a replica may meet a kind of step before it knows what is read for it: of the first it
// does not know what is always the same, and the number of the first table is that of a seat, too.
const unmet = 3

// endsGame is behind the kind of a press that ends a game.
const endsGame = " that ends the game"

// gameStep is a step of a game, and how often it has waited for the server.
type gameStep struct {
	kind  string
	trips int64
}

// countedGame plays a game of two in a chat and counts its steps: to open the table, to sit down, to start, each press
// of the game, and to open the next table.
func countedGame(h *bare.House, i int, line string) (steps []gameStep) {
	h.T.Helper()
	name, terms, _ := strings.Cut(line, " ")
	people := []*bare.Person{h.Person(fmt.Sprint("Anna ", i)), h.Person(fmt.Sprint("Ben ", i))}
	var board chat.Message
	do := func(kind string, p *bare.Person, command, text, press string) {
		h.Wait(bare.Leisure)
		p.Chat, p.Place = chat.Chat(fmt.Sprint("test:chat ", i)), chat.Place(fmt.Sprint("test:chat ", i, "/1"))
		ev := p.Event()
		ev.Command, ev.Text, ev.Press, ev.Carries = command, text, press, true
		var trips int64
		trips, board = waitsFor(p, ev)
		if strings.Contains(press, ":!show ") {
			trips-- // what one person alone sees is sent in between, and then the press is carried out
		}
		steps = append(steps, gameStep{kind, trips})
	}
	do("open", people[0], name, terms, "")
	table := people[0].Table().ID
	do("join", people[1], "", "", chat.LobbyPress(table, "join"))
	do("start", people[0], "", "", chat.LobbyPress(table, "start"))
	for people[0].Table().State != store.Over {
		turn := slices.IndexFunc(board.People, func(p chat.Person) bool { return p.State == games.ToMove })
		next := bare.Onward(board)
		if next.Label == "Hide sheet" { // nothing leads on but to strike a row
			next = board.Buttons[0][0]
		}
		press, _ := chat.ParsePress(next.Press)
		kind, _, _ := strings.Cut(press.What, " ")
		do(kind, people[turn], "", "", next.Press)
		if people[0].Table().State == store.Over {
			steps[len(steps)-1].kind += endsGame
		}
	}
	do("rematch", people[0], "", "", chat.LobbyPress(table, "rematch"))
	return steps
}
