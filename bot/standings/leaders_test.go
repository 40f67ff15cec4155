package standings_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"knobel/bot/bare"
	"knobel/bot/chat"
	"knobel/games/shutbox"
)

// What a point of difference has won stands on a ranking of its own, by unit;
// games by which a point is worth nothing are not of it.
func TestWhatAPointHasWonIsRanked(t *testing.T) {
	h := bare.New(t, bare.Tally{}, bare.Pile{})
	anna := h.Person("Anna")
	three := []string{"Anna", "Ben", "Clara"}
	moves := []string{"Anna say 9", "Ben say 9", "Clara say 12"} // −1, −1 and +2
	h.Game("/tally point=7", three, moves...)
	h.Game("/tally", three, moves...)
	h.Game("/pile big 5", three[:2], "Anna take 8+1", "Ben take 7+2", "Anna take 6+4", "Ben take 5+3")
	anna.Admin = true
	anna.Writes("/unit coffees")
	h.Game("/tally point=2", three[:2], "Anna say 5", "Ben say 1")
	chips := anna.Writes("/leaderboard rank=settled unit=chips")
	bare.Reads(t, chips, `
Differences settled in chips, November: 1 game.
1. Clara +14 · 1 of 1 won
2. Anna −7 · 0 of 1 won ← you
2. Ben −7 · 0 of 1 won
[All time][Pools]
[Ranking…][When…][Game…]
[Against…][Hide me]
[📈 Chart][Statistics]`)
	coffees := "Differences settled in coffees, November: 1 game.\n1. Anna +4 · 1 of 1 won ← you\n" +
		"2. Ben −4 · 0 of 1 won"
	bare.Begins(t, anna.Sends(bare.PressOn(t, anna.Sends(bare.PressOn(t, chips, "Ranking…")),
		"Differences settled in coffees")),
		coffees)
	for _, line := range []string{"/leaderboard settled", "/rangliste Abgerechnet",
		"/leaderboard tally unit=coffees rank=settled"} {
		bare.WantLines(t, bare.Said(t, anna.Writes(line)), "Differences settled in coffees")
	}
	bare.Begins(t, anna.Writes("/leaderboard game=tally unit=chips"),
		"Differences settled in chips, tally, November: 1 game.")
	bare.Begins(t, anna.Writes("/leaderboard settled unit chips against=Ben"),
		"Differences settled in chips, all time: 1 game of Anna and Ben.")
	bare.Refused(t, anna.Writes("/leaderboard won unit=chips"),
		"Only these have units: /leaderboard rank=pool or settled.")
	anna.Locale = "de"
	bare.Begins(t, anna.Writes("/leaderboard settled unit=chips"),
		"Abgerechnete Abstände in Chips, November: 1 Partie.")
	h.Sound()
}

// One figure has one name, wherever it stands: pools, won and lost, balances.
func TestEachFigureOfChipsHasItsName(t *testing.T) {
	h := bare.New(t, bare.Tally{}, bare.Pile{})
	anna, ben := h.Person("Anna"), h.Person("Ben")
	// +5
	h.Game("/pile big 5", []string{"Anna", "Ben"}, "Anna take 8+1", "Ben take 7+2", "Anna take 6+4", "Ben take 5+3")
	// +7
	h.Game("/tally point=7", []string{"Anna", "Ben"}, "Anna say 10", "Ben say 8")
	ben.Writes("/settle paid 4 Anna")
	anna.Writes("/settle got 4 Ben")
	for line, texts := range map[string][3]string{
		"/leaderboard pool": {"Pools in chips, November", "Anna +5", "Töpfe in Chips"},
		"/stats":            {"Chips won and lost: +12.", "", "Chips, gewonnen und verloren: +12."},
		"/stats #balances":  {"Chips won and lost here", "Anna +12", "Chips, hier gewonnen und verloren"},
		"/settle":           {"Balances in chips: Anna +8 · Ben −8", "", "Kontostände in Chips: Anna +8"},
	} {
		anna.Locale = "en"
		bare.WantLines(t, bare.Show(*anna.Writes(line).Private), texts[:2]...)
		anna.Locale = "de"
		bare.WantLines(t, bare.Show(*anna.Writes(line).Private), texts[2])
	}
	h.Sound()
}

// Friendly games alone show who has won, also on the list of a game.
func TestFriendlyGamesShowWhoHasWon(t *testing.T) {
	h := bare.New(t, bare.Pile{})
	h.Game("/pile 0", []string{"Anna", "Ben"}, "Anna take 6+5", "Ben take 2+1", "Anna take 4+3")
	anna := h.Person("Anna")
	for line, head := range map[string]string{"": "Games won, November: 1 game.",
		" game=pile": "Games won, Pile, November: 1 game."} {
		if got := anna.Asks("/leaderboard" + line).Head; got != head {
			t.Errorf("%q: %s", line, got)
		}
	}
}

func TestLeaderboard(t *testing.T) {
	h := bare.New(t, bare.Tally{}, bare.Pile{})
	bare.ThreeEvenings(h)
	anna, ben := h.Person("Anna"), h.Person("Ben")
	ben.Locale = "de"
	now := anna.Writes("/leaderboard")
	bare.Reads(t, now, `
Pools in chips, November: 2 games.
1. Anna +10 · 2 of 2 won ← you
2. Ben 0 · 1 of 1 won
3. Clara −5 · 0 of 1 won
Off this list: −5 (the house, the box, and whoever is not shown)
[◀ October][All time][Tally]
[Ranking…][When…][Game…]
[Against…][Hide me]
[📈 Chart][Statistics]`)
	before := anna.Sends(bare.PressOn(t, now, "◀ October"))
	bare.Reads(t, before, `
Pools in chips, October: 1 game.
1. Ben +10 · 1 of 1 won
2. Anna −10 · 0 of 1 won ← you
[November ▶][All time][Tally]
[Ranking…][When…][Game…]
[Against…][Hide me]
[📈 Chart][Statistics]`)
	bare.Reads(t, ben.Sends(bare.PressOn(t, before, "All time")), `
Töpfe in Chips, gesamt: 3 Partien.
1. Ben +10 · 2 von 2 gewonnen ← du
2. Anna 0 · 2 von 3 gewonnen
3. Clara −5 · 0 von 1 gewonnen
Nicht auf dieser Liste: −5 (Haus, Box und wer nicht gezeigt wird)
[November][Tally]
[Wertung…][Wann…][Spiel…]
[Gegen…][Mich ausblenden]
[📈 Verlauf][Statistik]`)
	other := anna.Sends(bare.PressOn(t, now, "Tally"))
	bare.Reads(t, other, `
Difference to the average, November: 1 game.
1. Clara +2/3 · 1 of 1 won
2. Anna −1/3 · 0 of 1 won ← you
2. Ben −1/3 · 0 of 1 won
[◀ October][All time][Pools]
[Ranking…][When…][Game…]
[Against…][Hide me]
[📈 Chart][Statistics]`)
	for line, text := range map[string]string{
		"/leaderboard difference evening": "Difference to the average, 14 November: " +
			"nothing has been played there.",
		"/leaderboard average all": "Difference per game, all time: 1 game.\n1. " +
			"Clara +0.67 · 1 of 1 won\n2. Anna −0.33 · 0 of 1 won ← you\n2. Ben −0.33 · 0 of 1 won",
		"/leaderboard won all": "Games won, all time: 4 games.\n1. Anna 2 · " +
			"4 games ← you\n1. Ben 2 · 3 games\n3. Clara 1 · 2 games",
		"/leaderboard rank=best big all": "Best score, Pile big, all time: 1 game.\n1. " +
			"Anna 18 · 1 game ← you\n1. Ben 18 · 1 game",
		"/leaderboard mean game=pile all": "Mean score, Pile classic, all time: 2 " +
			"games.\n1. Ben 18.00 · 1 game\n2. Anna 7.00 · 2 games ← you\n2. Clara 7.00 · 1 game",
		"/rangliste Töpfe Woche":        "Pools in chips, week 46: 2 games.",
		"/leaderboard period=monat":     "Pools in chips, November: 2 games.",
		"/leaderboard rank=Abstand all": "Difference to the average, all time: 1 game.",
		"/leaderboard best all": "Best score, Pile classic, all time: 2 " +
			"games.\n1. Ben 18 · 1 game\n2. Anna 11 · 2 games ← you\n3. Clara 7 · 1 game",
		"/leaderboard pool 2023-10":    "Pools in chips, October: 1 game.",
		"/leaderboard pool 2023-10-15": "Pools in chips, 15 October: 1 game.",
		"/leaderboard pool 2023-w41":   "Pools in chips, week 41: 1 game.",
		"/leaderboard pool 2022-w41": "Pools in chips, week 41 of 2022: nothing " +
			"has been played there.",
		"/leaderboard period=2022-10": "Pools in chips, October 2022: nothing has " +
			"been played there.",
		"/rangliste classic": "Pools in chips, Coin, November: nothing has " +
			"been played there.",
		"/leaderboard least=2 all pool": "Pools in chips, all time: 3 games.\n1. Ben " +
			"+10 · 2 of 2 won\n2. Anna 0 · 2 of 3 won ← you\nAt least 2 games.\nOff this list: −10",
		"/leaderboard least=4 all pool": "Pools in chips, all time: 3 games.\n– Anna " +
			"0 · 2 of 3 won ← you\nAt least 4 games.",
		"/leaderboard all unit=CHIPS": "Pools in chips, all time: 3 games.",
		"/leaderboard pool against=ben": "Pools in chips, all time: 2 games of Anna " +
			"and Ben.\n1. Ben +10 · 2 of 2 won\n2. Anna −10 · 1 of 2 won ← you\n[",
		"/leaderboard won against=Clara": "Games won, all time: 2 games of Anna and " +
			"Clara.\n1. Anna 1 · 2 games ← you\n1. Clara 1 · 2 games\n[",
		"/leaderboard game=tally rank=won against=Ben period=2023-10": "Games won, tally, October: Anna and Ben " +
			"have not met there.",
	} {
		if got := bare.Said(t, anna.Writes(line)); !strings.HasPrefix(got, text) {
			t.Errorf("%s says\n%s\nwant\n%s", line, got, text)
		}
	}
	h.Sound()
}

// The house stands on the list where somebody asks for it.
func TestLeaderboardWithTheHouse(t *testing.T) {
	h := bare.New(t, bare.Tally{}, bare.Pile{})
	bare.ThreeEvenings(h)
	anna := h.Person("Anna")
	bare.Reads(t, anna.Writes("/leaderboard pool all house=with"), `
Pools in chips, all time: 3 games.
1. Ben +10 · 2 of 2 won
2. Anna 0 · 2 of 3 won ← you
3. Clara −5 · 0 of 1 won
3. House (meek) −5 · 0 of 1 won
[November][Tally]
[Ranking…][When…][Game…]
[Against…][Hide me]
[📈 Chart][Statistics]`)
	menu := anna.Sends(bare.PressOn(t, anna.Writes("/rangliste 2023-11 pool with"), "Ranking…"))
	bare.Begins(t, anna.Sends(bare.PressOn(t, menu, "Games won")),
		"Games won, November: 3 games.\n1. Anna 2 · 3 games ← you\n2. Ben 1 · 2 games\n2. Clara 1 · 2 games\n4. "+
			"House (meek) 0 · 1 game")
	without := anna.Sends(bare.PressOn(t, menu, "Without the house"))
	if got := bare.Said(t, without); strings.Contains(got, "meek") {
		t.Errorf("got\n%s", got)
	}
	again := anna.Sends(bare.PressOn(t, anna.Sends(bare.PressOn(t, without, "Ranking…")), "With the house"))
	if got := bare.Said(t, again); !strings.Contains(got, "\n3. House (meek) −5 · 0 of 1 won\n") {
		t.Errorf("got\n%s", got)
	}
	bare.Begins(t, anna.Sends(bare.PressOn(t, again, "◀ October")),
		"Pools in chips, October: 1 game.\n1. Ben +10 · 1 of 1 won\n2. Anna −10 · 0 of 1 won ← you\n[November "+
			"▶][All time][Tally]")
	bare.Refused(t, anna.Writes("/leaderboard house=with against=Ben"),
		"Ask for the house or for a friend, not for both at once.")
	bare.Begins(t, anna.Writes("/leaderboard against=Ben"), "Pools in chips, all time: 2 games of Anna and Ben.")
}

// What nobody knows is answered with what is nearest.
func TestLeaderboardOptionsThatAreNotKnown(t *testing.T) {
	h := bare.New(t, bare.Tally{}, bare.Pile{})
	anna := h.Person("Anna")
	bare.Begins(t, anna.Writes("/leaderboard"), "Pools in chips, all time: nothing has been played there.")
	bare.Refused(t, anna.Writes("/leaderboard against=Ben"), "Nobody else has played here yet. Invite somebody.")
	bare.ThreeEvenings(h)
	for line, toast := range map[string]string{
		"/leaderboard rank=poool":  "“poool” is not known. Did you mean “pool”?",
		"/leaderboard averag":      "“averag” is not known. Did you mean “average”?",
		"/leaderboard period=mont": "“mont” is not known. Did you mean “month”?",
		"/leaderboard period=2023-13": "“2023-13” is not known. Take one of: all, season, month, week, " +
			"evening.",
		"/leaderboard period=season-1":    "“season-1” is not known. Did you mean “season”?",
		"/leaderboard season":             "There are no seasons here. An admin starts one: /season NAME",
		"/leaderboard game=pill":          "“pill” is not known. Did you mean “pile”?",
		"/leaderboard gme=pile":           "“gme” is not known. Did you mean “game”?",
		"/leaderboard unit=Old Coffees":   "Here we do not play for “Old Coffees”, but for chips.",
		"/leaderboard won unit=chips":     "Only these have units: /leaderboard rank=pool or settled.",
		"/leaderboard least=0":            "For the least number of games, take one from 1 to 999.",
		"/leaderboard least=x":            "For the least number of games, take one from 1 to 999.",
		"/leaderboard against=Clare":      "Nobody called “Clare” plays here. Perhaps Clara?",
		"/leaderboard against=anna":       "Against yourself it is a draw. Name somebody else.",
		"/leaderboard me=hid":             "“hid” is not known. Did you mean “hide”?",
		"/leaderboard rank=shut":          "No game here knows such a ranking. Take “pool”.",
		"/leaderboard pool tally":         "tally knows no such ranking. Take “difference”.",
		"/leaderboard rank=pool rank=won": "“rank” stands there twice. Say it once.",
		"/lb p.all.....":                  "That button is not known any more. /table brings new ones.",
		"/lb p.all......x":                "That button is not known any more. /table brings new ones.",
		"/lb p.season-7......":            "That button is not known any more. /table brings new ones.",
		"/lb p.all.gone.....": "“gone” is not known. Take one of: coin, classic, tally, plain, " +
			"pile, big, duel.",
		"/lb d.all.pile.....": "Pile knows no such ranking. Take “pool”.",
		"/lb p.all....AAAA..": "That person is listed no more. /leaderboard shows who is.",
		"/renew 0":            "Only admins of this chat start seasons. Ask one of them.",
		"/renew x y":          "That button is not known any more. /table brings new ones.",
		"/renew 0 =!":         "That button is not known any more. /table brings new ones.",
		"/lb":                 "That button is not known any more. /table brings new ones.",
		"/leaderbord":         "There is no /leaderbord. Did you mean /leaderboard?",
		"/leaderboard " + strings.Repeat("x", 500): "That is too long to read. Say it in fewer words.",
	} {
		if got := anna.Writes(line); !got.Refused || got.Toast != toast {
			t.Errorf("%s: %+v, want %s", line, got, toast)
		}
	}
	h.Sound()
}

// Who hides, who has left and the house are off the list, and never out of the
// sums; places are those of the list.
func TestWhoIsOffTheList(t *testing.T) {
	h := bare.New(t, bare.Tally{}, bare.Pile{})
	bare.ThreeEvenings(h)
	anna, ben, clara := h.Person("Anna"), h.Person("Ben"), h.Person("Clara")
	list := anna.Writes("/leaderboard pool all")
	hide := bare.PressOn(t, list, "Hide me")
	bare.Told(t, ben.Sends(hide), "You are off the leaderboards here.")
	bare.Told(t, ben.Sends(hide), "You are off the leaderboards here.")
	bare.Begins(t, anna.Writes("/leaderboard pool all"), `
Pools in chips, all time: 3 games.
1. Anna 0 · 2 of 3 won ← you
2. Clara −5 · 0 of 1 won
Off this list: +5 (the house, the box, and whoever is not shown)`)
	his := ben.Writes("/leaderboard pool all")
	bare.Begins(t, his, `
Pools in chips, all time: 3 games.
1. Anna 0 · 2 of 3 won
2. Clara −5 · 0 of 1 won
You are hidden here. What you win and lose still counts.
Off this list: +5 (the house, the box, and whoever is not shown)`)
	bare.Refused(t, anna.Writes("/leaderboard against=Ben"), "Nobody called “Ben” plays here. Here play: Clara.")
	h.Restart()
	bare.Told(t, ben.Sends(bare.PressOn(t, his, "Show me")), "You are on the leaderboards here again.")
	bare.Told(t, ben.Writes("/leaderboard me=hide"), "You are off the leaderboards here.")
	bare.Told(t, ben.Writes("/leaderboard show"), "You are on the leaderboards here again.")

	leaves := clara.Event()
	leaves.User, leaves.Left = "", []chat.User{"test:Clara", "test:Nobody"}
	if r := h.Bot.Handle(context.Background(), leaves); r != (chat.Reply{}) {
		t.Errorf("who leaves is told %+v", r)
	}
	const without = `
Pools in chips, all time: 3 games.
1. Ben +10 · 2 of 2 won
2. Anna 0 · 2 of 3 won ← you
Off this list: −10 (the house, the box, and whoever is not shown)`
	bare.Begins(t, anna.Writes("/leaderboard pool all"), without)
	comes := clara.Event()
	comes.Joined = []chat.User{"test:Clara", "test:Somebody"}
	h.Bot.Handle(context.Background(), comes)
	bare.Begins(t, anna.Writes("/leaderboard pool all"),
		"Pools in chips, all time: 3 games.\n1. Ben +10 · 2 of 2 won\n2. Anna 0 · 2 of 3 won ← you\n3. Clara −5 · 0 "+
			"of 1 won")
	leaves.ID = ""
	h.Bot.Handle(context.Background(), leaves)
	bare.Begins(t, anna.Writes("/leaderboard pool all"), without)
	clara.Writes("/pile") // whoever plays is there
	bare.Begins(t, anna.Writes("/leaderboard pool all"),
		"Pools in chips, all time: 3 games.\n1. Ben +10 · 2 of 2 won\n2. Anna 0 · 2 of 3 won ← you\n3. Clara −5 · 0 "+
			"of 1 won")
	h.Sound()
}

// Twenty-five people in three games: pages of ten, the asker's line on each.
func TestPagesOfALeaderboard(t *testing.T) {
	h := bare.New(t, bare.Tally{})
	var everybody []string
	for i := range 25 {
		everybody = append(everybody, fmt.Sprintf("P%02d", i))
	}
	for part := range slices.Chunk(everybody, 9) {
		var moves []string
		for i, name := range part {
			moves = append(moves, fmt.Sprint(name, " say ", i))
		}
		h.Game("/tally", part, moves...)
	}
	last := h.Person("P00")
	first := last.Writes("/leaderboard")
	text := bare.Said(t, first)
	for _, part := range []string{"1. P08 +4 ", "1. P17 +4 ", "3. P07 +3 ", "3. P16 +3 ", "3. P24 +3 ",
		"\n…\n24. P00 −4 · 0 of 1 won ← you", "[11–20 ▶]"} {
		if !strings.Contains(text, part) {
			t.Errorf("%q is not on the first page:\n%s", part, text)
		}
	}
	third := last.Sends(bare.PressOn(t, last.Sends(bare.PressOn(t, first, "11–20 ▶")), "21–30 ▶"))
	bare.Begins(t, third, `
Difference to the average, November: 3 games.
21. P01 −3 · 0 of 1 won
21. P10 −3 · 0 of 1 won
21. P18 −3 · 0 of 1 won
24. P00 −4 · 0 of 1 won ← you
24. P09 −4 · 0 of 1 won`)
	bare.Begins(t, h.Person("P08").Sends(bare.PressOn(t, last.Sends(bare.PressOn(t, first, "11–20 ▶")), "21–30 ▶")), `
Difference to the average, November: 3 games.
1. P08 +4 · 1 of 1 won ← you
…
21. P01 −3 · 0 of 1 won
21. P10 −3 · 0 of 1 won
21. P18 −3 · 0 of 1 won
24. P00 −4 · 0 of 1 won`)
	h.Sound()
}

// Every button of every menu leads somewhere, in both languages, after a
// restart too, and carries what fits.
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

// Completion knows the people, the units and the seasons of the chat.
func TestLeaderboardCompletion(t *testing.T) {
	h := bare.New(t, bare.Tally{}, bare.Pile{})
	bare.ThreeEvenings(h)
	anna := h.Person("Anna")
	anna.Admin = true
	anna.Sends(bare.PressOn(t, anna.Writes("/season Winter"), "Yes, start it"))
	for ask, want := range map[string]string{
		"against ":   "Ben Clara",
		"against cl": "Clara",
		"period win": "Winter",
		"period ":    "all season month week evening Winter",
		"unit ":      "chips",
		"rank mea":   "mean",
		"me ":        "hide show",
		"nothing ":   "",
	} {
		option, typed, _ := strings.Cut(ask, " ")
		ev := anna.Event()
		ev.Command = "leaderboard"
		var values []string
		for _, c := range h.Bot.Complete(context.Background(), ev, option, typed) {
			values = append(values, c.Value)
		}
		if got := strings.Join(values, " "); got != want {
			t.Errorf("%q completes to %q, want %q", ask, got, want)
		}
	}
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
