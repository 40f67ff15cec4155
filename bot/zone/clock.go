package zone

import (
	"regexp"
	"strconv"
	"strings"
)

// typedClock matches a time of day: "10", "10:30", "10.30 Uhr", "9 pm", "21h".
var typedClock = regexp.MustCompile(`^([0-9]{1,2})(?:[:.h]([0-9]{2}))? ?(am|pm|a\.m\.|p\.m\.|uhr|h|o'clock|)$`)

// Clock returns the minute of the day that text means; ok is false if it means none.
func Clock(text string) (minute int, ok bool) {
	m := typedClock.FindStringSubmatch(strings.ToLower(strings.Join(strings.Fields(text), " ")))
	if m == nil {
		return 0, false
	}
	hour, _ := strconv.Atoi(m[1]) // digits, because the pattern matches
	minute, _ = strconv.Atoi("0" + m[2])
	if m[3] != "" && strings.Contains("am pm a.m. p.m.", m[3]) {
		if hour < 1 || hour > 12 {
			return 0, false
		}
		if hour %= 12; m[3][0] == 'p' {
			hour += 12
		}
	}
	return 60*hour + minute, hour < 24 && minute < 60
}
