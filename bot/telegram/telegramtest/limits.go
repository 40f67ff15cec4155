package telegramtest

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
)

// limits are what a field's description says about its values, in prose.
type limits struct {
	length   span // of a text, in unit
	unit     string
	parsed   bool // the length counts after the entities were parsed
	value    span // of a number
	count    span // of a list
	oneOf    []string
	spelling *regexp.Regexp
}

// span is a range with both ends; set says that the description gives one.
type span struct {
	from, to int
	set      bool
}

func (s span) holds(n int) bool { return !s.set || s.from <= n && n <= s.to }

var (
	lengthRange = regexp.MustCompile(`(?i)\b(\d+)-(\d+) (characters|bytes)`)
	valueRange  = regexp.MustCompile(`(?:[;,.] |between )(\d+)-(\d+)(?:[.;,]| are accepted|$)`)
	countRange  = regexp.MustCompile(`(?:list of|include) (\d+)-(\d+) `)
	countAtMost = regexp.MustCompile(`At most (\d+) `)
	oneOfList   = regexp.MustCompile(`(?i)must be one of (.*?)(?:\. [A-Z]|\.?$)`)
	quoted      = regexp.MustCompile(`"([^"]+)"`)
	lowercase   = regexp.MustCompile(`Can contain only lowercase English letters, digits and underscores`)
	command     = regexp.MustCompile(`^[a-z0-9_]+$`)
)

// mine reads the limits out of a field's description.
func mine(f field) limits {
	var l limits
	text := f.Description
	if m := lengthRange.FindStringSubmatch(text); m != nil {
		l.length, l.unit = between(m[1], m[2]), strings.ToLower(m[3])
		l.parsed = strings.Contains(text, "after entit")
	}
	if m := valueRange.FindStringSubmatch(text); m != nil && slices.Contains(f.Types, "Integer") {
		l.value = between(m[1], m[2])
	}
	if strings.HasPrefix(f.Types[0], "Array of") {
		if m := countRange.FindStringSubmatch(text); m != nil {
			l.count = between(m[1], m[2])
		} else if m := countAtMost.FindStringSubmatch(text); m != nil {
			l.count = between("0", m[1])
		}
	}
	if m := oneOfList.FindStringSubmatch(text); m != nil {
		for _, q := range quoted.FindAllStringSubmatch(m[1], -1) {
			l.oneOf = append(l.oneOf, q[1])
		}
	}
	if lowercase.MatchString(text) {
		l.spelling = command
	}
	return l
}

func between(from, to string) span {
	a, _ := strconv.Atoi(from)
	b, _ := strconv.Atoi(to)
	return span{a, b, true}
}

// text returns what is wrong with a text, or nothing.
func (l limits) text(value string) string {
	n := len(value)
	if l.unit == "characters" {
		n = utf16Length(value)
	}
	switch {
	case !l.length.holds(n):
		return fmt.Sprintf("has %d %s, not %d-%d", n, l.unit, l.length.from, l.length.to)
	case len(l.oneOf) > 0 && !slices.Contains(l.oneOf, value):
		return fmt.Sprintf("is %q, not one of %q", value, l.oneOf)
	case l.spelling != nil && !l.spelling.MatchString(value):
		return fmt.Sprintf("is %q: only lower-case letters, digits and underscores", value)
	}
	return ""
}

// utf16Length counts as Telegram counts characters.
func utf16Length(s string) int { return len(utf16.Encode([]rune(s))) }
