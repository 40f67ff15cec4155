package evening

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"knobel/bot/zone"
	"knobel/games"
	"knobel/store"
)

// Days and times as people type them.

// given is what a person has typed behind /evening.
type given struct {
	weekday, minute int    // -1: not given
	terms           string // the rest: the game and its options
}

// The shortest and the longest time from the notice to the evening, and the usual one, in minutes.
const (
	minNotice   = 10
	maxNotice   = 24 * 60
	usualNotice = 60
)

// Words that may be times. An hour alone counts as a time from 13 on, or with a word such as "pm" behind it.
var (
	timeLike = regexp.MustCompile(`^[0-9]{1,2}([:.h][0-9]{2})?(am|pm|a\.m\.|p\.m\.|h|uhr)?$`)
	behind   = regexp.MustCompile(`^(am|pm|a\.m\.|p\.m\.|h|uhr|o'clock)$`)
	length   = regexp.MustCompile(`^([0-9]{1,4})(m|min|h|std)?[a-z]*$`)
)

// read reads text as typed behind /evening: a day, a time, and the rest. It refuses a second day or time, and times
// that no clock shows.
func (b *Evenings) read(text string) (given, error) {
	g := given{weekday: -1, minute: -1}
	typed := strings.Fields(text)
	var rest []string
	for i := 0; i < len(typed); i++ {
		word := strings.ToLower(strings.Trim(typed[i], ","))
		if day := b.weekdayCalled(strings.TrimSuffix(word, ".")); day >= 0 && len(rest) == 0 {
			if g.weekday >= 0 {
				return g, games.Refuse("bot.evening.when", nil)
			}
			g.weekday = day
			continue
		}
		next := ""
		if i+1 < len(typed) {
			next = strings.ToLower(strings.Trim(typed[i+1], ","))
		}
		minute, used, isTime := readTime(word, next)
		if isTime && len(rest) == 0 {
			if g.minute >= 0 || minute < 0 {
				return g, games.Refuse("bot.evening.when", nil)
			}
			g.minute = minute
			i += used
			continue
		}
		if len(rest) == 0 && slices.Contains(b.WordsFor("bot.evening.fillers"), word) {
			continue
		}
		rest = append(rest, typed[i])
	}
	g.terms = strings.Join(rest, " ")
	return g, nil
}

// readTime reads word as a time of day, in minutes after midnight; -1: no clock shows it. next is the word behind it,
// and used says how many of these belong to the time.
func readTime(word, next string) (minute, used int, ok bool) {
	if !timeLike.MatchString(word) {
		return 0, 0, false
	}
	if behind.MatchString(next) {
		word, used = word+" "+next, 1
	}
	hour, err := strconv.Atoi(word)
	if err == nil && hour < 13 {
		return 0, 0, false // it may be anything
	}
	if minute, ok = zone.Clock(word); !ok {
		minute = -1
	}
	return minute, used, true
}

// readNotice reads the time from the notice to the evening: "30", "30m", "2h", none.
func (b *Evenings) readNotice(value string) (int, error) {
	if b.MeansNone(value) {
		return 0, nil
	}
	m := length.FindStringSubmatch(value)
	if m == nil {
		return 0, games.Refuse("bot.evening.notice", nil)
	}
	minutes, _ := strconv.Atoi(m[1])
	if m[2] == "h" || m[2] == "std" {
		minutes *= 60
	}
	if minutes < minNotice || minutes > maxNotice {
		return 0, games.Refuse("bot.evening.notice", nil)
	}
	return minutes, nil
}

// weekdays are the names of the days of the week, by time.Weekday.
var weekdays = [...]games.Word{"bot.weekday.sunday", "bot.weekday.monday", "bot.weekday.tuesday",
	"bot.weekday.wednesday", "bot.weekday.thursday", "bot.weekday.friday", "bot.weekday.saturday"}

// weekdayValue returns the value of a day in options and presses: "friday".
func weekdayValue(day games.Word) string { return strings.TrimPrefix(string(day), "bot.weekday.") }

// weekdayCalled returns the day of the week with a name in any language ("friday", "fridays", "fr"), or -1.
func (b *Evenings) weekdayCalled(word string) int {
	return slices.IndexFunc(weekdays[:], func(day games.Word) bool {
		return weekdayValue(day) == word || b.Means(string(day), word)
	})
}

// clockLabel returns a minute of the day as clocks show it: "20:00".
func clockLabel(minute int64) string { return fmt.Sprintf("%d:%02d", minute/60, minute%60) }

// apart is the least time from the start of one evening to the next start of the same: a change of the zone or of the
// time does not open a second lobby on the same evening.
const apart = 12 * time.Hour

// nextStart returns the first start of e at or after from, but not on the evening of e.Opened.
func nextStart(e store.Evening, from int64, in *time.Location) int64 {
	day := time.UnixMilli(max(from, e.Opened)).In(in).AddDate(0, 0, -1)
	for ; ; day = day.AddDate(0, 0, 1) {
		if int64(day.Weekday()) != e.Weekday {
			continue
		}
		year, month, date := day.Date()
		start := zone.At(year, month, date, int(e.Minute/60), int(e.Minute%60), in).UnixMilli()
		if start >= from && start > e.Opened+apart.Milliseconds() {
			return start
		}
	}
}
