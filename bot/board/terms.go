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

// Terms of a table other than its rules: the turn limit, and what happens when a person exceeds it.

// Bounds of the turn limit.
const (
	defaultTurnLimit = 10 * time.Minute
	MinTurnLimit     = time.Minute
	maxTurnLimit     = 3 * 24 * time.Hour
)

// The command that opens a table has these two options for terms: the turn limit, and what happens when it is exceeded.
const (
	TermTurn   = "turn"
	TermAbsent = "absent"
)

// TurnTimes are the turn limits that have a button.
var TurnTimes = [...]string{"1m", "3m", "5m", "10m", "30m", "1h", "8h", "1d", "3d", "none"}

// timeout is what happens when a turn exceeds its limit: Said is the word that people type, Stored its stored form.
type timeout struct{ Said, Stored string }

// timeouts holds everything that can happen when a person exceeds the turn limit, in the order of the menu.
var timeouts = []timeout{
	{"house", store.PlaysHouse}, {"perfect", store.PlaysPerfect}, {"wait", store.JustWaits}, {"out", store.IsOut},
}

// TimeoutsOf returns the possible consequences in a game when a person exceeds the turn limit.
func TimeoutsOf(g games.Game) []timeout {
	_, perfect := PerfectHouse(g)
	return slices.DeleteFunc(slices.Clone(timeouts), func(a timeout) bool {
		return a.Stored == store.PlaysPerfect && !perfect || a.Stored == store.IsOut && !games.CanBeStaked(g)
	})
}

// readTimeout returns the stored form of a typed timeout. If g has no such timeout, the refusal lists those of g.
func readTimeout(g games.Game, typed string) (stored string, err error) {
	var possible []string
	for _, a := range TimeoutsOf(g) {
		if a.Said == typed {
			return a.Stored, nil
		}
		possible = append(possible, a.Said)
	}
	return "", games.Refuse("games.no-such-value", games.Args{
		"Option": TermAbsent, "Value": chat.Repeated(typed, chat.MaxName), "Instead": games.Instead(typed, possible),
	})
}

// turnSpelling matches a turn limit as people type it.
var turnSpelling = regexp.MustCompile(`^(\d{1,5}) ?(m|min|h|d)?$`)

// ReadTurn parses a turn limit: "90m", "2h", "3d", a number of minutes, or a word that means no limit, which gives 0.
// It returns false if typed is none of these or the limit is too short or too long.
func (b *Boards) ReadTurn(typed string) (time.Duration, bool) {
	if b.MeansNone(typed) {
		return 0, true
	}
	m := turnSpelling.FindStringSubmatch(typed)
	if m == nil {
		return 0, false
	}
	n, _ := strconv.Atoi(m[1])
	limit := time.Duration(n) * map[string]time.Duration{"h": time.Hour, "d": 24 * time.Hour, "m": time.Minute,
		"min": time.Minute, "": time.Minute}[m[2]]
	return limit, limit >= MinTurnLimit && limit <= maxTurnLimit
}

// LimitLabel returns a turn limit in words, in days, hours or minutes, so that the number is whole. 0 gives "no limit".
func LimitLabel(limit time.Duration) games.Line {
	switch {
	case limit == 0:
		return games.Say("bot.terms.no-limit", nil)
	case limit%(24*time.Hour) == 0:
		return games.Say("bot.days", games.Args{"N": int(limit / (24 * time.Hour))})
	case limit%time.Hour == 0:
		return games.Say("bot.hours", games.Args{"N": int(limit / time.Hour)})
	}
	return games.Say("bot.minutes", games.Args{"N": int(limit / time.Minute)})
}

// AbsenceLabel returns the consequence of exceeding the turn limit in words. timeout is the stored form.
func AbsenceLabel(timeout string) games.Line {
	return games.Say(map[string]string{
		store.PlaysHouse: "bot.terms.house", store.PlaysPerfect: "bot.terms.perfect", store.JustWaits: "bot.terms.wait",
		store.IsOut: "bot.terms.out",
	}[timeout], nil)
}

// AgreedTurnLimit returns the turn limit in the terms of a table, as the lobby shows it; 0: no limit.
func AgreedTurnLimit(t store.Table) time.Duration {
	if t.Clock.TurnLimit == store.DefaultLimit {
		return defaultTurnLimit
	}
	return time.Duration(t.Clock.TurnLimit) * time.Millisecond
}

// TurnLimit returns the turn limit that turns of a table have; 0: no limit. If the default limit was not changed, it
// does not apply to a person who plays alone: no other player waits.
func TurnLimit(t store.Table) time.Duration {
	if t.Clock.TurnLimit == store.DefaultLimit && CountPeople(t) < 2 {
		return 0
	}
	return AgreedTurnLimit(t)
}

// CountPeople returns the number of people at a table with confirmed seats who are not out.
func CountPeople(t store.Table) int {
	return len(SeatsWhere(t, func(_ int, s store.Seat) bool {
		return isPerson(s) && s.Confirmed && s.Absence != store.Out
	}))
}

// Agree sets the turn limit and the timeout (what happens after it) of t to those that the options w give. It refuses
// unknown or impossible values. It also refuses perfect play for absent people if it does not exist for the rules.
func (b *Boards) Agree(t *store.Table, g games.Game, w bot.Args) error {
	if said, given := w[TermTurn]; given {
		limit, ok := b.ReadTurn(said.Text)
		if !ok {
			return games.Refuse("bot.terms.turn-how", nil)
		}
		t.Clock.TurnLimit = limit.Milliseconds()
	}
	if said, given := w[TermAbsent]; given {
		stored, err := readTimeout(g, said.Text)
		if err != nil {
			return err
		}
		t.Clock.Absent = stored
	}
	if _, wished := w[TermAbsent]; wished && t.Clock.Absent == store.IsOut && t.Stake == 0 {
		return games.Refuse("bot.terms.out-stake", nil)
	}
	ReplaceOut(t)
	if t.Clock.Absent == store.PlaysPerfect {
		return Solvable(g, t.Rules, len(t.Seats))
	}
	return nil
}

// ReplaceOut changes the terms of a table that has no stake: if absent people would be out of the game, which would
// cost them nothing, the computer plays for them instead.
func ReplaceOut(t *store.Table) {
	if t.Stake == 0 && t.Clock.Absent == store.IsOut {
		t.Clock.Absent = store.PlaysHouse
	}
}

// addTerms adds the turn limit and what happens after it to a lobby. Usual terms are small print if they fit, others a
// line.
func (s *BoardView) addTerms() {
	limit := AgreedTurnLimit(s.Table)
	args := games.Args{"Time": LimitLabel(limit)}
	switch {
	case limit == 0:
		s.addSmall(s.Say("bot.terms.untimed", nil))
	case s.Table.Clock.Absent == store.PlaysPerfect:
		s.Note("bot.terms.then-perfect", args)
	case s.Table.Clock.Absent == store.JustWaits:
		s.Note("bot.terms.then-wait", args)
	case s.Table.Clock.Absent == store.IsOut:
		s.Note(map[bool]string{true: "bot.terms.then-out", false: "bot.owed.then-out"}[s.hasPool()], args)
	default:
		s.addSmall(s.Say("bot.terms.then-house", args))
	}
}

// explainAbsence adds a line that explains what can happen when a person exceeds the turn limit.
func (s *BoardView) explainAbsence() {
	s.Message.Lines = append(s.Message.Lines, s.Line(s.aboutAbsence()))
}

// aboutAbsence returns the sentence that explains what can happen when a person exceeds the turn limit.
func (s *BoardView) aboutAbsence() games.Line {
	if s.Game.Shape(s.Table.Rules).Owed() {
		return games.Say("bot.owed.absent-explained", nil)
	}
	return games.Say("bot.terms.absent-explained", nil)
}

// OutAfter returns how many moves the table had when the seat was put out of the game; nil: it was not. Older versions
// did not store the number: then it is the number of the last move that the seat's person made.
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

// Holder returns the player at a seat in the stored form of a box (jackpot) holder: user ID, or "house:" and strategy.
func Holder(s store.Seat) string {
	if s.House != "" {
		return "house:" + s.House
	}
	return s.Player
}

// PoolOf returns the pool of a started table: all stakes and the chips from the box (jackpot).
func PoolOf(t store.Table) money.Pool {
	return money.Pool{Stake: t.Stake, Seats: len(t.Seats), Box: t.BoxIn}
}

// IsPractice reports whether a table would be practice, for which no stakes are paid. A game of one person alone is. A
// game of one person with computer players is, unless the setting "alone" in set, the chat's settings, is AloneCounts.
func IsPractice(t store.Table, set bot.Settings) bool {
	people := SeatsWhere(t, func(_ int, s store.Seat) bool { return s.Player != "" })
	return len(people) < 2 && (len(t.Seats) < 2 || set["alone"] != AloneCounts)
}

// The values of the setting "alone": whether games of one person with computer players are practice or count.
const (
	AlonePractice = "practice"
	AloneCounts   = "counts"
)

// MayLose reports whether people can lose something: a stake or the price of points, in a game that is not practice.
func MayLose(t store.Table) bool { return !t.Practice && hasPrice(t) }

// AtStake reports whether people can lose a stake at a table. A practice game has none that can be lost.
func AtStake(t store.Table) bool { return !t.Practice && t.Stake > 0 }

// hasPrice reports whether a table has a stake, or points that are paid.
func hasPrice(t store.Table) bool {
	return t.Stake > 0 || t.Rules[games.Point] != "" && t.Rules[games.Point] != "0"
}

// hasPool reports whether the stakes of the table go into a pool.
func (s *BoardView) hasPool() bool { return s.Game.Shape(s.Table.Rules) == games.ShapePool }

// stakesLine returns the sentence on the stakes: the amount in the pool, which is pool, or how seats pay each other.
func (s *BoardView) stakesLine(pool int64) string {
	if owed := owedLines[s.Game.Shape(s.Table.Rules)]; owed != "" {
		return s.Say(owed, games.Args{"Amount": bot.Amount(s.Table.Unit, s.Table.Stake)})
	}
	return s.Say("bot.pool", games.Args{"Amount": bot.Amount(s.Table.Unit, pool)})
}

// owedLines holds the keys of sentences on how seats pay each other in games without a pool.
var owedLines = map[games.Shape]string{
	games.ShapeLastPays: "bot.owed.last-pays", games.ShapeOwnPoints: "bot.owed.own-points",
}

// AnyOut reports whether a seat of the table is out of the game.
func AnyOut(t store.Table) bool { return len(OutOf(t)) > 0 }

// OutOf returns the seats of a table that are out of the game, in seat order.
func OutOf(t store.Table) []games.Seat {
	var out []games.Seat
	for i, s := range t.Seats {
		if s.Absence == store.Out {
			out = append(out, games.Seat(i))
		}
	}
	return out
}

// viewOf returns the view of a match. If m implements games.Led, seats that are out neither lead nor win in the view.
func viewOf(t store.Table, m games.Match) games.View {
	if led, ok := m.(games.Led); ok {
		return led.ViewWithout(OutOf(t))
	}
	return m.View()
}

// WithoutOut returns the result of a table in which the seats that are out of the game cannot win.
func WithoutOut(t store.Table, result games.Result) games.Result { return result.Without(OutOf(t)) }
