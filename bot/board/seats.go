package board

import (
	"slices"
	"strings"
	"time"

	"knobel/bot"
	"knobel/bot/chat"
	"knobel/games"
	"knobel/games/dice"
	"knobel/store"
)

// Seats of a table and their people: who is present, who has agreed.

// SeatsWhere returns the seats of a table for which match returns true, in order.
func SeatsWhere(t store.Table, match func(seat int, s store.Seat) bool) (seats []int) {
	for i, s := range t.Seats {
		if match(i, s) {
			seats = append(seats, i)
		}
	}
	return seats
}

// NamesOf returns the names of the given seats. names holds the names of all seats of the table.
func NamesOf[S ~int](names []string, seats []S) (named []string) {
	for _, seat := range seats {
		named = append(named, names[seat])
	}
	return named
}

// isPerson reports whether a seat belongs to a person whose data was not deleted.
func isPerson(s store.Seat) bool { return s.House == "" && store.Forgotten(s.Player) == 0 }

// Paused reports whether a table waits because all its people who are not out are away.
func Paused(t store.Table) bool {
	people := SeatsWhere(t, func(_ int, s store.Seat) bool { return isPerson(s) && s.Absence != store.Out })
	return len(people) > 0 && !slices.ContainsFunc(people, func(i int) bool { return t.Seats[i].Absence != store.Gone })
}

// WaitedFor returns the seats to move at which a present person sits, so that their turn limit runs.
func WaitedFor(t store.Table, m games.Match) []games.Seat {
	return slices.DeleteFunc(slices.Clone(m.Turn()), func(seat games.Seat) bool {
		s := t.Seats[seat]
		return s.House != "" || s.Absence != store.Present
	})
}

// SeatOf returns the seat of a person at a table, or -1.
func SeatOf(t store.Table, user chat.User) int {
	return slices.IndexFunc(t.Seats, func(s store.Seat) bool { return s.Player != "" && s.Player == string(user) })
}

// BoardTurn returns the number by which a table's buttons are recognized as stale: in a lobby it counts the changes of
// the terms, later the moves.
func BoardTurn(t store.Table) int64 {
	if t.State == store.Lobby {
		return t.Terms
	}
	return t.Turn
}

// MustAgree reports whether the person at a seat of a lobby has not agreed to the present terms. It is false for
// computer and reserved seats.
func MustAgree(t store.Table, seat int) bool {
	s := t.Seats[seat]
	return t.State == store.Lobby && s.House == "" && s.Confirmed && s.Agreed != t.Terms
}

// SeatsToAgree returns the seats whose people have not agreed to the present terms.
func SeatsToAgree(t store.Table) []int {
	return SeatsWhere(t, func(i int, _ store.Seat) bool { return MustAgree(t, i) })
}

// LastWord returns the seat of the person who last typed a word for the dice (text that the seed uses) by /luck; or -1.
func LastWord(t store.Table) int {
	last := -1
	for i, s := range t.Seats {
		if s.House == "" && s.Worded > 0 && !dice.Drawn(s.Entropy) && (last < 0 || s.Worded >= t.Seats[last].Worded) {
			last = i
		}
	}
	return last
}

// ReservedFor is how long a rematch keeps the seats of the old game's people, if it is full and others want to join.
const ReservedFor = 5 * time.Minute

// Deadlines and absence on a board.

// addDeadline adds the time at which the turn limit ends, and the consequence. A viewer's own page, which counts
// down, shows it from the start of the turn, the shared board in the last third. If all are away, a line says so.
func (s *BoardView) addDeadline(m games.Match) {
	late := WaitedFor(s.Table, m)
	if len(late) == 0 {
		if Paused(s.Table) {
			s.Note("bot.away.all", nil)
		}
		return
	}
	if s.Table.Clock.Due == 0 {
		if s.Table.Clock.Absent == store.JustWaits && TurnLimit(s.Table) > 0 && !s.Table.Waits {
			s.Note("bot.due.over", games.Args{"Seat": late[0], "Time": LimitLabel(TurnLimit(s.Table))})
		}
		return
	}
	if s.viewer == nil && s.Table.Clock.Look > 0 {
		return
	}
	at := time.UnixMilli(s.Table.Clock.Due).In(s.settings().Zone(s.bot.Bot))
	key := map[string]string{store.JustWaits: "bot.due.wait", store.IsOut: "bot.due.out"}[s.Table.Clock.Absent]
	if key == "" || key == "bot.due.out" && CountPeople(s.Table) < 2 {
		key = "bot.due.house"
	} else if key == "bot.due.out" && !s.hasPool() {
		key = "bot.owed.due-out"
	}
	s.setDeadline(at, key, games.Args{"Seat": late[0]})
}

// setDeadline sets the board's deadline: the sentence of key with the time due, to which platforms may count down.
func (s *BoardView) setDeadline(due time.Time, key string, args games.Args) {
	args["Time"] = games.Say("bot.text", games.Args{"Text": GapMark})
	before, after, _ := strings.Cut(s.Say(key, args), GapMark)
	s.Message.Deadline = &chat.Deadline{At: due.Unix(), Before: before, After: after, Clock: s.Line(s.clockLabel(due))}
}

// GapMark marks the place in a sentence where another text is inserted later. No text typed by people contains it.
const GapMark = "\x00"

// clockLabel returns moment as a time of day, with the day if moment is not today.
func (s *BoardView) clockLabel(moment time.Time) games.Line {
	now := s.bot.Clock.Now().In(moment.Location())
	args := games.Args{"Clock": moment.Format("15:04"), "Day": bot.DayLabel(store.DayOf(moment), store.DayOf(now))}
	if moment.YearDay() == now.YearDay() && moment.Year() == now.Year() {
		return games.Say("bot.due.at", args)
	}
	return games.Say("bot.due.on", args)
}

// addAbsences marks people who are away, out, or have missed a turn. If one is away, it adds the button "I'm back".
func (s *BoardView) addAbsences() {
	var back []chat.Button
	for i, seat := range s.Table.Seats {
		switch {
		case seat.Absence == store.Gone:
			s.mark(i, "bot.away.away")
		case seat.Absence == store.Out:
			s.mark(i, "bot.away.is-out")
		case seat.Missed > 0:
			s.mark(i, "bot.away.missed")
		}
		if seat.Absence == store.Gone && isPerson(seat) && len(back) == 0 {
			back = append(back, s.namedButton("back-again", "!back", games.Success))
			back[0].For = chat.User(seat.Player)
		}
	}
	s.Message.Row(back...)
}

// mark appends the sentence of key to the text beside the name at a seat.
func (s *BoardView) mark(seat int, key string) {
	if seat < len(s.Message.People) {
		p := &s.Message.People[seat]
		p.Text = strings.TrimPrefix(p.Text+" · "+s.Say(key, nil), " · ")
	}
}

// addForfeits marks the seats that were out when the game ended, and adds a line that says that they lose their stakes.
func (s *BoardView) addForfeits() {
	out := OutOf(s.Table)
	for _, seat := range out {
		s.mark(int(seat), "bot.away.is-out")
	}
	if len(out) > 0 {
		said := map[bool]string{true: "bot.away.forfeits", false: "bot.owed.forfeits"}[s.hasPool()]
		s.Note(said, games.Args{"Names": NamesOf(s.names, out)})
	}
}

// addIdleNote adds the time at which the bot will close the idle table, and a button by which people keep it open.
func (s *BoardView) addIdleNote() {
	set := s.settings()
	at := time.UnixMilli(s.Table.Clock.Warned).Add(IdleWarning).In(set.Zone(s.bot.Bot))
	args := games.Args{"Days": games.Say("bot.days", games.Args{"N": IdleDays(set)})}
	key := "bot.idle.lobby"
	if s.Table.State == store.Playing && AtStake(s.Table) && s.hasPool() {
		key = "bot.idle.playing"
	}
	if s.Message.Deadline == nil {
		s.setDeadline(at, key, args)
	} else {
		args["Time"] = s.clockLabel(at)
		s.Note(key, args)
	}
	s.Message.Row(s.namedButton("keep", "!keep", games.Success))
}
