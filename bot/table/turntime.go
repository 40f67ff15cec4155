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

// Turn times, by the chat's clock, which stops in its quiet hours, plus the time given for outages.

const (
	// grace is the least time that people have after an outage of the bot or their place.
	grace = 2 * time.Minute
	// asleep is the delay of a round from which the bot counts as having been away.
	asleep = time.Minute
	// tryAgain is the delay after a turn could not be ended.
	tryAgain = 5 * time.Second
	// dueAtOnce is the number of turns ended per query, and atOnce that of other tables looked at.
	dueAtOnce = 64
	atOnce    = 256
)

// lookAt schedules the deadline of a table's turn, and the last third before it, when the board begins to show it.
func (v *Visit) lookAt(t *store.Table) error {
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
		if first := clock.between(now, time.UnixMilli(t.Clock.Due)) - board.TurnLimit(*t)/3; first >= time.Millisecond {
			t.Clock.Look = clock.After(now, first).UnixMilli()
		}
	}
	look := cmp.Or(t.Clock.Look, t.Clock.Due)
	v.DueBy(look)
	v.After(func(context.Context, *bot.Core) error {
		if look < v.bot.awake.Load() {
			v.bot.due.Wake()
		}
		return nil
	})
	return nil
}

// giveTime gives a turn with a clock at least this time, and some tables up to half as much again, so that they do not
// all end at once.
func (v *Visit) giveTime(t *store.Table, long time.Duration) error {
	if t.Clock.Due == 0 || t.State != store.Playing {
		return nil
	}
	spread := time.Duration(t.ID) * 7 * time.Second % max(long/2, 1)
	return errors.Join(v.lasts(t, v.At, long+spread), v.lookAt(t))
}

// lasts has the present turn of a table last at least a time from a moment on, in Unix milliseconds, by the chat's
// clock.
func (v *Visit) lasts(t *store.Table, from int64, long time.Duration) error {
	set, err := v.Settings(t.Chat)
	if err == nil {
		due := QuietOf(set, v.bot.Bot).After(time.UnixMilli(from), long)
		t.Clock.Due = max(t.Clock.Due, due.UnixMilli())
	}
	return err
}

// reached stores that the place of a table is reachable again, and gives time, because people could neither play nor be
// called there.
func (v *Visit) reached(t *store.Table) error {
	t.Board.Away = false
	if err := v.bot.Notifier.Sooner(v, *t); err != nil {
		return err
	}
	return v.giveTime(t, grace)
}

// runClock sets the deadline of the present turn: a new turn has its whole time, a continued one what is left, and at
// least board.MinTurnLimit.
func (v *Visit) runClock(t *store.Table, m games.Match) error {
	limit := board.TurnLimit(*t)
	if t.State != store.Playing || t.Waits || limit == 0 || len(board.WaitedFor(*t, m)) == 0 {
		t.Clock.Due = 0
		return nil
	}
	switch {
	case v.Begun || t.Clock.Due == 0:
		t.Clock.Due = 0
		return v.lasts(t, v.At, limit)
	case v.playing:
		return v.lasts(t, v.At, board.MinTurnLimit)
	}
	return nil
}

// wholeTurn restarts the present turn for its new person: its deadline becomes a whole limit from now, unless an outage
// has moved it further.
func (v *Visit) wholeTurn(t *store.Table) error {
	t.Clock.Moved = v.At
	limit := board.TurnLimit(*t)
	if limit == 0 || t.Clock.Due == 0 {
		return nil // no clock, or not started
	}
	return v.lasts(t, v.At, limit)
}

// Quiet is the daily period in which a chat's clocks stand still, in the chat's time zone. The zero value is none.
type Quiet struct {
	zone     *time.Location
	from, to int // minutes after midnight; equal for none
}

// none reports whether there is no such period.
func (q Quiet) none() bool { return q.from == q.to || q.zone == nil }

// next returns the first quiet hours that end after a time. If the chat's clock jumps, they begin and end when it shows
// the set time, or would have.
func (q Quiet) next(at time.Time) (begin, end time.Time) {
	year, month, day := at.In(q.zone).Date()
	for day--; ; day++ {
		begin = time.Date(year, month, day, q.from/60, q.from%60, 0, 0, q.zone)
		last := day
		if q.to <= q.from {
			last++
		}
		end = time.Date(year, month, last, q.to/60, q.to%60, 0, 0, q.zone)
		if end.After(at) && begin.Before(end) {
			return begin, end
		}
	}
}

// After returns the time at which a clock started at a time has run for a duration.
func (q Quiet) After(at time.Time, run time.Duration) time.Time {
	if q.none() {
		return at.Add(run)
	}
	for {
		begin, end := q.next(at)
		if begin.After(at) {
			if awake := begin.Sub(at); run < awake {
				return at.Add(run)
			} else {
				run -= awake
			}
		}
		at = end
	}
}

// between returns how long a clock runs from one time to a later one.
func (q Quiet) between(at, until time.Time) time.Duration {
	if q.none() {
		return max(0, until.Sub(at))
	}
	var run time.Duration
	for at.Before(until) {
		begin, end := q.next(at)
		if begin.After(at) {
			if begin.After(until) {
				begin = until
			}
			run += begin.Sub(at)
		}
		at = end
	}
	return run
}

var quietSpelling = regexp.MustCompile(`^(\d{1,2})(?::([0-5]\d))?\s*[-–]\s*(\d{1,2})(?::([0-5]\d))?$`)

// parseQuiet reads "22-8" or "22:30-7:15" as minutes after midnight.
func parseQuiet(said string) (from, to int, ok bool) {
	m := quietSpelling.FindStringSubmatch(said)
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

// clockTime formats minutes after midnight: "8:05".
func clockTime(minutes int) string { return fmt.Sprintf("%d:%02d", minutes/60, minutes%60) }

func readQuiet(b *bot.Bot, said string) (string, bool) {
	if b.MeansNone(said) {
		return "", true
	}
	from, to, ok := parseQuiet(strings.TrimSpace(said))
	return clockTime(from) + "-" + clockTime(to), ok
}

func sayQuiet(_ *bot.Bot, value string) games.Line {
	if value == "" {
		return games.Say("bot.settings.none", nil)
	}
	return games.Say("bot.text", games.Args{"Text": strings.ReplaceAll(value, "-", "–")})
}

// QuietOf returns the quiet hours of a chat.
func QuietOf(set bot.Settings, b *bot.Bot) Quiet {
	from, to, some := parseQuiet(set["quiet"])
	if !some {
		return Quiet{} // and no zone is read from a file
	}
	return Quiet{zone: set.Zone(b), from: from, to: to}
}

func readIdle(b *bot.Bot, said string) (string, bool) {
	if b.MeansNone(said) {
		return "0", true
	}
	days, err := strconv.Atoi(strings.TrimSpace(said))
	switch {
	case err != nil || days < 0 || days > board.MaxIdle:
		return "", false
	case days == board.UsualIdle:
		return "", true
	}
	return strconv.Itoa(days), true
}

func sayIdle(_ *bot.Bot, value string) games.Line {
	switch days := board.IdleDays(bot.Settings{"idle": value}); days {
	case 0:
		return games.Say("bot.settings.never", nil)
	default:
		return games.Say("bot.days", games.Args{"N": days})
	}
}
