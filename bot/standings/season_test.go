package standings_test

import (
	"strings"
	"sync"
	"testing"

	"knobel/bot/bare"
)

func TestSeasonsOfAChat(t *testing.T) {
	h := bare.New(t, bare.Tally{}, bare.Pile{})
	bare.ThreeEvenings(h)
	anna, ben := h.Person("Anna"), h.Person("Ben")
	anna.Admin = true
	bare.Reads(t, ben.Writes("/season"), "There is no season yet. An admin starts one: /season NAME")
	bare.Refused(t, ben.Writes("/season Winter"), "Only admins of this chat start seasons. Ask one of them.")
	ask := anna.Writes("/season  Winter  2023/24 ")
	bare.Reads(t, ask, `
Start season Winter 2023/24 now? All that is played from now on counts for it.
[Yes, start it]`)
	yes := bare.PressOn(t, ask, "Yes, start it")
	bare.Refused(t, ben.Sends(yes), "Only admins of this chat start seasons. Ask one of them.")
	begun := anna.Sends(yes)
	bare.Reads(t, begun, "Anna starts season Winter 2023/24.\n[Leaderboard]")
	if !begun.Public {
		t.Error("nobody else hears of it")
	}
	bare.Refused(t, anna.Sends(yes), "Another season has begun meanwhile: /season shows it.")
	bare.Refused(t, anna.Writes("/season winter 2023/24"),
		"There has been a season Winter 2023/24 already. Take another name.")
	bare.Refused(t, anna.Writes("/season "+strings.Repeat("x", 25)), "A season needs a name of at most 24 letters.")
	bare.Refused(t, anna.Writes("/season "+strings.Repeat("😀", 9)), "A season needs a name of at most 8 letters.")
	bare.Refused(t, anna.Writes("/season Осенний чемпионат"), "A season needs a name of at most 16 letters.")
	bare.Refused(t, anna.Writes("/season "+strings.Repeat("😀", 25)), "A season needs a name of at most 24 letters.")
	bare.Refused(t, anna.Writes("/season \u202e\u200b"), "A season needs a name of at most 24 letters.")
	bare.Reads(t, ben.Writes("/season"), "Season Winter 2023/24, since 14 November.\n[Leaderboard]")
	bare.Begins(t, ben.Sends(bare.PressOn(t, begun, "Leaderboard")),
		"Pools in chips, season Winter 2023/24: nothing has been played there.")
	h.Game("/pile 5", []string{"Anna", "Ben"}, "Anna take 6+5", "Ben take 2+1", "Anna take 4+3")

	ask = anna.Writes("/season Frühling שלום")
	bare.Reads(t, ask, "Start season \u2068Frühling שלום\u2069 now? All that is played from now on counts for "+
		"it.\nSeason Winter 2023/24 ends then and stays on the leaderboard.\n[Yes, start it]")
	yes = bare.PressOn(t, ask, "Yes, start it")
	h.Restart()
	started := make(chan bool, 8)
	var both sync.WaitGroup
	for range 8 {
		both.Go(func() { started <- !anna.Sends(yes).Refused })
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
	h.Game("/pile 7", []string{"Ben", "Anna"}, "Ben take 6+5", "Anna take 2+1", "Anna take 4+3")
	now := ben.Writes("/leaderboard season")
	bare.Begins(t, now, "Pools in chips, season \u2068Frühling שלום\u2069: 1 game.\n1. Ben +7 · 1 of 1 won ← you\n2. "+
		"Anna −7 · 0 of 1 won")
	bare.Begins(t, ben.Sends(bare.PressOn(t, now, "◀ Season Winter 2023/24")),
		"Pools in chips, season Winter 2023/24: 1 game.\n1. Anna +5 · 1 of 1 won\n2. Ben −5 · 0 of 1 won ← you")
	winter := ben.Writes("/leaderboard pool period=winter 2023/24")
	earlier := ben.Sends(bare.PressOn(t, winter, "◀ Before the first season"))
	bare.Begins(t, earlier,
		"Pools in chips, before the first season: 3 games.\n1. Ben +10 · 2 of 2 won ← you\n2. Anna 0 "+
			"· 2 of 3 won")
	bare.Begins(t, ben.Sends(bare.PressOn(t, earlier, "Season Winter 2023/24 ▶")),
		"Pools in chips, season Winter 2023/24: 1 game.")
	bare.PressOn(t, ben.Sends(bare.PressOn(t, winter, "When…")), "Before the first season")
	bare.Begins(t, winter, "Pools in chips, season Winter 2023/24: 1 game.")
	bare.Begins(t, ben.Writes("/leaderboard all pool"), "Pools in chips, all time: 5 games.")
	h.Sound()
}
