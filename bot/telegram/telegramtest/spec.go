package telegramtest

import (
	_ "embed"
	"sync"
	"unicode/utf16"

	"knobel/bot/fakes/spec"
)

//go:embed api.txt
var api string

// Spec is the description of the Bot API for checking requests.
type Spec struct{ own *spec.Spec }

// Described returns our description of the Bot API: the calls and updates that the bot uses.
var Described = sync.OnceValue(func() *Spec {
	own := spec.Read(api)
	own.Length, own.Plain = utf16Length, plain
	return &Spec{own}
})

// utf16Length counts characters as Telegram does.
func utf16Length(s string) int { return len(utf16.Encode([]rune(s))) }

// plain removes the markup from a text. For invalid markup the server returns Telegram's error.
func plain(text string, beside map[string]any) (string, bool) {
	if beside["parse_mode"] != "HTML" {
		return text, true
	}
	read, err := ParseHTML(text)
	return read, err == nil
}
