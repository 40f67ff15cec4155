package table

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"

	"knobel/bot"
	"knobel/bot/board"
	"knobel/games"
)

// Quiet is the daily period in which a chat's clocks stand still, in the chat's time zone. The zero
// value is none.
type Quiet struct {
	zone     *time.Location
	from, to int // minutes after midnight; alike: there are none
}

// none reports whether there is no such period.
func (q Quiet) none() bool { return q.from == q.to || q.zone == nil }

// on are the quiet hours that begin on a day. Where the clock of the chat jumps,
// they begin and end when it shows what was said, or would have.
func (q Quiet) on(year int, month time.Month, day int) (begin, end time.Time) {
	begin = time.Date(year, month, day, q.from/60, q.from%60, 0, 0, q.zone)
	if q.to <= q.from {
		day++
	}
	return begin, time.Date(year, month, day, q.to/60, q.to%60, 0, 0, q.zone)
}

// next are the first quiet hours that end after a moment.
func (q Quiet) next(at time.Time) (begin, end time.Time) {
	year, month, day := at.In(q.zone).Date()
	for day--; ; day++ {
		begin, end = q.on(year, month, day)
		if end.After(at) && begin.Before(end) {
			return begin, end
		}
	}
}

// After is when a clock that starts at a moment has run for so long.
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

// between is how long a clock runs from one moment to a later one.
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

// clockTime spells minutes after midnight: "8:05".
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
