package discord

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/bwmarrin/discordgo"
	"pgregory.net/rapid"

	"knobel/bot/chat"
	"knobel/bot/discord/discordtest"
	"knobel/games"
)

// anything generates texts from people, in all known ways.
var anything = rapid.OneOf(
	rapid.String(),
	rapid.SampledFrom([]string{
		"", " ", "\n", "<b>*_[x](y)@everyone", "\u202eflip", "\u200b", "\u2068", "\u2063", "👨‍👩‍👧‍👦", "\xff\xfe",
		"`", "```", `\`, "||",
		strings.Repeat("x", 4000), strings.Repeat("*", 4000), strings.Repeat("🎲", 2000), strings.Repeat("ä ", 2000),
		"# \n- \n1. ",
	}),
)

// anyMessage returns a message with any content.
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

// Discord accepts any message, as a board and as a private message.
func TestDiscordTakesEveryMessage(t *testing.T) {
	t.Parallel() // it keeps the rate limit
	server := discordtest.Start(t, discordtest.Options{Pace: -1, Forget: true})
	hall := server.Guild("The Dice").Channel("table")
	d := New(Options{Token: server.Token(), URL: server.URL()})
	place := placeID(server.Guild("Elsewhere").ID, hall.ID)
	rapid.Check(t, func(r *rapid.T) {
		m := anyMessage(r)
		if _, err := d.Post(t.Context(), place, m); err != nil {
			r.Errorf("a board: %v", err)
		}
		for _, letter := range append((*album)(nil).messages(m), toast(m.Head+".")) {
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
