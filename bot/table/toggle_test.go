package table_test

import (
	"fmt"
	"strings"
	"testing"

	"knobel/bot/bare"

	_ "modernc.org/sqlite" // a database that any program may change

	"knobel/bot/chat"
)

// thrown returns a table at which Anna has thrown once.
func thrown(t *testing.T) (*bare.House, *bare.Person) {
	people := bare.PokerTable(t, "/wuerfelpoker", "Anna", "Ben")
	people[0].Presses("▶ Start")
	people[0].Presses("Throw")
	return people[0].House, people[0]
}

// Where drawing is dear, dice are toggled without any drawing: the next change shows them.
func TestTogglesAreNotDrawnWhereThatIsDear(t *testing.T) {
	house, anna := thrown(t)
	s := bare.NewStage()
	defer house.OnStage(bare.SparingStage{Stage: s, Left: 1})()
	s.WantDone(t, "edit test:board 1")
	house.Settled(s) // what was drawn is remembered, too
	for i := range 40 {
		r := anna.Sends(fmt.Sprint("1:1:1:!pick ", i%4))
		if r.Toast == "" || r.Board != 1 {
			t.Fatalf("a toggle is answered by %+v", r)
		}
	}
	if table := anna.Table(); table.Board.Drawn < table.Version {
		t.Error("the board lags: it would be drawn by whoever looks for such boards")
	}
	anna.Sends("1:1:1:!pick 0")
	anna.Sends("1:1:1:!play")
	s.WantDone(t, "edit test:board 1", "edit test:board 1")
	if m := s.Message("test:board 1"); !strings.HasPrefix(m.Head, "Anna kept 1, threw ") || !m.Dice[0].Kept ||
		m.Dice[1].Kept {
		t.Errorf("the board says %q with %+v", m.Head, m.Dice)
	}
	if m := s.Message("test:board 1"); m.Buttons[1][0].Label != "Throw the others" {
		t.Errorf("a button says %q: whatever was picked since", m.Buttons[1][0].Label)
	}
	anna.Sends("1:1:2:!pick 2")
	anna.Sends("1:1:2:!show write")
	s.WantDone(t, "edit test:board 1", "edit test:board 1", "edit test:board 1")
	if m := s.Message("test:board 1"); !m.Dice[2].Kept {
		t.Errorf("the toggle is not shown: %+v", m.Dice)
	}
}

// Where there is room, picks are drawn there, too; what throws says the same before and after.
func TestTogglesAreDrawnWhereThereIsRoom(t *testing.T) {
	house, anna := thrown(t)
	s := bare.NewStage()
	defer house.OnStage(bare.SparingStage{Stage: s, Left: 2})()
	s.WantDone(t, "edit test:board 1")
	anna.Sends("1:1:1:!pick 0")
	s.WantDone(t, "edit test:board 1", "edit test:board 1")
	m := s.Message("test:board 1")
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
	s := bare.NewStage()
	drawing, toggled := make(chan struct{}, 9), make(chan struct{})
	s.Fail = func(string, chat.Place) error {
		drawing <- struct{}{}
		<-toggled
		return nil
	}
	defer house.OnStage(bare.SparingStage{Stage: s, Left: 1})()
	<-drawing
	anna.Sends("1:1:1:!pick 0")
	close(toggled)
	s.WantDone(t, "edit test:board 1")
	anna.Sends("1:1:1:!show write")
	s.WantDone(t, "edit test:board 1", "edit test:board 1")
}
