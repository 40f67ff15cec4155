package main

import (
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"knobel/bot/discord/discordtest"
	"knobel/bot/fakes"
)

// startActivities starts a fake Discord with activities, and returns an environment for it.
func startActivities(t *testing.T) (*discordtest.Server, []string) {
	t.Helper()
	server := discordtest.Start(t, discordtest.Options{Token: discordToken, Secret: clientSecret, Embedded: true,
		Within: fakes.Patience, Repeats: true, Pace: -1})
	file := filepath.Join(t.TempDir(), "client-secret")
	writePrivate(t, file, []byte(clientSecret+"\n"))
	return server, []string{"KNOBEL_DISCORD_TOKEN=" + discordToken, "KNOBEL_DISCORD_API_URL=" + server.URL(),
		"KNOBEL_DISCORD_CLIENT_SECRET_FILE=" + file}
}

// Boards open the activity, whose page needs no password and may be framed by Discord's clients alone. Without
// KNOBEL_PUBLIC_URL the program runs without it.
func TestTheActivityOfARunningProgram(t *testing.T) {
	t.Parallel()
	const frames = "frame-ancestors https://discord.com https://ptb.discord.com https://canary.discord.com"
	for _, public := range []bool{true, false} {
		server, env := startActivities(t)
		listen := freePort(t)
		page := "http://" + listen
		if env = append(env, "KNOBEL_WEB_SECRET="+webSecret); public {
			env = append(env, "KNOBEL_PUBLIC_URL="+page)
		}
		s := start(t, build(t), listen, filepath.Join(t.TempDir(), "knobel.db"), env...)
		s.until("Discord is listened to", server.Listening)
		hall, anna := server.Guild("The Dice").Channel("table"), server.Person("Anna", "en-GB")
		_, err := hall.Slash(anna, "shutbox").Answer(t.Context())
		check(t, err)
		board, _ := hall.Last()
		opens := func(b discordtest.Component) bool { return strings.HasSuffix(b.CustomID, ":!app") }
		if got := slices.ContainsFunc(board.Buttons(), opens); got != public {
			t.Errorf("with KNOBEL_PUBLIC_URL %v: its boards open the activity: %v", public, got)
		}
		for _, path := range []string{"/embed/discord", "/?frame_id=1&instance_id=i-1"} {
			resp, err := http.Get(page + path)
			check(t, err)
			resp.Body.Close()
			got := resp.Header.Get("Content-Security-Policy")
			if (resp.StatusCode == http.StatusOK && strings.HasSuffix(got, frames)) != public {
				t.Errorf("with KNOBEL_PUBLIC_URL %v: %s is %d, %s", public, path, resp.StatusCode, got)
			}
		}
		fetch(t, http.DefaultClient, page+"/embed/discord", map[string]string{"code": "none", "instance": "i-1"})
		_, told := getText(t, page+"/metrics", "Authorization", "Bearer "+webSecret)
		for _, line := range []string{`knobel_embed_pages{door="discord"} 0`,
			`knobel_embed_refused_total{door="discord",refused="forged"} 1`} {
			if strings.Contains(told, "\n"+line+"\n") != public {
				t.Errorf("with KNOBEL_PUBLIC_URL %v: the metrics have %s: %v", public, line, !public)
			}
		}
		s.leave()
		checkNoToken(t, s.said.String()+told)
	}
}
