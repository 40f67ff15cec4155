package table_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"knobel/bot/bare"
	"knobel/bot/chat"
	"knobel/bot/review"
	"knobel/games"
	"knobel/games/wuerfelpoker"
	"knobel/store"
)

func TestWuerfelpokerBoard(t *testing.T) {
	people := bare.PokerTable(t, "/würfelpoker point=2", "Anna", "Ben")
	anna, ben := people[0], people[1]
	bare.Want(t, anna.Board(), `
Anna opens a table: Würfelpoker.
Anna
Ben
[Sit down][Get up]
[▶ Start][+ House][⚙ Rules]`)
	anna.Presses("▶ Start")
	bare.Want(t, anna.Board(), `
Anna starts.
Anna 0
Ben 0
[Throw][Sheet]`)
	bare.Told(t, anna.Presses("Throw"), "You threw 1 2 1 3 5; two throws left.")
	bare.Told(t, anna.Sends("1:1:1:!pick 0"), "You keep 1; 4 dice to throw.")
	bare.Told(t, anna.Sends("1:1:1:!pick 3"), "You keep 1 3; 3 dice to throw.")
	m := anna.Board()
	bare.Want(t, m, `
Anna threw 1 2 1 3 5. Two throws left.
Anna 0
Ben 0
Would score now: Ones −1, Twos −4 and Threes −6.
[1🔒][2][1][3🔒][5]
[Throw 3 dice][Write…][Sheet]`)
	for i, die := range m.Dice {
		if die.Kept != (i == 0 || i == 3) || die.Press != fmt.Sprint("1:1:1:!pick ", i) {
			t.Errorf("die %d is %+v", i, die)
		}
	}
	if style := m.Buttons[1][0].Style; style != games.Primary {
		t.Errorf("the throw is %q", style)
	}
	bare.Told(t, anna.Presses("Throw 3 dice"), "You kept 1 3, threw 6 4 5; one throw left.")

	// What was kept stays kept until somebody says otherwise.
	bare.Want(t, anna.Board(), `
Anna kept 1 3, threw 6 4 5. One throw left.
Anna 0
Ben 0
Would score now: Ones −2, Twos −6 and Threes −6.
[1🔒][6][4][3🔒][5]
[Throw 3 dice][Write…][Sheet]`)
	bare.Told(t, anna.Sends("1:1:2:!pick 0"), "You keep 3; 4 dice to throw.")
	bare.Told(t, anna.Sends("1:1:2:!pick 3"), "You keep none: all dice are thrown.")
	for i, die := range anna.Board().Dice {
		if die.Kept {
			t.Errorf("die %d is kept", i)
		}
	}
	anna.Presses("Write…")
	bare.Want(t, anna.Board(), `
Anna kept 1 3, threw 6 4 5. One throw left.
Anna 0
Ben 0
Would score now: Ones −2, Twos −6 and Threes −6.
[Ones −2][Twos −6][Threes −6][Fours −8][Fives −10]
[Sixes −12]
[Back][Sheet]`)
	bare.Refused(t, ben.Presses("Back"), "It is Anna's turn; the board says when it is yours.")
	bare.Refused(t, anna.House.Person("Clara").Presses("Back"),
		"You are watching this game. Join the next one.")
	anna.Presses("Back")
	anna.Presses("Write…")
	bare.Told(t, anna.Presses("Ones −2"), "You wrote Ones: −2.")
	bare.Want(t, ben.Board(), `
Anna wrote Ones: −2.
Ben is next.
[1] [6] [4] [3] [5]
Anna −2
Ben 0
[Throw][Sheet][↶ Undo]`)
	if b := ben.Button("↶ Undo"); b.For != "test:Anna" {
		t.Errorf("to undo is for %q", b.For)
	}
	anna.Sound()
}

func TestLastThrowShowsTheRows(t *testing.T) {
	people := bare.PokerTable(t, "/wuerfelpoker order=free", "Anna", "Ben")
	anna := people[0]
	anna.Presses("▶ Start")
	anna.Presses("Throw")
	write := anna.Button("Write…").Press
	anna.Presses("Throw 5 dice")
	anna.Presses("Throw 5 dice")
	m := anna.Board()
	if len(m.Buttons) > 5 || m.Dice[0].Press != "" {
		t.Errorf("%d rows of buttons, dice %+v\n%s", len(m.Buttons), m.Dice, bare.Show(m))
	}
	first := bare.FirstMove(m)
	if first.Style != games.Primary || !strings.Contains(first.Press, ":write ") {
		t.Errorf("first is %+v", first)
	}
	anna.Presses("Strike…")
	struck := 0
	for _, row := range anna.Board().Buttons {
		for _, b := range row {
			if strings.Contains(b.Press, ":strike ") {
				struck++
			}
		}
	}
	if struck == 0 || struck > 8 {
		t.Errorf("%d rows to strike", struck)
	}
	// A button from before still leads where it did, and a question fits.
	bare.Told(t, anna.Sends(write), "Take one of the rows on the board.")
	anna.Writes("/abandon")
	if m := anna.Board(); len(m.Buttons) > 5 {
		t.Errorf("%d rows of buttons\n%s", len(m.Buttons), bare.Show(m))
	}
	anna.Presses("Play on")
	anna.Sends(first.Press)
	bare.Refused(t, anna.Sends(write), "It is Ben's turn; the board says when it is yours.")
	bare.Refused(t, people[1].Sends(write), "The table has moved on. Look at the newest board.")
}

func TestAllDiceKept(t *testing.T) {
	people := bare.PokerTable(t, "/wuerfelpoker", "Anna")
	anna := people[0]
	anna.Presses("▶ Start")
	anna.Presses("Throw")
	for i := range 4 {
		anna.Sends(fmt.Sprint("1:1:1:!pick ", i))
	}
	bare.Told(t, anna.Sends("1:1:1:!pick 4"), "You keep all. Write a row, or let one go.")
	m := anna.Board()
	if b := m.Buttons[1]; b[0].Label != "Throw the others" || b[0].Style != games.Plain || b[1].Style != games.Primary {
		t.Errorf("all dice are kept, and first are %+v", b)
	}
	bare.Refused(t, anna.Sends("1:1:1:!play"), "You keep all. Write a row, or let one go.")
	anna.Sends("1:1:1:!pick 2")
	bare.Told(t, anna.Sends("1:1:1:!play"), "You kept 6 6 1 5, threw 6; one throw left.")
	if moves := anna.House.Moves(1); moves[1].Move != "keep 11011" {
		t.Errorf("moves %v", moves)
	}
}

func TestStalePressesChangeNothing(t *testing.T) {
	people := bare.PokerTable(t, "/wuerfelpoker", "Anna", "Ben")
	anna, ben := people[0], people[1]
	bare.Refused(t, anna.Sends("1:1:0:!show write"), "The game has not begun. “▶ Start” begins it.")
	anna.Presses("▶ Start")
	bare.Refused(t, anna.Sends("1:1:0:!play"), "The table has moved on. Look at the newest board.")
	bare.Refused(t, anna.Sends("1:1:0:!pick 0"), "The table has moved on. Look at the newest board.")
	bare.Refused(t, anna.Sends("1:1:0:!undo"), "The table has moved on. Look at the newest board.")
	bare.Refused(t, anna.Sends("1:1:0:!show write"), "The table has moved on. Look at the newest board.")
	bare.Refused(t, anna.Sends("1:1:0:!show"), "The table has moved on. Look at the newest board.")
	bare.Refused(t, anna.Sends("1:1:0:!show me"), "The table has moved on. Look at the newest board.")
	anna.Presses("Throw")
	bare.Refused(t, ben.Sends("1:1:1:!pick 0"), "It is Anna's turn; the board says when it is yours.")
	bare.Refused(t, ben.Sends("1:1:1:!play"), "It is Anna's turn; the board says when it is yours.")
	bare.Refused(t, anna.House.Person("Clara").Sends("1:1:1:!pick 0"),
		"You are watching this game. Join the next one.")
	for _, item := range []string{"5", "-1", "x", ""} {
		bare.Refused(t, anna.Sends("1:1:1:!pick "+item), "The table has moved on. Look at the newest board.")
	}
	anna.Presses("Throw 5 dice")
	bare.Refused(t, anna.Sends("1:1:1:!pick 0"), "The table has moved on. Look at the newest board.")
	bare.Refused(t, anna.Sends("1:1:1:write ones"), "The table has moved on. Look at the newest board.")
	anna.Sends("1:1:1:!show write") // good for all of the match
	if page := anna.Table().Page; page != "write" {
		t.Errorf("the page is %q", page)
	}
	if draft := anna.Table().Draft; draft != "" {
		t.Errorf("the draft is %q", draft)
	}
	anna.Sound()
}

func TestSheetOnTheBoardAndBeside(t *testing.T) {
	people := bare.PokerTable(t, "/wuerfelpoker", "Anna", "Ben")
	anna, ben := people[0], people[1]
	anna.Presses("▶ Start")
	if m := anna.Board(); m.Sheet == nil || m.Sheet.Asked || len(m.Sheet.Columns) != 2 || len(m.Sheet.Rows) != 19 {
		t.Fatalf("the sheet is %+v", m.Sheet)
	}
	ben.Presses("Sheet")
	if m := anna.Board(); !m.Sheet.Asked {
		t.Error("the sheet was asked for")
	}
	anna.Presses("Throw")
	if m := anna.Board(); m.Sheet.Asked {
		t.Error("the sheet stays on the board")
	}
	r := anna.House.Person("Clara").Presses("Sheet") // who only looks on disturbs nobody
	if r.Private == nil || r.Private.Sheet == nil || len(r.Private.Sheet.Columns) != 2 || r.Board != 0 {
		t.Errorf("Clara sees %+v", r)
	}
	anna.Presses("Write…")
	r = ben.Presses("Sheet")
	if page := anna.Table().Page; page != "write" || r.Private == nil {
		t.Errorf("the page of Anna's rows is %q", page)
	}
	anna.Presses("Ones −1")
	row := anna.Board().Sheet.Rows[0]
	if row.Label != "Ones" || row.Cells[0] != (chat.SheetCell{Text: "−1", Mark: games.Written}) ||
		row.Cells[1] != (chat.SheetCell{Text: "·", Mark: games.Open}) {
		t.Errorf("the first row is %+v", row)
	}
	bare.Refused(t, anna.House.Person("Clara").Sends("1:2:0:!show sheet"),
		"That table is not here any more. /help opens another.")
}

func TestSheetOfManySeats(t *testing.T) {
	people := bare.PokerTable(t, "/wuerfelpoker", "Anna", "Ben")
	anna, ben := people[0], people[1]
	for range 8 {
		anna.Presses("+ House")
		anna.Presses("+ plays anything")
	}
	anna.House.Agree(ben)
	anna.Presses("▶ Start")
	m := anna.Board()
	if m.Sheet != nil || len(m.People) != 10 {
		t.Errorf("the board has %d totals and the sheet %v", len(m.People), m.Sheet)
	}
	r := ben.Presses("Sheet")
	if r.Private == nil || len(r.Private.Sheet.Columns) != 1 || r.Private.Sheet.Columns[0].Name != "Ben" {
		t.Fatalf("Ben sees %+v", r.Private)
	}
	var labels []string
	for _, b := range r.Private.Buttons[0] {
		labels = append(labels, b.Label)
		part := ben.Sends(b.Press)
		if part.Private == nil || len(part.Private.Sheet.Columns) == 0 || len(part.Private.Buttons[0]) != 2 {
			t.Errorf("%s shows %+v", b.Label, part.Private)
		}
	}
	if !slices.Equal(labels, []string{"1–4", "5–8", "9–10"}) {
		t.Errorf("parts %q", labels)
	}
	if r := anna.House.Person("Clara").Presses("Sheet"); len(r.Private.Sheet.Columns) != 4 {
		t.Errorf("who looks on sees %+v", r.Private.Sheet.Columns)
	}
}

func TestSheetIsReadableOnAPhone(t *testing.T) {
	names := []string{"Anna-Maria von und zu Würfelstein", "😀😀😀😀😀😀😀😀", "<b>*_[x](y)@everyone`", "\u202eشطرنج بطل الملك"}
	for seats := 1; seats <= 4; seats++ {
		for _, locale := range []string{"en", "de"} {
			house := bare.New(t, wuerfelpoker.New())
			var people []*bare.Person
			for i, name := range names[:seats] {
				p := house.Person(name)
				p.Locale = locale
				people = append(people, p)
				if i == 0 {
					p.Writes("/wuerfelpoker chance=double")
				} else {
					p.Sends("1:1:0:!join")
				}
			}
			people[0].Sends("1:1:0:!start")
			for range 4 {
				house.PressOn(people, 11)
				for _, line := range people[0].Board().Sheet.Text(30) {
					if n := utf8.RuneCountInString(strings.NewReplacer("\u2068", "", "\u2069",
						"").Replace(line)); n > 30 {
						t.Errorf("%d seats, %s: %d characters: %q", seats, locale, n, line)
					}
					if strings.Count(line, "\u2068") != strings.Count(line, "\u2069") {
						t.Errorf("%d seats: a name turns the rest of %q", seats, line)
					}
				}
			}
		}
	}
}

func TestWholeWuerfelpokerGameInGerman(t *testing.T) {
	house := bare.New(t, wuerfelpoker.New())
	anna, ben := house.Person("Anna"), house.Person("Ben")
	anna.Locale, ben.Locale = "de", "de"
	anna.Writes("/würfelpoker")
	ben.Presses("Mitspielen")
	anna.Presses("▶ Los")
	people := []*bare.Person{anna, ben}
	for range 400 {
		if anna.Table().State != store.Playing {
			break
		}
		house.Restart() // in the middle, again and again
		house.PressOn(people, 11)
		text := bare.Show(anna.Board())
		for _, english := range []string{"Throw", "throw", "Write", "Sheet", "Undo", "keeps", "Round", "Would"} {
			if strings.Contains(text, english) {
				t.Errorf("%q is not German:\n%s", english, text)
			}
		}
	}
	m := anna.Board()
	if !slices.Contains(m.Lines, "In Klammern: der Abstand zum Durchschnitt.") || !m.Sheet.Asked {
		t.Errorf("over:\n%s", bare.Show(m))
	}
	house.Sound()
	if lines := house.Export(review.Wanted{}); len(lines) != 1 || strings.Contains(lines[0], `"stake"`) {
		t.Errorf("records %q", lines)
	}
}

func TestEveryOptionIsPlayed(t *testing.T) {
	house := bare.New(t, wuerfelpoker.New())
	table := 0
	for _, o := range wuerfelpoker.New().Options() {
		for i, value := range o.Values {
			if i == 0 && table > 0 {
				continue // its default has been played with the others
			}
			table++
			anna := house.Person("Anna")
			anna.Place = chat.Place(fmt.Sprint("test:1/", o.Name, value))
			if r := anna.Writes("/wuerfelpoker " + o.Name + "=" + value); r.Refused {
				t.Fatal(r.Toast)
			}
			anna.Sends(fmt.Sprintf("1:%d:0:!house greedy", table))
			anna.Presses("▶ Start")
			house.PressOut([]*bare.Person{anna})
			if r := anna.Writes("/rules"); r.Private == nil || len(r.Private.Lines) < 5 {
				t.Errorf("%s=%s is explained by %+v", o.Name, value, r)
			}
		}
	}
	house.Sound()
	if lines := house.Export(review.Wanted{}); len(lines) != table || table != 16 {
		t.Errorf("%d records of %d tables", len(lines), table)
	}
}

func TestRulesOfOneGameAmongSeveral(t *testing.T) {
	anna := bare.New(t, wuerfelpoker.New()).Person("Anna")
	r := anna.Writes("/rules wuerfelpoker")
	if r.Private == nil || !strings.HasPrefix(r.Private.Head, "Würfelpoker: ") {
		t.Errorf("reply %+v", r)
	}
	bare.Refused(t, anna.Writes("/wuerfelpoker stake=5"), "“stake” is not known. /help wuerfelpoker shows what is.")
}
