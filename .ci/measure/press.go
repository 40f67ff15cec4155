package main

// The presses that are measured, and the stories that lead up to them.

import (
	"errors"
	"fmt"
	"os"
	"runtime/coverage"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"knobel/bot/scenario"
	"knobel/games"
	"knobel/games/gametest/coin"
	"knobel/games/shutbox"
)

// stories holds the stories by name. Each calls entered once, with the function that makes the press to be measured.
var stories = map[string]func(t *testing.T, entered func(press func())){
	"discord": func(t *testing.T, entered func(func())) { throws(t, "Discord", entered) },
	"browser": func(t *testing.T, entered func(func())) { throws(t, "web", entered) }, // with two open pages
	"payment": pays,
}

// tell runs the story called name as a test, writes the coverage of its press to folder, and exits.
func tell(name, folder string) {
	story := func(t *testing.T) {
		stories[name](t, func(press func()) {
			synctest.Wait()
			if err := coverage.ClearCounters(); err != nil {
				t.Fatal(err)
			}
			press()
			synctest.Wait()
			if err := errors.Join(coverage.WriteMetaDir(folder), coverage.WriteCountersDir(folder)); err != nil {
				t.Fatal(err)
			}
		})
	}
	os.Args = os.Args[:1]
	all := func(string, string) (bool, error) { return true, nil }
	testing.Main(all, []testing.InternalTest{{Name: name, F: story}}, nil, nil)
}

// throws is a story of Shut the Box against a computer player on platform. Its press is the first throw.
func throws(t *testing.T, platform string, entered func(func())) {
	scenario.Setting{Games: []games.Game{shutbox.Game{}}}.On(t, platform, func(s *scenario.Stage) {
		anna := s.Person("Anna", "en")
		anna.Writes("/shutbox stake=10")
		lobby, start := anna.Finds(":!start")
		anna.Sends(lobby, strings.Replace(start.Data, "!start", "!house random", 1))
		anna.Presses(":!start")
		on, throw := anna.Finds(":throw 2")
		before := s.Board().Text
		time.Sleep(time.Second) // fake time: a press sooner would be part of a double tap
		entered(func() {
			anna.Taps(on, throw.Data)
			s.Until("the throw is shown", func() bool { return s.Board().Text != before })
		})
	})
}

// pays is a story of two people on Discord who have played for chips. Its press is a command that reports a payment.
func pays(t *testing.T, entered func(func())) {
	scenario.Setting{Games: []games.Game{coin.Game{}}}.On(t, "Discord", func(s *scenario.Stage) {
		anna, ben := s.Person("Anna", "en"), s.Person("Ben", "en")
		s.Sit("/coin stake=7", anna, ben)
		m, b, over := s.Turn("")
		for ; !over; m, b, over = s.Turn(b.Data) {
			anna.Sends(m, b.Data)
			ben.Sends(m, b.Data)
		}
		owes, owed := anna, ben
		if strings.Contains(m.Text, "Anna takes") {
			owes, owed = ben, anna
		}
		entered(func() {
			if told := owes.Writes(fmt.Sprint("/settle paid 2 ", owed.Name)); !strings.Contains(told, "2 chips") {
				t.Errorf("a payment is answered by %q", told)
			}
		})
	})
}
