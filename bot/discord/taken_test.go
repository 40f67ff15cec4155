package discord

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/bwmarrin/discordgo"
	"pgregory.net/rapid"

	"knobel/bot/chat"
	"knobel/bot/discord/discordtest"
	"knobel/games"
)

// anything generates texts as people might type them.
var anything = rapid.OneOf(
	rapid.String(),
	rapid.SampledFrom([]string{
		"", " ", "\n", "<b>*_[x](y)@everyone", "\u202eflip", "\u200b", "\u2068", "\u2063", "👨‍👩‍👧‍👦", "\xff\xfe",
		"`", "```", `\`, "||",
		strings.Repeat("x", 4000), strings.Repeat("*", 4000), strings.Repeat("🎲", 2000), strings.Repeat("ä ", 2000),
		"# \n- \n1. ",
	}),
)

// anyMessage generates a message with any content.
func anyMessage(r *rapid.T) chat.Message {
	text := func(what string) string { return anything.Draw(r, what) }
	few := func(what string, most int, add func()) {
		for range rapid.IntRange(0, most).Draw(r, what) {
			add()
		}
	}
	m := chat.Message{Table: 1, Head: text("head"), Small: text("small"),
		Accent: rapid.IntRange(-1, 30).Draw(r, "accent")}
	few("lines", 4, func() { m.Lines = append(m.Lines, text("line")) })
	few("people", 10, func() {
		state := rapid.SampledFrom([]games.StandState{"", games.Waiting, games.ToMove, games.Won}).Draw(r, "state")
		m.People = append(m.People, chat.Person{Seat: len(m.People), Name: text("name"), Text: text("stand"),
			State: state})
	})
	few("tile rows", 2, func() {
		row := chat.TileRow{Owner: text("owner")}
		few("tiles", 24, func() { row.Tiles = append(row.Tiles, chat.Tile{Number: len(row.Tiles) + 1, Open: true}) })
		m.Tiles = append(m.Tiles, row)
	})
	few("dice", 5, func() { m.Dice = append(m.Dice, chat.Die{Face: 6, Sides: 6}) })
	few("choices", 3, func() {
		c := chat.Choice{Said: text("said")}
		few("values", 60, func() {
			c.Values = append(c.Values, chat.Button{Label: text("value"), Press: fmt.Sprint(len(c.Values) / 2)})
		})
		m.Choices = append(m.Choices, c)
	})
	few("rows", 12, func() {
		var row []chat.Button
		few("buttons", 9, func() {
			press := rapid.StringMatching(`[ -~]{0,3}`).Draw(r, "press")
			row = append(row, chat.Button{Label: text("label"), Press: press, Style: games.Danger})
		})
		m.Buttons = append(m.Buttons, row)
	})
	return m
}

// TestDiscordTakesEveryMessage checks that Discord accepts any message of the core, as a board and in private.
func TestDiscordTakesEveryMessage(t *testing.T) {
	t.Parallel() // it waits for the rate limit
	server := discordtest.Start(t, discordtest.Options{Pace: -1, Forget: true})
	hall := server.Guild("The Dice").Channel("table")
	d := New(Options{Token: server.Token(), URL: server.URL()})
	place := placeID(server.Guild("Elsewhere").ID, hall.ID)
	rapid.Check(t, func(r *rapid.T) {
		m := anyMessage(r)
		if _, err := d.Post(t.Context(), place, m); err != nil {
			r.Errorf("a board: %v", err)
		}
		for _, letter := range append((*album)(nil).privateMessages(m), toast(m.Head+".")) {
			letter.Flags &^= discordgo.MessageFlagsEphemeral // only answers may have it
			if err := d.write(t.Context(), hall.ID, http.MethodPost, discordgo.EndpointChannelMessages(hall.ID), letter,
				nil); err != nil {
				r.Errorf("a letter: %v", err)
			}
		}
		for _, v := range server.Forgive() {
			r.Errorf("Discord would not take this: %v", v)
		}
	})
}

// TestNothingIsSaidBehindNoAnswer checks that no message follows an answer that Discord has not accepted in time.
func TestNothingIsSaidBehindNoAnswer(t *testing.T) {
	t.Parallel()
	page := chat.Message{Head: "A page.", Accent: -1, Buttons: [][]chat.Button{{{Label: "Next", Press: "1:0:0:/next"}}}}
	s := rehearse(t, discordtest.Options{}, &script{handle: says(chat.Reply{Private: &page}), times: brisk})
	first := s.answer(s.hall.Slash(s.anna, "stats"))
	s.server.Fail(discordtest.Fault{On: "POST /interactions", Status: 429, RetryAfter: 60})
	s.hall.Press(s.anna, first.Message.ID, "1:0:0:/next")
	if !s.log.WaitFor(s.ctx, "discord rejected answer", 1) {
		t.Fatal(s.log)
	}
	s.stop()
	if behind := s.server.Requests("POST /webhooks"); len(behind) > 0 {
		t.Errorf("behind an answer that was not given: %s", behind[0].Body)
	}
	if wrong := s.server.Forgive(); len(wrong) > 0 {
		t.Error(wrong)
	}
}

// TestToldAgainWhileItIsAnswered checks that an interaction that is repeated while its slow answer is pending gets no
// silent answer, which would replace the board.
func TestToldAgainWhileItIsAnswered(t *testing.T) {
	t.Parallel()
	var times atomic.Int32
	once := func(context.Context, chat.Event) chat.Reply {
		if times.Add(1) > 1 {
			return chat.Reply{} // the repeated press was carried out before
		}
		return chat.Reply{Board: 1}
	}
	s := rehearse(t, discordtest.Options{}, &script{handle: once, times: stubborn})
	m := s.posted()
	s.server.Fail(discordtest.Fault{On: "POST /interactions", Hang: true})
	s.change("Changed.")
	i := s.pressOn(m)
	s.until("the answer is under way", func() bool { return len(s.server.Requests("POST /interactions")) == 1 })
	i.Redeliver()
	s.answer(i)
	s.stop()
	s.shows("Changed.", 1)
}
