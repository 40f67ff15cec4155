package bot_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"knobel/bot/bare"
	"knobel/store/storetest"
)

// BenchmarkPresses measures durable presses through Handle on a file, with so many tables pressing at once, and how
// that compares with one press after the other, on the disk there is and on one that takes a millisecond longer.
func BenchmarkPresses(b *testing.B) {
	for _, longer := range []time.Duration{0, time.Millisecond} {
		for _, tables := range []int{1, 16, 256} {
			b.Run(fmt.Sprintf("disk=+%s/tables=%d", longer, tables), func(b *testing.B) {
				benchPresses(b, longer, tables)
			})
		}
	}
}

func benchPresses(b *testing.B, longer time.Duration, tables int) {
	if longer > 0 {
		storetest.Use(b, storetest.Slow(longer))
	}
	h := bare.New(b, bare.Relay{})
	all := make([]*bare.Seated, tables)
	for i := range all {
		all[i] = h.Seat(i)
	}
	var turn chan struct{} // nil: no press waits for its turn
	storetest.Compare(b, tables, func(table, _ int) error {
		if turn != nil {
			turn <- struct{}{}
			defer func() { <-turn }()
		}
		if r := h.Bot.Handle(context.Background(), all[table].Press()); r.Refused {
			return fmt.Errorf("refused: %s", r.Toast)
		}
		return nil
	}, func(alone bool) {
		turn = nil
		if alone {
			turn = make(chan struct{}, 1)
		}
	})
}
