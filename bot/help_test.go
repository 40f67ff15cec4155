package bot_test

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"knobel/bot/chat"
	"knobel/games/shutbox"
	"knobel/games/wuerfelpoker"
)

// One screen of a phone: so many lines of so many characters, a row of buttons
// as high as two lines.
const (
	screenLines = 24
	screenWidth = 40
)

// linesOf is how many lines of a phone a message takes.
func linesOf(m chat.Message) int {
	lines := 0
	for _, text := range append([]string{m.Head, m.Small}, m.Lines...) {
		lines += (utf8.RuneCountInString(text) + screenWidth - 1) / screenWidth
	}
	for _, row := range m.Buttons {
		lines += 2 * ((len(row) + 3) / 4) // the narrowest platform has four in a row
	}
	return lines
}

// withRealGames opens a house with the real games.
func withRealGames(t *testing.T) (*house, *person) {
	h := newHouse(t, shutbox.Game{}, wuerfelpoker.New())
	return h, h.person("Anna")
}

// asks is a private answer, which must be there.
func (p *person) asks(line string) chat.Message {
	p.t.Helper()
	m := p.writes(line).Private
	if m == nil {
		p.t.Fatalf("%s is not answered with a page", line)
	}
	proper(p.t, *m)
	return *m
}

func TestHelpFitsOneScreen(t *testing.T) {
	_, anna := withRealGames(t)
	for _, lang := range []string{"en", "de"} {
		anna.locale = lang
		if m := anna.asks("/help"); linesOf(m) > screenLines || utf8.RuneCountInString(show(m)) > 900 {
			t.Errorf("/help takes %d lines in %s:\n%s", linesOf(m), lang, show(m))
		}
	}
	if a, b := show(anna.asks("/help")), show(anna.asks("/start from-a-link")); a != b {
		t.Errorf("a first visit reads\n%s\nnot\n%s", b, a)
	}
}

// Every command stands on one page of /help, with a button that explains it,
// and every button of every page answers.
func TestHelpListsEveryCommandOnce(t *testing.T) {
	h, anna := withRealGames(t)
	listed := map[string]int{}
	for _, c := range h.bot.Commands() {
		if c.Subject == "" {
			t.Errorf("/%s has no subject: /help would not show it (see command.go)", c.Name)
		}
	}
	for _, row := range anna.asks("/help").Buttons {
		for _, b := range row {
			page := anna.sends(b.Press)
			if page.Refused || page.Private == nil && page.Board == 0 && page.Toast == "" {
				t.Errorf("%s answers %q", b.Label, page.Toast)
			}
			if !strings.Contains(b.Press, ":/help ") {
				continue
			}
			for _, line := range page.Private.Lines {
				name, _, _ := strings.Cut(line, " ")
				listed[name]++
			}
			if n := utf8.RuneCountInString(show(*page.Private)); n > 1500 {
				t.Errorf("%s has %d characters", b.Label, n)
			}
		}
	}
	for _, c := range h.bot.Commands() {
		if listed["/"+c.Name] != 1 {
			t.Errorf("/%s is listed %d times", c.Name, listed["/"+c.Name])
		}
	}
}

func TestHelpExplainsOneCommand(t *testing.T) {
	h, anna := withRealGames(t)
	for _, lang := range []string{"en", "de"} {
		anna.locale = lang
		for _, c := range h.bot.Commands() {
			m := anna.asks("/help " + c.Name)
			text := show(m) + m.Small
			options := c.Options
			for _, r := range c.Rows {
				options = []chat.CommandOption{}
				if !strings.Contains(text, "/"+c.Name+" "+r.Name+" – "+r.About[lang]) {
					t.Errorf("/help %s does not speak of %s:\n%s", c.Name, r.Name, text)
				}
			}
			for _, o := range options {
				// Here no answer fades, and there is no menu.
				if !o.Fades && !o.OwnMenu && !strings.Contains(text, o.About[lang]) {
					t.Errorf("/help %s does not speak of %s:\n%s", c.Name, o.Name, text)
				}
			}
			if n := utf8.RuneCountInString(text); n > 1900 {
				t.Errorf("/help %s has %d characters", c.Name, n)
			}
		}
	}
	anna.locale = "en"
	if m := anna.asks("/help /shutbox"); !strings.Contains(show(m),
		"one-die – When one die may be thrown instead of all: high-shut") ||
		!strings.Contains(m.Small, "/shutbox variant=subtraction") {
		t.Errorf("/shutbox is explained as\n%s%s", show(m), m.Small)
	}
	anna.locale = "de"
	if m := anna.asks("/help /shutbox"); !strings.Contains(show(m),
		"ein-würfel – Wann ein Würfel statt aller erlaubt ist: wenn-") ||
		!strings.Contains(m.Small, "/shutbox variante=subtraktion") {
		t.Errorf("/shutbox is explained as\n%s%s", show(m), m.Small)
	}
	told(t, anna.writes("/shutbox variante=subtraktion"), "")
	anna.locale = "en"
	refused(t, anna.writes("/help ruels"), "There is no /ruels. Did you mean /rules?")
}

// People call commands what they are called in their language.
func TestCommandsAreCalledInEveryLanguage(t *testing.T) {
	h, anna := withRealGames(t)
	by := map[string]string{}
	for _, c := range h.bot.Commands() {
		for _, name := range append(slices.Clone(c.Aliases), c.Name) {
			if other := by[name]; other != "" {
				t.Errorf("/%s is /%s and /%s", name, c.Name, other)
			}
			by[name] = c.Name
		}
	}
	if a, b := show(anna.asks("/hilfe")), show(anna.asks("/help")); a != b {
		t.Errorf("/hilfe answers\n%s", a)
	}
	if m := anna.asks("/regeln golf"); !strings.Contains(m.Head, "golf") {
		t.Errorf("/regeln golf answers %q", m.Head)
	}
}

// Where a game goes on, /help tells of that one, and each of its buttons does something.
func TestHelpInAGame(t *testing.T) {
	h, anna := withRealGames(t)
	ben := h.person("Ben")
	anna.writes("/shutbox")
	if m := show(anna.asks("/help")); !strings.Contains(m, "[Open Würfelpoker]") {
		t.Errorf("alone at a table, she is not offered another:\n%s", m)
	}
	clara := h.person("Clara")
	begins := func(p *person, want string) {
		t.Helper()
		m := p.asks("/help")
		if got := show(m); !strings.HasPrefix(got, want) {
			t.Errorf("%s reads in %s\n%s\nnot\n%s", p.name, p.locale, got, want)
		}
		for _, b := range slices.Concat(m.Buttons...) {
			if r := p.sends(b.Press); r.Refused {
				t.Errorf("%s presses %s: %s", p.name, b.Label, r.Toast)
			}
		}
	}
	const lobby = "A table of Shut the Box is open here. This is how it goes on:\n" +
		"1. Press “Sit down” on the board, or add a seat of the house. What changes later, those who sit agree to " +
		"first.\n" +
		"2. Press “Start”, then whatever the board offers whoever is to move.\n" +
		"[Show the board]"
	begins(clara, lobby+"\n")
	ben.presses("Sit down")
	if m := show(anna.asks("/help")); !strings.HasPrefix(m, lobby+"[Close table]\n") {
		t.Errorf("whoever has opened the table reads\n%s", m)
	}
	anna.presses("▶ Start")
	anna.presses("🎲 Throw")
	begins(clara, "Shut the Box is being played here. This is how it goes on:\n"+
		"Whoever is to move presses what the board offers.\n"+
		"Another table can be opened here when this game is over.\n"+
		"[Show the board]\n")
	for lang, want := range map[string]string{
		"en": "Shut the Box is being played here. This is how it goes on:\n" +
			"Whoever is to move presses what the board offers.\n" +
			"Another table can be opened here when this game is over.\n" +
			"[Show the board][End the game…]",
		"de": "Hier läuft gerade Shut the Box. So geht es weiter:\n" +
			"Wer dran ist, drückt, was das Brett anbietet.\n" +
			"Einen anderen Tisch könnt ihr aufmachen, wenn diese Partie vorbei ist.\n" +
			"[Brett zeigen][Partie beenden …]",
	} {
		ben.locale = lang
		begins(ben, want)
	}
	ben.writes("/language en")
	if m := show(anna.board()); !strings.Contains(m, "[End it (1 of 2)]") {
		t.Errorf("nothing on the board ends the game:\n%s", m)
	}
}
