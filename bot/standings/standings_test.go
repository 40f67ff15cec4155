package standings_test

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"knobel/bot/bare"
	"knobel/bot/chat"
	"knobel/games/sheet/sets"
	"knobel/games/shutbox"
	"knobel/games/wuerfelpoker"
	"knobel/store/storetest"
)

func TestMain(m *testing.M) { os.Exit(storetest.Main(m)) }

func TestStories(t *testing.T) {
	bare.AllStories(t, bare.Tally{}, bare.Pile{}, shutbox.Game{}, wuerfelpoker.New(), sets.Kniffel(), sets.Crag(),
		sets.Yatzy(), sets.Balut())
}

// TestEveryButtonOfALeaderboard checks that every button of every menu works, in both languages and after a restart.
func TestEveryButtonOfALeaderboard(t *testing.T) {
	h := bare.New(t, bare.Tally{}, bare.Pile{}, shutbox.Game{})
	bare.ThreeEvenings(h)
	anna := h.Person("Anna")
	anna.Admin = true
	anna.Writes("/unit old coffees")
	h.Game("/pile duel 3", []string{"Anna", "Ben"}, "Anna take 6+5", "Ben take 2+1", "Anna take 4+3")
	anna.Admin = true
	anna.Sends(bare.PressOn(t, anna.Writes("/season Winter"), "Start the season"))
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
	menu := anna.Sends(bare.PressOn(t, winter, "Wertung …"))
	bare.Begins(t, anna.Sends(bare.PressOn(t, menu, "Pools in chips")),
		"Pools in chips, season Winter: no games yet.")
	menu = anna.Sends(bare.PressOn(t, winter, "Spiel …"))
	for _, label := range []string{"Duel", "Big", "Tally", "Shut the Box", "All games"} {
		if label == "All games" {
			continue // the selection that is shown has no button
		}
		bare.PressOn(t, menu, label)
	}
	h.Sound()
}

// TestTheAskersRowIsMarkedAtTheName checks that the table of a leaderboard marks the name in the user's own row.
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

// TestDiceAreCountedOnce compares the dice in /stats with those of all moves that were not made for absent players.
func TestDiceAreCountedOnce(t *testing.T) {
	h := bare.New(t, shutbox.Game{})
	people := h.Gather("/shutbox 0", "Anna", "Ben")
	h.Filmed(people)
	anna := people[0]
	anna.Writes("/stats")
	anna.Writes("/stats")
	for _, line := range []string{"/shutbox 0 d20", "/shutbox 0 tiles=6 dice=1d6", "/coin 0"} {
		people[1].Plays(line, anna)
		anna.Writes("/stats Ben")
	}
	people[1].Plays("/shutbox 0", anna)
	h.Tamper("UPDATE moves SET auto = TRUE WHERE table_id = 5 AND seat IN (SELECT seat FROM seats WHERE table_id = 5 " +
		"AND player = (SELECT player FROM seats WHERE table_id = 1 AND seat = 0))")
	text := bare.Page(t, anna.Writes("/stats"))
	thrown := map[int]int{}
	for table := range int64(4) {
		sides := map[int64]int{0: 6, 1: 20, 2: 6, 3: 2}[table]
		var seat int
		for i, s := range h.TableOf(table + 1).Seats {
			if s.Name == "Anna" {
				seat = i
			}
		}
		for _, m := range h.Moves(table + 1) {
			if m.Seat == seat {
				thrown[sides] += len(m.Dice)
			}
		}
	}
	for sides, n := range thrown {
		if n > 0 && !regexp.MustCompile(fmt.Sprintf(`(?m)^%d (die|dice) with %d sides`, n, sides)).MatchString(text) {
			t.Errorf("%d dice with %d sides are not in\n%s", n, sides, text)
		}
	}
	if thrown[20] > 0 && !strings.Contains(text, "Too few to test; the test needs 100 dice.") {
		t.Errorf("so few d20 are tested:\n%s", text)
	}
	h.Sound()
}

// TestATableOfOneEveningHasNoEmptyColumns checks that the table has no columns for the best and the worst evening if
// there is only one.
func TestATableOfOneEveningHasNoEmptyColumns(t *testing.T) {
	h := bare.New(t, shutbox.Game{})
	h.Filmed(h.Gather("/shutbox 5", "Anna", "Ben"))
	heads := func() string { return strings.Join(h.Person("Anna").Asks("/stats").Grids[0].Head, " · ") }
	if got := heads(); got != "What · Total" {
		t.Errorf("after one evening its columns are %s", got)
	}
	h.Wait(24 * time.Hour)
	h.Filmed(h.Gather("/shutbox 5", "Anna", "Ben"))
	if got := heads(); got != "What · Total · Best evening · Worst evening" {
		t.Errorf("after two evenings its columns are %s", got)
	}
}

func TestPressesAtOnceStartOneSeason(t *testing.T) {
	h := bare.New(t)
	anna := h.Person("Anna")
	anna.Admin = true
	yes := bare.PressOn(t, anna.Writes("/season Winter"), "Start the season")
	eight := []*bare.Person{anna, anna, anna, anna, anna, anna, anna, anna}
	if n := bare.AtOnce(eight, func(p *bare.Person) chat.Reply { return p.Taps(yes) }); n != 1 {
		t.Errorf("eight presses at once start %d seasons", n)
	}
}

// TestPublicNewsAreInTheChatsLanguage uses all commands and the buttons of their replies from English clients in a
// German chat. Public messages must be German.
func TestPublicNewsAreInTheChatsLanguage(t *testing.T) {
	h := bare.New(t, bare.Pile{}, bare.Tally{})
	anna, ben := h.Person("Anna"), h.Person("Ben")
	anna.Admin, ben.Admin = true, true
	anna.Writes("/language de")
	bare.Owing(h, "chips", map[string]int64{"Anna": -40, "Ben": 35, "house": 5})
	heard := map[string]bool{}
	var listen func(p *bare.Person, did string, r chat.Reply, deep int)
	listen = func(p *bare.Person, did string, r chat.Reply, deep int) {
		if r.Private == nil {
			return
		}
		if r.Public {
			heard[did] = true
			if r.Private.Lang != "de" {
				t.Errorf("%s: all read in %s\n%s", did, r.Private.Lang, bare.Show(*r.Private))
			}
		} else if r.Private.Lang != "en" {
			t.Errorf("%s: %s reads alone in %s", did, p.Name, r.Private.Lang)
		}
		for _, b := range slices.Concat(r.Private.Buttons...) {
			for _, p := range []*bare.Person{anna, ben} {
				if deep > 0 {
					listen(p, did+" > "+b.Label, p.Sends(b.Press), deep-1)
				}
			}
		}
	}
	lines := []string{
		"/settle paid 2 Ben", "/settle got 3 Ben", "/settle paid 4 Haus", "/settle withdraw 2", "/settle back 1",
		"/settle payments", "/season Winter",
		"/house keep x", "/coin 10",
	}
	for _, c := range h.Bot.Commands() {
		if c.Name != "forget" {
			lines = append(lines, "/"+c.Name)
		}
	}
	for _, line := range lines {
		listen(anna, line, anna.Writes(line), 2)
	}
	if len(heard) < 6 {
		t.Errorf("only %s is news", fmt.Sprint(heard))
	}
}
