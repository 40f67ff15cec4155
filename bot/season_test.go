package bot_test

import (
	"strings"
	"sync"
	"testing"
)

func TestSeasonsOfAChat(t *testing.T) {
	h := newHouse(t, tally{}, pile{})
	threeEvenings(h)
	anna, ben := h.person("Anna"), h.person("Ben")
	anna.admin = true
	reads(t, ben.writes("/season"), "There is no season yet. An admin starts one: /season NAME")
	refused(t, ben.writes("/season Winter"), "Only admins of this chat start seasons. Ask one of them.")
	ask := anna.writes("/season  Winter  2023/24 ")
	reads(t, ask, `
Start season Winter 2023/24 now? All that is played from now on counts for it.
[Yes, start it]`)
	yes := pressOn(t, ask, "Yes, start it")
	refused(t, ben.sends(yes), "Only admins of this chat start seasons. Ask one of them.")
	begun := anna.sends(yes)
	reads(t, begun, "Anna starts season Winter 2023/24.\n[Leaderboard]")
	if !begun.Public {
		t.Error("nobody else hears of it")
	}
	refused(t, anna.sends(yes), "Another season has begun meanwhile: /season shows it.")
	refused(t, anna.writes("/season winter 2023/24"),
		"There has been a season Winter 2023/24 already. Take another name.")
	refused(t, anna.writes("/season "+strings.Repeat("x", 25)), "A season needs a name of at most 24 letters.")
	refused(t, anna.writes("/season "+strings.Repeat("😀", 9)), "A season needs a name of at most 8 letters.")
	refused(t, anna.writes("/season Осенний чемпионат"), "A season needs a name of at most 16 letters.")
	refused(t, anna.writes("/season "+strings.Repeat("😀", 25)), "A season needs a name of at most 24 letters.")
	refused(t, anna.writes("/season \u202e\u200b"), "A season needs a name of at most 24 letters.")
	reads(t, ben.writes("/season"), "Season Winter 2023/24, since 14 November.\n[Leaderboard]")
	begins(t, ben.sends(pressOn(t, begun, "Leaderboard")),
		"Pools in chips, season Winter 2023/24: nothing has been played there.")
	h.game("/pile 5", []string{"Anna", "Ben"}, "Anna take 6+5", "Ben take 2+1", "Anna take 4+3")

	ask = anna.writes("/season Frühling שלום")
	reads(t, ask, "Start season \u2068Frühling שלום\u2069 now? All that is played from now on counts for "+
		"it.\nSeason Winter 2023/24 ends then and stays on the leaderboard.\n[Yes, start it]")
	yes = pressOn(t, ask, "Yes, start it")
	h.restart()
	started := make(chan bool, 8)
	var both sync.WaitGroup
	for range 8 {
		both.Go(func() { started <- !anna.sends(yes).Refused })
	}
	both.Wait()
	close(started)
	n := 0
	for once := range started {
		if once {
			n++
		}
	}
	if n != 1 {
		t.Errorf("eight presses at once start %d seasons", n)
	}
	h.game("/pile 7", []string{"Ben", "Anna"}, "Ben take 6+5", "Anna take 2+1", "Anna take 4+3")
	now := ben.writes("/leaderboard season")
	begins(t, now, "Pools in chips, season \u2068Frühling שלום\u2069: 1 game.\n1. Ben +7 · 1 of 1 won ← you\n2. "+
		"Anna −7 · 0 of 1 won")
	begins(t, ben.sends(pressOn(t, now, "◀ Season Winter 2023/24")),
		"Pools in chips, season Winter 2023/24: 1 game.\n1. Anna +5 · 1 of 1 won\n2. Ben −5 · 0 of 1 won ← you")
	winter := ben.writes("/leaderboard pool period=winter 2023/24")
	earlier := ben.sends(pressOn(t, winter, "◀ Before the first season"))
	begins(t, earlier, "Pools in chips, before the first season: 3 games.\n1. Ben +10 · 2 of 2 won ← you\n2. Anna 0 "+
		"· 2 of 3 won")
	begins(t, ben.sends(pressOn(t, earlier, "Season Winter 2023/24 ▶")),
		"Pools in chips, season Winter 2023/24: 1 game.")
	pressOn(t, ben.sends(pressOn(t, winter, "When…")), "Before the first season")
	begins(t, winter, "Pools in chips, season Winter 2023/24: 1 game.")
	begins(t, ben.writes("/leaderboard all pool"), "Pools in chips, all time: 5 games.")
	h.sound()
}
