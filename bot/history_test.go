package bot_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"knobel/bot"
	"knobel/games/shutbox"
	"knobel/games/wuerfelpoker"
)

// page is what a private answer with buttons shows, days left out.
func page(t testing.TB, r bot.Reply) string {
	t.Helper()
	if r.Private == nil {
		t.Fatalf("no answer, but %+v", r)
	}
	proper(t, *r.Private)
	return regexp.MustCompile(`\d{4}-\d\d-\d\d`).ReplaceAllString(strings.TrimSpace(show(*r.Private)), "DAY")
}

// plays one game to its end with the house, and returns its table.
func (p *person) plays(command string, others ...*person) int64 {
	p.t.Helper()
	if r := p.writes(command); r.Refused {
		p.t.Fatalf("%s: %s", command, r.Toast)
	}
	table := p.table().ID
	for _, other := range others {
		other.sends(fmt.Sprintf("1:%d:0:!join", table))
	}
	p.sends(fmt.Sprintf("1:%d:0:!start", table))
	p.playOn(command, append(others, p)...)
	return table
}

func TestHistoryListsTheLastGames(t *testing.T) {
	h := newHouse(t)
	anna, ben := h.person("Anna"), h.person("Ben")
	if got := page(t, anna.writes("/history")); got != "No game has ended here yet." {
		t.Error(got)
	}
	for range 12 {
		anna.plays("/coin 5", ben)
	}
	elsewhere := h.person("Clara")
	elsewhere.place = "test:1/2"
	other := elsewhere.plays("/coin 0")
	first := anna.writes("/history")
	got := page(t, first)
	if !strings.HasPrefix(got, "13 games here have ended; page 1 of 3.\n#13 · DAY · Coin: Clara ") ||
		!strings.HasSuffix(got, "[#13][#12][#11][#10][#9]\n[Older ▶]") {
		t.Error(got)
	}
	if !regexp.MustCompile(`\n#12 · DAY · Coin: (Anna|Ben) \+5 · (Anna|Ben) −5\n|#12 · DAY · Coin: Anna 0 · Ben 0`).MatchString(got) {
		t.Error(got)
	}
	if first.Turned {
		t.Error("an answer to a command turns no page")
	}
	older := pressOn(t, first, "Older ▶")
	second := anna.sends(older)
	if got := page(t, second); !strings.HasPrefix(got, "13 games here have ended; page 2 of 3.\n#8") || !second.Turned {
		t.Errorf("%v %s", second.Turned, got)
	}
	if theirs := ben.sends(older); theirs.Turned || theirs.Private == nil {
		t.Errorf("Ben turns Anna's page: %+v", theirs)
	}
	h.restart()
	if got := page(t, anna.sends(older)); got != page(t, second) {
		t.Error("a page is another one after a restart")
	}
	if got := page(t, anna.writes("/history page 99")); !strings.HasPrefix(got, "13 games here have ended; page 3 of 3.") {
		t.Error(got)
	}
	if got := page(t, anna.writes(fmt.Sprintf("/history #%d", other))); !strings.HasPrefix(got, "Game #13, before the first throw. Clara is to throw.") {
		t.Error(got)
	}
	for line, says := range map[string]string{
		"/history 99":        "No game 99 has ended here.",
		"/history x":         "Say /history, or the number of a game: /history 41.",
		"/history 1 x":       "Say /history, or the number of a game: /history 41.",
		"/history 1 2 3":     "Say /history, or the number of a game: /history 41.",
		"/history page x":    "Say /history, or the number of a game: /history 41.",
		"/history 1 <":       "Say /history, or the number of a game: /history 41.",
		"/history @":         "",
		"/history 1 -5 @abc": "",
	} {
		if r := anna.writes(line); r.Toast != says || r.Refused != (says != "") {
			t.Errorf("%s: %+v", line, r)
		}
	}
	foreign := anna.event()
	foreign.Chat, foreign.Place, foreign.Command, foreign.Text = "test:2", "test:2/1", "history", "1"
	refused(t, h.bot.Handle(t.Context(), foreign), "No game 1 has ended here.")
	running := anna.writes("/coin 5")
	refused(t, anna.writes(fmt.Sprint("/history ", running.Board)), fmt.Sprintf("No game %d has ended here.", running.Board))
}

func TestPastGameStepByStep(t *testing.T) {
	h := newHouse(t, shutbox.Game{}, wuerfelpoker.Game{})
	anna, ben := h.person("Anna"), h.person("Ben")
	ben.locale = "de"
	for _, command := range []string{"/shutbox 5", "/wuerfelpoker point=2"} {
		table := anna.plays(command, ben)
		r := anna.writes(fmt.Sprint("/history ", table))
		for i := 0; ; i++ {
			r.Private.Sheet = nil
			t.Log(page(t, r))
			next := anna.sends(pressOn(t, r, "▶"))
			if next.Private.Head == r.Private.Head {
				break
			}
			r = next
			if i > 12 {
				r = anna.sends(pressOn(t, r, "⏭"))
			}
		}
	}
	t.Log(page(t, ben.writes("/history")))
}
