package table

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"

	"knobel/bot"
	"knobel/bot/board"
	"knobel/games"
	"knobel/store"
)

// Turn times. The clock of a chat stops in its quiet hours. After an outage, turns are extended.

const (
	// grace is the least time that a turn has left after an outage of the bot or the table's place, and the most extra
	// time that it gets after an outage of the platform.
	grace = 2 * time.Minute
	// If a round of the loop of deadlines is late by more than asleep, the bot counts as having been down.
	asleep = time.Minute
	// tryAgain is the pause before the bot tries again to end a turn.
	tryAgain = 5 * time.Second
	// dueAtOnce is the largest number of tables that a query for passed deadlines returns. atOnce is the same limit for
	// the queries of eachTable.
	dueAtOnce = 64
	atOnce    = 256
)

// scheduleLook schedules when the loop that ends turns next checks a table: at its deadline or, during a match, when
// the last third of the turn begins and the board starts to show the deadline. t.Clock.Look is set to the latter time,
// or 0.
func (v *Visit) scheduleLook(t *store.Table) error {
	t.Clock.Look = 0
	if t.Clock.Due == 0 {
		return nil
	}
	if t.State == store.Playing {
		set, err := v.Settings(t.Chat)
		if err != nil {
			return err
		}
		clock := QuietOf(set, v.bot.Bot)
		now := time.UnixMilli(v.At)
		if first := clock.runTime(now, time.UnixMilli(t.Clock.Due)) - board.TurnLimit(*t)/3; first >= time.Millisecond {
			t.Clock.Look = clock.After(now, first).UnixMilli()
		}
	}
	look := cmp.Or(t.Clock.Look, t.Clock.Due)
	v.DueBy(look)
	v.After(func(context.Context, *bot.Core) error {
		if look < v.bot.nextRound.Load() {
			v.bot.dueWaker.Wake()
		}
		return nil
	})
	return nil
}

// grantTime extends a running turn, so that it ends no earlier than extra from now. Up to half of extra is added,
// depending on the table's ID, so that not all turns end at the same time.
func (v *Visit) grantTime(t *store.Table, extra time.Duration) error {
	if t.Clock.Due == 0 || t.State != store.Playing {
		return nil
	}
	spread := time.Duration(t.ID) * 7 * time.Second % max(extra/2, 1)
	return errors.Join(v.extendTo(t, v.At, extra+spread), v.scheduleLook(t))
}

// extendTo lets the turn end no earlier than extra after start (Unix milliseconds). Quiet hours do not count.
func (v *Visit) extendTo(t *store.Table, start int64, extra time.Duration) error {
	set, err := v.Settings(t.Chat)
	if err == nil {
		due := QuietOf(set, v.bot.Bot).After(time.UnixMilli(start), extra)
		t.Clock.Due = max(t.Clock.Due, due.UnixMilli())
	}
	return err
}

// setReached marks that the chat or thread of a table can be reached again, and extends the turn by grace, since people
// could not play there. If the bot is now a guest there, it can no longer edit the board. The caller must store the
// table.
func (v *Visit) setReached(t *store.Table) error {
	t.Board.Away = false
	if v.Event.Perishable && t.Board.Expires == 0 && t.Place == string(v.Event.Place) {
		t.Board.Expires = store.Expired
	}
	if err := v.bot.Notifier.Sooner(v, *t); err != nil {
		return err
	}
	return v.grantTime(t, grace)
}

// setDeadline sets the deadline of the turn. A new turn gets the whole turn limit. If the person has just moved in this
// turn, they get at least board.MinTurnLimit. There is no deadline if no person is waited for.
func (v *Visit) setDeadline(t *store.Table, m games.Match) error {
	limit := board.TurnLimit(*t)
	if t.State != store.Playing || t.Waits || limit == 0 || len(board.WaitedFor(*t, m)) == 0 {
		t.Clock.Due = 0
		return nil
	}
	switch {
	case v.Begun || t.Clock.Due == 0:
		t.Clock.Due = 0
		return v.extendTo(t, v.At, limit)
	case v.playing:
		return v.extendTo(t, v.At, board.MinTurnLimit)
	}
	return nil
}

// restartTurn gives a whole turn limit from now to a person who took over the seat or came back. If an outage has
// already moved the deadline further, the deadline stays.
func (v *Visit) restartTurn(t *store.Table) error {
	t.Clock.Moved = v.At
	limit := board.TurnLimit(*t)
	if limit == 0 || t.Clock.Due == 0 {
		return nil // there is no clock, or it does not run yet
	}
	return v.extendTo(t, v.At, limit)
}

// Quiet is the time of day, in the chat's time zone, during which turns do not run out. The zero value means never.
type Quiet struct {
	zone     *time.Location
	from, to int // minutes after midnight; equal for none
}

// isEmpty reports whether there are no quiet hours.
func (q Quiet) isEmpty() bool { return q.from == q.to || q.zone == nil }

// nextPeriod returns the begin and end of the first quiet period that ends after moment. On days when clocks change, it
// begins and ends when the clock shows the set time, or would have shown it.
func (q Quiet) nextPeriod(moment time.Time) (begin, end time.Time) {
	year, month, day := moment.In(q.zone).Date()
	for day--; ; day++ {
		begin = time.Date(year, month, day, q.from/60, q.from%60, 0, 0, q.zone)
		last := day
		if q.to <= q.from {
			last++
		}
		end = time.Date(year, month, last, q.to/60, q.to%60, 0, 0, q.zone)
		if end.After(moment) && begin.Before(end) {
			return begin, end
		}
	}
}

// After returns the time at which a clock has run for length, if it starts at start and pauses in quiet hours.
func (q Quiet) After(start time.Time, length time.Duration) time.Time {
	if q.isEmpty() {
		return start.Add(length)
	}
	for {
		begin, end := q.nextPeriod(start)
		if begin.After(start) {
			if awake := begin.Sub(start); length < awake {
				return start.Add(length)
			} else {
				length -= awake
			}
		}
		start = end
	}
}

// runTime returns how long a clock runs from start to until, if it pauses in quiet hours.
func (q Quiet) runTime(start, until time.Time) time.Duration {
	if q.isEmpty() {
		return max(0, until.Sub(start))
	}
	var run time.Duration
	for start.Before(until) {
		begin, end := q.nextPeriod(start)
		if begin.After(start) {
			if begin.After(until) {
				begin = until
			}
			run += begin.Sub(start)
		}
		start = end
	}
	return run
}

// quietSpelling matches quiet hours as people type them.
var quietSpelling = regexp.MustCompile(`^(\d{1,2})(?::([0-5]\d))?\s*[-–]\s*(\d{1,2})(?::([0-5]\d))?$`)

// parseQuiet parses quiet hours, "22-8" or "22:30-7:15", to minutes after midnight. ok is false if text is
// neither, a time is later than 24:00, or both times are equal.
func parseQuiet(text string) (from, to int, ok bool) {
	m := quietSpelling.FindStringSubmatch(text)
	if m == nil {
		return 0, 0, false
	}
	minutes := func(hour, minute string) int {
		h, _ := strconv.Atoi(hour)
		past, _ := strconv.Atoi("0" + minute)
		return h*60 + past
	}
	from, to = minutes(m[1], m[2]), minutes(m[3], m[4])
	if from > 24*60 || to > 24*60 {
		return 0, 0, false
	}
	from, to = from%(24*60), to%(24*60)
	return from, to, from != to
}

// clockTime returns minutes after midnight as a time: "8:05".
func clockTime(minutes int) string { return fmt.Sprintf("%d:%02d", minutes/60, minutes%60) }

// readQuiet parses quiet hours typed by a person. It returns the value to store, "" for none, and whether it is valid.
func readQuiet(b *bot.Bot, text string) (string, bool) {
	if b.MeansNone(text) {
		return "", true
	}
	from, to, ok := parseQuiet(strings.TrimSpace(text))
	return clockTime(from) + "-" + clockTime(to), ok
}

// sayQuiet returns the stored value of the setting "quiet" in words.
func sayQuiet(_ *bot.Bot, value string) games.Line {
	if value == "" {
		return games.Say("bot.settings.none", nil)
	}
	return games.Say("bot.text", games.Args{"Text": strings.ReplaceAll(value, "-", "–")})
}

// QuietOf returns the quiet hours in the settings of a chat.
func QuietOf(set bot.Settings, b *bot.Bot) Quiet {
	from, to, some := parseQuiet(set["quiet"])
	if !some {
		return Quiet{} // saves loading a time zone
	}
	return Quiet{zone: set.Zone(b), from: from, to: to}
}

// readIdle parses a number of days for the setting "idle" that a person typed. It returns the value to store, "" for
// the default, and whether text is valid.
func readIdle(b *bot.Bot, text string) (string, bool) {
	if b.MeansNone(text) {
		return "0", true
	}
	days, err := strconv.Atoi(strings.TrimSpace(text))
	switch {
	case err != nil || days < 0 || days > board.MaxIdle:
		return "", false
	case days == board.UsualIdle:
		return "", true
	}
	return strconv.Itoa(days), true
}

// sayIdle returns the stored value of the setting "idle" in words.
func sayIdle(_ *bot.Bot, value string) games.Line {
	switch days := board.IdleDays(bot.Settings{"idle": value}); days {
	case 0:
		return games.Say("bot.settings.never", nil)
	default:
		return games.Say("bot.days", games.Args{"N": days})
	}
}
