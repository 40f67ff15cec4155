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

// Terms of a table beside its rules: the turn limit, and the consequence of exceeding it.

// Bounds of the turn limit.
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

// TurnTimes are the turn limits that have a button.
var TurnTimes = [...]string{"1m", "3m", "5m", "10m", "30m", "1h", "8h", "1d", "3d", "none"}

// timeout is a consequence of exceeding the turn limit, as the word that people type and as it is stored.
type timeout struct{ Said, Stored string }

// timeouts holds all timeouts.
var timeouts = []timeout{
	{"house", store.PlaysHouse}, {"perfect", store.PlaysPerfect}, {"wait", store.JustWaits}, {"out", store.IsOut},
}

// TimeoutsOf returns the timeouts (consequences of exceeding the turn limit) that a game supports.
func TimeoutsOf(g games.Game) []timeout {
	_, perfect := PerfectHouse(g)
	return slices.DeleteFunc(slices.Clone(timeouts), func(a timeout) bool {
		return a.Stored == store.PlaysPerfect && !perfect || a.Stored == store.IsOut && !games.CanBeStaked(g)
	})
}

// readTimeout returns the stored form of a timeout as people type it. If it is none of g, the refusal lists those.
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

// ReadTurn parses a turn limit: "90m", "2h", "3d", a number of minutes, or a word for none, which is 0. It returns
// false for anything else and for limits out of bounds.
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

// LimitLabel returns a turn limit in words, in the largest unit that gives a whole number. 0 is "no limit".
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

// AbsenceLabel returns a stored timeout in words.
func AbsenceLabel(timeout string) games.Line {
	return games.Say(map[string]string{
		store.PlaysHouse: "bot.terms.house", store.PlaysPerfect: "bot.terms.perfect", store.JustWaits: "bot.terms.wait",
		store.IsOut: "bot.terms.out",
	}[timeout], nil)
}

// AgreedTurnLimit returns the turn limit that the lobby shows; 0: none.
func AgreedTurnLimit(t store.Table) time.Duration {
	if t.Clock.TurnLimit == store.DefaultLimit {
		return defaultTurnLimit
	}
	return time.Duration(t.Clock.TurnLimit) * time.Millisecond
}

// TurnLimit returns the turn limit that applies; 0: none. The default limit does not apply while fewer than two people
// play, since no other person waits.
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

// Agree sets the turn limit and the timeout of t to those in the options w, and refuses unknown or impossible ones. It
// also refuses perfect play for absent people if the rules have none.
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

// ReplaceOut replaces the timeout “out” of a table without a stake: the computer plays for absent people instead, who
// would lose nothing by being out.
func ReplaceOut(t *store.Table) {
	if t.Stake == 0 && t.Clock.Absent == store.IsOut {
		t.Clock.Absent = store.PlaysHouse
	}
}

// addTerms adds the terms to a lobby: the usual ones to the small print, others as a line.
func (s *BoardView) addTerms() {
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
		s.Note(map[bool]string{true: "bot.terms.then-out", false: "bot.owed.then-out"}[s.hasPool()], args)
	default:
		s.Message.Small += " · " + s.Say("bot.terms.then-house", args)
	}
}

// explainAbsence adds a line on the possible timeouts.
func (s *BoardView) explainAbsence() {
	explained := "bot.terms.absent-explained"
	if s.Game.Shape(s.Table.Rules).Owed() {
		explained = "bot.owed.absent-explained"
	}
	s.Note(explained, nil)
}

// OutAfter returns the number of moves after which a seat was out, nil if it was not. Tables of older versions did not
// store it; for them it is the number of the last move that the seat's person made.
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

// Holder returns the owner of a seat as the holder of the box (jackpot) is stored: user ID, or "house:" and strategy.
func Holder(s store.Seat) string {
	if s.House != "" {
		return "house:" + s.House
	}
	return s.Player
}

// PoolOf returns the pool of a started table.
func PoolOf(t store.Table) money.Pool {
	return money.Pool{Stake: t.Stake, Seats: len(t.Seats), Box: t.BoxIn}
}

// IsPractice reports whether a table started under these settings of its chat is practice, which counts for nothing:
// one person alone, or with computer players unless the chat counts such games.
func IsPractice(t store.Table, set bot.Settings) bool {
	people := SeatsWhere(t, func(_ int, s store.Seat) bool { return s.Player != "" })
	return len(people) < 2 && (len(t.Seats) < 2 || set["alone"] != AloneCounts)
}

// The values of the setting "alone", for games of one person and computer players: they are practice, or count.
const (
	AlonePractice = "practice"
	AloneCounts   = "counts"
)

// MayLose reports whether people can lose something at a table: it has a stake or priced points and is not practice.
func MayLose(t store.Table) bool { return !t.Practice && hasPrice(t) }

// AtStake reports whether a table has a stake that can be lost. Stakes of practice cannot.
func AtStake(t store.Table) bool { return !t.Practice && t.Stake > 0 }

// hasPrice reports whether a table has a stake, or points with a price.
func hasPrice(t store.Table) bool {
	return t.Stake > 0 || t.Rules[games.Point] != "" && t.Rules[games.Point] != "0"
}

// hasPool reports whether the stakes of the table go into a pool.
func (s *BoardView) hasPool() bool { return s.Game.Shape(s.Table.Rules) == games.ShapePool }

// stakesLine returns the sentence on the stakes: pool, the amount in the pool, or how the seats pay each other.
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

// viewOf returns the view of a match in which seats that are out neither lead nor win.
func viewOf(t store.Table, m games.Match) games.View {
	if led, ok := m.(games.Led); ok {
		return led.ViewWithout(OutOf(t))
	}
	return m.View()
}

// WithoutOut returns the result of a table without the seats that are out.
func WithoutOut(t store.Table, result games.Result) games.Result { return result.Without(OutOf(t)) }
