package board

import (
	"slices"

	"knobel/bot"
	"knobel/games"
	"knobel/games/money"
	"knobel/store"
)

// OutAfter returns the number of counting moves after which a seat was out, nil if it was not. For
// tables of a version that did not store it, it is the last move that the seat made itself.
func OutAfter(s store.Seat, seat int, moves []store.Move) *int {
	if s.Absence != store.Out {
		return nil
	}
	after := int(s.OutFrom) - 1
	if s.OutFrom == 0 {
		after = 1 + lastOwn(moves, seat)
	}
	return &after
}

// lastOwn returns the index of the last move that a seat made itself, -1: none.
func lastOwn(moves []store.Move, seat int) int {
	for i, m := range slices.Backward(moves) {
		if m.Seat == seat && !m.Auto {
			return i
		}
	}
	return -1
}

// Holder returns how the store names the owner of a seat as the holder of the box.
func Holder(s store.Seat) string {
	if s.House != "" {
		return "house:" + s.House
	}
	return s.Player
}

// PoolOf returns what a started table is played for.
func PoolOf(t store.Table) money.Pool {
	return money.Pool{Stake: t.Stake, Seats: len(t.Seats), Box: t.BoxIn}
}

// IsPractice reports whether a table that starts in a chat with these settings is practice: with fewer than two people,
// unless the chat counts games against house seats, too.
func IsPractice(t store.Table, set bot.Settings) bool {
	people := 0
	for _, s := range t.Seats {
		if s.Player != "" {
			people++
		}
	}
	return people < 2 && (len(t.Seats) < 2 || set["alone"] != AloneCounts)
}

// The values of the setting alone: what is done with games of one person and house seats.
const (
	AlonePractice = "practice"
	AloneCounts   = "counts"
)

// Weighty reports whether people can lose something at a table: in practice they cannot.
func Weighty(t store.Table) bool { return !t.Practice && priced(t) }

// AtStake reports whether a stake can be lost at a table.
func AtStake(t store.Table) bool { return !t.Practice && t.Stake > 0 }

// priced reports whether a table shows a stake, or points that are worth something.
func priced(t store.Table) bool {
	return t.Stake > 0 || t.Rules[games.Point] != "" && t.Rules[games.Point] != "0"
}

// pooled reports whether the table is played for a pool.
func (s *BoardView) pooled() bool { return s.Game.Shape(s.Table.Rules) == games.ShapePool }

// stakes says what is played for: what lies in the pool, or what is owed at the end.
func (s *BoardView) stakes(pool int64) string {
	if owed := owedLines[s.Game.Shape(s.Table.Rules)]; owed != "" {
		return s.Say(owed, games.Args{"Amount": bot.Amount(s.Table.Unit, s.Table.Stake)})
	}
	return s.Say("bot.pool", games.Args{"Amount": bot.Amount(s.Table.Unit, pool)})
}

// pool says what a match is played for, "" for nothing.
func (s *BoardView) pool() string {
	if s.Table.Stake == 0 {
		return ""
	}
	return s.stakes(PoolOf(s.Table).Total())
}

// owedLines say how the seats pay where there is no pool.
var owedLines = map[games.Shape]string{
	games.ShapeLastPays: "bot.owed.last-pays", games.ShapeOwnPoints: "bot.owed.own-points",
}

// AnyOut reports whether a seat of the table is out.
func AnyOut(t store.Table) bool { return len(OutOf(t)) > 0 }

// OutOf returns the seats of a table that are out, in seat order.
func OutOf(t store.Table) []games.Seat {
	var out []games.Seat
	for i, s := range t.Seats {
		if s.Absence == store.Out {
			out = append(out, games.Seat(i))
		}
	}
	return out
}

// viewOf returns the view of a match in which seats that are out neither lead nor have won.
func viewOf(t store.Table, m games.Match) games.View {
	if led, ok := m.(games.Led); ok {
		return led.ViewWithout(OutOf(t))
	}
	return m.View()
}

// WithoutOut returns the result of a table without the seats that are out.
func WithoutOut(t store.Table, result games.Result) games.Result { return result.Without(OutOf(t)) }
