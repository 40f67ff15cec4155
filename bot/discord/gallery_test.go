package discord

import (
	"context"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"knobel/bot/chat"
	"knobel/bot/discord/discordtest"
	"knobel/bot/discord/emoji"
	"knobel/bot/fakes"
)

// few returns the pictures of some kinds, so that a test uploads no more than it needs.
func few(kinds ...emoji.Kind) (all []emoji.Picture) {
	for _, p := range emoji.All() {
		if slices.Contains(kinds, p.Kind) {
			all = append(all, p)
		}
	}
	return all
}

// gallery is a scene with adapters that upload emoji.
type gallery struct {
	*scene
	all []emoji.Picture
}

func newGallery(t *testing.T, o discordtest.Options, kinds ...emoji.Kind) *gallery {
	t.Parallel()
	s := rehearse(t, o, &script{board: diceBoard()})
	s.stop() // a scene's own adapter has no pictures
	return &gallery{scene: s, all: few(kinds...)}
}

// opens starts another adapter with pictures, and returns it with its end.
func (g *gallery) opens(o Options) (*Discord, func()) {
	g.Helper()
	o.Token, o.URL, o.Log = g.server.Token(), g.server.URL(), g.log.Log()
	d := New(o)
	d.times = g.times
	d.emoji.all = g.all
	g.Cleanup(g.secret)
	return d, fakes.Running(g, func(ctx context.Context) error { return d.Run(ctx, g.core) })
}

// diceBoard returns a board with dice, one of them kept, that can be pressed.
func diceBoard() chat.Message {
	return chat.Message{Table: 1, Head: "Anna keeps 4.", Accent: 0,
		Dice:   []chat.Die{{Face: 4, Sides: 6, Kept: true, Press: "1:1:0:a"}, {Face: 1, Sides: 6, Press: "1:1:0:b"}},
		People: []chat.Person{{Seat: 0, Name: "Anna", Text: "24"}},
		Lines:  []string{"📦 Anna holds the box."},
		Buttons: [][]chat.Button{
			{{Label: "🎲 Throw", Press: "1:1:0:throw"}, {Label: "Undo", Press: "1:1:0:undo"}},
			{{Label: "4🔒", Press: "1:1:0:a"}, {Label: "1", Press: "1:1:0:b"}},
		}}
}

// names returns the names of the uploaded emoji, sorted.
func (g *gallery) names() (all []string) {
	for _, e := range g.server.Emoji() {
		all = append(all, e.Name)
	}
	slices.Sort(all)
	return all
}

// wanted returns the names of the wanted pictures, sorted.
func (g *gallery) wanted() (all []string) {
	for _, p := range g.all {
		all = append(all, p.FullName())
	}
	slices.Sort(all)
	return all
}

// complete waits until exactly the wanted ones and others are uploaded.
func (g *gallery) complete(others ...string) {
	g.Helper()
	want := slices.Sorted(slices.Values(append(g.wanted(), others...)))
	g.until("all emoji are there", func() bool { return slices.Equal(g.names(), want) })
}

// illustrates waits until an adapter draws with all wanted pictures.
func (g *gallery) illustrates(d *Discord) {
	g.Helper()
	ctx, cancel := context.WithTimeout(g.ctx, fakes.Patience)
	defer cancel()
	for ctx.Err() == nil {
		if a := d.emoji.shown.Load(); a != nil && len(a.pictures) == len(g.all) {
			return
		}
		time.Sleep(time.Millisecond)
	}
	g.Fatalf("no board is drawn with pictures\n%s", g.log)
}

// uploads returns the numbers of accepted and refused uploads.
func (g *gallery) uploads() (taken, refused int) {
	for _, r := range g.server.Requests("POST /applications") {
		if r.Status == http.StatusCreated {
			taken++
		} else {
			refused++
		}
	}
	return taken, refused
}

// post has an adapter post the board.
func (g *gallery) post(d *Discord) discordtest.Message {
	g.Helper()
	g.discord = d
	return g.posted()
}

// plainly returns a text without the ids of its emoji.
func plainly(text string) string {
	return regexp.MustCompile(`<:(\w+)_k[0-9]+:[0-9]+>`).ReplaceAllString(text, ":$1:")
}

func faces(m discordtest.Message) (all []string) {
	for _, b := range m.Buttons() {
		face := b.Label
		if b.Emoji != nil {
			face = ":" + strings.TrimSuffix(b.Emoji.Name, "_k1") + ": " + face
		}
		all = append(all, face)
	}
	return all
}
