package simulation

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// evening is one town with people for half an hour and everything that can go
// wrong.
func evening(t *testing.T, seed uint64) (w *town) {
	synctest.Test(t, func(t *testing.T) {
		w = newTown(t, seed, trouble{requests: 0.06, writes: 0.002, deaths: 150})
		forum := w.telegram.Supergroup("Dice", true)
		guild := w.discord.Guild("The Dice")
		for _, at := range []hall{
			group{w: w, chat: w.telegram.Group("Friends")}, group{w: w, chat: forum, topic: forum.Topic("Games")},
			channel{w, guild, guild.Channel("table")},
		} {
			for _, p := range w.settle(at, 2+int(seed%3)) {
				p.attend(time.Now().Add(25 * time.Minute))
			}
		}
		w.live(time.Now().Add(30 * time.Minute))
		w.end()
	})
	return w
}

// many is how many seeds are tried.
func many() int {
	if n, err := strconv.Atoi(os.Getenv("KNOBEL_SEEDS")); err == nil {
		return n
	}
	if os.Getenv("KNOBEL_TEST_LONG") != "" {
		return 40
	}
	return 4
}

func TestSeeds(t *testing.T) {
	if seed, err := strconv.ParseUint(oneSeed(), 10, 64); err == nil {
		evening(t, seed)
		return
	}
	games, deaths := 0, 0
	for seed := range many() {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			w := evening(t, uint64(seed))
			games, deaths = games+w.games, deaths+w.lives-1
		})
	}
	t.Logf("%d games, %d deaths", games, deaths)
}

func TestSeedReproduces(t *testing.T) {
	seed, err := strconv.ParseUint(oneSeed(), 10, 64)
	if err != nil {
		seed = 1
	}
	one, other := evening(t, seed).trace, evening(t, seed).trace
	if one.sum() == other.sum() {
		return
	}
	a, b := one.story(), other.story()
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			from := max(0, i-8)
			t.Fatalf("the same seed lives through this:\n%s\nand this:\n%s", strings.Join(a[from:i+3], "\n"), strings.Join(b[from:i+3], "\n"))
		}
	}
	t.Errorf("the same seed lives through %d and through %d lines", len(a), len(b))
}
