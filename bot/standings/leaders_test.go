package standings_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"knobel/bot/bare"
	"knobel/bot/chat"
	"knobel/games/shutbox"
)

// Every button of every menu leads somewhere, in both languages, after a restart too, and carries what fits.
func TestEveryButtonOfALeaderboard(t *testing.T) {
	h := bare.New(t, bare.Tally{}, bare.Pile{}, shutbox.Game{})
	bare.ThreeEvenings(h)
	anna := h.Person("Anna")
	anna.Admin = true
	anna.Writes("/unit old coffees")
	h.Game("/pile duel 3", []string{"Anna", "Ben"}, "Anna take 6+5", "Ben take 2+1", "Anna take 4+3")
	anna.Admin = true
	anna.Sends(bare.PressOn(t, anna.Writes("/season Winter"), "Yes, start it"))
	h.Game("/pile 3", []string{"Anna", "Ben"}, "Anna take 6+5", "Ben take 2+1", "Anna take 4+3")
	for _, lang := range []string{"en", "de"} {
		anna.Locale = lang
		seen := map[string]bool{}
		var queue []string
		add := func(r chat.Reply) {
			for _, b := range slices.Concat(r.Private.Buttons...) {
				if !seen[b.Press] && !strings.HasSuffix(b.Press, ".h") {
					seen[b.Press] = true
					queue = append(queue, b.Press)
				}
			}
		}
		add(anna.Writes("/leaderboard"))
		for n := 0; len(queue) > 0 && n < 120; n++ {
			r := anna.Sends(queue[0])
			if bare.Said(t, r) == "" {
				t.Errorf("%s says nothing", queue[0])
			}
			queue = queue[1:]
			add(r)
		}
		h.Restart()
	}
	winter := anna.Writes("/leaderboard")
	bare.Begins(t, winter,
		"Töpfe in old coffees, Saison Winter: 1 Partie.\n1. Anna +3 · 1 von 1 gewonnen ← du\n2. Ben "+
			"−3 · 0 von 1 gewonnen")
	anna.Locale = "en"
	menu := anna.Sends(bare.PressOn(t, winter, "Wertung…"))
	bare.Begins(t, anna.Sends(bare.PressOn(t, menu, "Pools in chips")),
		"Pools in chips, season Winter: nothing has been played there.")
	menu = anna.Sends(bare.PressOn(t, winter, "Spiel…"))
	for _, label := range []string{"Duel", "Big", "Tally", "Shut the Box", "All games"} {
		if label == "All games" {
			continue // that is what one looks at
		}
		bare.PressOn(t, menu, label)
	}
	h.Sound()
}

// In the table of a leaderboard the asker's own row is marked at the name.
func TestTheAskersRowIsMarkedAtTheName(t *testing.T) {
	h := bare.New(t, bare.Pile{})
	h.Game("/pile 5", []string{"Anna", "Ben"}, "Anna take 6+5", "Ben take 2+1", "Anna take 4+3")
	var marked []string
	for _, row := range h.Person("Ben").Writes("/leaderboard won all").Private.Grids[0].Rows {
		for i, cell := range row {
			if strings.Contains(cell, "←") {
				marked = append(marked, fmt.Sprint(i, " ", cell))
			}
		}
	}
	if got := strings.Join(marked, ", "); got != "1 Ben ← you" {
		t.Errorf("marked is %q", got)
	}
}
