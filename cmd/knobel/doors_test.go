package main

import (
	"context"
	"crypto/ed25519"
	"encoding/hex"
	"path/filepath"
	"strings"
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
	public, key, err := ed25519.GenerateKey(nil)
	if err != nil {
		t.Fatal(err)
	}
	listen := freePort(t)
	s := start(t, build(t), listen, filepath.Join(t.TempDir(), "knobel.db"), "KNOBEL_DISCORD_TOKEN="+discordToken,
		"KNOBEL_DISCORD_API_URL="+server.URL(), "KNOBEL_DISCORD_PUBLIC_KEY="+hex.EncodeToString(public))
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

func TestDoorsAreChecked(t *testing.T) {
	key := strings.Repeat("0a", 32)
	for _, c := range []struct {
		env  map[string]string
		says string
	}{
		{map[string]string{"KNOBEL_DISCORD_PUBLIC_KEY": "abc"},
			"discord-public-key: the public key is 64 hexadecimal digits"},
		{map[string]string{"KNOBEL_PROXIES": "127.0.0.1, nginx"}, `proxies: "nginx" is no address and no network`},
		{map[string]string{"KNOBEL_DISCORD_SHARDS": "many"}, `discord-shards: "many" is no number of connections`},
		{map[string]string{"KNOBEL_DISCORD_EMOJI": "yes"}, `discord-emoji: "yes" is neither on nor off`},
		{map[string]string{"KNOBEL_DISCORD_PUBLIC_KEY": key}, "discord-public-key needs an address to listen on"},
		{map[string]string{"KNOBEL_TELEGRAM_WEBHOOK_URL": "https://dice.example.org/telegram"},
			"telegram-webhook-url needs an address to listen on"},
		{map[string]string{"KNOBEL_TELEGRAM_WEBHOOK_URL": "http://dice.example.org", "KNOBEL_LISTEN": "127.0.0.1:0"},
			"give an https address"},
	} {
		c.env["KNOBEL_DB"] = filepath.Join(t.TempDir(), "knobel.db")
		c.env["KNOBEL_TELEGRAM_TOKEN"] = telegramToken
		if code, _, complained := typed(t, c.env, nil, "doctor"); code == 0 || !strings.Contains(complained, c.says) {
			t.Errorf("%v: ends with %d and %q", c.env, code, complained)
		}
	}
}
