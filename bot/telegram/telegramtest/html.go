package telegramtest

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Telegram's tags with the allowed attributes.
func attributesOf(tag string) (allowed []string, known bool) {
	switch tag {
	case "b", "strong", "i", "em", "u", "ins", "s", "strike", "del", "pre", "tg-spoiler":
		return nil, true
	case "span", "code":
		return []string{"class"}, true
	case "a":
		return []string{"href"}, true
	case "blockquote":
		return []string{"expandable"}, true
	case "tg-emoji":
		return []string{"emoji-id"}, true
	case "tg-time":
		return []string{"unix", "format"}, true
	}
	return nil, false
}

var (
	tagSpelling = regexp.MustCompile(`^(/?)([a-z-]+)((?:\s+[a-z-]+(?:="[^"<>]*")?)*)\s*$`)
	attribute   = regexp.MustCompile(`([a-z-]+)(?:="[^"<>]*")?`)
	quotedValue = regexp.MustCompile(`="[^"]*"`)
)

// ParseHTML returns the visible text, or why Telegram could not parse the entities. It is stricter than Telegram, as
// its documentation asks: every <, > and & outside of tags and entities is an error.
func ParseHTML(raw string) (string, error) {
	var text strings.Builder
	var open []string
	for i := 0; i < len(raw); {
		switch raw[i] {
		case '<':
			end := strings.IndexByte(raw[i:], '>')
			if end < 0 {
				return "", fmt.Errorf("unclosed start tag at byte offset %d", i)
			}
			var err error
			if open, err = enterOrLeave(open, raw[i+1:i+end], i); err != nil {
				return "", err
			}
			i += end + 1
		case '>':
			return "", fmt.Errorf("unescaped > at byte offset %d", i)
		case '&':
			r, size, err := character(raw[i:], i)
			if err != nil {
				return "", err
			}
			text.WriteRune(r)
			i += size
		default:
			r, size := utf8.DecodeRuneInString(raw[i:])
			if r == utf8.RuneError && size == 1 {
				return "", fmt.Errorf("strings must be encoded in UTF-8")
			}
			text.WriteRune(r)
			i += size
		}
	}
	if len(open) > 0 {
		return "", fmt.Errorf("can't find end tag corresponding to start tag %q", open[len(open)-1])
	}
	return text.String(), nil
}

// enterOrLeave returns the open tags after one more tag.
func enterOrLeave(open []string, inside string, at int) ([]string, error) {
	m := tagSpelling.FindStringSubmatch(inside)
	if m == nil {
		return nil, fmt.Errorf("unsupported start tag %q at byte offset %d", inside, at)
	}
	name := m[2]
	allowed, known := attributesOf(name)
	if !known {
		return nil, fmt.Errorf("unsupported start tag %q at byte offset %d", name, at)
	}
	if m[1] == "/" {
		if len(open) == 0 || open[len(open)-1] != name {
			return nil, fmt.Errorf("unmatched end tag at byte offset %d, found %q", at, name)
		}
		return open[:len(open)-1], nil
	}
	for _, a := range attribute.FindAllString(quotedValue.ReplaceAllString(m[3], ""), -1) {
		if !slices.Contains(allowed, a) {
			return nil, fmt.Errorf("unsupported attribute %q of tag %q at byte offset %d", a, name, at)
		}
	}
	return append(slices.Clone(open), name), nil
}

// character parses one entity at the start of s.
func character(s string, at int) (rune, int, error) {
	end := strings.IndexByte(s, ';')
	if end < 0 || end > 10 {
		return 0, 0, fmt.Errorf("unescaped & at byte offset %d", at)
	}
	size, name := end+1, s[1:end]
	switch name {
	case "lt":
		return '<', size, nil
	case "gt":
		return '>', size, nil
	case "amp":
		return '&', size, nil
	case "quot":
		return '"', size, nil
	}
	if number, ok := strings.CutPrefix(name, "#"); ok {
		base := 10
		if hex, ok := strings.CutPrefix(number, "x"); ok {
			number, base = hex, 16
		}
		if n, err := strconv.ParseUint(number, base, 32); err == nil && utf8.ValidRune(rune(n)) {
			return rune(n), size, nil
		}
	}
	return 0, 0, fmt.Errorf("unknown entity &%s; at byte offset %d", name, at)
}
