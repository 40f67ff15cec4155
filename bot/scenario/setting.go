package scenario

// The platforms on which tests run, and settings of their bots.

import (
	"cmp"
	"crypto/sha256"
	mathrand "math/rand/v2"
	"testing"
	"testing/synctest"
	"time"

	"knobel/bot/fakes"
	"knobel/bot/words"
	"knobel/games"
	"knobel/store/storetest"
)

// Setting holds options of a Stage that differ from the default.
type Setting struct {
	Words *words.Words // nil: all languages
	Games []games.Game // nil: Shut the Box, coin and Würfelpoker
	Plain bool         // the database is not sealed
	Emoji bool         // the bot uploads emoji to Discord
	// Luck is the seed of all random numbers, "": the test's name.
	Luck string
}

// At returns a stage for a bot that the test runs itself.
func At(t *testing.T, place Place) *Stage { return (&Stage{T: t}).In(place) }

// Each runs a test on every platform that has a Server.
func Each(t *testing.T, story func(*Stage)) { Setting{}.Each(t, story) }

// Everywhere runs a test on every platform.
func Everywhere(t *testing.T, story func(*Stage)) { Setting{}.Everywhere(t, story) }

// On runs a test on one platform.
func On(t *testing.T, platform string, story func(*Stage)) { Setting{}.On(t, platform, story) }

// platforms are the names of the platforms, their types of places, and functions that open a place.
var platforms = []struct {
	name  string
	place Place // only its type counts
	open  func(*testing.T, Net) Place
}{
	{"Discord", (*Channel)(nil), func(t *testing.T, n Net) Place { return OnDiscord(t, n) }},
	{"Telegram", (*Group)(nil), func(t *testing.T, n Net) Place { return OnTelegram(t, n) }},
	{"web", (*Browsers)(nil), func(t *testing.T, _ Net) Place { return OnWeb(t) }},
}

// Each runs a test on every platform that has a Server.
func (set Setting) Each(t *testing.T, story func(*Stage)) {
	set.onAll(t, story, func(p Place) bool { _, ok := p.(Server); return ok })
}

// Everywhere runs a test on every platform.
func (set Setting) Everywhere(t *testing.T, story func(*Stage)) {
	set.onAll(t, story, func(Place) bool { return true })
}

// onAll runs a test on every platform for whose place suits returns true.
func (set Setting) onAll(t *testing.T, story func(*Stage), suits func(Place) bool) {
	for _, platform := range platforms {
		if suits(platform.place) {
			t.Run(platform.name, func(t *testing.T) {
				t.Parallel()
				set.On(t, platform.name, story)
			})
		}
	}
}

// On runs a test on one platform.
func (set Setting) On(t *testing.T, platform string, story func(*Stage)) {
	t.Helper()
	set.inBubble(t, func(t *testing.T, file string) {
		for _, p := range platforms {
			if p.name == platform {
				n := inMemory(t)
				n.Emoji = set.Emoji
				story(set.stage(t, file, p.open(t, n)))
			}
		}
	})
}

// inBubble runs a test in a bubble, with the file of an empty database.
func (set Setting) inBubble(t *testing.T, story func(t *testing.T, file string)) {
	t.Helper()
	file := storetest.Empty(t) // outside of the bubble: it is made once for all tests
	synctest.Test(t, func(t *testing.T) {
		time.Sleep(time.Until(beginning))
		t.Cleanup(func() { time.Sleep(10 * time.Minute) }) // idle connections end
		story(t, file)
	})
}

// stage opens the database file and runs the bot in a place until the test ends.
func (set Setting) stage(t *testing.T, file string, place Place) *Stage {
	t.Helper()
	s := (&Stage{T: t, Journal: &fakes.Journal{}, set: set, file: file}).In(place)
	s.chance = mathrand.NewChaCha8(sha256.Sum256([]byte(cmp.Or(set.Luck, t.Name()))))
	t.Cleanup(s.close)
	s.open()
	return s
}

// beginning is the time at which every test begins: a bubble begins in 2000, before Discord existed.
var beginning = time.Date(2026, 11, 2, 17, 0, 0, 0, time.UTC)
