package main

import (
	"fmt"
	"log/slog"
	"regexp"
	"strings"
)

// ids matches ids of people, chats, places, messages and presses: the name of a platform, a colon,
// and text with a digit in it. "web:room", the browser's only place, has no digit and identifies no
// person.
var ids = regexp.MustCompile(`\b(` + strings.Join(append(namesOf(entries()), "terminal"), "|") +
	`):[-@:\w]*\d(?:[-@:\w]*\w)?`)

// veil, for slog.HandlerOptions.ReplaceAttr, removes all ids from a log record, in errors too: a
// log may outlive a person's data in the database.
func veil(_ []string, a slog.Attr) slog.Attr {
	a.Value = a.Value.Resolve()
	var text string
	switch v := a.Value.Any().(type) {
	case string:
		text = v
	case error:
		text = v.Error()
	case fmt.Stringer:
		text = v.String()
	default:
		if a.Value.Kind() != slog.KindAny {
			return a
		}
		text = fmt.Sprint(v)
	}
	if hidden := ids.ReplaceAllString(text, "$1:…"); hidden != text {
		a.Value = slog.StringValue(hidden)
	}
	return a
}
