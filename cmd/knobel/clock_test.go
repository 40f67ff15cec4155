package main

import (
	"math/rand/v2"
	"testing"
	"time"

	"knobel/bot"
	"knobel/cmd/wiring"
	"knobel/store/storetest"
)

// jumping is a clock that jumps: by days, by years, back
// before everything that has happened.
type jumping struct {
	chance *rand.Rand
	ahead  time.Duration
}

func (j *jumping) Now() time.Time {
	switch j.chance.IntN(20) {
	case 0:
		j.ahead = time.Duration(j.chance.IntN(800)-400) * 24 * time.Hour
	case 1:
		j.ahead = -40 * 365 * 24 * time.Hour
	case 2:
		j.ahead = 0
	}
	return time.Date(2026, 11, 21, 20, 0, 0, 0, time.UTC).Add(j.ahead)
}

func (j *jumping) After(time.Duration) <-chan time.Time { return nil }

// Games are played to their ends and books add up whatever the clock says.
func TestAClockThatJumps(t *testing.T) {
	st := storetest.Open(t)
	said, err := sentences()
	check(t, err)
	clock := &jumping{chance: rand.New(rand.NewPCG(2026, 21))}
	b := wiring.New(bot.Config{Store: st, Games: played(), Words: said, Clock: clock, Zone: time.UTC})
	group := &gathering{bot: b, chat: "telegram:-1001", place: "telegram:-1001"}
	const games = 4
	for range games {
		group.open(t.Context(), "10 tiles=5", "telegram:11", "telegram:12")
		group.play(t.Context(), 1000)
	}
	if group.err != nil {
		t.Fatal(group.err)
	}
	well(t, st, b, games)
}
