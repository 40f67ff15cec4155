package table_test

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"knobel/bot/bare"
	"knobel/bot/chat"
)

// commandsOf are the commands that the buttons of a message carry.
func commandsOf(m chat.Message) (all []string) {
	for _, row := range m.Buttons {
		for _, b := range row {
			if i := strings.Index(b.Press, ":/"); i >= 0 {
				all = append(all, b.Press[i+1:])
			}
		}
	}
	return all
}

// A table that is opened by the command of any game is one that the game's own command opens.
func TestPlayOpensWhatTheGamesCommandDoes(t *testing.T) {
	for _, c := range []struct{ play, own string }{
		{"/play shutbox", "/shutbox"},
		{"/play shutbox 5 golf", "/shutbox 5 golf"},
		{"/play game=shutbox tiles=12 stake=7", "/shutbox tiles=12 stake=7"},
		{"/play Shut the Box 5", "/shutbox 5"},
		{"/play SHUT-THE-BOX 5 options=golf", "/shutbox 5 golf"},
		{"/spielen Würfelpoker order=free", "/wuerfelpoker order=free"},
		{"/play spiel=münze einsatz=3", "/coin 3"},
		{"/play /lids 2", "/lids 2"},
		{"/play coin 0 turn=none", "/coin 0 turn=none"},
	} {
		h, anna := bare.WithManyGames(t)
		ben := h.Person("Ben")
		ben.Place, ben.Chat = "test:2/1", "test:2"
		played, own := anna.Writes(c.play), ben.Writes(c.own)
		if played.Refused || own.Refused || played.Board == 0 || own.Board == 0 {
			t.Errorf("%s: %+v; %s: %+v", c.play, played, c.own, own)
			continue
		}
		one, other := h.TableOf(played.Board), h.TableOf(own.Board)
		if one.Game != other.Game || one.Stake != other.Stake || one.TurnLimit != other.TurnLimit ||
			!maps.Equal(one.Rules, other.Rules) {
			t.Errorf("%s opens %+v, %s %+v", c.play, one, c.own, other)
		}
	}
}

// Options that a platform has apart are read as if they were written, and what the game's command refuses is refused.
func TestPlayReadsOptions(t *testing.T) {
	h, anna := bare.WithManyGames(t)
	ev := anna.Event()
	ev.Command, ev.Options = "play", map[string]string{"game": "shutbox", "stake": "5", "options": "golf turn=none"}
	if r := h.Bot.Handle(context.Background(), ev); r.Board == 0 || h.TableOf(r.Board).Stake != 5 {
		t.Errorf("%+v", r)
	}
	ben := h.Person("Ben")
	ben.Place = "test:1/2"
	for _, rest := range []string{"gulf", "99999999", "stake=−1", "2 stake=3", strings.Repeat("x", 500)} {
		bare.Refused(t, ben.Writes("/play shutbox "+rest), ben.Writes("/shutbox "+rest).Toast)
	}
}

// A game that there is not is refused with the nearest that there is, in any language.
func TestPlayRefusesWhatIsNoGame(t *testing.T) {
	_, anna := bare.WithManyGames(t)
	bare.Refused(t, anna.Writes("/play shutbx"), "There is no game “shutbx”. Did you mean “shutbox”?")
	bare.Refused(t, anna.Writes("/play würfelpokr 10"), "There is no game “würfelpokr”. Did you mean “würfelpoker”?")
	bare.Refused(t, anna.Writes("/play 10"), "There is no game “10”. Take one of: coin, shutbox, wuerfelpoker, "+
		"zehntausend, farkle, loser, lids.")
	anna.Locale = "de"
	bare.Refused(t, anna.Writes("/play shutbx"), "Ein Spiel „shutbx“ gibt es nicht. Meinst du „shutbox“?")
}

// Alone it shows the games by family, and every button of every page does what it says.
func TestPlayShowsTheGames(t *testing.T) {
	_, anna := bare.WithManyGames(t)
	want := `What do you want to play?
Boxes: Shut the Box
Score sheets: Würfelpoker
Others: Coin, Zehntausend, Farkle, Loser and Lids
[Boxes][Score sheets][Others]`
	m := anna.Asks("/play")
	if got := strings.TrimSpace(bare.Show(m)); got != want {
		t.Errorf("the families are\n%s", got)
	}
	if got := commandsOf(m); !slices.Equal(got, []string{"/play box", "/play sheet", "/play others"}) {
		t.Errorf("%q", got)
	}
	others := anna.Sends(m.Buttons[0][2].Press).Private
	want = "/coin /zehntausend /farkle /loser /lids /play"
	if got := strings.Join(commandsOf(*others), " "); got != want {
		t.Errorf("the others are %q:\n%s", got, bare.Show(*others))
	}
	bare.Proper(t, *others)
	anna.Locale = "de"
	if m := anna.Asks("/spielen klappbretter"); !strings.HasPrefix(m.Head, "Klappbretter. Welches Spiel?") {
		t.Errorf("%s", bare.Show(m))
	}
	if r := anna.Sends(others.Buttons[0][4].Press); r.Board == 0 || anna.House.TableOf(r.Board).Game != "lids" {
		t.Errorf("%+v", r)
	}
}

// A table of a variant with a command of its own is called by the variant's name, whatever its target.
func TestATableIsCalledByItsVariant(t *testing.T) {
	for _, c := range []struct{ line, called, rules string }{
		{"/farkle", "Farkle", "Farkle"},
		{"/farkle target=5000 stake=3", "Farkle", "Farkle and target: up to 5000"},
		{"/play farkle", "Farkle", "Farkle"},
		{"/zehntausend variant=farkle target=1000", "Farkle", "Farkle and target: up to 1000"},
		{"/zehntausend classic", "Zehntausend", "classic"},
		{"/zehntausend variant=zehntausend", "Zehntausend", "classic"},
		{"/farkle nothings=500", "Zehntausend", ""},
	} {
		h, anna := bare.WithManyGames(t)
		table := h.TableOf(anna.Writes(c.line).Board)
		board := anna.Board()
		if board.Game != c.called || !strings.Contains(board.Head, c.called) ||
			!strings.Contains(board.Small, c.rules) {
			t.Errorf("%s opens %v of %q: %q %q", c.line, table.Rules, board.Game, board.Head, board.Small)
		}
	}
	_, anna := bare.WithManyGames(t)
	anna.Writes("/farkle")
	anna.Sends(chat.Press{Table: anna.Table().ID, What: "!set variant=classic"}.String()) // of a board of before
	if rules := anna.Table().Rules; len(rules) > 0 {
		t.Errorf("a button of before sets %v", rules)
	}
}

// So is its game in all that is told of it afterwards.
func TestAGameIsCalledByItsVariant(t *testing.T) {
	h, anna := bare.WithManyGames(t)
	anna.Admin = true
	table := anna.Plays("/farkle 10 target=1000", h.Person("Ben"))
	for _, line := range []string{"/history", "/settle why", fmt.Sprint("/void ", table)} {
		if got := bare.Show(*anna.Writes(line).Private); !strings.Contains(got, "Farkle") {
			t.Errorf("%s\n%s", line, got)
		}
	}
	for _, locale := range []string{"en", "de"} {
		anna.Locale = locale
		if got := anna.Asks("/rules farkle").Head; got != "Farkle" {
			t.Errorf("in %s: %s", locale, got)
		}
	}
	anna.Writes("/farkle target=5000")
	if got := anna.Asks("/regeln").Head; got != "Farkle und Ziel: bis 5000" {
		t.Error(got)
	}
}

// Few games have a button each.
func TestPlayShowsFewGamesAtOnce(t *testing.T) {
	_, anna := bare.WithRealGames(t)
	m := anna.Asks("/play")
	if got := commandsOf(m); !slices.Equal(got, []string{"/coin", "/shutbox", "/wuerfelpoker"}) {
		t.Errorf("%q:\n%s", got, bare.Show(m))
	}
	if m := anna.Asks("/play sheet"); !slices.Equal(commandsOf(m), []string{"/wuerfelpoker", "/play"}) {
		t.Errorf("%s", bare.Show(m))
	}
}

// Names of games are completed by their names, and by what they are called in the reader's language.
func TestGamesAreCompleted(t *testing.T) {
	h, anna := bare.WithManyGames(t)
	for _, c := range []struct{ locale, typed, want string }{
		{"en", "", "coin shutbox wuerfelpoker zehntausend farkle loser lids"},
		{"en", "shut", "shutbox"},
		{"en", "the box", "shutbox"},
		{"de", "münz", "coin"},
		{"de", "Würfel", "wuerfelpoker"},
		{"de", "wuerf", "wuerfelpoker"},
		{"en", "münz", ""},
	} {
		ev := anna.Event()
		ev.Command, ev.Locale = "play", c.locale
		var got []string
		for _, offered := range h.Bot.Complete(context.Background(), ev, "game", c.typed) {
			got = append(got, offered.Value)
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s in %s: %q, want %q", c.typed, c.locale, got, c.want)
		}
	}
}

// What stands behind a game's own command is completed as the game reads it, word by word.
func TestOptionsOfGamesAreCompleted(t *testing.T) {
	h, anna := bare.WithManyGames(t)
	for _, c := range []struct{ locale, game, typed, want string }{
		{"en", "wuerfelpoker", "or", "order=parts order=free"},
		{"de", "würfelpoker", "reihenfolge", "order=parts order=free"},
		{"en", "wuerfelpoker", "order=free mi", "order=free miss=strike order=free miss=deferred"},
		{"en", "wuerfelpoker", "order=free ord", ""},
		{"en", "shutbox", "variant=g", "variant=golf"},
		{"en", "nothing", "or", ""},
		{"en", "", "or", ""},
	} {
		ev := anna.Event()
		ev.Command, ev.Locale, ev.Options = "play", c.locale, map[string]string{"game": c.game}
		var got []string
		for _, offered := range h.Bot.Complete(context.Background(), ev, "options", c.typed) {
			got = append(got, offered.Value)
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s of %s in %s: %q, want %q", c.typed, c.game, c.locale, got, c.want)
		}
	}
	for _, text := range []string{"game=wuerfelpoker", "wuerfelpoker stake=5"} { // where people type all of it
		ev := anna.Event()
		ev.Command, ev.Text = "play", text
		all := h.Bot.Complete(context.Background(), ev, "options", "order=free mi")
		if len(all) != 2 || all[0].Value != "order=free miss=strike" {
			t.Errorf("behind %s there is %+v", text, all)
		}
	}
}

// Many games do not fill /help: there stand the first, and /play.
func TestManyGamesDoNotFillHelp(t *testing.T) {
	_, anna := bare.WithManyGames(t)
	for _, page := range []string{"/help", "/help playing", "/hello"} {
		all := strings.Join(commandsOf(anna.Asks(page)), " ")
		if !strings.Contains(all, "play") || strings.Contains(all, "lids") {
			t.Errorf("%s: %s", page, all)
		}
	}
	for _, lang := range []string{"en", "de"} {
		anna.Locale = lang
		if m := anna.Asks("/help"); bare.LinesOf(m) > bare.ScreenLines {
			t.Errorf("/help takes %d lines in %s:\n%s", bare.LinesOf(m), lang, bare.Show(m))
		}
	}
	if m := anna.Asks("/help lids"); !strings.HasPrefix(m.Head, "/lids – ") {
		t.Errorf("%s", bare.Show(m))
	}
}
