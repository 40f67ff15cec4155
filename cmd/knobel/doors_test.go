package main

import (
	"context"
	"path/filepath"
	"testing"

	"knobel/bot/discord/discordtest"
	"knobel/bot/fakes"
	"knobel/bot/scenario"
)

// TestDiscordOverHTTP has two play a whole game with the running program, of which nothing comes over the gateway.
func TestDiscordOverHTTP(t *testing.T) {
	t.Parallel()
	patient := discordtest.Options{Token: discordToken, Pace: -1, Within: fakes.Patience, Repeats: true}
	channel := scenario.OnDiscord(t, scenario.Net{Discord: patient})
	server := channel.Server
	key, env := discordKey(t)
	listen := freePort(t)
	s := start(t, build(t), listen, filepath.Join(t.TempDir(), "knobel.db"), "KNOBEL_DISCORD_TOKEN="+discordToken,
		"KNOBEL_DISCORD_API_URL="+server.URL(), env)
	ctx, stop := context.WithTimeout(t.Context(), fakes.Patience)
	defer stop()
	if err := server.Wait(ctx, server.Listening); err != nil {
		t.Fatal(err)
	}
	if err := server.Endpoint("http://"+listen+"/discord", key); err != nil {
		t.Fatal(err)
	}
	there := scenario.At(t, channel)
	there.Until("the commands are known", func() bool { return there.Menu("de") != "" })
	anna, ben := there.Person("Anna", "en"), there.Person("Ben", "en")
	there.Sit("/shutbox stake=5 tiles=7-7 one-die=never", anna, ben)
	there.Says(there.Play(anna, ben).Text, "Anna", "Ben", "Dice seal")
	secretive(t, s.said.String())
	s.leave()
}
