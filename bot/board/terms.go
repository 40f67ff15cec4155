package board

import (
	"regexp"
	"slices"
	"strconv"
	"time"

	"knobel/bot"
	"knobel/bot/chat"
	"knobel/games"
	"knobel/games/money"
	"knobel/store"
)

// Terms of a table beside its rules: how long a turn may take, and what happens when it takes longer.

// How long a turn may take.
const (
	defaultTurnLimit = 10 * time.Minute
	MinTurnLimit     = time.Minute
	maxTurnLimit     = 3 * 24 * time.Hour
)

// The options of a game's command that are terms.
const (
	TermTurn   = "turn"
	TermAbsent = "absent"
)

// TurnTimes are the lengths of a turn that have a button.
var TurnTimes = [...]string{"1m", "3m", "5m", "10m", "30m", "1h", "8h", "1d", "3d", "none"}

// timeout is what can happen when a turn takes too long, as people say it and as it is stored.
type timeout struct{ Said, Stored string }

var timeouts = []timeout{
	{"house", store.PlaysHouse}, {"perfect", store.PlaysPerfect}, {"wait", store.JustWaits}, {"out", store.IsOut},
}

// TimeoutsOf returns the timeouts that a game supports.
func TimeoutsOf(g games.Game) []timeout {
	_, perfect := PerfectHouse(g)
	return slices.DeleteFunc(slices.Clone(timeouts), func(a timeout) bool {
		return a.Stored == store.PlaysPerfect && !perfect || a.Stored == store.IsOut && !games.CanBeStaked(g)
	})
}

// readAbsence reads what happens when a turn takes too long at a table of a game,
// and refuses what cannot by naming what can.
func readAbsence(g games.Game, said string) (stored string, err error) {
	var possible []string
	for _, a := range TimeoutsOf(g) {
		if a.Said == said {
			return a.Stored, nil
		}
		possible = append(possible, a.Said)
	}
	return "", games.Refuse("games.no-such-value", games.Args{
		"Option": TermAbsent, "Value": chat.Repeated(said, chat.MaxName), "Instead": games.Instead(said, possible),
	})
}

var turnSpelling = regexp.MustCompile(`^(\d{1,5}) ?(m|min|h|d)?$`)

// ReadTurn reads how long a turn may take: "90m", "2h", "3d", a number of minutes, or none.
func (b *Boards) ReadTurn(said string) (time.Duration, bool) {
	if b.MeansNone(said) {
		return 0, true
	}
	m := turnSpelling.FindStringSubmatch(said)
	if m == nil {
		return 0, false
	}
	n, _ := strconv.Atoi(m[1])
	limit := time.Duration(n) * map[string]time.Duration{"h": time.Hour, "d": 24 * time.Hour, "m": time.Minute,
		"min": time.Minute, "": time.Minute}[m[2]]
	return limit, limit >= MinTurnLimit && limit <= maxTurnLimit
}

// LimitLabel says how long a turn may take, in the largest unit in which that is a whole number.
func LimitLabel(d time.Duration) games.Line {
	switch {
	case d == 0:
		return games.Say("bot.terms.no-limit", nil)
	case d%(24*time.Hour) == 0:
		return games.Say("bot.days", games.Args{"N": int(d / (24 * time.Hour))})
	case d%time.Hour == 0:
		return games.Say("bot.hours", games.Args{"N": int(d / time.Hour)})
	}
	return games.Say("bot.minutes", games.Args{"N": int(d / time.Minute)})
}

// AbsenceLabel says what happens when a turn has taken too long.
func AbsenceLabel(absent string) games.Line {
	return games.Say(map[string]string{
		store.PlaysHouse: "bot.terms.house", store.PlaysPerfect: "bot.terms.perfect", store.JustWaits: "bot.terms.wait",
		store.IsOut: "bot.terms.out",
	}[absent], nil)
}

// AgreedTurnLimit returns how long a turn may take as the lobby says it.
func AgreedTurnLimit(t store.Table) time.Duration {
	if t.Clock.TurnLimit == store.DefaultLimit {
		return defaultTurnLimit
	}
	return time.Duration(t.Clock.TurnLimit) * time.Millisecond
}

// TurnLimit returns how long a turn may take, 0: without limit. By default there is no limit while
// only one person plays, since no other waits.
func TurnLimit(t store.Table) time.Duration {
	if t.Clock.TurnLimit == store.DefaultLimit && StillIn(t) < 2 {
		return 0
	}
	return AgreedTurnLimit(t)
}

// StillIn counts the people at a table who can still win something.
func StillIn(t store.Table) int {
	return len(Where(t, func(_ int, s store.Seat) bool {
		return isPerson(s) && s.Confirmed && s.Absence != store.Out
	}))
}

// Agree sets the terms of a table in the lobby to those that a person asks for.
func (b *Boards) Agree(t *store.Table, g games.Game, w bot.Args) error {
	if said, given := w[TermTurn]; given {
		limit, ok := b.ReadTurn(said.Text)
		if !ok {
			return games.Refuse("bot.terms.turn-how", nil)
		}
		t.Clock.TurnLimit = limit.Milliseconds()
	}
	if said, given := w[TermAbsent]; given {
		stored, err := readAbsence(g, said.Text)
		if err != nil {
			return err
		}
		t.Clock.Absent = stored
	}
	if _, wished := w[TermAbsent]; wished && t.Clock.Absent == store.IsOut && t.Stake == 0 {
		return games.Refuse("bot.terms.out-stake", nil)
	}
	Stakeless(t)
	if t.Clock.Absent == store.PlaysPerfect {
		return Solvable(g, t.Rules, len(t.Seats))
	}
	return nil
}

// Stakeless has the house play for the absent of a table without a stake, where
// they would be out: there is nothing to lose.
func Stakeless(t *store.Table) {
	if t.Stake == 0 && t.Clock.Absent == store.IsOut {
		t.Clock.Absent = store.PlaysHouse
	}
}

// terms adds the terms to a lobby: to the small print where they are the usual ones, or else as a line.
func (s *BoardView) terms() {
	limit := AgreedTurnLimit(s.Table)
	args := games.Args{"Time": LimitLabel(limit)}
	switch {
	case limit == 0:
		s.Message.Small += " · " + s.Say("bot.terms.no-limit", nil)
	case s.Table.Clock.Absent == store.PlaysPerfect:
		s.Note("bot.terms.then-perfect", args)
	case s.Table.Clock.Absent == store.JustWaits:
		s.Note("bot.terms.then-wait", args)
	case s.Table.Clock.Absent == store.IsOut:
		s.Note(map[bool]string{true: "bot.terms.then-out", false: "bot.owed.then-out"}[s.pooled()], args)
	default:
		s.Message.Small += " · " + s.Say("bot.terms.then-house", args)
	}
}

// explainAbsence says what can happen when a turn takes too long.
func (s *BoardView) explainAbsence() {
	explained := "bot.terms.absent-explained"
	if s.Game.Shape(s.Table.Rules).Owed() {
		explained = "bot.owed.absent-explained"
	}
	s.Note(explained, nil)
}

// OutAfter returns the number of counting moves after which a seat was out, nil if it was not. For
// tables of a version that did not store it, it is the last move that the seat made itself.
func OutAfter(s store.Seat, seat int, moves []store.Move) *int {
	if s.Absence != store.Out {
		return nil
	}
	after := int(s.OutFrom) - 1
	if s.OutFrom == 0 {
		for after = len(moves); after > 0 && (moves[after-1].Seat != seat || moves[after-1].Auto); {
			after--
		}
	}
	return &after
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
	people := Where(t, func(_ int, s store.Seat) bool { return s.Player != "" })
	return len(people) < 2 && (len(t.Seats) < 2 || set["alone"] != AloneCounts)
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

// stakes returns the sentence on the stakes: the amount in the pool, or the amounts that are owed at the end.
func (s *BoardView) stakes(pool int64) string {
	if owed := owedLines[s.Game.Shape(s.Table.Rules)]; owed != "" {
		return s.Say(owed, games.Args{"Amount": bot.Amount(s.Table.Unit, s.Table.Stake)})
	}
	return s.Say("bot.pool", games.Args{"Amount": bot.Amount(s.Table.Unit, pool)})
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
