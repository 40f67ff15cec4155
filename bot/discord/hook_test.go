package discord

import (
	"crypto/ed25519"
	"encoding/hex"
	"encoding/json"
	"math"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/bwmarrin/discordgo"

	"knobel/bot/chat"
	"knobel/bot/discord/discordtest"
	"knobel/bot/fakes"
)

// door returns a scene with a hook, the URL of the hook and the key that signs requests.
func door(t *testing.T) (s *scene, url string, key ed25519.PrivateKey) {
	t.Helper()
	s = rehearse(t, discordtest.Options{}, &script{handle: says(chat.Reply{Board: 1})})
	public, key, err := ed25519.GenerateKey(nil)
	check(t, err)
	s.discord.options.Key = public
	front := httptest.NewServer(s.discord.Hook())
	t.Cleanup(front.Close)
	return s, front.URL + HookPath, key
}

// TestInteractionsOverHTTP checks that commands and presses are answered if they are only delivered by HTTP.
func TestInteractionsOverHTTP(t *testing.T) {
	s, at, key := door(t)
	check(t, s.server.Endpoint(at, key))
	s.answer(s.hall.Slash(s.anna, "coin", discordtest.Option{Name: "stake", Value: 10}))
	s.change("Another board.")
	i := s.pressOn(s.board())
	if a := s.answer(i); a.Type != 7 || a.Message.Text() != "Another board." {
		t.Errorf("a press is answered %d: %q", a.Type, a.Message.Text())
	}

	// A repeated interaction is refused and not answered.
	i.Redeliver()
	s.until("it is turned away", func() bool { return slices.Contains(s.server.Refused(), http.StatusConflict) })
	if refused := s.server.Refused(); len(refused) != 1 || len(s.core.seen()) != 2 {
		t.Errorf("turned away: %v; told: %v", refused, s.core.seen())
	}
	s.stop()
	asked := s.hall.Slashed(s.anna, "rules")
	if status := knock(t, at, key, time.Now(), "application/json", asked); status != http.StatusServiceUnavailable {
		t.Errorf("status %d from a bot that is not at work", status)
	}
}

// knock posts body to the hook at url, signed with key for the time signed, and returns the status.
func knock(t *testing.T, url string, key ed25519.PrivateKey, signed time.Time, contentType, body string) int {
	t.Helper()
	return knockStamped(t, url, key, strconv.FormatInt(signed.Unix(), 10), contentType, body)
}

// knockStamped is knock with the time stamp stamp, which may be invalid. If key is nil, nothing is signed.
func knockStamped(t *testing.T, url string, key ed25519.PrivateKey, stamp, contentType, body string) int {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, strings.NewReader(body))
	check(t, err)
	req.Header.Set("Content-Type", contentType)
	req.Header.Set("X-Signature-Timestamp", stamp)
	if key != nil {
		req.Header.Set("X-Signature-Ed25519", hex.EncodeToString(ed25519.Sign(key, []byte(stamp+body))))
	}
	resp, err := http.DefaultClient.Do(req)
	check(t, err)
	_ = resp.Body.Close()
	return resp.StatusCode
}

func TestOnlyDiscordIsLetIn(t *testing.T) {
	s, at, key := door(t)
	_, other, err := ed25519.GenerateKey(nil)
	check(t, err)
	now, ping := time.Now(), `{"type":1}`
	for _, c := range []struct {
		name       string
		key        ed25519.PrivateKey
		when       time.Time
		kind, body string
		status     int
	}{
		{"a knock", key, now, "application/json", ping, http.StatusOK},
		{"no signature", nil, now, "application/json", ping, http.StatusUnauthorized},
		{"another's signature", other, now, "application/json", ping, http.StatusUnauthorized},
		{"an old signature", key, now.Add(-maxSkew - time.Minute), "application/json", ping, http.StatusUnauthorized},
		{"a signature of times to come", key, now.Add(maxSkew + time.Minute), "application/json", ping,
			http.StatusUnauthorized},
		{"too much", key, now, "application/json", ping + strings.Repeat(" ", maxDelivered), http.StatusUnauthorized},
		{"a form", key, now, "application/x-www-form-urlencoded", ping, http.StatusUnsupportedMediaType},
		{"no JSON", key, now, "application/json", "<html>", http.StatusBadRequest},
		{"no interaction", key, now, "application/json", `{"type":2,"id":"x"}`, http.StatusBadRequest},
	} {
		if status := knock(t, at, c.key, c.when, c.kind, c.body); status != c.status {
			t.Errorf("%s: status %d, not %d", c.name, status, c.status)
		}
	}
	resp, err := http.Get(at)
	check(t, err)
	_ = resp.Body.Close()
	if resp.StatusCode != http.StatusMethodNotAllowed {
		t.Errorf("a visitor reads status %d", resp.StatusCode)
	}
	keyless := httptest.NewServer(New(Options{Token: s.server.Token()}).Hook())
	defer keyless.Close()
	if status := knock(t, keyless.URL, other, now, "application/json", ping); status != http.StatusUnauthorized {
		t.Errorf("a door without a key answers %d", status)
	}
}

// TestTimeStampsDoNotOverflow checks that a signature with any wrong time stamp is refused.
func TestTimeStampsDoNotOverflow(t *testing.T) {
	_, at, key := door(t)
	now := time.Now()
	for _, stamp := range []int64{
		now.UnixMilli(), now.UnixMicro(), now.UnixNano(), -now.UnixNano(), math.MinInt64, math.MinInt64 + 1,
		math.MaxInt64, math.MaxInt64 - 1,
		math.MinInt64 + now.Unix(), math.MaxInt64 - now.Unix(), now.Unix() + math.MinInt64/1_000_000_000,
		math.MaxInt64 / 1_000_000_000, 0, -1,
	} {
		if status := knockStamped(t, at, key, strconv.FormatInt(stamp, 10), "application/json",
			`{"type":1}`); status != http.StatusUnauthorized {
			t.Errorf("%d: status %d", stamp, status)
		}
	}
	for _, stamp := range []string{"", "now", "1e9", "9223372036854775808", "0x10", " 1", now.Format(time.RFC3339)} {
		if status := knockStamped(t, at, key, stamp, "application/json",
			`{"type":1}`); status != http.StatusUnauthorized {
			t.Errorf("%q: status %d", stamp, status)
		}
	}
	if status := knock(t, at, key, now, "application/json", `{"type":1}`); status != http.StatusOK {
		t.Errorf("now: status %d", status)
	}
}

func TestPublicKeys(t *testing.T) {
	for text, right := range map[string]bool{
		"": true, strings.Repeat("0a", 32): true, strings.Repeat("0a", 31): false, strings.Repeat("xy", 32): false,
	} {
		if _, err := ParseKey(text); (err == nil) != right {
			t.Errorf("%q: %v", text, err)
		}
	}
}

const readableInteraction = `{"id":"100","application_id":"200","type":2,"token":"aW50","channel_id":"300","guild_id":"400","locale":"de",
	"member":{"nick":"Änni","permissions":"32","user":{"id":"500","username":"anna","global_name":"Anna"}},
	"data":{"name":"shutbox","options":[{"name":"stake","type":4,"value":5},{"name":"tiles","type":3,"value":"4-9"},{"name":"yes","value":true}]}}`

func TestReadInteraction(t *testing.T) {
	in, ok := readInteraction([]byte(readableInteraction))
	ev := in.event()
	if !ok || ev.ID != "discord:100" || ev.Chat != "discord:400" || ev.Place != "discord:400:300" ||
		ev.User != "discord:500" ||
		ev.Name != "Änni" || ev.Locale != "de" || ev.Command != "shutbox" || ev.On != "" || !ev.Admin(t.Context()) {
		t.Errorf("%v: %+v", ok, ev)
	}
	if o := ev.Options; o["stake"] != "5" || o["tiles"] != "4-9" || o["yes"] != "true" || len(o) != 3 {
		t.Errorf("options %v", o)
	}
	fakes.Cases(t, "interactions.txt", func(change string) string {
		before, after, _ := strings.Cut(change, "|")
		in, ok := readInteraction([]byte(strings.Replace(readableInteraction, before, after, 1)))
		if !ok {
			return "unreadable"
		}
		in.event()
		return "readable"
	})
}

// TestSharedLanguage checks that a server's language is read from its settings; en-US counts only if it was chosen.
func TestSharedLanguage(t *testing.T) {
	for said, want := range map[string]string{
		`"guild_locale":"en-US","guild":{"features":["NEWS"]}`:      "und",
		`"guild_locale":"en-US","guild":{"features":["COMMUNITY"]}`: "en-US",
		`"guild_locale":"de"`:                        "de",
		`"guild_locale":null,"guild":{"features":7}`: "und",
		`"guild_id":null`:                            "",
	} {
		in, ok := readInteraction([]byte(strings.Replace(readableInteraction, `"type":2`, `"type":2,`+said, 1)))
		if said == `"guild_id":null` {
			in.GuildID = ""
		}
		if got := in.event().Shared; !ok || got != want {
			t.Errorf("%s: %v, %q, want %q", said, ok, got, want)
		}
	}
}

func FuzzReadInteraction(f *testing.F) {
	f.Add([]byte(readableInteraction))
	f.Add([]byte(`{"id":"1","application_id":"1","type":3,"token":"a.b-c_d","channel_id":"1","user":{"id":"2"},"message":{"id":"3"},"data":{"custom_id":"1:1:0:x"}}`))
	f.Add([]byte(`{"id":"1","type":4,"data":{"options":[{"focused":true,"value":null}]}}`))
	f.Add([]byte(`null`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		in, ok := readInteraction(raw)
		if !ok {
			return
		}
		ev := in.event()
		ev.Admin(t.Context())
		if (ev.Press == "") == (ev.Command == "") && in.Type != discordgo.InteractionApplicationCommand {
			t.Errorf("neither a press nor a command: %+v", ev)
		}
		for _, at := range []string{
			discordgo.EndpointInteractionResponse(in.ID, in.Token),
			discordgo.EndpointWebhookMessage(in.ApplicationID, in.Token, "@original"),
		} {
			req, err := http.NewRequest(http.MethodPost, at, nil)
			if err != nil || req.URL.RawQuery != "" || req.URL.Fragment != "" ||
				!strings.HasSuffix(req.URL.EscapedPath(), strings.TrimPrefix(at, discordgo.EndpointDiscord)) {
				t.Errorf("%q is no address: %v", at, err)
			}
		}
		if _, err := parsePlace(ev.Place); err != nil {
			t.Error(err)
		}
		if _, _, err := parseRef(ev.On); ev.On != "" && err != nil {
			t.Error(err)
		}
		if _, err := json.Marshal(ev.Options); err != nil {
			t.Error(err)
		}
	})
}
