package telegramtest

import (
	"slices"
	"strings"
	"testing"
)

// sending returns the parameters of a valid message with changes, by name and value; "-" leaves one out.
func sending(change ...string) map[string]string {
	params := map[string]string{
		"chat_id": "-100123", "text": "<b>Anna</b> throws", "parse_mode": "HTML",
		"reply_markup":         `{"inline_keyboard":[[{"text":"9+2","callback_data":"v1:7:3:shut 9+2","style":"primary"}]]}`,
		"link_preview_options": `{"is_disabled":true}`,
		"reply_parameters":     `{"message_id":5,"allow_sending_without_reply":true}`,
	}
	for i := 0; i < len(change); i += 2 {
		if change[i+1] == "-" {
			delete(params, change[i])
		} else {
			params[change[i]] = change[i+1]
		}
	}
	return params
}

// oneButton returns the change to a message with one button.
func oneButton(fields string) []string {
	return []string{"reply_markup", `{"inline_keyboard":[[` + fields + `]]}`}
}

func TestCheck(t *testing.T) {
	s := Described()
	for _, c := range []struct {
		name, method string
		params       map[string]string
		want         string // part of the only fault; "" for none
	}{
		{"a good message", "sendMessage", sending(), ""},
		{"4097 characters", "sendMessage", sending("text", strings.Repeat("x", 4097)), "text has 4097 characters"},
		{"emoji count twice", "sendMessage", sending("text", strings.Repeat("🎲", 2049)), "text has 4098 characters"},
		{"typo", "sendMessage", sending("parse_mod", "HTML"), "unknown parameter parse_mod"},
		{"unknown mode", "sendMessage", sending("parse_mode", "html"), `parse_mode is html`},
		{"bad style", "sendMessage", sending(oneButton(`{"text":"a","callback_data":"b","style":"blue"}`)...),
			"style is blue, not one of"},
		{"66 bytes", "sendMessage", sending(oneButton(`{"text":"a","callback_data":"` + strings.Repeat("ü", 33) +
			`"}`)...), "has 66 bytes"},
		{"two kinds", "sendMessage", sending(oneButton(`{"text":"a","callback_data":"b","url":"https://example.org"}`)...), "has 2 of [callback_data url], not one"},
		{"field typo", "sendMessage", sending("link_preview_options", `{"disabled":true}`), "unknown field"},
		{"toast of 201", "answerCallbackQuery",
			map[string]string{"callback_query_id": "1", "text": strings.Repeat("x", 201)}, "has 201 characters"},
		{"limit", "getUpdates", map[string]string{"limit": "101"}, "is 101, not 1-100"},
		{"edit to nothing", "editMessageText", map[string]string{"chat_id": "1", "message_id": "2"},
			"0 of [text rich_message]"},
		{"no such method", "sendDices", nil, "no method sendDices"},
		{"command with a hyphen", "setMyCommands",
			map[string]string{"commands": `[{"command":"one-die","description":"x"}]`}, "does not match"},
		{"a chat that is no number", "getChat", map[string]string{"chat_id": "@here"}, "not an integer"},
		{"a file that did not come", "sendPhoto", map[string]string{"chat_id": "1", "photo": "attach://x"},
			"no file of the request"},
	} {
		t.Run(c.name, func(t *testing.T) {
			wrong := s.Check(c.method, c.params, nil)
			if c.want == "" && len(wrong) > 0 {
				t.Fatalf("found %q", wrong)
			}
			if c.want != "" && !slices.ContainsFunc(wrong, func(w string) bool { return strings.Contains(w, c.want) }) {
				t.Fatalf("found %q, want %q", wrong, c.want)
			}
		})
	}
}

func TestParseHTML(t *testing.T) {
	for _, c := range []struct{ raw, text, wrong string }{
		{"plain", "plain", ""},
		{"<b>1 <i>2</i></b> &lt;&amp;&gt;&quot;&#39;&#x2581;", `1 2 <&>"'▁`, ""},
		{`<a href="tg://user?id=1">Anna</a><span class="tg-spoiler">x</span>`, "Annax", ""},
		{"<pre><code class=\"language-go\">x</code></pre>", "x", ""},
		{"5 < 6", "", "unclosed start tag"},
		{"<h1>x</h1>", "", "unsupported start tag"},
		{"<b>x", "", "can't find end tag"},
		{"<b><i>x</b></i>", "", "unmatched end tag"},
		{"Tom & Anna", "", "unescaped &"},
		{"a > b", "", "unescaped >"},
		{"&nbsp;", "", "unknown entity"},
		{`<b onclick="x">y</b>`, "", "unsupported attribute"},
		{"\xff", "", "UTF-8"},
	} {
		text, err := ParseHTML(c.raw)
		if c.wrong == "" && (err != nil || text != c.text) {
			t.Errorf("%q: %q, %v", c.raw, text, err)
		}
		if c.wrong != "" && (err == nil || !strings.Contains(err.Error(), c.wrong)) {
			t.Errorf("%q: %v, want %q", c.raw, err, c.wrong)
		}
	}
}
