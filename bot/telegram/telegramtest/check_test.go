package telegramtest

import (
	"regexp"
	"strconv"
	"strings"
	"testing"

	"knobel/bot/fakes"
)

// good is a valid message.
const good = `chat_id=-100123&text=<b>Anna</b> throws&parse_mode=HTML` +
	`&reply_markup={"inline_keyboard":[[{"text":"9+2","callback_data":"v1:7:3:shut 9+2","style":"primary"}]]}` +
	`&link_preview_options={"is_disabled":true}` +
	`&reply_parameters={"message_id":5,"allow_sending_without_reply":true}`

var repeated = regexp.MustCompile(`<(.)\*(\d+)>`)

// A case is a method and its parameters; those of sendMessage change a valid message.
func TestCheck(t *testing.T) {
	fakes.Cases(t, "checked.txt", func(said string) string {
		said = repeated.ReplaceAllStringFunc(said, func(found string) string {
			m := repeated.FindStringSubmatch(found)
			n, _ := strconv.Atoi(m[2])
			return strings.Repeat(m[1], n)
		})
		method, changes, _ := strings.Cut(said, " ")
		if method == "sendMessage" {
			changes = good + "&" + changes
		}
		params := map[string]string{}
		for pair := range strings.SplitSeq(changes, "&") {
			if name, value, ok := strings.Cut(pair, "="); ok {
				params[name] = value
			}
		}
		return strings.Join(Described().Check(method, params, nil), "; ")
	})
}

func TestParseHTML(t *testing.T) {
	fakes.Cases(t, "html.txt", func(raw string) string {
		text, err := ParseHTML(raw)
		if err != nil {
			return "error: " + err.Error()
		}
		return text
	})
}
