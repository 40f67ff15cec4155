package bot_test

import (
	"context"
	"database/sql"
	"fmt"
	"strings"
	"sync"
	"testing"

	_ "modernc.org/sqlite" // a database as anybody may change it

	"knobel/bot/chat"
)

// tamper changes the database behind the store's back.
func (h *house) tamper(statement string) {
	h.t.Helper()
	db, err := sql.Open("sqlite", h.file+"?_pragma=busy_timeout(5000)")
	if err != nil {
		h.t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec(statement); err != nil {
		h.t.Fatal(err)
	}
}

// sparingStage is a stage on which drawing is dear.
type sparingStage struct {
	*stage
	left int // how many boards could be drawn at once
}

func (sparingStage) Sparing() bool { return true }

func (s sparingStage) Budget(chat.Place) chat.Budget { return chat.Budget{Limit: 20, Left: s.left} }

// thrown is a table at which Anna has thrown once.
func thrown(t *testing.T) (*house, *person) {
	people := pokerTable(t, "/wuerfelpoker", "Anna", "Ben")
	people[0].presses("▶ Start")
	people[0].presses("Throw")
	return people[0].house, people[0]
}

// TestNoToggleIsLost presses dice at the same time, as often as one can.
func TestNoToggleIsLost(t *testing.T) {
	for _, times := range [][5]int{{1, 2, 3, 4, 5}, {31, 20, 17, 30, 8}, {1, 0, 0, 0, 41}} {
		house, anna := thrown(t)
		s := newStage()
		stop := house.onStage(s)
		var all sync.WaitGroup
		want := ""
		for die, n := range times {
			want += fmt.Sprint(n % 2)
			for range n {
				all.Go(func() {
					if r := anna.sends(fmt.Sprintf("1:1:1:!pick %d", die)); r.Refused {
						t.Errorf("refused: %s", r.Toast)
					}
				})
			}
		}
		all.Wait()
		anna.sends("1:1:1:!play")
		if move := house.moves(1)[1].Move; move != "keep "+want {
			t.Errorf("toggled %v times: %q", times, move)
		}
		stop()
		house.sound()
	}
}

// Where drawing is dear, dice are toggled without any drawing: the next change
// shows them.
func TestTogglesAreNotDrawnWhereThatIsDear(t *testing.T) {
	house, anna := thrown(t)
	s := newStage()
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() { defer close(ended); house.bot.Run(ctx, sparingStage{s, 1}) }()
	defer func() { cancel(); <-ended }()
	s.wantDone(t, "edit test:board 1")
	house.settled(s) // what was drawn is remembered, too
	for i := range 40 {
		r := anna.sends(fmt.Sprint("1:1:1:!pick ", i%4))
		if r.Toast == "" || r.Board != 1 {
			t.Fatalf("a toggle is answered by %+v", r)
		}
	}
	if table := anna.table(); table.Drawn < table.Version {
		t.Error("the board lags: it would be drawn by whoever looks for such boards")
	}
	anna.sends("1:1:1:!pick 0")
	anna.sends("1:1:1:!play")
	s.wantDone(t, "edit test:board 1", "edit test:board 1")
	if m := s.message("test:board 1"); !strings.HasPrefix(m.Head, "Anna kept 1, threw ") || !m.Dice[0].Kept ||
		m.Dice[1].Kept {
		t.Errorf("the board says %q with %+v", m.Head, m.Dice)
	}
	if m := s.message("test:board 1"); m.Buttons[1][0].Label != "Throw the others" {
		t.Errorf("a button says %q: whatever was picked since", m.Buttons[1][0].Label)
	}
	anna.sends("1:1:2:!pick 2")
	anna.sends("1:1:2:!show write")
	s.wantDone(t, "edit test:board 1", "edit test:board 1", "edit test:board 1")
	if m := s.message("test:board 1"); !m.Dice[2].Kept {
		t.Errorf("the toggle is not shown: %+v", m.Dice)
	}
}

// Where there is room, picks are drawn there, too; what throws says the same before and after.
func TestTogglesAreDrawnWhereThereIsRoom(t *testing.T) {
	house, anna := thrown(t)
	s := newStage()
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() { defer close(ended); house.bot.Run(ctx, sparingStage{s, 2}) }()
	defer func() { cancel(); <-ended }()
	s.wantDone(t, "edit test:board 1")
	anna.sends("1:1:1:!pick 0")
	s.wantDone(t, "edit test:board 1", "edit test:board 1")
	m := s.message("test:board 1")
	if !m.Dice[0].Kept || m.Buttons[0][0].Label != "1🔒" || m.Buttons[1][0].Label != "Throw the others" {
		t.Errorf("the board shows %+v with %+v", m.Dice, m.Buttons)
	}
	if last := m.Buttons[len(m.Buttons)-1]; len(last) != 2 || !strings.HasPrefix(last[0].Press, "1:1:1:write ") {
		t.Errorf("the rows that give most are not offered: %+v", last)
	}
}

// A toggle while the board is being drawn asks for no drawing of its own.
func TestTogglesDuringADrawing(t *testing.T) {
	house, anna := thrown(t)
	s := newStage()
	drawing, toggled := make(chan struct{}, 9), make(chan struct{})
	s.fail = func(string, chat.Place) error {
		drawing <- struct{}{}
		<-toggled
		return nil
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() { defer close(ended); house.bot.Run(ctx, sparingStage{s, 1}) }()
	defer func() { cancel(); <-ended }()
	<-drawing
	anna.sends("1:1:1:!pick 0")
	close(toggled)
	s.wantDone(t, "edit test:board 1")
	anna.sends("1:1:1:!show write")
	s.wantDone(t, "edit test:board 1", "edit test:board 1")
}

// Elsewhere a toggle is drawn at once, by the loops or with the answer.
func TestTogglesAreDrawnAtOnce(t *testing.T) {
	house, anna := thrown(t)
	s := newStage()
	house.onStage(s)
	s.wantDone(t, "edit test:board 1")
	anna.sends("1:1:1:!pick 0")
	s.wantDone(t, "edit test:board 1", "edit test:board 1")

	ev := anna.event()
	ev.Press, ev.Carries = "1:1:1:!pick 1", true
	if r := house.bot.Handle(context.Background(), ev); r.Board != 1 {
		t.Errorf("reply %+v", r)
	}
	if m := anna.board(); !m.Dice[0].Kept || !m.Dice[1].Kept {
		t.Errorf("dice %+v", m.Dice)
	}
}
