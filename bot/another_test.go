package bot_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"knobel/bot/bare"
	"knobel/bot/chat"
	"knobel/bot/words/wordstest"
)

// speaksOnly fails where a message says something in a language of the code, or is longer than any platform takes.
func speaksOnly(t *testing.T, what string, m chat.Message) {
	t.Helper()
	bare.Proper(t, m)
	text := bare.Show(m) + m.Guide + "\n" + m.Small
	if m.Sheet != nil {
		for _, row := range m.Sheet.Rows {
			text += "\n" + row.Label + "\n" + row.Short
			if n := utf8.RuneCountInString(row.Short); n > 10 {
				t.Errorf("%s: the sheet has a row of %d characters: %s", what, n, row.Short)
			}
		}
	}
	if m.Lang != wordstest.Code {
		t.Errorf("%s is in %s", what, m.Lang)
	}
	if strange := wordstest.Strange(text, "Anna", "Ben"); len(strange) > 0 {
		t.Errorf("%s says %s", what, strange)
	}
	if n := utf8.RuneCountInString(text); n > 3500 {
		t.Errorf("%s has %d characters", what, n)
	}
}

// tells fails where an answer is not in the made-up language.
func tells(t *testing.T, what string, r chat.Reply) {
	t.Helper()
	if n := utf8.RuneCountInString(r.Toast); n > 200 {
		t.Errorf("%s is answered with %d characters", what, n)
	}
	if strange := wordstest.Strange(r.Toast, "Anna", "Ben"); len(strange) > 0 {
		t.Errorf("%s is answered with %s", what, strange)
	}
	if r.Private != nil {
		speaksOnly(t, what, *r.Private)
	}
}

// A language is files: a new one shows no sentence of another, and longer words break nothing.
func TestAnotherLanguage(t *testing.T) {
	anna, ben := bare.Another(t)
	for _, line := range []string{
		"/help", "/help playing", "/rules", "/rules wuerfelpoker", "/rules canoga", "/rules lucky-seven", "/unit",
		"/fair",
		"/leaderboard", "/stats", "/settle", "/season", "/history", "/review", "/puzzle", "/skill", "/hint", "/luck",
		"/nonsense", "/shutbox nonsense",
		"/shutbox tiles=99", "/shutbox match=rounds:0", "/unit Euro", "/settle pay", "/table",
		"/leaderboard against=Nobody", "/tableski", "/language Another",
	} {
		tells(t, line, anna.Writes(line))
	}
	// options as people write them there, languages as they call themselves
	for line, typed := range map[string]string{"/help shutbox": "⟦śtąkę-ę⟧ – ⟦", "/language": "[English][Deutsch]["} {
		if m := anna.Asks(line); !strings.Contains(bare.Show(m), typed) {
			t.Errorf("%s answers\n%s", line, bare.Show(m))
		}
	}
	for _, g := range anna.Games[1:] { // the coin has no words for its house
		for _, v := range g.Variants() {
			t.Run(g.Name()+" "+v.Name, func(t *testing.T) {
				anna.T, ben.T = t, t
				anna.Place, ben.Place = chat.Place("test:1/"+g.Name()+v.Name), chat.Place("test:1/"+g.Name()+v.Name)
				opens := "/" + g.Name()
				if len(g.Variants()) > 1 {
					opens += " variant=" + v.Name
				}
				wholeGame(t, anna, ben, opens)
			})
		}
	}
}

// wholeGame looks at every page of a lobby, at every board of a game and at what can be asked afterwards.
func wholeGame(t *testing.T, anna, ben *bare.Person, opens string) {
	tells(t, opens, anna.Writes(opens))
	m := anna.Board()
	speaksOnly(t, opens, m)
	for _, page := range []string{"!page rules", "!page variants", "!page houses", "!page"} {
		tells(t, page, anna.Sends(chat.LobbyPress(chat.Message{Table: m.Table}, page[1:])))
		speaksOnly(t, page, anna.Board())
	}
	tells(t, "sitting down", ben.Sends(chat.LobbyPress(chat.Message{Table: m.Table}, "join")))
	tells(t, "starting", anna.Sends(chat.LobbyPress(chat.Message{Table: m.Table}, "start")))
	for range 12 {
		board := anna.Board()
		speaksOnly(t, "a board", board)
		tells(t, "a press of somebody else", ben.Sends(board.Buttons[0][0].Press))
		if next := anna.Board(); next.Head == board.Head {
			tells(t, "a press", anna.Sends(board.Buttons[0][0].Press))
		}
		if strings.Contains(board.Buttons[0][0].Press, "!rematch") {
			break
		}
	}
	for _, line := range []string{"/fair", "/rules", "/hint", "/abandon"} {
		tells(t, line, anna.Writes(line))
		speaksOnly(t, line, anna.Board())
	}
}
