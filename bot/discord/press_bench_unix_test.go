//go:build unix

package discord

import (
	"context"
	"log/slog"
	"testing"
	"time"

	"github.com/bwmarrin/discordgo"

	"knobel/bot/chat"
	"knobel/bot/chat/platformtest"
	"knobel/bot/discord/discordtest"
	"knobel/bot/fakes"
)

// echo is a core that answers every press with the same board, so that the adapter costs most.
type echo struct {
	platformtest.Core
	ref chat.Ref
}

func (e *echo) Handle(_ context.Context, ev chat.Event) chat.Reply {
	return chat.Reply{Board: 1, Fresh: ev.Command != ""}
}

func (e *echo) Draw(ctx context.Context, _ int64, _ bool, by chat.Drawer) (err error) {
	e.ref, _, err = by(ctx, throwing, e.ref)
	return err
}

// throwing is a board in the middle of a game.
var throwing = chat.Message{
	Table: 1, Lang: "en", Head: "Anna rolled 5 and 6: close 11.", Accent: 0,
	Lines: []string{"1 2 3 4 5 6 7 8 9 open 45", "Ben 12 · House 17 · Anna …"},
	Buttons: [][]chat.Button{{{Label: "9+2", Press: "1:1:0:shut 9+2"}, {Label: "8+3", Press: "1:1:0:shut 8+3"},
		{Label: "7+4", Press: "1:1:0:shut 7+4"}}},
	Small: "dice seal 3fa9c1d20b77",
}

// pressed is a fake Discord on which Anna presses a button of one board again and again.
type pressed struct {
	*testing.B
	server *discordtest.Server
	hall   *discordtest.Channel
	anna   *discordtest.Person
	ctx    context.Context
}

// newPressed starts the fake Discord of a benchmark.
func newPressed(b *testing.B) *pressed {
	server, err := discordtest.New(discordtest.Options{Forget: true, Pace: -1})
	check(b, err)
	b.Cleanup(server.Close)
	return &pressed{B: b, server: server, hall: server.Guild("The Dice").Channel("table"),
		anna: server.Person("Anna", "en-GB"), ctx: b.Context()}
}

// opens opens a table as Anna and returns its message.
func (p *pressed) opens() (board string) {
	late, stop := context.WithTimeout(p.ctx, fakes.Patience)
	defer stop()
	check(p, p.server.Wait(late, p.server.Listening))
	if _, err := p.hall.Slash(p.anna, "shutbox").Answer(late); err != nil {
		p.Fatal(err, p.server.Violations())
	}
	check(p, p.server.Wait(late, func() bool { _, ok := p.hall.Last(); return ok }))
	m, _ := p.hall.Last()
	return m.ID
}

// presses makes n presses, one after another, and returns the processor time and the bytes that stay allocated.
func (p *pressed) presses(board string, n int) (cpu time.Duration, kept int64) {
	return fakes.Spent(p.B, func() {
		for range n {
			a, err := p.hall.Press(p.anna, board, "1:1:0:shut 9+2").Answer(p.ctx)
			if err != nil || a.Type != 7 {
				p.Fatalf("answer %d: %v", a.Type, err)
			}
		}
	})
}

// bare runs a bot on discordgo without our adapter. It answers every press with the same board.
func bare(p *pressed) {
	session, err := discordgo.New("Bot " + p.server.Token())
	check(p, err)
	if session.Client, err = newHTTP(p.server.URL(), New(Options{}).options.Dial); err != nil {
		p.Fatal(err)
	}
	session.Identify.Intents = discordgo.IntentsGuilds
	session.StateEnabled = false
	accent := 0x336699
	container := discordgo.Container{AccentColor: &accent}
	for _, text := range append([]string{throwing.Head}, append(throwing.Lines, "-# "+throwing.Small)...) {
		container.Components = append(container.Components, discordgo.TextDisplay{Content: text})
	}
	var row discordgo.ActionsRow
	for _, k := range throwing.Buttons[0] {
		row.Components = append(row.Components,
			discordgo.Button{Label: k.Label, CustomID: k.Press, Style: discordgo.SecondaryButton})
	}
	container.Components = append(container.Components, row)
	session.AddHandler(func(s *discordgo.Session, i *discordgo.InteractionCreate) {
		kind := discordgo.InteractionResponseUpdateMessage
		if i.Type == discordgo.InteractionApplicationCommand {
			kind = discordgo.InteractionResponseChannelMessageWithSource
		}
		// The library's own type for answers sends an empty text beside the components, which Discord refuses.
		at := discordgo.EndpointInteractionResponse(i.ID, i.Token)
		_, _ = s.RequestWithBucketID("POST", at, map[string]any{"type": kind, "data": map[string]any{
			"flags": discordgo.MessageFlagsIsComponentsV2, "components": []discordgo.MessageComponent{container},
			"allowed_mentions": map[string]any{"parse": []string{}},
		}}, at)
	})
	check(p, session.Open())
	p.Cleanup(func() { _ = session.Close() })
}

// BenchmarkPress measures processor time and memory of a button press through the adapter without a store, and for
// comparison of a bot with the library alone. The fake Discord in this process is part of both.
func BenchmarkPress(b *testing.B) {
	ours, theirs := newPressed(b), newPressed(b)
	d := New(Options{Token: ours.server.Token(), URL: ours.server.URL(), Log: slog.New(slog.DiscardHandler),
		Letters: true})
	fakes.Running(b, func(ctx context.Context) error { return d.Run(ctx, &echo{}) })
	bare(theirs)
	mine, yours := ours.opens(), theirs.opens()
	fakes.Beside(b, func(n int) (time.Duration, int64) { return ours.presses(mine, n) },
		func(n int) (time.Duration, int64) { return theirs.presses(yours, n) })
}
