package discord

import (
	"fmt"
	"strings"
	"testing"

	"knobel/bot/discord/discordtest"
)

func TestExamine(t *testing.T) {
	t.Parallel()
	server := discordtest.Start(t, discordtest.Options{})
	d := New(Options{Token: server.Token(), URL: server.URL()})
	check := func(d *Discord, wrong bool, parts ...string) {
		t.Helper()
		var said []string
		anyWrong := false
		for _, f := range d.Examine(t.Context()) {
			said = append(said, f.Text, fmt.Sprint(f.Line))
			anyWrong = anyWrong || f.Wrong
		}
		text := strings.Join(said, "\n")
		for _, part := range parts {
			if !strings.Contains(text, part) {
				t.Errorf("%q is not in:\n%s", part, text)
			}
		}
		if anyWrong != wrong || strings.Contains(text, server.Token()) {
			t.Errorf("wrong is %v:\n%s", anyWrong, text)
		}
	}
	check(d, true, "in no server")
	guild := server.Guild("The Dice")
	check(d, false, "reached as Knobel", "1000 of 1000", "in 1 servers",
		"0 of 117 emoji are there, knobel serve uploads the others")
	guild.Deny(discordtest.SendInThreads)
	check(d, true, "The Dice", "bot.discord.send-in-threads")
	for besides, want := range map[string]bool{"1": false, "2": true} { // 1 is the owner
		if got, err := d.OtherAdmin(t.Context(), chatID(guild.ID, ""), userID(besides)); err != nil || got != want {
			t.Errorf("another admin than %s: %v, %v", besides, got, err)
		}
	}
	server.Fail(discordtest.Fault{On: "GET /users/@me", Status: 502, HTML: true})
	check(d, true, "cannot be reached")
	server.Fail(discordtest.Fault{On: "GET /gateway", Status: 500, Message: "trouble"},
		discordtest.Fault{On: "GET /users/@me/guilds", Status: 500})
	check(d, true, "gateway", "in which servers")
	check(New(Options{Token: "another", URL: server.URL()}), true, "token is not known")
	check(New(Options{Token: "another", URL: "localhost:80"}), true, "http://host")
	server.Close()
	check(d, true, "cannot be reached")
}
