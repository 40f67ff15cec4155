package scenario

import (
	"fmt"
	"hash/fnv"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"knobel/bot/fakes/needs"
	"knobel/store"
)

// What people ask of a bot like this one, a row for each wish, as they would see it come true: a story of its own, or
// tests that tell it.
var wishes = []struct {
	row   int
	name  string
	comes func(s *Stage, anna, ben *Person)
	told  string
}{
	{1, "who is absent is played for, as agreed, and the time is seen", absentIsPlayedFor, ""},
	{2, "stakes come back and add up", deadGameIsEnded, ""},
	{3, "the dice can be proved", diceAreProved, ""},
	{4, "a dead game is ended by those who may", nil, "TestUsers"}, // with the second
	{5, "a restart loses nothing", nil, "TestRestartInTheMiddle"},
	{6, "leaderboards of every time", leaderboardsOfEveryTime, ""},
	{7, "one message for one table", nil, "TestWholeGames"},
	{8, "places do not know each other", nil, "TestTablesBesideEachOther"},
	{9, "a rematch by one press", rematchByOnePress, ""},
	{10, "a choice is taken back", choiceIsTakenBack, ""},
	{11, "a group may grow", nil, "TestGroupBecomesSupergroup"},
	{12, "a call, and no call for who wants none", callsAreChosen, ""},
	{13, "settling up says why", settlingSaysWhy, ""},
	{14, "privacy", privacyIsKept, ""},
	{15, "a missing permission has its name", nil, "TestMissingPermissionsAreNamed TestTheBotMayNotWrite"},
	{16, "the house fills a seat", nil, "TestEveryPageOfTheLobby TestAPerfectHousePlaysALittleLater"},
	{17, "house rules have names", nil, "TestHouseRules"},
	{18, "a seat is handed over, never dealt anew", seatIsHandedOver, ""},
	{19, "two presses are one move", twoPressesOneMove, ""},
	{20, "the language of the group", nil, "TestAnswersForOneAlone"},
	{21, "one file at home keeps everything", nil, "TestRestartInTheMiddle"}, // and the program's TestFromNothing
	{22, "readable by everybody", readableByEverybody, ""},
	{23, "luck and decisions at the end", luckAtTheEnd, ""},
}

func TestUsers(t *testing.T) {
	set := Setting{Plain: true}
	for _, w := range wishes {
		if w.comes == nil {
			continue
		}
		t.Run(fmt.Sprintf("%d %s", w.row, w.name), func(t *testing.T) {
			story := func(s *Stage) { w.comes(s, s.Person("Anna", "en").Admin(), s.Person("Ben", "en")) }
			if needs.IsLong() {
				set.Everywhere(t, story)
				return
			}
			t.Parallel()
			set.On(t, platforms[w.row%len(platforms)].name, story)
		})
	}
}

// Every wish keeps its number, so that none is lost unseen, and is told somewhere.
func TestEveryWishHasItsNumber(t *testing.T) {
	files, err := filepath.Glob("*_test.go")
	if err != nil {
		t.Fatal(err)
	}
	code := ""
	for _, f := range files {
		content, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		code += string(content)
	}
	for i, w := range wishes {
		if w.row != i+1 || (w.comes == nil) == (w.told == "") {
			t.Errorf("wish %d is the %d. of the list, told by %q", w.row, i+1, w.told)
		}
		for _, test := range strings.Fields(w.told) {
			if !strings.Contains(code, "func "+test+"(") {
				t.Errorf("wish %d: there is no %s", w.row, test)
			}
		}
	}
	if len(wishes) < 23 {
		t.Errorf("%d wishes are left of 23", len(wishes))
	}
}

// quick is a game of one throw for each.
const quick = "/shutbox stake=5 tiles=7-7 one-die=never"

// quickly lets two play a quick game to its end.
func (s *Stage) quickly(anna, ben *Person) Message {
	s.Helper()
	s.Sit(quick, anna, ben)
	return s.Play(anna, ben)
}

// balances are those of everybody in the books, the lowest first.
func (s *Stage) balances() (all []int64) {
	s.Helper()
	t := s.Table(1)
	s.Reads(func(tx *store.Tx) error {
		parties, err := tx.Parties(t.Chat, t.Unit)
		all = nil
		for _, p := range parties {
			all = append(all, p.Balance)
		}
		return err
	})
	slices.Sort(all)
	return all
}

func absentIsPlayedFor(s *Stage, anna, ben *Person) {
	s.Sit("/shutbox stake=5 turn=1m", anna, ben)
	before, _ := s.Offers(":throw 2").Button(":throw 2")
	s.Passes("Anna is played for", func() bool { now, _ := s.Board().Button(":throw 2"); return now != before })
}

func deadGameIsEnded(s *Stage, anna, ben *Person) {
	s.Sit("/shutbox stake=5", anna, ben)
	whom := "Anna, an admin"
	if s.Chat == nil { // all are
		whom = "Anna"
	}
	s.Says(s.Person("Clara", "en").Writes("/abandon"), "Ask "+whom+" or those seated to end it.")
	ben.Writes("/abandon") // he sits there, and did not open it
	s.Says(s.Shows("To end this table: Ben, 1 of 2 votes.").Text, "Ended now, everybody gets 5 chips back.")
	s.Offers(":throw 2") // who goes on playing can
	anna.Presses(":!vote yes")
	s.Says(s.Shows("Everybody has their 5 chips again.").Text, "+5", "Anna", "Ben")

	s.Sit("/shutbox stake=7", anna, ben)
	anna.Writes("/abandon") // she opened it
	s.Says(s.Shows("End this table?").Text, "Ended now, everybody gets 7 chips back.")
	if told := ben.Presses(":!end yes"); told == "" {
		s.Error("Ben ends Anna's table")
	}
	anna.Presses(":!end yes")
	s.Shows("Everybody has their 7 chips again.")
	if balances := s.balances(); slices.ContainsFunc(balances, func(n int64) bool { return n != 0 }) {
		s.Errorf("the books say %v", balances)
	}
}

func diceAreProved(s *Stage, anna, ben *Person) {
	s.Sit(quick, anna, ben)
	s.Says(ben.Writes("/fair"), "Seal", "secret until the game is over")
	s.Play(anna, ben)
	checked := "ask whoever runs this bot for the record"
	if s.Name() == "web" {
		checked = "“Check the dice” throws all of them again in your browser."
	}
	s.Says(ben.Writes("/fair"), "Seed:", checked)
}

func leaderboardsOfEveryTime(s *Stage, anna, ben *Person) {
	s.quickly(anna, ben)
	for _, period := range []string{"week", "month", "all", "evening"} {
		s.Says(ben.Writes("/leaderboard period="+period), "Anna", "Ben", "1 game")
	}
	s.Says(ben.Writes("/season"), "There is no season yet")
	s.Restart()
	s.Says(ben.Writes("/leaderboard"), "Anna", "Ben", "1 game")
}

func rematchByOnePress(s *Stage, anna, ben *Person) {
	twice := func(m Message, one, other *Person) {
		b, _ := m.Button(":!rematch")
		time.Sleep(leisure)
		first, second := s.Press(one.who, m.ID, b.Data), s.Press(other.who, m.ID, b.Data)
		s.Told(first)
		s.Told(second)
	}
	twice(s.quickly(anna, ben), anna, anna)
	s.Says(s.Shows("reserved").Text, "Anna", "Ben", "5 chips") // he has not said that he plays
	ben.Presses(":!join")
	s.Until("Ben sits there", func() bool { return !strings.Contains(s.Board().Text, "reserved") })
	anna.Presses(":!start")
	s.Offers(":throw 2")
	s.Until("the game of before offers no rematch", func() bool { _, _, ok := anna.finds(":!rematch"); return !ok })
	twice(s.Play(anna, ben), anna, ben)
	s.Says(s.Shows("opens a table").Text, "Anna", "Ben")
	s.Until("both sit there", func() bool { return !strings.Contains(s.Board().Text, "reserved") })
	tables := 0
	s.Reads(func(tx *store.Tx) error {
		tables = 0
		return tx.Tables(func(int64) error { tables++; return nil })
	})
	if n := len(s.Messages(-1)); tables != 3 || n != 3 {
		s.Errorf("two presses at once, twice, have made of one table %d, on %d boards", tables, n)
	}
}

func choiceIsTakenBack(s *Stage, anna, _ *Person) {
	s.Sit("/wuerfelpoker order=free", anna)
	anna.Presses(":throw")
	anna.Presses(":!show write")
	anna.Presses(":write chance")
	s.Shows("wrote Chance")
	anna.Presses(":!undo")
	s.Until("it is taken back", func() bool { return !strings.Contains(s.Board().Text, "wrote Chance") })
}

func callsAreChosen(s *Stage, anna, ben *Person) {
	s.Says(ben.Writes("/notify"), "call")
	s.Sit("/shutbox stake=5 turn=10m match=rounds:2", anna, ben)
	s.Called(anna, 1)
	anna.Presses(":throw 2") // the call goes, and the board that changes calls nobody
	s.Called(anna, 0)
	s.Called(ben, 0)
	missed := func(seat int) func() bool {
		return func() bool { return s.Table(1).Seats[seat].Missed == 1 }
	}
	s.Passes("the rest of Anna's turn is played for her", missed(0))
	s.Passes("so is Ben's", missed(1))
	s.Called(anna, 1)
	anna.Writes("/notify calls=off")
	s.Called(anna, 0)
	s.Passes("Anna is away", func() bool { // for the second time she has not played
		s.Called(anna, 0)
		return s.Table(1).Seats[0].Absence == store.Gone
	})
	s.Called(ben, 1)
	s.Called(anna, 0)
}

func settlingSaysWhy(s *Stage, anna, ben *Person) {
	s.quickly(anna, ben)
	if told := anna.Writes("/settle"); strings.Contains(told, "→") {
		s.Says(told, "1 payment brings everybody to zero", "Anna", "Ben")
		s.Says(anna.Writes("/settle why Ben"), "table 1", "Shut the Box")
	} else {
		s.Says(told, "Nobody owes")
	}
}

// privacyIsKept is of a database that is not sealed.
func privacyIsKept(s *Stage, anna, ben *Person) {
	s.quickly(anna, ben)
	s.Says(ben.Writes("/privacy"), "What I keep of you", "/forget")
	ben.Writes("/leaderboard me=hide")
	if told := anna.Writes("/leaderboard"); strings.Contains(told, "Ben") {
		s.Errorf("Ben is hidden, and on the list:\n%s", told)
	}
	ben.Writes("/leaderboard me=show")
	files := []string{s.File()}
	if len(s.found(files, "Ben")) == 0 || len(s.found(files, ben.ID())) == 0 {
		s.Error("what is to be forgotten cannot be found before")
	}
	before := s.balances()
	ben.Writes("/forget")
	own := fnv.New32a()
	own.Write([]byte(ben.ID()))
	ben.Presses(fmt.Sprintf(":/forget yes %08x", own.Sum32()))
	s.Passes("name and id are gone from the file", func() bool { return len(s.found(files, "Ben", ben.ID())) == 0 })
	if after := s.balances(); !slices.Equal(after, before) || len(after) < 2 {
		s.Errorf("the balances were %v and are %v", before, after)
	}
	told := anna.Writes("/leaderboard")
	if s.Says(told, "Anna", "1 game"); strings.Contains(told, "Ben") {
		s.Errorf("Ben is forgotten, and on the list:\n%s", told)
	}
}

func seatIsHandedOver(s *Stage, anna, ben *Person) {
	clara := s.Person("Clara", "en")
	clara.Writes("/privacy") // who is known before the table takes a seat at it
	time.Sleep(time.Second)
	s.Sit("/shutbox stake=5", anna, ben)
	board := s.Board()
	ben.Writes("/handover")
	offer := ben.Reads("Ben would hand the seat over")
	if _, takes := board.Button(":!take 1"); offer.ID == board.ID || takes {
		s.Errorf("the offer stands on the board:\n%s", board.Text)
	}
	clara.Presses(":!take 1")
	asked := anna.Reads("Clara would take")
	i := slices.IndexFunc(asked.Buttons, func(b Button) bool { return strings.HasSuffix(b.Data, " 1") })
	anna.Sends(asked, asked.Buttons[i].Data) // to let Clara sit there
	s.Until("no offer stands any more", func() bool {
		return !slices.ContainsFunc(anna.Sees(), func(m Message) bool {
			return strings.Contains(m.Text, "hand the seat over")
		})
	})
	s.Says(s.Shows("Clara").Text, "Anna")
	anna.Presses(":throw 2")
	s.Shows("Anna threw") // the same game goes on
}

func twoPressesOneMove(s *Stage, anna, ben *Person) {
	s.Sit("/shutbox stake=5", anna, ben)
	m, b, _ := s.Turn("")
	time.Sleep(leisure)
	first, second := s.Press(anna.who, m.ID, b.Data), s.Press(anna.who, m.ID, b.Data)
	told := []string{s.Told(first), s.Told(second)}
	s.Turn(b.Data)
	for _, text := range told {
		late := text == "The table has moved on. Look at the newest board."
		if text != "" && !strings.Contains(text, "You threw") && !late {
			s.Errorf("one of two presses at once is answered %q", text)
		}
	}
	if told[0] == told[1] && strings.Contains(told[0], "moved on") {
		s.Error("both presses are refused")
	}
	s.Reads(func(tx *store.Tx) error {
		moves, err := tx.Moves(1)
		if len(moves) != 1 || len(moves[0].Dice) != 2 {
			s.Errorf("two presses at once are the moves %+v", moves)
		}
		return err
	})
}

func readableByEverybody(s *Stage, anna, ben *Person) {
	s.Sit("/shutbox stake=5", anna, ben)
	text := s.Offers(":throw 2").Text
	first, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	s.Says(first, "Anna starts")
	if n := utf8.RuneCountInString(text); n > 500 {
		s.Errorf("a board of %d characters:\n%s", n, text)
	}
}

func luckAtTheEnd(s *Stage, anna, ben *Person) {
	s.quickly(anna, ben)
	board := strings.ReplaceAll(s.Shows(" mistake").Text, `\`, "")
	ben.Presses("Review")
	text := strings.ReplaceAll(ben.Reads("Luck and decisions in game #1").Text, `\`, "")
	var results []store.Result
	s.Reads(func(tx *store.Tx) (err error) {
		results, err = tx.Results(1)
		return err
	})
	number := regexp.MustCompile(`[+−]?\d+(\.\d+)?`)
	for seat, name := range []string{"Anna", "Ben"} {
		if words := regexp.MustCompile(`(?m)^ *` + name + `: .*luck.*mistake.*\.$`); !words.MatchString(board) {
			s.Errorf("how lucky was %s?\n%s", name, board)
		}
		line, sum := regexp.MustCompile(`(?m)^ *`+name+` .*: .*dice.*$`).FindString(text), 0.0
		_, parts, _ := strings.Cut(line, ": ")
		for _, n := range number.FindAllString(parts, -1) {
			part, err := strconv.ParseFloat(strings.ReplaceAll(n, "−", "-"), 64)
			if err != nil {
				s.Fatal(err)
			}
			sum += part
		}
		if pool := float64(results[seat].Pool); line == "" || math.Abs(sum-pool) > 1e-9 {
			s.Errorf("%s has won %v, and %q adds up to %v:\n%s", name, pool, line, sum, text)
		}
	}
}
