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
	"knobel/bot/chat/platformtest"
	"knobel/bot/discord/discordtest"
	"knobel/bot/discord/emoji"
	"knobel/bot/fakes"
)

// Emoji on the fake Discord: uploaded once, by one replica, and drawn only if all emoji of their kind are uploaded.

func TestFirstStartUploadsAndSecondDoesNot(t *testing.T) {
	g := newGallery(t, discordtest.Options{}, emoji.Dice, emoji.Throws, emoji.Seats, emoji.Box)
	theirs := g.server.AddEmoji("die_4")
	first, stop := g.opens(Options{})
	g.complete("die_4")
	g.illustrates(first)
	m := g.post(first)
	want := "Anna keeps 4.\n# :die_4_kept::die_1:\n:seat_blue_circle: Anna · 24\n" +
		":the_box: Anna has the box and goes first next time."
	if got := plainly(m.Text()); got != want {
		t.Errorf("the board says\n%s\nwant\n%s", got, want)
	}
	if strings.Contains(m.Text(), theirs) {
		t.Error("the operator's own emoji is on the board")
	}
	if got, want := faces(m), []string{":one_die: Roll", "Undo", ":die_4_kept: 4", ":die_1: 1"}; !slices.Equal(got,
		want) {
		t.Errorf("the buttons are %q, want %q", got, want)
	}
	stop()
	before, _ := g.uploads()
	second, _ := g.opens(Options{})
	g.illustrates(second)
	if taken, refused := g.uploads(); taken != before || taken != len(g.all) || refused != 0 {
		t.Errorf("%d uploads and %d in vain, %d before the second start, of %d", taken, refused, before, len(g.all))
	}
}

func TestSwitchedOffNothingIsUploaded(t *testing.T) {
	g := newGallery(t, discordtest.Options{}, emoji.Dice)
	d, _ := g.opens(Options{Letters: true})
	g.until("the bot listens", g.server.Listening)
	if got := g.post(d).Text(); !strings.Contains(got, "🎲 4🔒 1") {
		t.Errorf("the board says %q", got)
	}
	if asked := g.server.Requests("GET /applications/"); slices.ContainsFunc(asked,
		func(r discordtest.Request) bool { return strings.HasSuffix(r.Path, "/emojis") }) {
		t.Error("somebody has asked for emoji")
	}
	if found := d.describeEmoji(g.ctx); found != "emoji: off, boards are drawn as text" {
		t.Errorf("an operator is told %q", found)
	}
}

// TestLettersUntilAKindIsWhole checks that an incomplete kind is drawn as text until its last picture is uploaded, and
// that uploads continue after a Retry-After.
func TestLettersUntilAKindIsWhole(t *testing.T) {
	g := newGallery(t, discordtest.Options{Uploads: 9}, emoji.Dice)
	d, _ := g.opens(Options{})
	g.until("the uploads are too fast", func() bool {
		_, refused := g.uploads()
		return refused > 0 || len(g.names()) == 9
	})
	if found := d.describeEmoji(g.ctx); found != "emoji: 9 of 12 uploaded; knobel serve uploads the others, and "+
		"text replaces missing ones" {
		t.Errorf("an operator is told %q", found)
	}
	if m := g.post(d); !strings.Contains(m.Text(), "🎲 4🔒 1") || faces(m)[2] != "4🔒" {
		t.Errorf("the board says %q, its buttons %q", m.Text(), faces(m))
	}
	g.complete()
	g.illustrates(d)
	check(t, d.Edit(g.ctx, g.place(), g.core.at(), g.core.board))
	if got := plainly(g.board().Text()); !strings.Contains(got, "# :die_4_kept::die_1:") {
		t.Errorf("the board says %q", got)
	}
}

// TestUploadsGoOnAfterARestart checks that after a refusal and a restart the rest is uploaded, and nothing twice.
func TestUploadsGoOnAfterARestart(t *testing.T) {
	g := newGallery(t, discordtest.Options{}, emoji.Dice)
	g.server.Fail(discordtest.Fault{On: "GET /applications/1198622483471925248/emojis", Status: 500},
		discordtest.Fault{On: "POST /applications", Status: 429, RetryAfter: 0.2},
		discordtest.Fault{On: "POST /applications", Cut: true, After: true})
	_, stop := g.opens(Options{})
	g.until("some emoji are there", func() bool { return len(g.names()) > 3 })
	stop()
	second, _ := g.opens(Options{})
	g.illustrates(second)
	if taken, _ := g.uploads(); taken > len(g.all) {
		t.Errorf("%d uploads of %d pictures", taken, len(g.all))
	}
	g.complete()
}

// TestAnotherReplicaGoesOnUploading checks that a replica that loses the lease leaves the rest to the next.
func TestAnotherReplicaGoesOnUploading(t *testing.T) {
	g := newGallery(t, discordtest.Options{}, emoji.Dice)
	var leases platformtest.Leases
	next := leases.Join()
	one, _ := g.opens(Options{Leases: leases.Join()})
	g.until("it has begun", func() bool { return len(g.server.Emoji()) > 0 })
	leases.Give(uploadLease, 0, next)
	two, _ := g.opens(Options{Leases: next})
	g.illustrates(two)
	g.complete()
	leases.Open(uploadLease, 0)
	g.illustrates(one)
}

// TestADeletedEmojiHoldsUpNoBoard checks that boards are drawn as text at once when Discord refuses them because of a
// deleted emoji on a button, until that emoji exists again.
func TestADeletedEmojiHoldsUpNoBoard(t *testing.T) {
	g := newGallery(t, discordtest.Options{}, emoji.Dice)
	d, _ := g.opens(Options{})
	g.complete()
	g.illustrates(d)
	g.post(d)
	g.until("the bot listens", g.server.Listening)
	g.server.RemoveEmoji("die_1_k1")
	g.core.handle = says(chat.Reply{Board: 1})
	a := g.answer(g.hall.Press(g.anna, g.board().ID, "1:1:0:b"))
	if !strings.Contains(a.Message.Text(), "🎲 4🔒 1") {
		t.Errorf("the board says %q", a.Message.Text())
	}
	for _, v := range g.server.Forgive() {
		if !strings.Contains(v.Why, "which is not there") {
			t.Errorf("%v", v)
		}
	}
	g.complete()
	g.illustrates(d)
	check(t, d.Edit(g.ctx, g.place(), g.core.at(), g.core.board))
	if got := plainly(g.board().Text()); !strings.Contains(got, "# :die_4_kept::die_1:") {
		t.Errorf("the board says %q", got)
	}
}

// few returns the pictures of these kinds, so that a test does not upload all.
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

// newGallery returns a scene whose adapters upload emoji of these kinds.
func newGallery(t *testing.T, o discordtest.Options, kinds ...emoji.Kind) *gallery {
	t.Parallel()
	s := rehearse(t, o, &script{board: diceBoard()})
	s.stop() // the scene's own adapter draws no emoji
	return &gallery{scene: s, all: few(kinds...)}
}

// opens starts another adapter that uploads emoji. It returns the adapter and a function that ends it.
func (g *gallery) opens(o Options) (*Discord, func()) {
	g.Helper()
	o.Token, o.URL, o.Log = g.server.Token(), g.server.URL(), g.log.Log()
	d := New(o)
	d.times = g.times
	d.emoji.all = g.all
	g.Cleanup(g.secret)
	return d, fakes.Running(g, func(ctx context.Context) error { return d.Run(ctx, g.core) })
}

// diceBoard returns a board with dice that are buttons; one of them is kept.
func diceBoard() chat.Message {
	return chat.Message{Table: 1, Head: "Anna keeps 4.", Accent: 0,
		Dice:   []chat.Die{{Face: 4, Sides: 6, Kept: true, Press: "1:1:0:a"}, {Face: 1, Sides: 6, Press: "1:1:0:b"}},
		People: []chat.Person{{Seat: 0, Name: "Anna", Text: "24"}},
		Lines:  []string{"📦 Anna has the box and goes first next time."},
		Buttons: [][]chat.Button{
			{{Label: "🎲 Roll", Press: "1:1:0:throw"}, {Label: "Undo", Press: "1:1:0:undo"}},
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

// complete waits until exactly the wanted pictures and others are uploaded.
func (g *gallery) complete(others ...string) {
	g.Helper()
	want := slices.Sorted(slices.Values(append(g.wanted(), others...)))
	g.until("all emoji are there", func() bool { return slices.Equal(g.names(), want) })
}

// illustrates waits until the adapter d draws boards with all wanted pictures.
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

// uploads returns the number of accepted and of refused uploads.
func (g *gallery) uploads() (accepted, refused int) {
	for _, r := range g.server.Requests("POST /applications") {
		if r.Status == http.StatusCreated {
			accepted++
		} else {
			refused++
		}
	}
	return accepted, refused
}

// post posts the board with the adapter d and returns the message.
func (g *gallery) post(d *Discord) discordtest.Message {
	g.Helper()
	g.discord = d
	return g.posted()
}

// plainly returns text with each emoji as :name:, without version and id.
func plainly(text string) string {
	return regexp.MustCompile(`<:(\w+)_k[0-9]+:[0-9]+>`).ReplaceAllString(text, ":$1:")
}

// faces returns the visible parts of the buttons of m: the name of the emoji, if any, and the label.
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
