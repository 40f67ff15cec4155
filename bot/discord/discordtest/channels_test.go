package discordtest

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// Old messages, paces, nonces, permissions.
func TestChannels(t *testing.T) {
	b := newBench(t, Options{Pace: 3, OldEdits: 1})
	post := func(nonce string) (int, map[string]any, int) {
		return b.does("POST", "/channels/"+b.hall.ID+"/messages", `{"content":"x","nonce":"`+nonce+`","enforce_nonce":true,`+quiet+`}`)
	}
	_, one, _ := post("a")
	if _, two, _ := post("a"); two["id"] != one["id"] || len(b.hall.Messages()) != 1 {
		t.Error("the same nonce makes two messages")
	}
	at := "/channels/" + b.hall.ID + "/messages/" + one["id"].(string)
	b.hall.Deny(SendMessages)
	if status, _, code := post("b"); status != 403 || code != 50013 {
		t.Errorf("forbidden: %d, %d", status, code)
	}
	b.hall.Deny(ViewChannel)
	if status, _, code := post("b"); status != 403 || code != 50001 {
		t.Errorf("hidden: %d, %d", status, code)
	}
	b.hall.Allow(ViewChannel | SendMessages)
	post("c")
	if status, _, _ := post("d"); status != 429 {
		t.Errorf("a fourth post in five seconds: %d", status)
	}
	if status, _, _ := post("e"); status != 429 {
		t.Errorf("a fifth post in five seconds: %d", status)
	}
	b.violated("asked again")
	b.Advance(59 * time.Minute)
	edit := `{"content":"y",` + quiet + `}`
	if status, _, _ := b.does("PATCH", at, edit); status != 200 {
		t.Errorf("an edit within the hour: %d", status)
	}
	b.Advance(2 * time.Minute)
	b.does("PATCH", at, edit)
	if status, _, code := b.does("PATCH", at, edit); status != 429 || code != 30046 {
		t.Errorf("edits after the hour: %d, %d", status, code)
	}
	if status, _, _ := b.does("DELETE", at, ""); status != 204 {
		t.Errorf("deleting: %d", status)
	}
	b.hall.Delete()
	if status, _, code := b.does("GET", "/channels/"+b.hall.ID, ""); status != 404 || code != 10003 {
		t.Errorf("a deleted channel: %d, %d", status, code)
	}
}

// Every rule about commands.
func TestWrongCommands(t *testing.T) {
	b := newBench(t, Options{Pace: -1})
	command := func(rest string) string {
		return `[{"name":"dice","description":"x","type":1,"options":[` + rest + `]}]`
	}
	for _, c := range []struct{ name, body, why string }{
		{"upper case", `[{"name":"Dice","description":"x"}]`, "name"},
		{"no description", `[{"name":"dice"}]`, "no description"},
		{"twice", `[{"name":"dice","description":"x"},{"name":"dice","description":"y"}]`, "twice"},
		{"101 commands", `[` + repeat(101, func(i int) string { return fmt.Sprintf(`{"name":"c%d","description":"x"}`, i) }) + `]`, ""},
		{"a long description", `[{"name":"dice","description":"` + strings.Repeat("x", 101) + `"}]`, ""},
		{"an unknown language", `[{"name":"dice","description":"x","description_localizations":{"en":"x"}}]`, ""},
		{"an unknown key", `[{"name":"dice","description":"x","colour":1}]`, "colour"},
		{"26 options", command(repeat(26, func(i int) string { return fmt.Sprintf(`{"type":3,"name":"o%d","description":"x"}`, i) })), ""},
		{"an option twice", command(`{"type":3,"name":"a","description":"x"},{"type":3,"name":"a","description":"x"}`), "twice"},
		{"required after voluntary", command(`{"type":3,"name":"a","description":"x"},{"type":3,"name":"b","description":"x","required":true}`), "required"},
		{"choices and completion", command(`{"type":3,"name":"a","description":"x","autocomplete":true,"choices":[{"name":"a","value":"a"}]}`), ""},
		{"a choice twice", command(`{"type":3,"name":"a","description":"x","choices":[{"name":"a","value":"a"},{"name":"a","value":"b"}]}`), "twice"},
		{"26 choices", command(`{"type":3,"name":"a","description":"x","choices":[` + repeat(26, func(i int) string { return fmt.Sprintf(`{"name":"%d","value":"%d"}`, i, i) }) + `]}`), ""},
		{"from more to less", command(`{"type":4,"name":"a","description":"x","min_value":2,"max_value":1}`), "more to less"},
		{"8001 characters", command(repeat(20, func(o int) string {
			return fmt.Sprintf(`{"type":3,"name":"o%d","description":"x","choices":[%s]}`, o, repeat(25, func(i int) string {
				return fmt.Sprintf(`{"name":"choice number %d","value":"%d"}`, i, i)
			}))
		})), "8000"},
	} {
		t.Run(c.name, func(t *testing.T) {
			b.T = t
			if status, _, _ := b.does("PUT", "/applications/"+applicationID+"/commands", c.body); status != 400 {
				t.Errorf("answered %d", status)
			}
			b.violated(c.why)
		})
	}
	b.T = t
	if b.Registered() != 0 {
		t.Error("wrong commands count")
	}
}
