package bot_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"knobel/bot/bare"
	"knobel/bot/chat"
	"knobel/bot/review"
	"knobel/games/record"
	"knobel/games/shutbox"
	"knobel/store"
)

func TestPrivateAnswersAreInThePersonsLanguage(t *testing.T) {
	h := bare.New(t)
	anna, ben := h.Person("Anna"), h.Person("Ben")
	ben.Locale = "de-AT"
	anna.Admin, ben.Admin = true, true
	anna.Writes("/coin")
	bare.Told(t, ben.Presses("Sit down"), "Du bist dabei. /luck WORT gibt dein Glück zu den Würfeln.")
	bare.Told(t, anna.Writes("/language de"), "We speak Deutsch here now.")
	bare.Want(t, anna.Board(), `
Anna macht einen Tisch auf: Münze um 10 Chips.
Anna
Ben
Topf 20 Chips
[Mitspielen][Aufstehen]
[▶ Los][+ Haus][⚙ Regeln]`)
	if r := anna.Writes("/language klingon"); !r.Refused ||
		!strings.HasPrefix(r.Toast, "“klingon” is not known. Take one of: English, Deutsch") {
		t.Errorf("told %q", r.Toast)
	}
	bare.Told(t, anna.Writes("/language englisch"), "We speak English here now.")
	bare.Told(t, anna.Writes("/language German"), "We speak Deutsch here now.")
	ben.Locale = "qaa" // nobody speaks that: the chat's
	bare.Told(t, ben.Writes("/unit Bohnen"), "Hier geht es ab jetzt um Bohnen.")
	m := anna.Writes("/language").Private
	if m == nil || m.Head != "We speak Deutsch here." || len(m.Buttons[0]) < 2 {
		t.Errorf("%+v", m)
	}
	bare.Told(t, anna.Sends(m.Buttons[0][0].Press), "We speak English here now.")
}

func TestBoardIsInTheOpenersLanguageUntilTheChatAgreesOnOne(t *testing.T) {
	h := bare.New(t)
	anna := h.Person("Anna")
	anna.Locale = "de"
	anna.Writes("/coin 1")
	if m := anna.Board(); m.Lang != "de" || m.Head != "Anna macht einen Tisch auf: Münze." ||
		m.Lines[0] != "Allein ist es Übung: Der Einsatz von 1 Chip gilt ab zwei." {
		t.Errorf("%s: %s", m.Lang, m.Head)
	}

	h = bare.New(t)
	anna, ben, clara := h.Person("Anna"), h.Person("Ben"), h.Person("Clara")
	anna.Locale, ben.Locale, clara.Locale = "fr", "de", "en" // hers is not offered, and as many speak either of theirs
	anna.Writes("/coin 1")
	ben.Sends("1:1:0:!join")
	clara.Sends("1:1:0:!join")
	for range 20 {
		if m := anna.Board(); m.Lang != "en" {
			t.Fatalf("as many speak German as English, and the board is in %s", m.Lang)
		}
	}
}

func TestFairShowsWhatTheDiceFollowFrom(t *testing.T) {
	h := bare.New(t)
	anna, ben := h.Person("Anna"), h.Person("Ben")
	bare.Refused(t, anna.Writes("/fair"), "There is no table here. /help shows how to open one.")
	bare.Refused(t, anna.Writes("/luck fox"), "There is no table here. /help shows how to open one.")
	anna.Writes("/coin")
	if got, whole := anna.Board().Small,
		anna.Table().Commitment; !strings.HasPrefix(got, "Dice seal "+whole[:12]+" · ") {
		t.Errorf("small print %q", got)
	}
	bare.Refused(t, ben.Writes("/luck fox"), "Sit down first, then give your word.")
	bare.Refused(t, anna.Writes("/luck"), "Give a word of yours: /luck fox.")
	bare.Refused(t, anna.Writes("/luck "+strings.Repeat("x", 65)), "That word is too long. Take 64 characters at most.")
	bare.Refused(t, anna.Writes("/luck a\nb"), "No line breaks or control characters: take a plain word.")
	bare.Told(t, anna.Writes("/luck <b>*_[x](y)@everyone"), "Your word is in the dice.")
	anna.Presses("+ House")
	anna.Presses("▶ Start")
	bare.Refused(t, anna.Writes("/luck late"), "The dice are sealed by now. Give your word in a lobby.")

	table := anna.Table()
	before := bare.Show(*anna.Writes("/fair").Private)
	for _, want := range []string{table.Commitment, "secret", "Luck of Anna: <b>*_[x](y)@everyone",
		"Luck of House: house"} {
		if !strings.Contains(before, want) {
			t.Errorf("%q is missing in\n%s", want, before)
		}
	}
	if seed := hex.EncodeToString(table.Seed); strings.Contains(before, seed) {
		t.Error("the seed is told before the end")
	}
	if r := anna.Writes("/fair 1"); bare.Show(*r.Private) != before {
		t.Errorf("by its number it is\n%s", bare.Show(*r.Private))
	}
	bare.Refused(t, anna.Writes("/fair 2"), "No game 2 has ended here. /history lists them.")
	anna.Presses("Throw")
	for _, line := range []string{"/luck late", "/hint", "/handover"} {
		bare.Refused(t, anna.Writes(line), "This game is over. ↻ Rematch plays the next.")
	}
	m := anna.Presses("Dice ✓").Private
	after := bare.Show(*m)
	moves := h.Moves(1)
	for _, want := range []string{hex.EncodeToString(table.Seed),
		"Thrown: " + fmt.Sprintf("%d · %d", moves[0].Dice[0], moves[1].Dice[0]),
		"ask whoever runs this bot for the record"} {
		if !strings.Contains(after, want) {
			t.Errorf("%q is missing in\n%s", want, after)
		}
	}
	if sum := sha256.Sum256(table.Seed); hex.EncodeToString(sum[:]) != table.Commitment {
		t.Error("the seal is not the seed's")
	}
}

func TestUnits(t *testing.T) {
	h := bare.New(t)
	anna := h.Person("Anna")
	anna.Admin = true
	if m := anna.Writes("/unit").Private; m == nil || !strings.HasPrefix(m.Head, "We play for 10 chips, say.") {
		t.Errorf("%+v", m)
	}
	bare.Told(t, anna.Writes("/unit  iced   coffees"), "From now on you play for iced coffees here.")
	anna.Writes("/coin 3")
	if m := anna.Board(); m.Lines[0] != "Alone it is practice: the stake of 3 iced coffees counts from two on." {
		t.Error(m.Lines)
	}
	bare.Refused(t, anna.Writes("/unit "+strings.Repeat("x", 25)), "That name is too long. Take 24 characters at most.")
	for _, money := range []string{"€", "US-Dollar"} {
		bare.Refused(t, anna.Writes("/unit "+money), "No games of chance for money here. How about coffees?")
	}
	if unit := anna.Table().Unit; unit != "iced coffees" {
		t.Errorf("the open table plays for %q now", unit)
	}
}

func TestRules(t *testing.T) {
	h := bare.New(t, bare.Pile{})
	anna := h.Person("Anna")
	for _, c := range []struct{ line, head string }{
		{"/rules", "Coin: classic"}, {"/rules big", "Pile: big"}, {"/rules BIG", "Pile: big"},
	} {
		if m := anna.Writes(c.line).Private; m == nil || m.Head != c.head || len(m.Lines) == 0 {
			t.Errorf("%s: %+v", c.line, m)
		}
	}
	bare.Refused(t, anna.Writes("/rules variant=xyzzy"),
		"“xyzzy” is not known. Take one of: coin, pile, classic, big, duel.")
	bare.Refused(t, anna.Writes("/rules bik"), "“bik” is not known. Did you mean “big”?")
	anna.Writes("/pile size=8 end=first")
	if m := anna.Writes("/rules").Private; m.Head != "Pile: size: 8 tiles and end: first" {
		t.Errorf("of the table here: %s", m.Head)
	}
}

func TestOptionsInAnyOrder(t *testing.T) {
	for _, c := range []struct {
		text, told string // told: why not
		stake      int64
		rules      string
	}{
		{"", "", 10, "map[]"},
		{"20", "", 20, "map[]"},
		{"0 big", "", 0, "map[size:8]"},
		{"groß 3", "", 3, "map[size:8]"},
		{"BIG --end=first stake=7", "", 7, "map[end:first size:8]"},
		{"size=8 variant=duel", "", 10, "map[end:first size:8]"},
		{"low", "", 10, "map[start:low]"},
		{"last", "Which one: end=last or start=last?", 0, ""},
		{"bigg", "“bigg” is not known. Did you mean “big”?", 0, ""},
		{"sise=8", "“sise” is not known. Did you mean “size”?", 0, ""},
		{"size=9", "size cannot be “9”. Take one of: 6, 8.", 0, ""},
		{"variant=bug", "There is no variant “bug”. Did you mean “big”?", 0, ""},
		{"-5", "A stake cannot be less than 0; 0 is for fun.", 0, ""},
		{"−5", "A stake cannot be less than 0; 0 is for fun.", 0, ""},
		{"1000001", "The highest stake is 1,000,000. Take that, or less.", 0, ""},
		{"99999999999999999999", "The highest stake is 1,000,000. Take that, or less.", 0, ""},
		{"-", "“-” is not known. /help pile shows what is.", 0, ""},
		{"stake=ten", "The stake is a whole number, such as 10.", 0, ""},
		{"5 6", "“stake” stands there twice. Say it once.", 0, ""},
		{strings.Repeat("x ", 300), "That is too long to read. Say it in fewer words.", 0, ""},
		{"<b>\u202e@everyone", "“<b>@everyone” is not known. /help pile shows what is.", 0, ""},
	} {
		h := bare.New(t, bare.Pile{})
		anna := h.Person("Anna")
		r := anna.Writes("/pile " + c.text)
		if r.Toast != c.told || r.Refused != (c.told != "") {
			t.Errorf("%q: told %q, want %q", c.text, r.Toast, c.told)
		}
		if c.told != "" {
			continue
		}
		if table := anna.Table(); table.Stake != c.stake || fmt.Sprint(table.Rules) != c.rules {
			t.Errorf("%q: stake %d, rules %v", c.text, table.Stake, table.Rules)
		}
	}
}

func TestOptionsThatThePlatformHasApart(t *testing.T) {
	h := bare.New(t, bare.Pile{})
	anna := h.Person("Anna")
	ev := anna.Event()
	ev.Command, ev.Options = "pile", map[string]string{"stake": "4", "variant": "big", "end": "first"}
	h.Bot.Handle(context.Background(), ev)
	if table := anna.Table(); table.Stake != 4 || fmt.Sprint(table.Rules) != "map[end:first size:8]" {
		t.Errorf("stake %d, rules %v", table.Stake, table.Rules)
	}
	bare.Refused(t, anna.Writes("/sit"), "There is no /sit. /help shows what there is.")
}

func TestMenus(t *testing.T) {
	h := bare.New(t, bare.Pile{}, shutbox.Game{})
	names := map[string]bool{}
	for _, c := range h.Bot.Commands() {
		if names[c.Name] || len(c.Options) > 25 {
			t.Errorf("command %s with %d options", c.Name, len(c.Options))
		}
		names[c.Name] = true
		fits(t, c.Name, c.About)
		for _, o := range c.Options {
			fits(t, c.Name+" "+o.Name, o.About)
			if len(o.Choices) > 25 {
				t.Errorf("%s %s has %d choices", c.Name, o.Name, len(o.Choices))
			}
			for _, choice := range o.Choices {
				fits(t, c.Name+" "+o.Name+"="+choice.Value, choice.Label)
			}
		}
	}
	for _, name := range []string{"coin", "pile", "shutbox", "table", "rules", "fair", "luck", "abandon", "help",
		"language", "unit"} {
		if !names[name] {
			t.Errorf("no command %s", name)
		}
	}
}

func fits(t *testing.T, what string, said map[string]string) {
	t.Helper()
	for _, lang := range []string{"en", "de"} {
		if n := utf8.RuneCountInString(said[lang]); n == 0 || n > 100 {
			t.Errorf("%s in %s: %q", what, lang, said[lang])
		}
	}
}

func TestCompletion(t *testing.T) {
	h := bare.New(t, bare.Pile{}, shutbox.Game{})
	complete := func(command, option, typed string) string {
		var values []string
		for _, c := range h.Bot.Complete(context.Background(), chat.Event{Command: command, Locale: "de"}, option,
			typed) {
			values = append(values, c.Value)
		}
		return strings.Join(values, " ")
	}
	for _, c := range []struct{ command, option, typed, want string }{
		{"pile", "variant", "", "classic big duel"},
		{"pile", "variant", "du", "duel"},
		{"pile", "variant", "GRO", "big"},
		{"pile", "size", "8", "8"},
		{"shutbox", "tiles", "4-9", "4-9"},
		{"shutbox", "match", "rounds:3", "rounds:3"},
		{"pile", "nothing", "", ""},
		{"nothing", "variant", "", ""},
	} {
		if got := complete(c.command, c.option, c.typed); got != c.want {
			t.Errorf("%s %s=%q offers %q, want %q", c.command, c.option, c.typed, got, c.want)
		}
	}
	if n := len(strings.Fields(complete("rules", "variant", ""))); n == 0 || n > 25 {
		t.Errorf("%d variants offered", n)
	}
}

func TestRecordsAreExported(t *testing.T) {
	h := bare.New(t)
	anna := h.Person("Anna")
	anna.Writes("/coin 3")
	if _, err := h.Bot.Record(context.Background(), 1); err == nil {
		t.Error("a record of a lobby")
	}
	anna.Presses("+ House")
	anna.Presses("▶ Start")
	anna.Presses("Throw")
	lines := h.Export(review.Wanted{})
	if len(lines) != 1 || !strings.Contains(lines[0], `"name":"Anna"`) {
		t.Fatalf("exported %q", lines)
	}
	if lines = h.Export(review.Wanted{Chat: "test:1", Anonymous: true}); len(lines) != 1 ||
		strings.Contains(lines[0], "Anna") {
		t.Errorf("exported %q", lines)
	}
	if lines = h.Export(review.Wanted{Chat: "test:2"}); len(lines) != 0 {
		t.Errorf("exported %q", lines)
	}
	if lines = h.Export(review.Wanted{Table: 1}); len(lines) != 1 {
		t.Errorf("exported %q", lines)
	}
	if lines = h.Export(review.Wanted{Table: 1, Chat: "test:1"}); len(lines) != 1 {
		t.Errorf("exported %q", lines)
	}
	err := h.Bot.Export(context.Background(), review.Wanted{Table: 1, Chat: "test:2"}, func(r record.Record) error {
		t.Errorf("another chat is given %v", r)
		return nil
	})
	if !errors.Is(err, store.ErrNotFound) {
		t.Errorf("a table of another chat: %v", err)
	}
}

func TestGroupMoves(t *testing.T) {
	h, s := bare.New(t), bare.NewStage()
	h.OnStage(s)
	anna := h.Person("Anna")
	anna.Writes("/coin")
	s.WantDone(t, "post test:m1")
	h.Settled(s) // the move finds a board that is known
	for range 2 {
		migrates(h)
	}
	s.WantDone(t, "post test:m1", "post test:m2")
	ev := anna.Event()
	ev.Chat, ev.Place, ev.Press = "test:9", "test:9/1", "1:1:0:!house random"
	if r := h.Bot.Handle(context.Background(), ev); r.Refused {
		t.Errorf("told %q", r.Toast)
	}
	if r := anna.Writes("/table"); !r.Refused {
		t.Error("the table is in the old place as well")
	}
}

// migrates has the chat "test:1" become "test:9".
func migrates(h *bare.House) {
	h.T.Helper()
	err := h.Bot.Migrate(context.Background(), "test:1", "test:9", func(p chat.Place) chat.Place {
		return chat.Place(strings.Replace(string(p), "test:1", "test:9", 1))
	})
	if err != nil {
		h.T.Error(err)
	}
}

// A board that is posted while its group moves stands in the old one, and is taken
// away there: the new one gets its own.
func TestGroupMovesWhileItsBoardIsPosted(t *testing.T) {
	h, s := bare.New(t), bare.NewStage()
	s.Fail = func(what string, place chat.Place) error {
		if what == "post" && place == "test:1/1" {
			migrates(h)
		}
		return nil
	}
	h.OnStage(s)
	h.Person("Anna").Writes("/coin")
	s.Until(t, "both are posted, and the first is taken away", func(done []string) bool {
		done = slices.Sorted(slices.Values(done))
		return slices.Equal(done, []string{"post test:m1", "post test:m2", "retire test:m1"})
	})
	moved := h.Person("Anna")
	moved.Place = "test:9/1"
	s.Until(t, "the board of the new group is known", func([]string) bool { return moved.Table().Board == "test:m2" })
}

// All boards of a chat speak its language, wherever they stand.
func TestLanguageOfAllBoards(t *testing.T) {
	h := bare.New(t)
	anna, ben := h.Person("Anna"), h.Person("Ben")
	ben.Place = "test:1/2"
	ben.Writes("/coin 10")
	anna.Writes("/coin 10")
	ben.Board()
	anna.Admin = true
	anna.Writes("/language de")
	if table := ben.Table(); table.Drawn == table.Version {
		t.Error("the board at another place of the chat is not drawn in its new language")
	}
}
