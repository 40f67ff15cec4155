package scenario

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"knobel/games"
	"knobel/games/sheet/sets"
)

// kniffel is the setting of a bot that plays Kniffel.
var kniffel = Setting{Games: []games.Game{sets.Kniffel()}, Luck: "kniffel"}

// hand is how a person plays, by the board that they see.
type hand struct {
	sees  func() Message
	press func(on Message, data string)
}

// hand returns how p plays in the chat.
func (p *Person) hand() hand {
	return hand{p.Board, func(on Message, data string) { p.Taps(on, data) }}
}

// hand returns how the person plays in the page.
func (a *App) hand() hand {
	sees := func() Message {
		b := a.Board()
		m := pageMessage(b.Message)
		m.ID = string(b.Ref)
		return m
	}
	return hand{sees, func(on Message, data string) {
		if told, status := a.Sends("press", map[string]any{"press": data, "on": on.ID}); status != http.StatusOK {
			a.Errorf("%s is answered %d %s", data, status, told)
		}
	}}
}

// playSheet plays that many turns with a score sheet. In each turn the next hand rolls three times and scores the first
// row on offer, each time a pause after the board that it sees has moved on.
func (s *Stage) playSheet(turns int, pause time.Duration, hands ...hand) {
	s.Helper()
	last := int64(-1)
	for played := 0; ; {
		var on Message
		press := ""
		s.Until("the board moves on", func() bool {
			for next := range 2 { // the mover goes on, or the turn is over
				on = hands[(played+next)%len(hands)].sees()
				press = sheetPress(on)
				_, turn := on.turn()
				over := last >= 0 && strings.HasSuffix(press, ":throw") || strings.HasSuffix(press, ":!rematch")
				if press != "" && turn > last && over == (next == 1) {
					played += next
					return true
				}
			}
			return false
		})
		if played == turns {
			return
		}
		time.Sleep(pause)
		hands[played%len(hands)].press(on, press)
		_, last = on.turn()
	}
}

// sheetPress returns the data of the button that rolls all dice, else of the first row on offer, else of the rematch.
func sheetPress(m Message) string {
	for _, what := range []string{":throw", ":!play", ":write ", ":strike ", ":!rematch"} {
		for _, b := range m.Buttons {
			if strings.HasSuffix(b.Data, what) || strings.HasSuffix(what, " ") && strings.Contains(b.Data, what) {
				return b.Data
			}
		}
	}
	return ""
}

// While all follow the page, the message in the group changes at most once in each turn of less than twenty seconds.
func TestTheGroupChangesOnceATurn(t *testing.T) {
	kniffel.InApp(t, func(s *Stage, g *AppGroup) {
		anna, ben, clara := s.Person("Anna", "en"), s.Person("Ben", "en"), s.Person("Clara", "de")
		s.Sit("/kniffel", anna, ben, clara)
		hands := []hand{g.opens(anna, 1).hand(), g.opens(ben, 1).hand(), g.opens(clara, 1).hand()}
		s.Settled()
		before := s.Board().Edits
		const turns = 9
		s.playSheet(turns, 4500*time.Millisecond, hands...)
		s.Settled()
		if n := s.Board().Edits - before; n > turns {
			t.Errorf("in %d turns the message changes %d times", turns, n)
		}
	})
}

// A game of Kniffel takes two people in the app on Telegram hardly longer than on Discord, at the same pace.
func TestTheAppIsAsFastAsDiscord(t *testing.T) {
	t.Parallel()
	play := func(s *Stage, open func(*Person) hand) (took float64) {
		began := time.Now()
		anna, ben := s.Person("Anna", "en"), s.Person("Ben", "en")
		s.Sit("/kniffel", anna, ben)
		s.playSheet(2*13, leisure, open(anna), open(ben))
		s.Offers(":!rematch")
		return time.Since(began).Seconds()
	}
	var discord, group, app float64
	kniffel.On(t, "Discord", func(s *Stage) { discord = play(s, (*Person).hand) })
	kniffel.On(t, "Telegram", func(s *Stage) { group = play(s, (*Person).hand) })
	kniffel.InApp(t, func(s *Stage, g *AppGroup) {
		app = play(s, func(p *Person) hand { return g.opens(p, 1).hand() })
	})
	t.Logf("Discord takes %.0f s, the app %.2f times as long, and the group without it %.2f times", discord,
		app/discord, group/discord)
	if app > 1.2*discord {
		t.Errorf("the game takes %.0f s in the app and %.0f s on Discord", app, discord)
	}
}
