package simulation

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"knobel/store/storetest"
)

// evening is one town with people for a while and everything that can go wrong.
func evening(t *testing.T, seed uint64, lasts time.Duration) (w *town) {
	synctest.Test(t, func(t *testing.T) {
		w = newTown(t, seed, 0, trouble{lengthy: 0.4, requests: 0.06, disk: 0.01, deaths: 0.008})
		w.strict = strictly()
		forum := w.telegram.Supergroup("Dice", true)
		guild := w.discord.Guild("The Dice")
		for _, at := range []hall{
			&group{w: w, chat: w.telegram.Group("Friends"), grows: true},
			&group{w: w, chat: forum, topic: forum.Topic("Games")},
			&channel{w: w, guild: guild, Channel: guild.Channel("table")},
		} {
			w.incidents(at, time.Now().Add(lasts))
			for _, p := range w.settle(at, 2+int(seed%3)) {
				p.attend(time.Now().Add(lasts))
			}
		}
		w.live(time.Now().Add(lasts + 5*time.Minute))
		w.end()
	})
	return w
}

// long reports whether there is time for more than a glance.
func long() bool { return os.Getenv("KNOBEL_TEST_LONG") != "" }

// How long an evening lasts of which there are few, and one of very many.
const (
	longEvening  = 25 * time.Minute
	shortEvening = 6 * time.Minute
)

// veryMany is more evenings than have the time to be long, and to have invariants looked at after each step.
const veryMany = 100

// strictly is after how many steps of an evening invariants are looked at.
func strictly() int {
	if seeds, _ := many(); seeds > veryMany {
		return 8
	}
	return 1
}

// many is how many seeds are tried, and for how long each.
func many() (seeds int, lasts time.Duration) {
	if n, err := strconv.Atoi(os.Getenv("KNOBEL_SEEDS")); err == nil {
		if n > veryMany {
			return n, shortEvening
		}
		return n, longEvening
	}
	if long() || oneSeed() != "" {
		return 10, longEvening
	}
	return 1, shortEvening
}

func TestSeeds(t *testing.T) {
	seeds, lasts := many()
	if seed, err := strconv.ParseUint(oneSeed(), 10, 64); err == nil {
		evening(t, seed, lasts)
		return
	}
	games, deaths, payments := 0, 0, 0
	for seed := range seeds {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			w := evening(t, uint64(seed), lasts)
			games, deaths, payments = games+w.games, deaths+w.lives-1, payments+w.payments
		})
	}
	t.Logf("%d games, %d deaths, %d payments", games, deaths, payments)
}

func TestSeedReproduces(t *testing.T) {
	seed, err := strconv.ParseUint(oneSeed(), 10, 64)
	if err != nil {
		seed = 1
	}
	lasts := 4 * time.Minute
	if long() {
		lasts *= 2
	}
	one, other := evening(t, seed, lasts).trace, evening(t, seed, lasts).trace
	if one.sum() == other.sum() {
		return
	}
	a, b := one.story(), other.story()
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			from := max(0, i-8)
			t.Fatalf("the same seed lives through this:\n%s\nand this:\n%s", strings.Join(a[from:i+3], "\n"),
				strings.Join(b[from:i+3], "\n"))
		}
	}
	t.Errorf("the same seed lives through %d and through %d lines", len(a), len(b))
}

func TestMain(m *testing.M) { os.Exit(storetest.Main(m)) }
