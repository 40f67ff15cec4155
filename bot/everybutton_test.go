package bot_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"knobel/bot/bare"
	"knobel/bot/chat"
	"knobel/bot/fakes/needs"
	"knobel/games/shutbox"
	"knobel/games/wuerfelpoker"
	"knobel/store"
)

// eveningCommands are the commands that people send besides presses.
var eveningCommands = []string{
	"/coin 10", "/shutbox 5", "/shutbox 7 golf turn=1m", "/wuerfelpoker point=2", "/coin", "/coin 3 turn=1m absent=out",
	"/table", "/abandon",
	"/settle", "/settle", "/settle", "/settle", "/settle payments", "/settle why", "/settle paid 3 Ben",
	"/settle got 3 Anna", "/settle paid 2 Clara", "/settle got 4 Clara",
	"/settle paid 5 house", "/settle got 5 house", "/settle paid 1 gone 1", "/settle got 1 gone 1", "/settle confirm 1",
	"/settle back 1", "/settle back 2",
	"/season", "/season Winter", "/house keep Friday", "/house", "/handover", "/leaderboard", "/history", "/review",
	"/puzzle", "/stats", "/skill",
	"/forget", "/help", "/unit coffees", "/unit chips", "/hint", "/fair", "/language de", "/language en", "/settings",
	"/notify", "/privacy", "/luck fox",
}

// openCommands are commands that open a table.
var openCommands = []string{"/coin 10", "/coin 10", "/coin 2 turn=1m", "/shutbox 5", "/shutbox 7 golf", "/shutbox 3",
	"/wuerfelpoker point=2"}

// nextPress returns the data of a random button that continues the game in the place "test:1/1", "" if there is none.
func nextPress(h *bare.House, chance *rand.Rand) string {
	h.T.Helper()
	var table store.Table
	err := h.Store.View(context.Background(), func(tx *store.Tx) (err error) {
		table, err = tx.Tables.TableAt("test:1/1")
		return err
	})
	if errors.Is(err, store.ErrNotFound) {
		return ""
	}
	check(h.T, err)
	if table.State == store.Lobby {
		return fmt.Sprintf("1:%d:%d:%s", table.ID, table.Turn,
			[]string{"!join", "!join", "!start", "!house fewest"}[chance.IntN(4)])
	}
	if table.Turn > 40 && chance.IntN(4) == 0 { // after many rounds it may be ended
		return fmt.Sprintf("1:%d:%d:%s", table.ID, table.Turn,
			[]string{"!end", "!end yes", "!vote yes"}[chance.IntN(3)])
	}
	var plays []string
	for _, button := range slices.Concat(h.BoardOf(table.ID).Buttons...) {
		if !strings.Contains(button.Press, ":/") && !strings.Contains(button.Press, "!end") &&
			!strings.Contains(button.Press, "!undo") {
			plays = append(plays, button.Press)
		}
	}
	if len(plays) == 0 {
		return ""
	}
	return plays[chance.IntN(len(plays))]
}

// TestEveryButtonPressedTwiceLateAndByEverybody plays evenings at random, presses buttons of every message in and out
// of order, twice and by all people, and checks the payments after each press.
func TestEveryButtonPressedTwiceLateAndByEverybody(t *testing.T) {
	bare.Beside(t)
	evenings, steps, again := 1, 120, 60
	if needs.IsLong() {
		evenings, steps, again = 4, 300, 200
	}
	for seed := range evenings {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			bare.Bubble(t, func(t *testing.T) { pressEverything(t, uint64(seed), steps, again) })
		})
	}
}

// pressEverything plays random steps drawn from seed. Then all people press old buttons; again limits their number.
func pressEverything(t *testing.T, seed uint64, steps, again int) {
	chance := rand.New(rand.NewPCG(seed, 11))
	h := bare.New(t, shutbox.Game{}, wuerfelpoker.New())
	b := &bare.Buttons{Stage: bare.NewStage(), Seen: map[string]bool{}}
	defer h.OnStage(b)()
	a, done := h.Auditor()
	defer done()
	people := []*bare.Person{h.Person("Anna"), h.Person("Ben"), h.Person("Clara"), h.Person("Dora")}
	people[0].Admin, people[3].Locale = true, "de"
	randomPerson := func() *bare.Person { return people[chance.IntN(len(people))] }
	audit := func(p *bare.Person, press string, r chat.Reply) {
		t.Helper()
		synctest.Wait()
		a.Did(b, p, press, r)
	}
	press := func(p *bare.Person, press string) { audit(p, press, p.Sends(press)) }
	pressByAll := func(data string) {
		for _, p := range people {
			press(p, data)
			press(p, data)
		}
	}
	for range steps {
		switch p := randomPerson(); chance.IntN(10) {
		case 0:
			line := eveningCommands[chance.IntN(len(eveningCommands))]
			audit(p, "", p.Writes(line))
		case 1:
			audit(p, "", p.Writes("/settle"))
			press(p, b.All[len(b.All)-1-chance.IntN(min(len(b.All), 5))])
		case 2: // any button of any message, by all people, twice
			if len(b.All) > 0 {
				pressByAll(b.All[chance.IntN(len(b.All))])
			}
		case 3:
			h.Wait(time.Duration(chance.IntN(90)) * time.Second)
			synctest.Wait()
			audit(p, "", chat.Reply{})
		case 4: // a button of the last message
			if n := len(b.All); n > 0 {
				press(p, b.All[n-1-chance.IntN(min(n, 12))])
			}
		default:
			for range 1 + chance.IntN(12) {
				play := nextPress(h, chance)
				if play == "" {
					audit(p, "", p.Writes(openCommands[chance.IntN(len(openCommands))]))
					break
				}
				h.Wait(3 * time.Second) // for the house, the computer player
				for _, p := range people {
					press(p, play)
				}
			}
		}
	}
	late := append([]string{}, b.All...)
	chance.Shuffle(len(late), func(i, j int) { late[i], late[j] = late[j], late[i] })
	for _, data := range late[:min(len(late), again)] {
		pressByAll(data)
	}
	h.Sound()
	t.Logf("%d buttons, %v", len(b.All), a)
}
