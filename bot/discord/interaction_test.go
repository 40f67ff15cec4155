package discord

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/bwmarrin/discordgo"

	"knobel/bot/fakes"
)

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
		old, now, _ := strings.Cut(change, "|")
		in, ok := readInteraction([]byte(strings.Replace(readableInteraction, old, now, 1)))
		if !ok {
			return "unreadable"
		}
		in.event()
		return "readable"
	})
}

// TestSharedLanguage reads the language of servers: en-US alone says nothing, as it is the default.
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
