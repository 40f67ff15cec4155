package terminal

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"knobel/bot/chat"
	"knobel/bot/words"
	"knobel/games"
)

// english returns a terminal that understands all languages and answers in English.
func english(t interface{ Fatal(...any) }) *Terminal {
	said, err := words.New()
	if err != nil {
		t.Fatal(err)
	}
	return New(noWaiter{}, said, strings.NewReader(""), nil, Table{Lang: "en"})
}

// diceBoard returns a board with these dice, where any dice, but not all of them, can be kept, and rows filled.
func diceBoard(dice ...int) chat.Message {
	m := chat.Message{Table: 7, Pick: &chat.PickOn{Kind: "dice", Refusal: "You keep all."}}
	for _, face := range dice {
		m.Dice = append(m.Dice, chat.Die{Face: face, Sides: 6})
	}
	for set := range 1<<len(dice) - 1 {
		var items []int
		what := "keep "
		for i := range dice {
			if set>>i&1 == 1 {
				items = append(items, i)
			}
			what += strconv.Itoa(set >> i & 1)
		}
		m.Pick.Choices = append(m.Pick.Choices, chat.PickChoice{Items: items, Press: "1:7:3:" + what})
	}
	m.Sheet = &chat.Sheet{}
	row := func(label, short, what string) {
		c := chat.SheetCell{Label: label + " 9"}
		if what != "" {
			c.Press = "1:7:3:" + what
		}
		m.Sheet.Rows = append(m.Sheet.Rows, chat.SheetRow{Label: label, Short: short, Cells: []chat.SheetCell{c}})
	}
	row("Threes", "Threes", "")
	row("Pair", "Pair", "write pair")
	row("3 of a kind", "3 of a k.", "write three")
	row("Small straight", "Sm. str.", "strike small-straight")
	row("Large straight", "Lg. str.", "strike big-straight")
	row("Poker", "Poker", "strike poker")
	m.Buttons = [][]chat.Button{{{Label: "Throw 5 dice", Press: "1:7:3:keep 00000", Style: games.Primary},
		{Label: "Write…", Press: "1:7:3:!show write"}}}
	return m
}

func TestWhatIsTypedAtDice(t *testing.T) {
	m := diceBoard(2, 5, 2, 3, 2)
	for line, want := range map[string]string{
		"2 2 2": "keep 10101", "keep 2 2 2": "keep 10101", "222": "keep 10101", "3 5": "keep 01010",
		"behalte 5, 3": "keep 01010", "5+3 behalten": "keep 01010", "throw 2 2 2": "keep 01010",
		"wirf 5": "keep 10111",
		"throw":  "keep 00000", "werfen": "keep 00000", "throw all": "keep 00000", "keep none": "keep 00000",
		"keine behalten": "keep 00000", "0": "keep 00000", "a": "keep 00000", "Throw 5 dice": "keep 00000",
		"pair": "write pair", "write pair": "write pair", "schreib pair": "write pair", "3 of a kind": "write three",
		"three": "write three", "Pair 9": "write pair", "strike poker": "strike poker",
		"poker streichen":       "strike poker",
		"strike large straight": "strike big-straight", "strike small-straight": "strike small-straight",
		"strike sma":      "strike small-straight",
		"cross out poker": "strike poker", "cross out the large straight": "strike big-straight",
		"score pair": "write pair", "score in pair": "write pair", "trag pair ein": "write pair",
		"trage bei pair ein": "write pair", "cross out": "terminal.rows", "trag ein": "terminal.rows",
		"cross out pair": "terminal.only-write", "in poker": "terminal.only-strike", "out": "terminal.wrong",
		"b": "!show write",
		// Impossible inputs are refused.
		"4": "terminal.no-such-dice", "2 2 2 2": "terminal.no-such-dice", "keep all": "bot.text",
		"2 2 2 3 5": "bot.text", "poker": "terminal.only-strike", "write poker": "terminal.only-strike",
		"strike pair": "terminal.only-write", "threes": "terminal.row-closed", "write": "terminal.rows",
		"streiche": "terminal.rows", "strike": "terminal.rows", "1": "terminal.no-such-dice",
		"99":         "terminal.no-such-dice",
		"strike 2 2": "terminal.not-these", "foo": "terminal.wrong", "": "terminal.wrong",
		"keep pair": "terminal.wrong",
		"c":         "terminal.wrong", "4 of a kind": "terminal.wrong", "-2": "terminal.wrong",
	} {
		e, refusal := english(t).eventOf(m, line)
		if got := pressOrRefusal(e, refusal); got != want {
			t.Errorf("%q means %q, not %q", line, got, want)
		}
	}
}

// pressOrRefusal returns the press of e, or the key of the refusal.
func pressOrRefusal(e chat.Event, refusal games.Line) string {
	if refusal.Key != "" {
		return refusal.Key
	}
	p, _ := chat.ParsePress(e.Press)
	return p.What
}

// asideBoard returns a board where dice are set aside, to roll on or to stop.
func asideBoard() chat.Message {
	m := chat.Message{Table: 7, Pick: &chat.PickOn{Kind: "dice", Picked: []int{0, 2}}}
	for _, face := range []int{1, 4, 5} {
		m.Dice = append(m.Dice, chat.Die{Face: face, Sides: 6})
	}
	for _, c := range []struct {
		items []int
		set   string
	}{{[]int{0}, "1"}, {[]int{2}, "5"}, {[]int{0, 2}, "1 5"}} {
		for _, verb := range []string{"keep", "bank"} {
			m.Pick.Choices = append(m.Pick.Choices, chat.PickChoice{Items: c.items,
				Press: "1:7:3:" + verb + " " + c.set})
		}
	}
	return m
}

func TestWhatIsTypedToSetAside(t *testing.T) {
	for line, want := range map[string]string{
		"5 1": "keep 1 5", "keep 1": "keep 1", "set 5 aside": "keep 5", "leg 5 heraus": "keep 5", "stop": "bank 1 5",
		"stop 1": "bank 1", "schreib 5": "bank 5", "bank": "bank 1 5", "throw": "keep 1 5", "throw 4": "keep 1 5",
		"4": "terminal.not-these", "6": "terminal.no-such-dice", "pair": "terminal.wrong",
	} {
		e, refusal := english(t).eventOf(asideBoard(), line)
		if got := pressOrRefusal(e, refusal); got != want {
			t.Errorf("%q means %q, not %q", line, got, want)
		}
	}
}

// tilesBoard returns a board where tiles that add up to eleven can be closed.
func tilesBoard() chat.Message {
	m := chat.Message{Table: 7, Pick: &chat.PickOn{Kind: "tiles", Goal: 11}}
	var buttons []chat.Button
	for _, set := range [][]int{{11}, {2, 9}, {1, 2, 8}} {
		press := "1:7:3:shut " + spellNumbers(set)
		m.Pick.Choices = append(m.Pick.Choices, chat.PickChoice{Items: set, Press: press})
		buttons = append(buttons, chat.Button{Label: strings.ReplaceAll(spellNumbers(set), " ", "+"), Press: press})
	}
	m.Row(buttons...)
	return m
}

func TestWhatIsTypedAtTiles(t *testing.T) {
	for line, want := range map[string]string{
		"9+2": "shut 2 9", "9 2": "shut 2 9", "2, 9": "shut 2 9", "close 8 1 2": "shut 1 2 8",
		"9 und 2 zu": "shut 2 9",
		"11":         "shut 11", "b": "shut 2 9", "2": "terminal.not-these", "1": "terminal.not-these",
		"92": "terminal.not-these",
		"d":  "terminal.wrong", "nine": "terminal.wrong", "keep 9 2": "terminal.wrong",
	} {
		e, refusal := english(t).eventOf(tilesBoard(), line)
		if got := pressOrRefusal(e, refusal); got != want {
			t.Errorf("%q means %q, not %q", line, got, want)
		}
	}
}

// Dice are kept by their faces in any spelling, and nothing else is kept.
func TestFacesAreKept(t *testing.T) {
	at := english(t)
	rapid.Check(t, func(t *rapid.T) {
		dice := rapid.SliceOfN(rapid.IntRange(1, 6), 1, 6).Draw(t, "dice")
		m := diceBoard(dice...)
		c := rapid.SampledFrom(m.Pick.Choices).Draw(t, "choice")
		if len(c.Items) == 0 {
			return
		}
		kept := rapid.Permutation(facesOf(m, c)).Draw(t, "typed")
		line := rapid.SampledFrom([]string{"", "keep ", "behalte ", "Hold "}).Draw(t, "verb")
		for _, face := range kept {
			line += fmt.Sprint(face) + rapid.SampledFrom([]string{" ", "", ", ", "+", "  "}).Draw(t, "sign")
		}
		e, refusal := at.eventOf(m, line)
		found := slices.IndexFunc(m.Pick.Choices, func(c chat.PickChoice) bool { return c.Press == e.Press })
		if found < 0 || !sameNumbers(facesOf(m, m.Pick.Choices[found]), kept) {
			t.Fatalf("at %v %q means %q, %v", dice, line, e.Press, refusal)
		}
	})
}

// FuzzMeaning types anything at boards of all kinds: the result is an offered move or a refusal with advice. A number
// always means a die or tile of the board.
func FuzzMeaning(f *testing.F) {
	for _, line := range []string{"2 2", "keep 2", "schreib pair", "9+2", "strike 3 of a kind", "throw all", "a", "",
		"0", "q", "00000000000000000000", "½", "２", "–2", "write 2 pair"} {
		f.Add(line)
	}
	at := english(f)
	boards := []chat.Message{diceBoard(2, 5, 2, 3, 2), asideBoard(), tilesBoard()}
	f.Fuzz(func(t *testing.T, line string) {
		for _, m := range boards {
			e, refusal := at.eventOf(m, line)
			if strings.HasPrefix(line, "/") {
				continue
			}
			if (e.Press == "") == (refusal.Key == "") {
				t.Fatalf("%q means %q and is refused by %q", line, e.Press, refusal.Key)
			}
			if e.Press == "" {
				if at.textOf(refusal) == "" {
					t.Errorf("%q is refused without a word", line)
				}
				continue
			}
			verb, _ := moveOf(e.Press)
			if n, err := strconv.Atoi(line); err == nil && verb != "keep" && verb != "shut" {
				t.Errorf("%d plays %q", n, e.Press)
			}
			if !offers(m, e.Press) {
				t.Errorf("%q plays %q, which nothing offers", line, e.Press)
			}
		}
	})
}

// offers reports whether a board offers a press.
func offers(m chat.Message, press string) bool {
	return slices.ContainsFunc(m.Pick.Choices, func(c chat.PickChoice) bool { return c.Press == press }) ||
		slices.ContainsFunc(fillableCells(m), func(c cell) bool { return c.press == press }) ||
		slices.ContainsFunc(slices.Concat(m.Buttons...), func(b chat.Button) bool { return b.Press == press })
}

func TestWrap(t *testing.T) {
	for text, want := range map[string]string{
		"one row of the sheet\n":      "one row of\nthe sheet\n",
		"  a) Throw  b) Write\n":      "  a) Throw\n  b) Write\n",
		"unbreakable-and-long word\n": "unbreakable-and-long\nword\n",
		"ten column\n":                "ten column\n",
		"\nshort\n":                   "\nshort\n",
		"Anna (a): ":                  "Anna (a): ",
		"🎲🎲🎲 🎲🎲\n":                    "🎲🎲🎲\n🎲🎲\n",
	} {
		if got := wrap(text, 10); got != want {
			t.Errorf("%q becomes %q, not %q", text, got, want)
		}
	}
}

// A prompt uses the whole width; only its last line leaves room for typing, and its last words stay together.
func TestPromptsUseTheWidth(t *testing.T) {
	for text, want := range map[string]string{
		"Anna (Enter for 1, a number, q to quit):":            "Anna (Enter for 1, a number,\nq to quit): ",
		"Anna (q to quit):":                                   "Anna (q to quit): ",
		"Anna (a row like “pair”, dice like “2”, q to quit):": "Anna (a row like “pair”, dice like\n“2”, q to quit): ",
		"What is it that you would like to do in this place:": "What is it that you would like to\ndo in this place: ",
	} {
		if got := wrapPrompt(text, 35); got != want {
			t.Errorf("%q becomes %q, not %q", text, got, want)
		}
	}
}

// twoColumnBoard returns a board with a sheet of two columns, of which rows can be filled and called.
func twoColumnBoard() chat.Message {
	m := diceBoard(2, 5, 2, 3, 2)
	m.Sheet = &chat.Sheet{Columns: []chat.SheetColumn{
		{Name: "Anna", Sign: "↓", Column: "down"}, {Name: "Anna", Sign: "↕", Column: "free"},
		{Name: "Anna", Sign: "call", Column: "called"}}}
	row := func(label string, moves ...string) {
		r := chat.SheetRow{Label: label, Short: label}
		for _, what := range moves {
			c := chat.SheetCell{Label: label + " 9"}
			if what != "" {
				c.Press = "1:7:3:" + what
			}
			r.Cells = append(r.Cells, c)
		}
		m.Sheet.Rows = append(m.Sheet.Rows, r)
	}
	row("Ones", "write down ones", "write free ones", "call ones")
	row("Twos", "", "write free twos", "")
	row("Poker", "", "strike free poker", "call poker")
	row("Yamb", "", "", "")
	return m
}

func TestRowsOfSeveralColumnsAreTyped(t *testing.T) {
	m := twoColumnBoard()
	for line, want := range map[string]string{
		"ones down": "write down ones", "down ones": "write down ones", "write ones free": "write free ones",
		"ones ↕": "write free ones", "call ones": "call ones", "ansage ones": "call ones", "twos": "write free twos",
		"call poker": "call poker", "strike poker": "strike free poker", "strike poker free": "strike free poker",
	} {
		press, refusal := english(t).pressOf(m, line)
		if press != "1:7:3:"+want {
			t.Errorf("%q is taken for %q, %v", line, press, refusal)
		}
	}
	for line, want := range map[string]string{
		"ones":      "Ones down or Ones free? Type more of the name.",
		"call twos": "You can score Twos now. Type “score Twos”.",
		"yamb":      "Yamb isn't open for you now.",
		"yamb down": "Yamb isn't open for you now.",
	} {
		press, refusal := english(t).pressOf(m, line)
		if told := english(t).textOf(refusal); press != "" || !strings.HasPrefix(told, want) {
			t.Errorf("%q is taken for %q, told %q", line, press, told)
		}
	}
}

// unrolledBoard returns a board of dice and rows before a roll; the last row can be undone.
func unrolledBoard() chat.Message {
	m := diceBoard()
	m.Pick = nil
	for i := range m.Sheet.Rows {
		m.Sheet.Rows[i].Cells[0].Press = ""
	}
	m.Buttons = [][]chat.Button{{{Label: "Throw", Press: "1:7:3:throw", Style: games.Primary},
		{Label: "↶ Undo", Press: "1:7:3:!undo"}}}
	return m
}

// A row named before a roll is refused with the advice to roll; undo has a word to type.
func TestWhatIsTypedBeforeAThrow(t *testing.T) {
	for line, want := range map[string]string{
		"strike poker": "terminal.throw-first", "write threes": "terminal.throw-first",
		"poker streichen": "terminal.throw-first", "pair": "terminal.throw-first", "write": "terminal.throw-first",
		"strike": "terminal.throw-first", "throw": "throw", "1": "throw", "2": "!undo", "undo": "!undo",
		"Undo":   "!undo",
		"↶ Undo": "!undo", "zurück": "!undo", "rückgängig": "!undo", "foo": "terminal.no-button",
	} {
		e, refusal := english(t).eventOf(unrolledBoard(), line)
		if got := pressOrRefusal(e, refusal); got != want {
			t.Errorf("%q means %q, not %q", line, got, want)
		}
	}
	if e, refusal := english(t).eventOf(diceBoard(2, 5), "undo"); pressOrRefusal(e, refusal) != "terminal.wrong" {
		t.Errorf("where nothing can be taken back, undo means %q", pressOrRefusal(e, refusal))
	}
}
