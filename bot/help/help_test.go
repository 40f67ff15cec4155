package help_test

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"knobel/bot/bare"
	"knobel/bot/chat"
)

func TestHelpFitsOneScreen(t *testing.T) {
	_, anna := bare.WithRealGames(t)
	for _, lang := range []string{"en", "de"} {
		anna.Locale = lang
		if m := anna.Asks("/help"); bare.LinesOf(m) > bare.ScreenLines || utf8.RuneCountInString(bare.Show(m)) > 900 {
			t.Errorf("/help takes %d lines in %s:\n%s", bare.LinesOf(m), lang, bare.Show(m))
		}
	}
	if a, b := bare.Show(anna.Asks("/help")), bare.Show(anna.Asks("/start from-a-link")); a != b {
		t.Errorf("a first visit reads\n%s\nnot\n%s", b, a)
	}
}

// Every command stands on one page of /help, with a button that explains it,
// and every button of every page answers.
func TestHelpListsEveryCommandOnce(t *testing.T) {
	h, anna := bare.WithRealGames(t)
	listed := map[string]int{}
	for _, c := range h.Bot.AllCommands {
		if c.Subject == "" && !c.Hidden {
			t.Errorf("/%s has no subject: /help would not show it (see command.go)", c.Name)
		}
	}
	for _, row := range anna.Asks("/help").Buttons {
		for _, b := range row {
			page := anna.Sends(b.Press)
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
			if n := utf8.RuneCountInString(bare.Show(*page.Private)); n > 1500 {
				t.Errorf("%s has %d characters", b.Label, n)
			}
		}
	}
	for _, c := range h.Bot.Commands() {
		if listed["/"+c.Name] != 1 {
			t.Errorf("/%s is listed %d times", c.Name, listed["/"+c.Name])
		}
	}
}

func TestHelpExplainsOneCommand(t *testing.T) {
	h, anna := bare.WithRealGames(t)
	for _, lang := range []string{"en", "de"} {
		anna.Locale = lang
		for _, c := range h.Bot.Commands() {
			m := anna.Asks("/help " + c.Name)
			text := bare.Show(m) + m.Small
			options := c.Options
			for _, r := range c.Rows {
				options = []chat.CommandOption{}
				if !strings.Contains(text, "/"+c.Name+" "+r.Name+" – "+r.About[lang]) {
					t.Errorf("/help %s does not speak of %s:\n%s", c.Name, r.Name, text)
				}
			}
			for _, o := range options {
				if !strings.Contains(text, o.About[lang]) {
					t.Errorf("/help %s does not speak of %s:\n%s", c.Name, o.Name, text)
				}
			}
			if n := utf8.RuneCountInString(text); n > 1900 {
				t.Errorf("/help %s has %d characters", c.Name, n)
			}
		}
	}
	anna.Locale = "en"
	if m := anna.Asks("/help /shutbox"); !strings.Contains(bare.Show(m),
		"one-die – When one die may be thrown instead of all: high-shut") ||
		!strings.Contains(m.Small, "/shutbox variant=subtraction") {
		t.Errorf("/shutbox is explained as\n%s%s", bare.Show(m), m.Small)
	}
	anna.Locale = "de"
	if m := anna.Asks("/help /shutbox"); !strings.Contains(bare.Show(m),
		"ein-würfel – Wann ein Würfel statt aller erlaubt ist: wenn-") ||
		!strings.Contains(m.Small, "/shutbox variante=subtraktion") {
		t.Errorf("/shutbox is explained as\n%s%s", bare.Show(m), m.Small)
	}
	bare.Told(t, anna.Writes("/shutbox variante=subtraktion"), "")
	anna.Locale = "en"
	bare.Refused(t, anna.Writes("/help ruels"), "There is no /ruels. Did you mean /rules?")
}

// People call commands what they are called in their language.
func TestCommandsAreCalledInEveryLanguage(t *testing.T) {
	h, anna := bare.WithRealGames(t)
	by := map[string]string{}
	for _, c := range h.Bot.Commands() {
		for _, name := range append(slices.Clone(c.Aliases), c.Name) {
			if other := by[name]; other != "" {
				t.Errorf("/%s is /%s and /%s", name, c.Name, other)
			}
			by[name] = c.Name
		}
	}
	if a, b := bare.Show(anna.Asks("/hilfe")), bare.Show(anna.Asks("/help")); a != b {
		t.Errorf("/hilfe answers\n%s", a)
	}
	if m := anna.Asks("/regeln golf"); !strings.Contains(m.Head, "golf") {
		t.Errorf("/regeln golf answers %q", m.Head)
	}
}

// Where a game goes on, /help tells of that one, and each of its buttons does something.
func TestHelpInAGame(t *testing.T) {
	h, anna := bare.WithRealGames(t)
	ben := h.Person("Ben")
	anna.Writes("/shutbox")
	if m := bare.Show(anna.Asks("/help")); !strings.Contains(m, "[Open Würfelpoker]") {
		t.Errorf("alone at a table, she is not offered another:\n%s", m)
	}
	clara := h.Person("Clara")
	begins := func(p *bare.Person, want string) {
		t.Helper()
		m := p.Asks("/help")
		if got := bare.Show(m); !strings.HasPrefix(got, want) {
			t.Errorf("%s reads in %s\n%s\nnot\n%s", p.Name, p.Locale, got, want)
		}
		for _, b := range slices.Concat(m.Buttons...) {
			if r := p.Sends(b.Press); r.Refused {
				t.Errorf("%s presses %s: %s", p.Name, b.Label, r.Toast)
			}
		}
	}
	const lobby = "A table of Shut the Box is open here. This is how it goes on:\n" +
		"1. Press “Sit down” on the board, or add a seat of the house. What changes later, those who sit agree to " +
		"first.\n" +
		"2. Press “Start”, then whatever the board offers whoever is to move.\n" +
		"[Show the board]"
	begins(clara, lobby+"\n")
	ben.Presses("Sit down")
	if m := bare.Show(anna.Asks("/help")); !strings.HasPrefix(m, lobby+"[Close table]\n") {
		t.Errorf("whoever has opened the table reads\n%s", m)
	}
	anna.Presses("▶ Start")
	anna.Presses("🎲 Throw")
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
		ben.Locale = lang
		begins(ben, want)
	}
	ben.Writes("/language en")
	if m := bare.Show(anna.Board()); !strings.Contains(m, "[End it (1 of 2)]") {
		t.Errorf("nothing on the board ends the game:\n%s", m)
	}
}
