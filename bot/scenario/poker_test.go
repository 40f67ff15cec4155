package scenario

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"knobel/store"
)

var numbered = regexp.MustCompile(`^1:([1-9]\d*):(\d+):`)

// currentBoard returns the newest board, and the table and turn that its buttons are for.
func (s *Stage) currentBoard() (m Message, table, turn int64) {
	m = s.Board()
	table, turn = m.turn()
	return m, table, turn
}

// turn returns the table and turn that the buttons of a board are for.
func (m Message) turn() (table, turn int64) {
	for _, b := range m.Buttons {
		if found := numbered.FindStringSubmatch(b.Data); found != nil {
			table, _ = strconv.ParseInt(found[1], 10, 64)
			turn, _ = strconv.ParseInt(found[2], 10, 64)
			return table, turn
		}
	}
	return 0, -1
}

// pressAndWait presses a button that advances the game, and waits until the board shows that.
func (p *Person) pressAndWait(button string) {
	p.Helper()
	_, _, before := p.currentBoard()
	p.Presses(button)
	p.Until("the board shows "+button, func() bool { _, _, turn := p.currentBoard(); return turn > before })
}

// row matches a row of dice in plain text. thrown turns each ")" in it into a lock, and deletes the other brackets.
var (
	row    = regexp.MustCompile(`(?m)^ ( [(\[]\d[)\]])+ *$`)
	thrown = strings.NewReplacer("[", "", "]", "", "(", "", ")", "🔒")
)

// diceIn returns the dice in the text of a board, and which of them are kept.
func diceIn(text string) (faces []int, kept []bool) {
	_, rest, _ := strings.Cut(row.ReplaceAllStringFunc(text, func(line string) string {
		return "🎲" + thrown.Replace(line)
	}), "🎲")
	line, _, _ := strings.Cut(rest, "\n")
	for _, die := range strings.Fields(line) {
		face, locked := strings.CutSuffix(die, "🔒")
		n, _ := strconv.Atoi(face)
		faces, kept = append(faces, n), append(kept, locked)
	}
	return faces, kept
}

// toggleDice toggles dice one by one until those of the most frequent face are kept, and toggles one twice. Each press
// is answered by a toast or by the board. It reports whether any die is left to roll.
func (p *Person) toggleDice() bool {
	p.Helper()
	m, _, _ := p.currentBoard()
	faces, kept := diceIn(m.Text)
	count := map[int]int{}
	for _, f := range faces {
		count[f]++
	}
	best := slices.MaxFunc(faces, func(a, b int) int { return 10*(count[a]-count[b]) + a - b })
	press := func(die int) {
		kept[die] = !kept[die]
		told := p.Presses(fmt.Sprintf(":!pick %d", die))
		g, sparing := p.Place.(*Group)
		if p.drawsInAnswer() == (told != "") || sparing && g.Window(told) {
			p.Errorf("a toggle is told %q", told)
		}
		if !sparing {
			p.Until("it is shown as pressed", func() bool {
				_, shown := diceIn(p.Board().Text)
				return slices.Equal(shown, kept)
			})
		}
	}
	for i, f := range faces {
		if kept[i] != (f == best) {
			press(i)
		}
	}
	if count[best] == len(faces) {
		return false
	}
	press(0)
	press(0)
	return true
}

// playRow plays one row: up to that many rolls, then the first row on offer.
func (p *Person) playRow(throws int) {
	p.Helper()
	p.pressAndWait(":throw")
	thrown := 1
	for ; thrown < throws && p.toggleDice(); thrown++ {
		p.pressAndWait(":!play")
	}
	if slices.ContainsFunc(p.Board().Buttons, func(b Button) bool {
		return strings.HasSuffix(b.Data, ":throw") || strings.HasSuffix(b.Data, ":!rematch")
	}) { // the only row that could be filled was filled at once
		return
	}
	if thrown < 3 {
		p.Presses(":!show write")
	}
	row := ""
	p.Until("the rows are there", func() bool {
		i := slices.IndexFunc(p.Board().Buttons, func(b Button) bool {
			return strings.Contains(b.Data, ":write ") || strings.Contains(b.Data, ":strike ")
		})
		if i >= 0 {
			row = p.Board().Buttons[i].Data
		}
		return i >= 0
	})
	p.pressAndWait(row[strings.LastIndex(row, ":"):])
}

// drawsInAnswer reports whether the answer to a press is the board itself.
func (s *Stage) drawsInAnswer() bool { return s.Name() == "Discord" }

// writeCount returns how many messages the bot has sent or edited, see Server.Writes. It returns 0 in a browser room.
func (s *Stage) writeCount() int {
	if s.Server == nil {
		return 0
	}
	return s.Writes()
}

// A whole game, from the command to the last sheet and the settlement. On Discord every press changes the board in its
// answer. On Telegram a round needs at most four sends and edits, and picking dice none.
func TestWholeGameOfWuerfelpoker(t *testing.T) {
	Everywhere(t, func(s *Stage) {
		people := []*Person{s.Person("Anna", "de"), s.Person("Ben", "en")}
		s.Sit("/wuerfelpoker point=2", people[0], people[1:]...)
		s.Offers(":throw")
		begun, dearest := s.writeCount(), 0
		for round := range 15 {
			for i, who := range people {
				before := s.writeCount()
				who.playRow(1 + (round+i+2)%3)
				dearest = max(dearest, s.writeCount()-before)
			}
		}
		s.Offers(":!rematch")
		most := map[string]int{"Telegram": 4}[s.Name()]
		if spent := s.writeCount() - begun; spent > 15*len(people)*most || dearest != most {
			s.Errorf("the game costs %d sends and edits, a round up to %d", spent, dearest)
		}
		if n := len(s.Messages(-1)); n != 1 {
			s.Errorf("%d messages", n)
		}
		s.Says(s.Shows("Summe").Text, "Poker", "Chance")
		for _, p := range people {
			s.Says(s.Board().Text, p.Name)
		}
		people[1].Writes("/settle")
		m := people[1].Reads("→")
		if people[1].checkPrivate(m); len(m.Buttons) == 0 {
			s.Errorf("the settling up is %+v", m)
		}
	})
}

// No press is lost if dice are pressed very fast, on Telegram at the same time: dice pressed an odd number of times are
// kept.
func TestNoToggleIsLost(t *testing.T) {
	Everywhere(t, func(s *Stage) {
		anna, ben := s.Person("Anna", "de"), s.Person("Ben", "en")
		s.Sit("/wuerfelpoker", anna, ben)
		anna.pressAndWait(":throw")
		m, table, turn := s.currentBoard()
		before := s.writeCount()
		var fingers sync.WaitGroup
		dice := make(chan int, 200)
		for die, n := range [5]int{31, 20, 17, 30, 8} {
			for range n {
				dice <- die
			}
		}
		close(dice)
		hands := 8
		if s.Name() == "Telegram" {
			hands = len(dice)
		}
		for range hands {
			fingers.Go(func() {
				for die := range dice {
					told := anna.Sends(m, fmt.Sprintf("1:%d:%d:!pick %d", table, turn, die))
					if s.drawsInAnswer() == (told != "") {
						t.Errorf("a toggle is told %q", told)
					}
				}
			})
		}
		fingers.Wait()
		if spent := s.writeCount() - before; s.Name() == "Telegram" && spent > 2 {
			s.Errorf("toggles cost %d sends and edits, and not only what was left", spent)
		}
		if s.Name() != "Telegram" {
			s.Until("the board shows what is kept", func() bool {
				_, kept := diceIn(s.Board().Text)
				return slices.Equal(kept, []bool{true, false, true, false, false})
			})
		}
		anna.pressAndWait(":!play")
		s.Reads(func(tx *store.Tx) error {
			moves, err := tx.Tables.Moves(table)
			if len(moves) != 2 || moves[1].Move != "keep 10100" {
				s.Errorf("played %+v", moves)
			}
			return err
		})
		m, _, _ = s.currentBoard()
		if _, kept := diceIn(m.Text); !slices.Equal(kept, []bool{true, false, true, false, false}) {
			s.Errorf("the board says\n%s", m.Text)
		}
	})
}

// The sheet is shown to the person who presses, at any time: on Discord beside the board, on Telegram in their private
// chat with the bot. The board does not change.
func TestTheSheetIsForThePresser(t *testing.T) {
	Each(t, func(s *Stage) {
		anna, ben, clara := s.Person("Anna", "en"), s.Person("Ben", "de"), s.Person("Clara", "en")
		s.Sit("/wuerfelpoker", anna, ben)
		board := s.Offers("Sheet")
		for _, p := range []*Person{ben, anna, clara} { // clara only looks on
			stood := len(s.Messages(-1))
			told := p.PressesOn(board, ":!show sheet")
			if s.Name() == "Telegram" {
				want := map[*Person]string{ben: "Der Zettel ist jetzt in unserem privaten Chat."}[p]
				if want == "" {
					want = "I sent the score sheet to our private chat."
				}
				s.Says(told, want)
			}
			sheet := p.Last()
			title := map[bool]string{true: "Der Zettel von Tisch 1", false: "The score sheet of table 1"}[p == ben]
			s.Says(sheet.Text, title, "Anna", "Ben")
			if !sheet.Alone || len(s.Messages(-1)) != stood {
				s.Errorf("all see the sheet of %s, or %d messages", p.Name, len(s.Messages(-1)))
			}
		}
		s.Settled()
		if now := s.Board(); now.ID != board.ID || now.Edits != board.Edits || now.Text != board.Text {
			s.Errorf("the board has become\n%s", now.Text)
		}
	})
}

// On Telegram, the sheet is in the player's private chat or, if that is closed, on the board until the next press.
func TestTheSheetWithoutAPrivateChat(t *testing.T) {
	On(t, "Telegram", func(s *Stage) {
		anna, ben := s.Person("Anna", "en"), s.Person("Ben", "en")
		g := s.Place.(*Group)
		g.Own(ben.who).Close()
		s.Sit("/wuerfelpoker", anna, ben)
		without := s.Offers("Sheet").Text
		ben.Presses("Sheet")
		with := s.Shows("Total").Text
		if told := ben.Presses("Hide sheet"); told != "" {
			s.Errorf("hiding is told %q", told)
		}
		s.Until("the sheet is hidden", func() bool { return s.Board().Text == without })
		ben.Presses("Sheet")
		s.Until("it is there again", func() bool { return s.Board().Text == with })
		anna.Presses(":throw")
		s.Until("the next press has closed it", func() bool { return !strings.Contains(s.Board().Text, "Total") })

		g.Own(ben.who).Reopen()
		s.Says(ben.Presses("Sheet"), "I sent the score sheet to our private chat.")
		if m := ben.Last(); !m.Alone || !strings.Contains(m.Text, "Total") {
			s.Errorf("the newest message is\n%s", m.Text)
		}
	})
}
