package scenario

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"knobel/store"
)

// inBothLanguages runs evening on each platform in each language, and compares each transcript with its stored file.
func inBothLanguages(t *testing.T, name string, set Setting, evening func(s *Stage, language string) *reader) {
	for _, platform := range []string{"Discord", "Telegram"} {
		for _, language := range []string{"en", "de"} {
			t.Run(language, func(t *testing.T) {
				set.On(t, platform, func(s *Stage) {
					evening(s, language).compare(name + "-" + strings.ToLower(platform) + "-" + language)
				})
			})
		}
	}
}

// An evening around a game: house rules, a second table, a double tap, chatter, balances and their reasons, payments,
// pictures, and pages that are shown to all.
func TestTheEveningOfTheBooks(t *testing.T) {
	inBothLanguages(t, "books", Setting{Luck: "books"}, func(s *Stage, language string) *reader {
		said := func(en, de string) string { return map[string]string{"en": en, "de": de}[language] }
		anna, ben := s.Person("Anna", language).Admin(), s.Person("Ben", language)
		time.Sleep(2 * time.Minute)
		r := reads(s, anna, ben)
		r.writes(anna, "/unit name="+said("coffees", "Kaffee"))
		r.writes(anna, "/shutbox stake=7 hints=yes")
		r.writes(anna, "/house save Friday")
		r.presses(ben, ":!join")
		r.presses(anna, ":!start")
		if s.Name() == "Discord" { // elsewhere the answer and the board come in any order
			r.writes(ben, "/wuerfelpoker")
		}
		r.noteDeed(anna, "taps twice where the button was", func() string {
			throw, _ := nextButton(s.Board())
			told := []string{anna.Sends(s.Board(), throw.Data)}
			time.Sleep(150 * time.Millisecond)
			again, _ := nextButton(s.Board()) // the new button in the place of the first
			told = append(told, anna.Taps(s.Board(), again.Data))
			return strings.Join(told, " / ")
		})
		r.noteDeed(ben, "talks: forty messages", func() string { s.chatter(ben, 40); return "" })
		time.Sleep(2 * time.Minute)
		r.playGame(1, anna, ben)
		end := s.Board().Text
		time.Sleep(10 * time.Second)
		r.writes(anna, "/review")
		r.presses(anna, said("Chart", "Verlauf"))
		r.noteCompletion(ben, "shutbox", "house", "Fr")
		r.writes(anna, "/leaderboard")
		if show := said("Show everyone", "Allen zeigen"); s.Name() == "Discord" {
			r.presses(anna, show)
		}
		r.writes(ben, "/settle")
		r.presses(ben, said("Why?", "Warum?"))
		r.presses(ben, said("Back", "Zurück"))
		owes, owed := anna, ben
		if won := regexp.MustCompile(`Anna · \d+ \(\+7\)`); won.MatchString(end) {
			owes, owed = ben, anna
		}
		r.writes(owes, "/settle paid 3 "+owed.Name)
		r.presses(owed, "✓ ")
		time.Sleep(3 * time.Minute)
		return r
	})
}

// An evening of other games: what Canoga, three hundred and Würfelpoker say at their first throws, and practice alone.
func TestTheEveningOfOtherGames(t *testing.T) {
	inBothLanguages(t, "games", Setting{Luck: "games10"}, func(s *Stage, language string) *reader {
		anna, ben := s.Person("Anna", language), s.Person("Ben", language)
		time.Sleep(2 * time.Minute)
		if s.Name() == "Telegram" {
			s.LockOut(true)
		}
		r := reads(s, anna, ben)
		if s.Name() == "Telegram" { // which reports to bots that they were added
			r.noteDeed(anna, "adds the bot to the group", func() string { s.LockOut(false); return "" })
			r.noteDeed(anna, "says hello to it", func() string { s.Talk(anna.who, "@KnobelBot hello"); return "" })
		}
		for i, game := range []struct {
			line   string
			firsts int // how often the first button is pressed
		}{
			{"/shutbox variant=canoga", 3},
			{"/shutbox variant=three-hundred stake=0", 3},
			{"/wuerfelpoker order=free", 1},
		} {
			r.writes(anna, game.line)
			r.presses(ben, ":!join")
			r.presses(anna, ":!start")
			for range game.firsts {
				first, _ := nextButton(s.Board())
				r.presses([]*Person{anna, ben}[r.moverOf(int64(i+1))], first.Data[strings.LastIndex(first.Data, ":"):])
			}
			if _, _, rows := anna.findButton(":!show write"); rows {
				r.presses(anna, ":!show write")
			}
			r.writes(anna, "/abandon")
			r.presses(ben, ":!vote yes")
		}
		r.writes(anna, "/shutbox tiles=8-12")
		r.presses(anna, ":!page rules")
		if s.Name() == "Telegram" { // elsewhere one page beside the board has all options
			r.presses(anna, ":!page rules/turn")
		}
		r.presses(anna, ":!set turn=30m")
		if s.Name() == "Telegram" {
			r.presses(anna, ":!page")
		} else {
			r.presses(anna, ":!page rules 2")
		}
		r.presses(anna, ":!start")
		r.playGame(4, anna)
		time.Sleep(3 * time.Minute)
		return r
	})
}

// playGame lets people play a table's game to its end, in the order of its seats; nil is an absent person.
func (r *reader) playGame(table int64, people ...*Person) {
	r.Helper()
	for range 60 {
		if r.Table(table).State != store.Playing {
			return
		}
		p := people[r.moverOf(table)]
		b, over := nextButton(r.Board())
		switch {
		case over:
			return
		case p == nil:
			time.Sleep(10 * time.Second)
		default:
			r.presses(p, b.Data[strings.LastIndex(b.Data, ":"):])
		}
	}
	r.Fatal("the game does not end")
}

// noteCompletion notes the choices that a client offers while a person types, if it asks the bot for them.
func (r *reader) noteCompletion(p *Person, command, option, typed string) {
	r.Helper()
	c, ok := r.Place.(*Channel)
	if !ok {
		return
	}
	r.noteDeed(p, fmt.Sprintf("types /%s %s: %s", command, option, typed), func() string {
		var names []string
		for _, choice := range c.Completes(p, command, option, typed) {
			names = append(names, "["+choice.Name+"]")
		}
		return strings.Join(names, " ")
	})
}
