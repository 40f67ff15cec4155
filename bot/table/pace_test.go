package table_test

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	_ "modernc.org/sqlite" // a second connection, for changes outside the bot

	"knobel/bot/bare"
	"knobel/bot/chat"
	"knobel/bot/fakes/needs"
	"knobel/bot/table"
	"knobel/games"
	"knobel/games/sheet/sets"
	"knobel/games/shutbox"
	"knobel/games/wuerfelpoker"
	"knobel/games/zehntausend"
	"knobel/store"
)

// paced plays a game to its end by the first button that moves it on, and checks each press.
type paced struct {
	*bare.House
	people []*bare.Person
	game   games.Game
	told   int // how often the toast on the calm pace was shown
	ahead  int // number of forced moves played with a press
}

// press presses the mover's next button and checks the moves and the board after it.
func (p *paced) press() {
	t := p.T
	who, m := p.ToMove(p.people)
	b := p.onward(m)
	before := p.Moves(1)
	p.Wait(time.Second)
	r := who.Sends(b.Press)
	if r.Refused {
		t.Fatalf("%q: %s", b.Label, r.Toast)
	}
	if strings.Contains(r.Toast, "/settings pace=calm") {
		p.told++
	}
	now := p.Moves(1)[len(before):]
	others := slices.IndexFunc(now, func(m store.Move) bool { return m.Seat != now[0].Seat })
	if others >= 0 { // the computer's moves follow
		now = now[:others]
	}
	if len(now) == 0 { // the press has only picked a tile
		return
	}
	p.checkPress(b, before, now)
	p.ahead += len(now) - 1
}

// onward returns the first button that moves the game on; in games with a sheet, the one that rolls if there is one.
func (p *paced) onward(m chat.Message) chat.Button {
	if m.Sheet == nil {
		return bare.Onward(m)
	}
	for _, b := range slices.Concat(m.Buttons...) {
		if strings.Contains(b.Label, "Roll") {
			return b
		}
	}
	return bare.FirstMove(m)
}

// checkPress checks the moves added by a press: those after the first were forced, and the board shows every roll.
func (p *paced) checkPress(button chat.Button, before, added []store.Move) {
	t := p.T
	seat := games.Seat(added[0].Seat)
	var throws []string
	for i, move := range added {
		if len(move.Dice) > 0 {
			throws = append(throws, faces(move.Dice))
		}
		if i == 0 {
			continue
		}
		at, _, err := table.Replayed(p.game, p.people[0].Table(), slices.Concat(before, added[:i]))
		if err != nil {
			t.Fatal(err)
		}
		if follows, ok := games.Follows(at, seat); !ok || string(follows) != move.Move || move.Seat != int(seat) {
			t.Errorf("%q was played at once, and there was a choice", move.Move)
		}
	}
	after, _, err := table.Replayed(p.game, p.people[0].Table(), slices.Concat(before, added))
	if err != nil {
		t.Fatal(err)
	}
	if follows, ok := games.Follows(after, seat); ok && len(throws) < 3 {
		t.Errorf("after %+v nothing was to decide but %q", added, follows)
	}
	says := strings.HasSuffix(button.Label, ", roll")
	if len(added[0].Dice) == 0 && says != (len(throws) > 0) {
		t.Errorf("%q has thrown %q", button.Label, throws)
	}
	m := p.people[0].Board()
	text := bare.Show(m)
	for _, row := range m.Tiles { // the row of an ended turn shows its rolls, the last one as dice
		text += "\n" + row.Owner + " " + diceText(row.Dice)
	}
	name := p.people[0].Table().Seats[seat].Name
	switch line := strings.Join(throws, " · "); {
	case len(throws) > 1 && !strings.Contains(text, line):
		t.Errorf("no %q in\n%s", line, text)
	case len(throws) == 1:
		atBox := slices.ContainsFunc(m.Tiles, func(row chat.TileRow) bool { return len(row.Tiles) > 0 })
		told := strings.Count("\n"+text, "\n"+name+" rolled "+line+".\n") // on a separate line
		if times := told + countRows(m, name, line); times > 1 || times < 1 && !atBox {
			t.Errorf("%q is told %d times in\n%s", line, times, text)
		}
	}
	if len(throws) > 0 && strings.Contains(text, "Undo") {
		t.Errorf("what fell can be taken back: %+v\n%s", added, text)
	}
}

// countRows returns how many rows of m show dice ("6 2") of the person name, maybe beside kept ones; -1: unknown owner.
func countRows(m chat.Message, name, dice string) (n int) {
	rows := append([]chat.TileRow{{Owner: name, Dice: m.Dice}}, m.Tiles...)
	for _, row := range rows {
		whose := cmp.Or(row.Whose, row.Owner)
		if whose != "" && whose != "Anna" && whose != "Ben" && whose != "Computer" {
			return -1
		}
		left := strings.Fields(dice)
		for _, face := range strings.Fields(diceText(row.Dice)) {
			if at := slices.Index(left, face); at >= 0 {
				left = slices.Delete(left, at, at+1)
			}
		}
		if len(left) == 0 && row.Owner == name {
			n++
		}
	}
	return n
}

// diceText returns the faces of a board's dice as text.
func diceText(dice []chat.Die) string {
	var all []int
	for _, d := range dice {
		all = append(all, d.Face)
	}
	return faces(all)
}

// faces returns dice as text in the form used on boards.
func faces(dice []int) string { return strings.Trim(fmt.Sprint(dice), "[]") }

// TestQuickPlaysWhatNeedsNoDecision checks the quick pace in games against computers and people, with playQuickly.
func TestQuickPlaysWhatNeedsNoDecision(t *testing.T) {
	for _, of := range []struct {
		game  games.Game
		lines []string
	}{
		{shutbox.Game{}, []string{"/shutbox 10", "/shutbox 10 match=rounds:3", "/shutbox canoga",
			"/shutbox three-hundred", "/shutbox first-throw=3 one-die=high-shut-forced tiles=12"}},
		{zehntausend.Game{}, []string{"/zehntausend entry=1000"}},
		{wuerfelpoker.New(), []string{"/wuerfelpoker", "/wuerfelpoker order=free"}},
		{sets.Yatzy(), []string{"/yatzy", "/yatzy order=forced"}},
		{sets.Kniffel(), []string{"/kniffel settle=pool"}},
		{sets.Yamb(), []string{"/yamb"}},
	} {
		if name := of.game.Name(); !needs.IsLong() && (name == "kniffel" || name == "yamb") {
			continue // it runs the same code as Yatzy
		}
		if !needs.IsLong() {
			of.lines = of.lines[:1]
		}
		ahead := playQuickly(t, of.game, of.lines[len(of.lines)-1], true)
		for _, line := range of.lines {
			ahead += playQuickly(t, of.game, line, false)
		}
		if ahead == 0 {
			t.Errorf("%s: nothing was played at once", of.lines)
		}
	}
}

// playQuickly plays the game of line at the quick pace, with the computer if house, and counts the forced moves.
func playQuickly(t *testing.T, g games.Game, line string, house bool) int {
	h := bare.New(t, g)
	p := &paced{House: h, people: []*bare.Person{h.Person("Anna"), h.Person("Ben")}, game: g}
	p.people[0].Admin = true
	p.people[0].Writes("/settings pace=quick")
	p.people[0].Admin = false
	if r := p.people[0].Writes(line); r.Refused {
		t.Fatalf("%s: %s", line, r.Toast)
	}
	if house {
		p.people[0].Sends(fmt.Sprintf("1:%d:0:!house %s", p.people[0].Table().ID, g.Houses()[0].Name))
	} else {
		p.people[1].Presses("Join")
	}
	p.people[0].Presses("▶ Start")
	const most = 2000 // presses
	for presses := 0; p.people[0].Table().State == store.Playing; presses++ {
		if presses == most {
			t.Fatalf("no end after %d presses\n%s", presses, bare.Show(p.people[0].Board()))
		}
		p.press()
	}
	p.Sound()
	if p.told != min(p.ahead, 1) {
		t.Errorf("%s: %d moves were played at once, told %d times", line, p.ahead, p.told)
	}
	return p.ahead
}

// rolledOnce returns a house with a table of Würfelpoker at which Anna has rolled once, and Anna.
func rolledOnce(t *testing.T) (*bare.House, *bare.Person) {
	people := bare.PokerTable(t, "/wuerfelpoker", "Anna", "Ben")
	people[0].Presses("▶ Start")
	people[0].Presses("🎲 Roll")
	return people[0].House, people[0]
}

// TestTogglesAreNotDrawnWhereThatIsDear checks that expensive drawings show picks only with the next change.
func TestTogglesAreNotDrawnWhereThatIsDear(t *testing.T) {
	house, anna := rolledOnce(t)
	s := bare.NewStage()
	defer house.OnStage(bare.SparingStage{Stage: s, Left: 1})()
	s.WantDone(t, "edit test:board 1")
	house.Settled(s) // the drawn version is stored, too
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
	if m := s.Message("test:board 1"); !strings.HasPrefix(m.Head, "Anna kept 1 and rolled ") || !m.Dice[0].Kept ||
		m.Dice[1].Kept {
		t.Errorf("the board says %q with %+v", m.Head, m.Dice)
	}
	if m := s.Message("test:board 1"); m.Buttons[1][0].Label != "Roll the rest" {
		t.Errorf("a button says %q: whatever was picked since", m.Buttons[1][0].Label)
	}
	anna.Sends("1:1:2:!pick 2")
	anna.Sends("1:1:2:!show write")
	s.WantDone(t, "edit test:board 1", "edit test:board 1", "edit test:board 1")
	if m := s.Message("test:board 1"); !m.Dice[2].Kept {
		t.Errorf("the toggle is not shown: %+v", m.Dice)
	}
}

// TestTogglesAreDrawnWhereThereIsRoom checks that picks are drawn if the budget allows it; button labels stay.
func TestTogglesAreDrawnWhereThereIsRoom(t *testing.T) {
	house, anna := rolledOnce(t)
	s := bare.NewStage()
	defer house.OnStage(bare.SparingStage{Stage: s, Left: 2})()
	s.WantDone(t, "edit test:board 1")
	anna.Sends("1:1:1:!pick 0")
	s.WantDone(t, "edit test:board 1", "edit test:board 1")
	m := s.Message("test:board 1")
	if !m.Dice[0].Kept || m.Buttons[0][0].Label != "1🔒" || m.Buttons[1][0].Label != "Roll the rest" {
		t.Errorf("the board shows %+v with %+v", m.Dice, m.Buttons)
	}
	if last := m.Buttons[len(m.Buttons)-1]; len(last) != 2 || !strings.HasPrefix(last[0].Press, "1:1:1:write ") {
		t.Errorf("the rows that give most are not offered: %+v", last)
	}
}

// TestTogglesDuringADrawing checks that a pick during a drawing causes no further drawing.
func TestTogglesDuringADrawing(t *testing.T) {
	house, anna := rolledOnce(t)
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
