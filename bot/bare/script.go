package bare

// Scripts of random events, for one bot or for two replicas.

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"knobel/bot/chat"
	"knobel/bot/fakes"
	"knobel/bot/review"
	"knobel/games"
	"knobel/games/gametest/coin"
	"knobel/games/shutbox"
	"knobel/games/wuerfelpoker"
	"knobel/games/zehntausend"
	"knobel/store"
	"knobel/store/storetest"
)

// The kinds of events of a script.
const (
	ComesOnce  = iota
	ComesAgain // the platform delivers it a second time, to the other replica
	ComesTwice // it is delivered to both replicas at the same moment
)

// Cue is an event of a script.
type Cue struct {
	Ev    chat.Event
	When  time.Time // time on the script's clock
	At    int       // index of the replica that gets it
	Comes int       // ComesOnce, ComesAgain or ComesTwice
	Told  string    // the answer of one bot on a file
}

// FromEvent is a random source that depends only on the current event, not on the replica or on earlier reads.
type FromEvent struct {
	mu    sync.Mutex
	event string
}

// Is sets the id of the current event.
func (f *FromEvent) Is(event string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.event = event
}

// Read returns the same bytes whenever it is called during an event.
func (f *FromEvent) Read(p []byte) (int, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	var key [32]byte
	copy(key[:], f.event)
	return rand.NewChaCha8(key).Read(p)
}

// ScriptWriter creates a random script while one bot on a file runs it.
type ScriptWriter struct {
	*House
	chance *rand.Rand
	Chats  [3]scriptChat
	here   *scriptChat // the chat of the next event
	Cues   []Cue
}

// scriptChat is one chat of a script.
type scriptChat struct {
	people  []*Person
	pressed []string // button data pressed so far
	offered []string // button data on the last private answer
}

// unsolved and unsolvedBox are games without perfect play: else boards would depend on how fast reviews are computed.
type (
	unsolved    struct{ games.Game }
	unsolvedBox struct{ box }
	box         interface {
		games.Game
		games.Boxed
		games.LowWins
	}
)

// ScriptHouse returns a house whose dice depend on the event alone (FromEvent). name is its database's file or address.
func ScriptHouse(t *testing.T, name string, clock *fakes.Clock, more ...store.Option) *House {
	t.Helper()
	h := &House{
		T: t, File: name, Log: &logbook{}, Clock: clock, Zone: time.UTC, options: more, Seeds: &FromEvent{},
		Games: []games.Game{coin.Game{}, unsolvedBox{shutbox.Game{}}, unsolved{wuerfelpoker.New()}, zehntausend.New()},
	}
	h.Open()
	t.Cleanup(func() {
		if err := h.Store.Close(); err != nil {
			t.Error(err)
		}
	})
	return h
}

// ScriptBegins is the time at which every script begins.
var ScriptBegins = time.UnixMilli(1_700_000_000_000)

func NewScriptWriter(t *testing.T, seed uint64) *ScriptWriter {
	t.Helper()
	h := ScriptHouse(t, storetest.Sealed(t), fakes.NewClockAt(ScriptBegins, false))
	w := &ScriptWriter{House: h, chance: rand.New(rand.NewPCG(seed, 15))}
	for i := range w.Chats {
		for _, name := range []string{"Anna", "Ben", "Clara", "Dora"}[i:] {
			p := h.Person(name)
			p.Chat, p.Place = chat.Chat(fmt.Sprint("test:", i)), chat.Place(fmt.Sprint("test:", i, "/1"))
			w.Chats[i].people = append(w.Chats[i].people, p)
		}
	}
	w.here = &w.Chats[0]
	return w
}

// scriptOpens and scriptAsks are the commands of scripts.
var (
	scriptOpens = []string{"/coin 10", "/coin 3", "/shutbox 5 tiles=4", "/shutbox 4 golf",
		"/shutbox 2 tiles=5 ties=share", "/wuerfelpoker point=2", "/zehntausend 3 target=1000"}
	scriptAsks = []string{"/settle", "/settle", "/settle payments", "/settle paid 3 Ben", "/settle got 2 Anna",
		"/settle paid 1 Clara", "/settle confirm 1", "/stats", "/history", "/leaderboard", "/table"}
)

// Adds creates and runs the next event.
func (w *ScriptWriter) Adds() {
	if w.chance.IntN(6) == 0 {
		w.here = &w.Chats[w.chance.IntN(len(w.Chats))]
	}
	people, offered, pressed := w.here.people, w.here.offered, w.here.pressed
	who := people[w.chance.IntN(len(people))]
	switch kind := w.chance.IntN(40); {
	case kind < 2:
		w.writes(who, scriptAsks[w.chance.IntN(len(scriptAsks))])
	case kind < 5 && len(offered) > 0:
		w.presses(who, offered[w.chance.IntN(len(offered))])
	case kind == 5:
		ev := who.Event()
		ev.Left = []chat.User{ev.User}
		w.does(ev)
	case kind < 9 && len(pressed) > 0:
		w.presses(who, pressed[len(pressed)-1-w.chance.IntN(min(len(pressed), 9))])
	default:
		w.advance(who)
	}
}

// advance opens, starts or plays at the newest table of the chat.
func (w *ScriptWriter) advance(who *Person) {
	newest, found := w.newest()
	if !found || newest.State == store.Abandoned || newest.State == store.Over && w.chance.IntN(2) == 0 {
		w.writes(who, scriptOpens[w.chance.IntN(len(scriptOpens))])
		return
	}
	m := w.BoardOf(newest.ID)
	all := slices.Concat(m.Buttons...)
	any := ""
	if len(all) > 0 {
		any = all[w.chance.IntN(len(all))].Press
	}
	switch {
	case newest.State == store.Over:
		w.presses(who, chat.LobbyPress(chat.Message{Table: newest.ID}, "rematch"))
	case newest.State == store.Lobby && w.chance.IntN(6) > 0:
		verb := []string{"join", "start", "agree"}[w.chance.IntN(3)]
		if len(newest.Seats) < 2 {
			verb = "join"
		}
		w.presses(who, chat.LobbyPress(m, verb))
	case newest.State == store.Lobby || w.chance.IntN(12) == 0:
		w.presses(who, any)
	default:
		w.moves(m, any)
	}
}

// moves lets the mover on the board m press a button that advances the game or, rarely, the button whose data is any.
func (w *ScriptWriter) moves(m chat.Message, any string) {
	turn := slices.IndexFunc(m.People, func(p chat.Person) bool { return p.State == games.ToMove })
	if w.chance.IntN(5) > 0 {
		any = Onward(m).Press
	}
	for _, p := range w.here.people {
		if turn >= 0 && m.People[turn].User == chat.User("test:"+p.Name) {
			w.presses(p, any)
			return
		}
	}
	w.presses(w.here.people[0], any)
}

// newest returns the newest table of the chat.
func (w *ScriptWriter) newest() (newest store.Table, found bool) {
	w.T.Helper()
	w.Reads(func(tx *store.Tx) (err error) {
		newest, err = tx.Tables.TableHere(string(w.here.people[0].Place))
		if found = err == nil; errors.Is(err, store.ErrNotFound) {
			return nil
		}
		return err
	})
	return newest, found
}

// writes sends a command as an event of the script.
func (w *ScriptWriter) writes(who *Person, line string) {
	ev := who.Event()
	ev.Command, ev.Text, _ = strings.Cut(strings.TrimPrefix(line, "/"), " ")
	w.does(ev)
}

// presses presses a button and, rarely, presses it again at once.
func (w *ScriptWriter) presses(who *Person, press string) {
	for again := 0; press != "" && again < 2; again++ {
		ev := who.Event()
		ev.Press = press
		w.here.pressed = append(w.here.pressed, press)
		w.does(ev)
		if w.chance.IntN(12) > 0 {
			return
		}
	}
}

// does runs an event and adds it to the script.
func (w *ScriptWriter) does(ev chat.Event) {
	ev.Carries = w.chance.IntN(2) == 0
	pause := Leisure + time.Duration(w.chance.IntN(900))*time.Millisecond
	if w.chance.IntN(8) == 0 {
		pause = 40 * time.Millisecond
	}
	w.Clock.Advance(pause)
	c := Cue{Ev: ev, When: w.Clock.Now(), At: w.chance.IntN(2)}
	if w.chance.IntN(5) == 0 {
		c.Comes = ComesAgain + w.chance.IntN(2)
	}
	w.Seeds.(*FromEvent).Is(ev.ID)
	r := w.Bot.Handle(context.Background(), ev)
	c.Told = Answers(w.T, r)
	if c.Comes != ComesOnce {
		c.Told = Answers(w.T, r, w.Bot.Handle(context.Background(), ev))
	}
	if r.Private != nil {
		w.here.offered = nil
		for _, b := range slices.Concat(r.Private.Buttons...) {
			w.here.offered = append(w.here.offered, b.Press)
		}
	}
	w.Cues = append(w.Cues, c)
}

// Answers returns the replies as text, sorted, without Board and Fresh, which depend on who draws. It leaves out empty
// replies to repeated events: of two replicas that refuse an event at the same moment, neither knows of the other.
func Answers(t testing.TB, all ...chat.Reply) string {
	t.Helper()
	var told []string
	for _, r := range all {
		r.Board, r.Fresh = 0, false
		if r == (chat.Reply{}) {
			continue
		}
		text, err := json.Marshal(r)
		check(t, err)
		told = append(told, string(text))
	}
	slices.Sort(told)
	return strings.Join(slices.Compact(told), "\n")
}

// Outcome returns all stored results as text: each table with its moves, results and board, the records of finished
// games, the balances and the payments.
func (h *House) Outcome() (all []string) {
	h.T.Helper()
	var tables []int64
	note := func(what string, found any, err error) error {
		text, spelled := json.Marshal(found)
		all = append(all, what+" "+string(text))
		return cmp.Or(err, spelled)
	}
	h.Reads(func(tx *store.Tx) error {
		err := tx.Tables.Tables(func(id int64) error {
			tables = append(tables, id)
			t, err := tx.Tables.Table(id)
			t.Board.Drawn, t.Board.Message, t.Board.Repost, t.Board.Behind, t.Board.Posted = 0, "", false, 0, 0
			t.Version, t.Board.Page = 0, strings.TrimPrefix(t.Board.Page, store.PageStaged) // these vary with replicas
			moves, moved := tx.Tables.Moves(id)
			results, resulted := tx.Tables.Results(id)
			return errors.Join(note(fmt.Sprint("table ", id), t, err), note("moves", moves, moved),
				note("results", results, resulted))
		})
		for i := range len(ScriptWriter{}.Chats) {
			in := fmt.Sprint("test:", i)
			units, found := tx.Books.Units(in)
			err = errors.Join(err, found)
			for _, unit := range units {
				parties, found := tx.Books.Parties(in, unit)
				err = errors.Join(err, note(in+" "+unit, parties, found))
			}
			for _, state := range []string{store.Told, store.Withdrawn, store.Confirmed, store.Back} {
				payments, found := tx.Books.Payments(in, state, 1000)
				err = errors.Join(err, note(in+" "+state, payments, found))
			}
		}
		return err
	})
	for _, id := range tables {
		check(h.T, note(fmt.Sprint("board ", id), h.BoardOf(id), nil))
	}
	return append(all, h.Export(review.Wanted{})...)
}
