package web

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"knobel/bot/chat"
	"knobel/games"
	"knobel/store"
)

// board returns a board with a Throw button, after one move, for a table.
func board(table int64, head string) chat.Message {
	return chat.Message{Table: table, State: chat.State{Turn: 1}, Lang: "en", Head: head, Accent: -1,
		Buttons: [][]chat.Button{{{Label: "Throw", Press: "t"}}}}
}

// changesSince returns all ids, the messages changed since count, the present count, and a channel for the next change.
func (r *room) changesSince(count uint64) (all []chat.Ref, changed []entry, now uint64, next <-chan struct{}) {
	s := r.snapshot(visitor{Prefix: "web:nobody:"}, pageState{count: count})
	return s.All, s.changed, s.now.count, s.next
}

// headsOf returns the first line of each message in the room, followed by " (bare)" if the message has no buttons.
func headsOf(r *room) []string {
	all, changed, _, _ := r.changesSince(0)
	if len(all) != len(changed) {
		return []string{"the feed is not told whole"}
	}
	var list []string
	for _, e := range changed {
		text := e.message.Head
		if e.message.Buttons == nil {
			text += " (bare)"
		}
		list = append(list, text)
	}
	return list
}

func TestFeedPostsEditsAndRetires(t *testing.T) {
	w, ctx := New(Config{}), t.Context()
	post := func(m chat.Message) chat.Ref { return must(w.Post(ctx, roomPlace, m)) }
	one := post(board(1, "one"))
	two := post(board(2, "two"))
	done(t, w.Edit(ctx, roomPlace, one, board(1, "one, changed")))
	if diff := cmp.Diff([]string{"one, changed", "two"}, headsOf(w.room)); diff != "" {
		t.Error(diff)
	}
	done(t, w.Retire(ctx, roomPlace, one))
	if diff := cmp.Diff([]string{"one, changed (bare)", "two"}, headsOf(w.room)); diff != "" {
		t.Error("an old board keeps standing without its buttons:", diff)
	}
	post(board(1, "one, below"))
	if diff := cmp.Diff([]string{"two", "one, below"}, headsOf(w.room)); diff != "" {
		t.Error("a retired board goes when its table stands below:", diff)
	}
	post(board(2, "two, below"))
	done(t, w.Retire(ctx, roomPlace, two))
	if diff := cmp.Diff([]string{"one, below", "two, below"}, headsOf(w.room)); diff != "" {
		t.Error("a board goes when it is retired after its successor stands:", diff)
	}
}

// A lobby that was closed before any move is not a past game: it is dropped once the room shows a newer table.
func TestAClosedLobbyIsNoGameOfBefore(t *testing.T) {
	closed := chat.Message{Table: 1, Head: "closed", People: []chat.Person{{Name: "Anna", State: games.Out}}}
	lobby := closed
	lobby.Live, lobby.People = true, []chat.Person{{Name: "Anna", State: games.Waiting}}
	for _, closedFirst := range []bool{true, false} {
		r := New(Config{}).newRoom("web:r-1")
		ref := r.post(lobby)
		if !closedFirst {
			r.post(board(2, "next"))
		}
		done(t, r.edit(ref, closed))
		r.retire(ref)
		if closedFirst {
			if diff := cmp.Diff([]string{"closed (bare)"}, headsOf(r)); diff != "" {
				t.Error("nothing newer stands there:", diff)
			}
			r.post(board(2, "next"))
		}
		if diff := cmp.Diff([]string{"next"}, headsOf(r)); diff != "" {
			t.Errorf("closed first %v: %s", closedFirst, diff)
		}
	}
}

// Unknown messages are gone (chat.ErrGone), unknown rooms cannot be reached (chat.ErrAway).
func TestFeedSaysWhatIsGoneAndWhatIsElsewhere(t *testing.T) {
	w, ctx := New(Config{}), t.Context()
	if err := w.Edit(ctx, roomPlace, "web:before-1", board(1, "x")); !errors.Is(err, chat.ErrGone) {
		t.Errorf("edit of an unknown message: %v", err)
	}
	if err := w.Retire(ctx, roomPlace, "web:before-1"); err != nil {
		t.Errorf("retire of an unknown message: %v", err)
	}
	_, posted := w.Post(ctx, "web:cellar", board(1, "x"))
	for _, err := range []error{posted, w.Edit(ctx, "web:cellar", "r", board(1, "x")),
		w.Retire(ctx, "web:cellar", "r")} {
		if !errors.Is(err, chat.ErrAway) {
			t.Errorf("in a place that is not: %v", err)
		}
	}
}

func TestFeedIsBoundedAndWakesItsReadersOnce(t *testing.T) {
	r := New(Config{}).newRoom("web:r-1")
	_, _, _, next := r.changesSince(0)
	var first chat.Ref
	for i := range maxFeed + 5 {
		ref := r.post(board(int64(i+1), "x"))
		if i == 0 {
			first = ref
		}
	}
	<-next
	all, _, now, next := r.changesSince(0)
	if len(all) != maxFeed {
		t.Errorf("the feed holds %d messages", len(all))
	}
	if err := r.edit(first, board(1, "y")); !errors.Is(err, chat.ErrGone) {
		t.Errorf("edit of what fell off: %v", err)
	}
	done(t, r.edit(all[3], board(9, "x")))
	if _, changed, _, _ := r.changesSince(now); len(changed) != 0 {
		t.Errorf("drawing what stands there counts as a change: %v", changed)
	}
	select {
	case <-next:
		t.Error("readers were woken for nothing")
	default:
	}
	if _, changed, _, _ := r.changesSince(now + 1000); len(changed) != maxFeed {
		t.Error("a count from nowhere does not get the whole feed")
	}
}

// changingBot is a fake bot whose boards change: their first line is head.
type changingBot struct {
	fakeBot
	head atomic.Value
}

// View returns a board with the present head.
func (h *changingBot) View(_ context.Context, table int64, _ chat.Viewer) (chat.Message, error) {
	return board(table, h.head.Load().(string)), nil
}

// A pick that was undone before the room got the board disappears from a page that has drawn it already.
func TestWhatIsTakenBackGoesFromPages(t *testing.T) {
	w, b := New(Config{}), &changingBot{}
	url := serve(t, w, b)
	c, _ := openPage(t, w, url)
	b.head.Store("7 is picked")
	ref := w.room.post(board(1, "nothing is picked"))
	s := openStream(t, c, url, "")
	_, n, _ := s.next()
	if diff := cmp.Diff([]string{"7 is picked"}, headsIn(n)); diff != "" {
		t.Fatal("the page draws the board itself:", diff)
	}
	b.head.Store("nothing is picked")
	done(t, w.room.edit(ref, board(1, "nothing is picked")))
	w.room.post(board(2, "below"))
	seen := ""
	for below := false; !below; {
		_, n, ok := s.next()
		if !ok {
			t.Fatal("the stream ends")
		}
		for _, e := range n.Entries {
			if e.Message.Table == 1 {
				seen = e.Message.Head
			}
			below = below || e.Message.Table == 2
		}
	}
	if seen != "nothing is picked" {
		t.Errorf("the page has %q last", seen)
	}
}

// boardBot is a fake bot that draws a board for any table but 5.
type boardBot struct{ fakeBot }

// View returns a board, or an error for table 5.
func (*boardBot) View(_ context.Context, table int64, _ chat.Viewer) (chat.Message, error) {
	if table == 5 {
		return chat.Message{}, errors.New("it cannot be drawn")
	}
	return board(table, fmt.Sprint("game ", table)), nil
}

// finishTables stores n finished tables of the main room, which ended at that time.
func finishTables(t *testing.T, w *Web, n int, ended time.Time) {
	t.Helper()
	for range n {
		done(t, w.config.Store.UpdateOf(t.Context(), store.OfAll, func(tx *store.Tx) error {
			id, err := tx.Tables.AddTable(store.Table{Chat: string(roomChat), Place: string(roomPlace),
				State: store.Over, Seats: []store.Seat{{House: "random"}}})
			return errors.Join(err, tx.Tables.Finish(id, ended.UnixMilli(), 0, []store.Result{{Place: 1}}))
		}))
	}
}

// A room that is opened shows past tables in their order, once each and without buttons, even if their boards change;
// one that cannot be drawn does not hide others.
func TestTablesOfBeforeComeBack(t *testing.T) {
	ended := time.Unix(1700000000, 0)
	w, ctx, b := New(withStore(t, Config{})), t.Context(), &boardBot{}
	finishTables(t, w, 6, ended)
	feed := func(when string, want ...string) {
		t.Helper()
		if diff := cmp.Diff(want, headsOf(w.room)); diff != "" {
			t.Error(when, diff)
		}
	}
	posts := func(m chat.Message) {
		t.Helper()
		must(w.Post(ctx, roomPlace, m))
	}
	posts(board(3, "game 3, posted"))
	w.bot = b
	w.ensureSynced(ctx, w.room)
	w.ensureSynced(ctx, w.room)
	if played := boardsInPlay(w.room.entries); len(played) != 2 || played[1].message.Table != 6 {
		t.Errorf("a page comes with %+v", played)
	}
	posts(board(7, "game 7"))
	feed("once it was opened", "game 1 (bare)", "game 2 (bare)", "game 3, posted", "game 4 (bare)", "game 6", "game 7")
	for _, said := range []string{"reviewed", "reviewed", "changed"} {
		if err := w.Edit(ctx, roomPlace, "web:before-4", board(4, "game 4, "+said)); err != nil {
			t.Error(err)
		}
	}
	if err := w.Edit(ctx, roomPlace, "web:before-8", board(8, "game 8")); !errors.Is(err, chat.ErrGone) {
		t.Error("a table that is not there is drawn over:", err)
	}
	late := board(5, "game 5, reviewed")
	late.Record = 5
	posts(late)
	feed("after news of old games", "game 1 (bare)", "game 2 (bare)", "game 3, posted", "game 4, changed (bare)",
		"game 5, reviewed (bare)", "game 6", "game 7")
	for _, e := range w.room.entries {
		if e.past && e.message.Table != 5 && !e.at.Equal(ended) {
			t.Errorf("table %d ended at %s", e.message.Table, e.at)
		}
	}
	posts(board(1, "game 1, below"))
	feed("after a table was asked for", "game 2 (bare)", "game 3, posted", "game 4, changed (bare)",
		"game 5, reviewed (bare)", "game 6", "game 7", "game 1, below")
}

// A review that redraws a past board before the room is read changes neither its end time nor which boards are shown.
func TestALateReviewIsNotWhenAGameEnded(t *testing.T) {
	ended := time.Unix(1700000000, 0)
	for _, tables := range [][]int64{{1, 2, 3, 4, 6, 7, 8}, {8, 3, 1}, {3}} {
		w, b := New(withStore(t, Config{})), &boardBot{}
		finishTables(t, w, 8, ended)
		for _, table := range tables {
			m := board(table, fmt.Sprint("game ", table))
			m.Record, m.Version = table, 2
			done(t, w.Edit(t.Context(), roomPlace, chat.Ref(fmt.Sprint("web:before-", table)), m))
		}
		w.bot = b
		w.ensureSynced(t.Context(), w.room)
		want := []string{"game 3 (bare)", "game 4 (bare)", "game 6 (bare)", "game 7 (bare)", "game 8"}
		if got := headsOf(w.room); !cmp.Equal(want, got[max(0, len(got)-len(want)):]) || len(got) > maxPast+1 {
			t.Errorf("with %v first, the page shows %v", tables, got)
		}
		for _, e := range w.room.entries[:len(w.room.entries)-1] {
			if e.message.Table > 2 && !e.at.Equal(ended) {
				t.Errorf("with %v first, table %d ended at %s", tables, e.message.Table, e.at)
			}
		}
	}
}

// The room shows the newest five past games, even if older ones change later.
func TestOnlyTheLastGamesOfBeforeAreShown(t *testing.T) {
	r := New(Config{}).newRoom("web:r-1")
	late := func(table int64) {
		m := board(table, fmt.Sprint("game ", table))
		m.Record = table
		r.post(m)
	}
	r.post(board(9, "game 9"))
	for _, table := range []int64{8, 7, 1, 6, 5, 3, 2, 4} { // some are drawn while the room is opened
		late(table)
	}
	want := []string{"game 4 (bare)", "game 5 (bare)", "game 6 (bare)", "game 7 (bare)", "game 8 (bare)", "game 9"}
	if diff := cmp.Diff(want, headsOf(r)); diff != "" {
		t.Error(diff)
	}
}

// Boards of finished tables do not make a feed longer than maxFeed.
func TestAFullFeedStaysThatLong(t *testing.T) {
	w := New(Config{})
	for table := range maxFeed {
		w.room.post(board(int64(10+2*table), "a game"))
	}
	for _, table := range []int64{3, 15, 21} {
		late := board(table, "late")
		late.Record = table
		w.room.post(late)
	}
	first := []string{"a game", "late (bare)", "a game", "a game", "a game", "late (bare)", "a game"}
	about := chat.Message{Head: "The dice of table 3", Record: 3} // of no table
	w.room.post(about)
	first = first[1:]
	got := headsOf(w.room)
	if last := got[len(got)-1]; last != "The dice of table 3 (bare)" {
		t.Errorf("news come behind all else, not %q", last)
	}
	if diff := cmp.Diff(first, got[:len(first)]); diff != "" || len(got) != maxFeed {
		t.Errorf("%d messages: %s", len(got), diff)
	}
}

// A new board contains a view for each visitor whose page showed the previous board. Their pages do not draw it again.
func TestABoardComesAsItsViewersSeeIt(t *testing.T) {
	w, b := New(Config{}), &changingBot{}
	url := serve(t, w, b)
	c, _ := openPage(t, w, url)
	b.head.Store("drawn by the page")
	ref := w.room.post(board(1, "for all"))
	s := openStream(t, c, url, "")
	s.next()
	viewers := w.Viewers(roomPlace, 1)
	if len(viewers) != 1 || !viewers[0].Unseated || len(w.Viewers(roomPlace, 2)) > 0 {
		t.Fatalf("seen by %+v", viewers)
	}
	m := board(1, "for all, changed")
	m.Views = []chat.View{{By: viewers[0], Message: board(1, "came with it")}, {Message: board(1, "of nobody")}}
	done(t, w.room.edit(ref, m))
	if _, n, _ := s.next(); !cmp.Equal([]string{"came with it"}, headsIn(n)) {
		t.Errorf("the page shows %v", headsIn(n))
	}
	if again := w.Viewers(roomPlace, 1); !cmp.Equal(viewers, again) {
		t.Errorf("seen by %+v", again)
	}
}
