package scenario

import (
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"

	"knobel/bot/fakes/needs"
	"knobel/store"
)

// How long boards are: games on Discord and Telegram in both languages, and each board in play as a phone shows it, in
// lines of 38 columns. The counts are printed.

// phone is how many columns a line has.
const phone = 38

func TestBoardsInPlayAreTwoSecondsOfReading(t *testing.T) {
	for name, game := range map[string]struct {
		most int
		long bool
		play func(*Stage, string) *reader
	}{
		"Shut the Box":                        {12, true, boxForFour("", false)},
		"Shut the Box in two rounds":          {12, true, boxForFour(" match=rounds:2", false)},
		"Shut the Box where somebody is away": {12, false, boxForFour(" turn=1m match=rounds:2", true)},
		"Shut the Box alone with the house":   {12, true, boxWithTheHouse},
		"Würfelpoker":                         {15, false, pokerForThree},
	} {
		if game.long && !needs.IsLong() {
			continue
		}
		for _, platform := range []string{"Discord", "Telegram"} {
			for _, language := range []string{"en", "de"} {
				if !needs.IsLong() && (platform == "Discord") != (language == "de") {
					continue // the other way round is left to the long run
				}
				t.Run(name+" on "+platform+" in "+language, func(t *testing.T) {
					On(t, platform, func(s *Stage) {
						r := game.play(s, language)
						r.end()
						r.areShort(game.most)
					})
				})
			}
		}
	}
}

// areShort looks at all boards in play that were seen.
func (r *reader) areShort(most int) {
	r.Helper()
	var counts []int
	longest := ""
	for _, m := range r.seen {
		if !inPlay(m) {
			continue
		}
		n := len(asShown(m.Text))
		if len(counts) == 0 || n > slices.Max(counts) {
			longest = m.Text
		}
		counts = append(counts, n)
	}
	slices.Sort(counts)
	if len(counts) < 10 {
		r.Fatalf("%d boards in play", len(counts))
	}
	top := counts[len(counts)-1]
	r.Logf("%d boards in play of at most %d lines, in the median %d", len(counts), top, counts[len(counts)/2])
	if top > most {
		r.Errorf("a board has %d lines, and not %d at most:\n%s", top, most, longest)
	}
}

// boxForFour is a game of three people and the house, by some rules; one may be away once it has begun.
func boxForFour(rules string, away bool) func(*Stage, string) *reader {
	return func(s *Stage, language string) *reader {
		people := []*Person{s.Person("Anna", language), s.Person("Ben", language), s.Person("Clara", language)}
		r := reads(s, people...)
		r.writes(people[0], "/shutbox stake=10"+rules)
		for _, p := range people[1:] {
			r.presses(p, ":!join")
		}
		r.presses(people[0], ":!page houses")
		r.presses(people[0], ":!house fewest")
		r.presses(people[0], ":!start")
		for s.Table(1).State == store.Playing {
			b, over := next(s.Board())
			if over {
				break
			}
			p := people[s.toMove(1)]
			if away && p == people[2] {
				time.Sleep(10 * time.Second)
				continue
			}
			r.presses(p, b.Data[strings.LastIndex(b.Data, ":"):])
		}
		return r
	}
}

// boxWithTheHouse is a game of a newcomer and three computer players: most turns are not seen.
func boxWithTheHouse(s *Stage, language string) *reader {
	anna := s.Person("Anna", language)
	r := reads(s, anna)
	r.writes(anna, "/shutbox stake=10 match=rounds:3")
	for range 3 {
		r.presses(anna, ":!page houses")
		r.presses(anna, ":!house fewest")
	}
	r.presses(anna, ":!start")
	for s.Table(1).State == store.Playing {
		if b, over := next(s.Board()); !over {
			r.presses(anna, b.Data[strings.LastIndex(b.Data, ":"):])
		}
	}
	return r
}

// pokerForThree are some rounds of three people, with dice that are kept and rows to choose from.
func pokerForThree(s *Stage, language string) *reader {
	people := []*Person{s.Person("Anna", language), s.Person("Ben", language), s.Person("Clara", language)}
	r := reads(s, people...)
	r.writes(people[0], "/wuerfelpoker")
	r.presses(people[1], ":!join")
	r.presses(people[2], ":!join")
	r.presses(people[0], ":!start")
	for round := range 15 {
		for i, p := range people {
			r.presses(p, ":throw")
			for range (round + i) % 3 {
				r.presses(p, ":!pick 1")
				r.presses(p, ":!play")
			}
			if s.passedOn() {
				continue
			}
			if _, paged := s.Board().Button(":!show write"); paged {
				r.presses(p, ":!show write")
			}
			rows := slices.DeleteFunc(slices.Clone(s.Board().Buttons), func(b Button) bool {
				return !strings.Contains(b.Data, ":write ") && !strings.Contains(b.Data, ":strike ")
			})
			r.presses(p, rows[0].Data[strings.LastIndex(rows[0].Data, ":"):])
		}
	}
	return r
}

// inPlay reports whether a message is a board of a game that goes on.
func inPlay(m Message) bool {
	for _, suffix := range []string{":!join", ":!start", ":!rematch"} {
		if _, there := m.Button(suffix); there {
			return false
		}
	}
	return !m.Alone && m.Text != ""
}

var (
	countdown = regexp.MustCompile(`<t:\d+:R>`)
	picture   = regexp.MustCompile(`<a?:\w+:\d+>`)
	markup    = regexp.MustCompile("(?m)^(#+|-#) |[*`]{1,3}|\\\\")
)

// asShown is a text in the lines in which a phone shows it.
func asShown(text string) (lines []string) {
	text = markup.ReplaceAllString(picture.ReplaceAllString(countdown.ReplaceAllString(text, "in 10 minutes"), "🎲"), "")
	for paragraph := range strings.SplitSeq(strings.Trim(text, "\n"), "\n") {
		line := ""
		for word := range strings.FieldsSeq(paragraph) {
			if line != "" && columns(line+" "+word) > phone {
				lines, line = append(lines, line), ""
			}
			line = strings.TrimLeft(line+" "+word, " ")
		}
		lines = append(lines, line)
	}
	return lines
}

// columns is how wide a text is: pictures take two columns.
func columns(text string) (n int) {
	for _, r := range text {
		switch {
		case r == '\u200d' || unicode.Is(unicode.Variation_Selector, r) || unicode.Is(unicode.Mn, r):
		case r >= 0x1f000:
			n += 2
		default:
			n++
		}
	}
	return n
}
