package bare

// Games that are played to their end.

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"knobel/bot/chat"
	"knobel/bot/fakes"
	"knobel/games"
	"knobel/games/record"
	"knobel/games/wuerfelpoker"
	"knobel/store"
)

// Constant is a random source whose bytes are all equal.
type Constant byte

func (c Constant) Read(b []byte) (int, error) {
	for i := range b {
		b[i] = byte(c)
	}
	return len(b), nil
}

// PokerTable returns the people at a lobby of Würfelpoker that the first has opened by the command line. The dice are
// always the same.
func PokerTable(t testing.TB, line string, names ...string) []*Person {
	t.Helper()
	h := New(t, wuerfelpoker.New())
	h.Seeds = Constant(1)
	h.Restart()
	return h.Gather(line, names...)
}

// Gather opens a table with the command line for the first person, lets the others join, and returns all people.
func (h *House) Gather(line string, names ...string) []*Person {
	h.T.Helper()
	var people []*Person
	for i, name := range names {
		p := h.Person(name)
		people = append(people, p)
		r := chat.Reply{}
		if i == 0 {
			r = p.Writes(line)
		} else {
			r = p.Sends(fmt.Sprintf("1:%d:0:!join", p.Table().ID))
		}
		if r.Refused || p.Writes("/luck fox").Refused {
			h.T.Fatalf("%s: %s", name, r.Toast)
		}
	}
	return people
}

// PressOn plays at most the given number of moves: mostly with the first button of the board, sometimes with another.
func (h *House) PressOn(people []*Person, moves int) {
	h.T.Helper()
	for i := range moves {
		table := people[0].Table()
		if table.State != store.Playing {
			return
		}
		p, m := h.moverOf(h.BoardOf(table.ID), people)
		b := FirstMove(m)
		if strings.HasSuffix(b.Press, ":!play") && i%3 == 2 {
			p.Sends(m.Dice[i%len(m.Dice)].Press)
			p.Sends(fmt.Sprintf("1:%d:%d:!show write", table.ID, table.Turn))
			b = FirstMove(p.Board())
		}
		if r := p.Sends(b.Press); r.Refused {
			h.T.Fatalf("%s presses %q: %s\n%s", p.Name, b.Label, r.Toast, Show(m))
		}
	}
}

// FirstMove returns the first button of a board that is a move and does not only pick dice or tiles.
func FirstMove(m chat.Message) chat.Button {
	all := slices.Concat(m.Buttons...)
	move := slices.IndexFunc(all, func(b chat.Button) bool { return !strings.Contains(b.Press, ":!pick ") })
	return all[max(move, 0)]
}

// ToMove returns the person whose turn it is, and the board.
func (h *House) ToMove(people []*Person) (*Person, chat.Message) {
	h.T.Helper()
	return h.moverOf(people[0].Board(), people)
}

// moverOf returns the person whose turn it is on the board m, and m.
func (h *House) moverOf(m chat.Message, people []*Person) (*Person, chat.Message) {
	h.T.Helper()
	for _, line := range m.People {
		if line.State != games.ToMove {
			continue
		}
		for _, p := range people {
			if line.User == chat.User("test:"+p.Name) {
				return p, m
			}
		}
	}
	h.T.Fatalf("nobody is to move\n%s", Show(m))
	return nil, m
}

// PressOut plays a game to its end with PressOn.
func (h *House) PressOut(people []*Person) {
	h.T.Helper()
	h.PressOn(people, 2000)
	if state := people[0].Table().State; state != store.Over {
		h.T.Fatalf("the table is %s", state)
	}
}

// RecordOf returns the record of a finished table.
func (h *House) RecordOf(table int64) record.Record {
	h.T.Helper()
	r, err := h.Bot.Record(context.Background(), "", table)
	check(h.T, err)
	return r
}

// PlayOn lets any of people press Onward until the game is over, and checks board lengths. variant is for messages.
func (h *House) PlayOn(variant string, people ...*Person) {
	h.T.Helper()
	for range 5000 {
		table := people[0].Table()
		if table.State == store.Over {
			if text := Show(people[0].Board()); utf8.RuneCountInString(text) > 500 {
				h.T.Errorf("%s ends with a long board:\n%s", variant, text)
			}
			return
		}
		m := people[0].Board()
		if text := Show(m); utf8.RuneCountInString(m.Head) > 160 {
			h.T.Errorf("%s has a long first line:\n%s", variant, text)
		}
		if len(m.Buttons) == 0 {
			h.T.Fatalf("%s has no button:\n%s", variant, Show(m))
		}
		first := Onward(m)
		pressed := false
		for _, p := range people {
			if r := p.Sends(first.Press); !r.Refused {
				pressed = true
				break
			}
		}
		if !pressed {
			h.T.Fatalf("%s: nobody may press %q:\n%s", variant, first.Label, Show(m))
		}
	}
	h.T.Fatalf("%s does not end", variant)
}

// Onward returns a button that advances the game: the first primary one, else the first plain one, else the first of
// all. Only the last of these three may be the button that shows the score sheet.
func Onward(m chat.Message) chat.Button {
	all := slices.Concat(m.Buttons...)
	for _, style := range []games.Style{games.Primary, games.Plain} {
		i := slices.IndexFunc(all, func(b chat.Button) bool {
			return b.Style == style && !strings.HasSuffix(b.Press, ":!show sheet")
		})
		if i >= 0 {
			return all[i]
		}
	}
	return all[0]
}

func (h *House) Moves(table int64) []store.Move {
	h.T.Helper()
	return Stored(h, func(tx *store.Tx) ([]store.Move, error) { return tx.Tables.Moves(table) })
}

// AtOnce lets several people act at the same moment and returns how many replies were not refusals.
func AtOnce(people []*Person, act func(*Person) chat.Reply) (accepted int) {
	var all sync.WaitGroup
	var count atomic.Int32
	begin := make(chan struct{})
	for _, p := range people {
		all.Go(func() {
			<-begin
			if r := act(p); !r.Refused {
				count.Add(1)
			}
		})
	}
	close(begin)
	all.Wait()
	return int(count.Load())
}

// Step lets a person do something at random: a command, a press of any button, or a made-up press.
func (h *House) Step(r *rapid.T, p *Person) {
	reply := chat.Reply{}
	switch rapid.IntRange(0, 9).Draw(r, "what") {
	case 0:
		lines := []string{"/pile 7", "/coin 3", "/pile big 1", "/coin", "/abandon", "/table", "/luck x", "/fair",
			"/rules", "/language de", "/language en"}
		reply = p.Writes(rapid.SampledFrom(lines).Draw(r, "line"))
	case 1:
		words := []string{"!join", "!start", "!rematch", "!end yes", "!end", "!vote yes", "!vote no", "!undo",
			"!pick 0", "!play", "throw", "!house meek", "!set size=8", "!unhouse"}
		reply = p.Sends(fmt.Sprintf("1:%d:%d:%s", rapid.IntRange(1, 9).Draw(r, "table"),
			rapid.IntRange(0, 3).Draw(r, "turn"), rapid.SampledFrom(words).Draw(r, "word")))
	default:
		var table store.Table
		err := h.Store.View(context.Background(), func(tx *store.Tx) (err error) {
			table, err = tx.Tables.TableHere(string(p.Place))
			return err
		})
		if err != nil {
			p.Writes("/pile 7")
			return
		}
		all := slices.Concat(h.BoardOf(table.ID).Buttons...)
		if len(all) == 0 {
			return
		}
		reply = p.Sends(rapid.SampledFrom(all).Draw(r, "button").Press)
	}
	if strings.Contains(reply.Toast, "our side") || strings.Contains(reply.Toast, "Bei uns klemmt") {
		r.Fatalf("an error of ours")
	}
}

// check ends the test on an error.
var check = fakes.Check

// Balanced fails the test unless store.Check finds no fault, such as balances that do not add up to zero.
func (h *House) Balanced(r *rapid.T) {
	faults, err := h.Store.Check(context.Background())
	check(r, err)
	for _, fault := range faults {
		r.Error(fault)
	}
}

// Board returns the board of a table as the platform shows it.
func (c *Clocked) Board(table int64) chat.Message {
	c.Stage.Mu.Lock()
	defer c.Stage.Mu.Unlock()
	return c.Stage.boards[table]
}

// Agree lets people accept the terms that the board shows.
func (h *House) Agree(people ...*Person) {
	h.T.Helper()
	for _, p := range people {
		p.Sends(chat.LobbyPress(p.Board(), "agree"))
	}
}
