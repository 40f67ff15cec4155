package bare

// Helpers for tests of reviews, hints and past games.

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"knobel/bot/chat"
	"knobel/bot/words/wordstest"
	"knobel/games"
	"knobel/games/gametest/coin"
	"knobel/games/sheet"
	"knobel/games/shutbox"
	"knobel/games/wuerfelpoker"
	"knobel/store"
)

// Gated is Würfelpoker with a solver that waits until its Gate opens.
type Gated struct {
	sheet.Game
	Gate *Gate
}

// Gate blocks solvers while it is closed, and stores their requests.
type Gate struct {
	Open chan struct{} // closed when solvers may continue
	Fail func() error  // error of all solvers; nil: they solve

	Mu     sync.Mutex
	Solved []string
	Gone   bool // no rules have perfect play now
}

func NewGate() *Gate { return &Gate{Open: make(chan struct{})} }

func (g Gated) Solve(rules games.Rules, seats int) (games.Perfect, error) {
	g.Gate.Mu.Lock()
	g.Gate.Solved = append(g.Gate.Solved, rules["chance"])
	g.Gate.Mu.Unlock()
	<-g.Gate.Open
	if g.Gate.Fail != nil {
		return nil, g.Gate.Fail()
	}
	return g.Game.Solve(rules, seats)
}

// Alike refuses rules with double chances and deferred misses, which have no perfect play here.
func (g Gated) Alike(rules games.Rules, seats int) (games.Rules, int, error) {
	g.Gate.Mu.Lock()
	defer g.Gate.Mu.Unlock()
	if g.Gate.Gone || rules["miss"] == "deferred" && rules["chance"] == "double" {
		return nil, 0, games.Refuse("games.no-perfect-play", nil)
	}
	return g.Game.Alike(rules, seats)
}

// Reviewed runs the bot until the board of a finished table shows its review, and returns that board.
func (h *House) Reviewed(table int64) chat.Message {
	h.T.Helper()
	s := NewStage()
	stop := h.OnStage(s)
	defer stop()
	var board chat.Message
	hasReview := func(m chat.Message) bool {
		return m.Table == table && strings.Contains(fmt.Sprint(m.Buttons), "Review")
	}
	if board = h.BoardOf(table); hasReview(board) {
		return board // it was drawn while the test waited for another board
	}
	s.Until(h.T, "a board with its review", func([]string) bool {
		s.Mu.Lock()
		defer s.Mu.Unlock()
		board = s.boards[table]
		return hasReview(board)
	})
	return board
}

// Pokered plays a game of Würfelpoker to its end and returns its table.
func (h *House) Pokered(names ...string) int64 {
	h.T.Helper()
	people := h.Gather("/wuerfelpoker", names...)
	people[0].Presses("▶ Start")
	h.PressOut(people)
	return people[0].Table().ID
}

// Page returns a private answer as text, with "DAY" instead of dates.
func Page(t testing.TB, r chat.Reply) string {
	t.Helper()
	return regexp.MustCompile(`\b\d{1,2}\.? (Jan|Febr|Mar|Mär|Apr|Ma|Jun|Jul|Aug|Sept|O[ck]t|Nov|De[cz])\pL*( \d{4})?`).ReplaceAllString(strings.TrimSpace(privateText(t, r)), "DAY")
}

// Plays opens a table with a command, lets others join, plays to the end and returns the table.
func (p *Person) Plays(command string, others ...*Person) int64 {
	p.T.Helper()
	if r := p.Writes(command); r.Refused {
		p.T.Fatalf("%s: %s", command, r.Toast)
	}
	table := p.Table().ID
	for _, other := range others {
		other.Sends(fmt.Sprintf("1:%d:0:!join", table))
	}
	p.Sends(fmt.Sprintf("1:%d:0:!start", table))
	p.PlayOn(command, append(others, p)...)
	return table
}

// Filmed plays a game to its end and returns its board before every move and at the end.
func (h *House) Filmed(people []*Person) []chat.Message {
	h.T.Helper()
	people[0].Sends(fmt.Sprintf("1:%d:0:!start", people[0].Table().ID))
	var boards []chat.Message
	for range 2000 {
		table := people[0].Table()
		m := h.BoardOf(table.ID)
		boards = append(boards, m)
		if table.State == store.Over {
			return boards
		}
		p, m := h.moverOf(m, people)
		if r := p.Sends(FirstMove(m).Press); r.Refused {
			h.T.Fatalf("%s: %s\n%s", p.Name, r.Toast, Show(m))
		}
	}
	h.T.Fatal("the game does not end")
	return nil
}

// The screen of a phone in lines and characters; a row of buttons is two lines high.
const (
	ScreenLines = 24
	screenWidth = 40
)

// LinesOf returns how many lines of a phone's screen a message needs.
func LinesOf(m chat.Message) int {
	lines := 0
	for _, text := range append([]string{m.Head, m.Small}, m.Lines...) {
		lines += (utf8.RuneCountInString(text) + screenWidth - 1) / screenWidth
	}
	for _, row := range m.Buttons {
		lines += 2 * ((len(row) + 3) / 4) // the narrowest platform has four in a row
	}
	return lines
}

// WithRealGames returns a house with Shut the Box and Würfelpoker, and a person.
func WithRealGames(t *testing.T) (*House, *Person) {
	h := New(t, shutbox.Game{}, wuerfelpoker.New())
	return h, h.Person("Anna")
}

// Asks sends a command and returns its private answer. It fails the test if there is none.
func (p *Person) Asks(line string) chat.Message {
	p.T.Helper()
	m := p.Writes(line).Private
	if m == nil {
		p.T.Fatalf("%s is not answered with a page", line)
	}
	Proper(p.T, *m)
	return *m
}

// Another returns two people whose bot speaks a made-up language, from message files alone.
func Another(t *testing.T) (anna, ben *Person) {
	h := New(t, shutbox.Game{}, wuerfelpoker.New())
	h.said = wordstest.Speak(t, coin.Game{}.Words(), shutbox.Game{}.Words(), wuerfelpoker.New().Words())
	h.Restart()
	anna, ben = h.Person("Anna"), h.Person("Ben")
	anna.Locale, ben.Locale = wordstest.Code, wordstest.Code
	return anna, ben
}

// Forgets lets the bot erase the person with /forget.
func (p *Person) Forgets() {
	p.T.Helper()
	if text := Said(p.T, p.Sends(PressOn(p.T, p.Writes("/forget"), "Forget me"))); !strings.HasPrefix(text,
		"You are forgotten.") {
		p.T.Fatalf("answered\n%s", text)
	}
}

// CodeOf returns the Go code of the bot and of the games by file name, without the folders in except.
func CodeOf(t *testing.T, except ...string) map[string]string {
	t.Helper()
	all := map[string]string{}
	for _, root := range []string{".", "../games"} {
		err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err == nil && slices.Contains(except, path) {
				return fs.SkipDir
			}
			if err != nil || d.IsDir() || filepath.Ext(path) != ".go" {
				return err
			}
			code, err := os.ReadFile(path)
			all[path] = string(code)
			return err
		})
		check(t, err)
	}
	return all
}
