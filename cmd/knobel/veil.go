package main

import (
	"fmt"
	"log/slog"
	"regexp"
	"strings"
)

// ids are the ids of people, chats, places, messages and presses: the name of a
// platform, a colon, and what only that platform reads. An id has a digit in it;
// "web:room", the browser's only place, has none and is nobody's.
var ids = regexp.MustCompile(`\b(` + strings.Join(namesOf(append(entries(), keyboard)), "|") + `):[-@:\w]*\d(?:[-@:\w]*\w)?`)

// veil is for slog.HandlerOptions.ReplaceAttr. It takes all ids out of a line of
// the log, wherever they stand: in errors, too. A log outlives the database that
// somebody may have themselves taken out of.
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
