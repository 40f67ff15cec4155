package discordtest

import (
	"fmt"
	"strings"
	"testing"
)

// Every rule about messages, each broken once.
func TestWrongMessages(t *testing.T) {
	b := newBench(t, Options{Pace: -1})
	text := func(s string) string { return `{"type":10,"content":"` + s + `"}` }
	v2 := func(components string) string {
		return `{"flags":32768,"components":[` + components + `],` + quiet + `}`
	}
	for _, c := range []struct{ name, body, why string }{
		{"no body", `{}`, "allowed_mentions"},
		{"not JSON", `{`, "no JSON"},
		{"mentions not forbidden", `{"content":"x"}`, "allowed_mentions"},
		{"mentions allowed", `{"content":"x","allowed_mentions":{"parse":["users"]}}`, "allowed_mentions"},
		{"mentions of everybody by default", `{"content":"x","allowed_mentions":{}}`, "allowed_mentions"},
		{"unknown key", `{"content":"x","contents":"y",` + quiet + `}`, "contents"},
		{"empty", `{"content":"",` + quiet + `}`, "empty"},
		{"spaces", `{"content":" \n",` + quiet + `}`, "empty"},
		{"too long", `{"content":"` + strings.Repeat("x", 2001) + `",` + quiet + `}`, "2000"},
		{"layout without the flag", `{"components":[` + text("x") + `],` + quiet + `}`, "flag"},
		{"layout with content", `{"content":"x","flags":32768,"components":[` + text("x") + `],` + quiet + `}`, "content"},
		{"layout with empty content", `{"content":"","flags":32768,"components":[` + text("x") + `],` + quiet + `}`, "content"},
		{"layout with embeds", `{"embeds":[{"title":"x"}],"flags":32768,"components":[` + text("x") + `],` + quiet + `}`, "embeds"},
		{"six rows", `{"content":"x","components":[` + repeat(6, func(i int) string { return row(button(fmt.Sprint(i))) }) + `],` + quiet + `}`, "5 rows"},
		{"six buttons", `{"content":"x","components":[` + row(repeat(6, func(i int) string { return button(fmt.Sprint(i)) })) + `],` + quiet + `}`, ""},
		{"a row of nothing", `{"content":"x","components":[{"type":1,"components":[]}],` + quiet + `}`, ""},
		{"the same button twice", `{"content":"x","components":[` + row(button("a"), button("a")) + `],` + quiet + `}`, "twice"},
		{"a button outside a row", v2(button("a")), ""},
		{"a button in a container", v2(`{"type":17,"components":[` + button("a") + `]}`), ""},
		{"a button without a label", v2(row(`{"type":2,"style":1,"custom_id":"a"}`)), "label"},
		{"a button without an id", v2(row(`{"type":2,"style":1,"label":"a"}`)), "custom_id"},
		{"a long label", v2(row(`{"type":2,"style":1,"custom_id":"a","label":"` + strings.Repeat("x", 81) + `"}`)), ""},
		{"a long id", v2(row(button(strings.Repeat("x", 101)))), ""},
		{"a link with an id", v2(row(`{"type":2,"style":5,"label":"a","custom_id":"a","url":"https://example.org"}`)), ""},
		{"an unknown style", v2(row(`{"type":2,"style":9,"label":"a","custom_id":"a"}`)), ""},
		{"an unknown component", v2(`{"type":99}`), ""},
		{"a container in a container", v2(`{"type":17,"components":[{"type":17,"components":[` + text("x") + `]}]}`), ""},
		{"41 components", v2(repeat(21, func(int) string { return `{"type":17,"components":[` + text("x") + `]}` })), ""},
		{"4001 characters", v2(text(strings.Repeat("x", 2000)) + "," + text(strings.Repeat("x", 2001))), "4000"},
		{"an empty text", v2(text("")), ""},
		{"a text of spaces", v2(text("  ")), "letters"},
		{"a long nonce", `{"content":"x","nonce":"` + strings.Repeat("x", 26) + `",` + quiet + `}`, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			b.T = t
			if status, _, code := b.does("POST", "/channels/"+b.hall.ID+"/messages", c.body); status != 400 || code != 50035 {
				t.Errorf("answered %d, %d", status, code)
			}
			b.violated(c.why)
		})
	}
	b.T = t
	if n := len(b.hall.Messages()); n != 0 {
		t.Errorf("%d messages", n)
	}
	good := v2(`{"type":17,"accent_color":5,"components":[` + text("Hello") + `,{"type":14},` + row(button("a"), button("b")) + `]}`)
	if status, _, _ := b.does("POST", "/channels/"+b.hall.ID+"/messages", good); status != 200 {
		t.Errorf("a good message is answered %d", status)
	}
	m, _ := b.hall.Last()
	if found, ok := m.Button("x"); m.Text() != "Hello" || len(m.Buttons()) != 2 || !ok || found.CustomID != "a" {
		t.Errorf("people see %+v", m)
	}
}
