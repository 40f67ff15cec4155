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

// Turn times. They run by the chat's clock, which stops in its quiet hours, and are extended after outages.

const (
	// grace is the least time left to each turn after an outage of the bot or the place.
	grace = 2 * time.Minute
	// asleep is the delay of a round from which on the bot counts as having been away.
	asleep = time.Minute
	// tryAgain is the pause before a retry when a turn could not be ended.
	tryAgain = 5 * time.Second
	// dueAtOnce is the number of turns ended per query, and atOnce that of other tables per query.
	dueAtOnce = 64
	atOnce    = 256
)

// lookAt schedules the next round for a table: at its deadline or, for a match, before that at the last third of the
// turn, when the board begins to show the deadline. It sets t.Clock.Look.
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

// giveTime extends a running turn to at least long from now. The ID of the table adds up to half as much, so that not
// all turns end at once.
func (v *Visit) giveTime(t *store.Table, long time.Duration) error {
	if t.Clock.Due == 0 || t.State != store.Playing {
		return nil
	}
	spread := time.Duration(t.ID) * 7 * time.Second % max(long/2, 1)
	return errors.Join(v.lasts(t, v.At, long+spread), v.lookAt(t))
}

// lasts extends the present turn to at least long after from, which is in Unix milliseconds, by the chat's clock.
func (v *Visit) lasts(t *store.Table, from int64, long time.Duration) error {
	set, err := v.Settings(t.Chat)
	if err == nil {
		due := QuietOf(set, v.bot.Bot).After(time.UnixMilli(from), long)
		t.Clock.Due = max(t.Clock.Due, due.UnixMilli())
	}
	return err
}

// reached stores that the place of a table is reachable again, and extends its turn by grace, because people there
// could neither play nor be called.
func (v *Visit) reached(t *store.Table) error {
	t.Board.Away = false
	if err := v.bot.Notifier.Sooner(v, *t); err != nil {
		return err
	}
	return v.giveTime(t, grace)
}

// runClock sets the deadline of the present turn: a new turn gets the whole limit, one in which the person moved at
// least board.MinTurnLimit. It clears the deadline if no person's clock runs.
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

// wholeTurn restarts the present turn for its new or returned person. The deadline is a whole limit from now, or later
// if an outage has moved it further.
func (v *Visit) wholeTurn(t *store.Table) error {
	t.Clock.Moved = v.At
	limit := board.TurnLimit(*t)
	if limit == 0 || t.Clock.Due == 0 {
		return nil // no clock, or not started
	}
	return v.lasts(t, v.At, limit)
}

// Quiet is the daily period, in the chat's time zone, in which a chat's clock stops. The zero value is none.
type Quiet struct {
	zone     *time.Location
	from, to int // minutes after midnight; equal for none
}

// none reports whether the period is empty.
func (q Quiet) none() bool { return q.from == q.to || q.zone == nil }

// next returns the first quiet period that ends after at. When the time zone changes its offset, the period begins and
// ends when the clock shows the set time, or would have shown it.
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

// After returns the time at which a clock started at the time at has run for the duration run, quiet hours not counted.
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

// between returns how long a clock runs from the time at to the time until, quiet hours not counted.
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

// clockTime returns minutes after midnight as a time: "8:05".
func clockTime(minutes int) string { return fmt.Sprintf("%d:%02d", minutes/60, minutes%60) }

// readQuiet parses the value of the setting "quiet"; a word for none gives "". It reports whether said is valid.
func readQuiet(b *bot.Bot, said string) (string, bool) {
	if b.MeansNone(said) {
		return "", true
	}
	from, to, ok := parseQuiet(strings.TrimSpace(said))
	return clockTime(from) + "-" + clockTime(to), ok
}

// sayQuiet returns the stored value of the setting "quiet" in words.
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
		return Quiet{} // without loading a time zone
	}
	return Quiet{zone: set.Zone(b), from: from, to: to}
}

// readIdle parses the value of the setting "idle" in days; the default becomes "". It reports whether said is valid.
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

// sayIdle returns the stored value of the setting "idle" in words.
func sayIdle(_ *bot.Bot, value string) games.Line {
	switch days := board.IdleDays(bot.Settings{"idle": value}); days {
	case 0:
		return games.Say("bot.settings.never", nil)
	default:
		return games.Say("bot.days", games.Args{"N": days})
	}
}
