package evening_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"knobel/bot/bare"
	"knobel/bot/board"
	"knobel/bot/chat"
	"knobel/games"
)

// barred is Tally, whose rules can be refused.
type barred struct {
	bare.Tally
	is *bool
}

func (b barred) Check(r games.Rules) (games.Rules, error) {
	if *b.is {
		return nil, games.Refuse("bot.no-such-button", nil)
	}
	return b.Tally.Check(r)
}

// TestTheLastEveningOpensTheFinal checks what opens on the last evening of a season: the final, also if the finalists
// sit in another lobby before it, or the usual lobby if the game of the final is refused or the final was played.
func TestTheLastEveningOpensTheFinal(t *testing.T) {
	last := time.Date(2023, 11, 30, 20, 0, 0, 0, time.UTC)
	for name, c := range map[string]struct {
		before func(h *bare.House, is *bool)
		want   string
	}{
		"final":  {func(*bare.House, *bool) {}, "tally final: Anna, Ben"},
		"barred": {func(_ *bare.House, is *bool) { *is = true }, "coin evening: Clara, Anna"},
		"in a lobby": {func(h *bare.House, _ *bool) {
			goesTo(h, last.Add(-time.Minute))
			h.Gather("/coin", "Anna", "Ben")
		}, "tally final: Anna, Ben"},
		"skipped": {func(h *bare.House, _ *bool) {
			anna := h.Person("Anna")
			anna.Admin = true
			for _, r := range []chat.Reply{anna.Writes("/evening friday 5:00 coin"),
				anna.Sends("1:0:0:/evening #skip 2")} {
				if r.Refused {
					h.T.Error(r.Toast)
				}
			}
		}, "tally final: Anna, Ben"},
	} {
		bare.Bubble(t, func(t *testing.T) {
			is := new(bool)
			h := bare.New(t, barred{is: is})
			s := bare.NewStage()
			h.OnStage(s)
			anna := h.Person("Anna")
			anna.Admin = true
			anna.Writes("/season monthly final=2")
			anna.Writes("/evening thursday 20:00 coin")
			h.Game("/tally", []string{"Anna", "Ben", "Clara"}, "Anna say 12", "Ben say 11", "Clara say 3")
			goesTo(h, last.Add(-30*time.Minute))
			for _, who := range []string{"Clara", "Anna"} {
				h.Person(who).Sends(fmt.Sprint("1:0:0:/evening #in 1 ", last.UnixMilli()))
				h.Later(time.Second)
			}
			c.before(h, is)
			goesTo(h, last.Add(5*time.Minute))
			if now := anna.Table(); now.Occasion == "" { // the lobby of people
				anna.Sends(fmt.Sprintf("1:%d:0:!end", now.ID))
				anna.Sends(fmt.Sprintf("1:%d:0:!end yes", now.ID))
			}
			goesTo(h, last.Add(6*time.Minute))
			now := anna.Table()
			var seats []string
			for _, seat := range now.Seats {
				seats = append(seats, seat.Name)
			}
			got := fmt.Sprint(now.Game, " ", board.OccasionOf(now).Kind, ": ", strings.Join(seats, ", "))
			if said := strings.Join(s.Notice().Told, " "); got != c.want ||
				strings.Contains(said, "final") != strings.Contains(got, "final") {
				t.Errorf("%s: there is %q, want %q; the notice says %q", name, got, c.want, s.Notice().Told)
			}
		})
	}
}
