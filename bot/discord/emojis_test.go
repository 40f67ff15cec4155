package discord

// Emoji on the server that plays Discord: uploaded once, by one, and used only where a whole kind
// is there.

import (
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"knobel/bot/chat"
	"knobel/bot/chat/platformtest"
	"knobel/bot/discord/discordtest"
	"knobel/bot/discord/emoji"
)

func TestFirstStartUploadsAndSecondDoesNot(t *testing.T) {
	g := newGallery(t, discordtest.Options{}, emoji.Dice, emoji.Throws, emoji.Seats, emoji.Box)
	theirs := g.server.AddEmoji("die_4")
	first, stop := g.opens(Options{})
	g.complete("die_4")
	g.illustrates(first)
	m := g.post(first)
	want := "Anna keeps 4.\n# :die_4_kept::die_1:\n:seat_blue_circle: Anna · 24\n:the_box: Anna holds the box."
	if got := plainly(m.Text()); got != want {
		t.Errorf("the board says\n%s\nwant\n%s", got, want)
	}
	if strings.Contains(m.Text(), theirs) {
		t.Error("the operator's own emoji is on the board")
	}
	if got, want := faces(m), []string{":one_die: Throw", "Undo", ":die_4_kept: 4", ":die_1: 1"}; !slices.Equal(got,
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
	if found := d.uploader("").state(g.ctx); found != "emoji are switched off, boards are drawn in letters" {
		t.Errorf("an operator is told %q", found)
	}
}

// Half of a kind is as good as nothing: it is drawn in letters until the last picture is there, and
// what is asked too often goes on when Discord has said.
func TestLettersUntilAKindIsWhole(t *testing.T) {
	g := newGallery(t, discordtest.Options{Uploads: 9}, emoji.Dice)
	d, _ := g.opens(Options{})
	g.until("the uploads are too fast", func() bool {
		_, refused := g.uploads()
		return refused > 0 || len(g.names()) == 9
	})
	if found := d.uploader("").state(g.ctx); found != "9 of 12 emoji are there, knobel serve uploads the others; "+
		"boards are drawn in letters where they are missing" {
		t.Errorf("an operator is told %q", found)
	}
	if m := g.post(d); !strings.Contains(m.Text(), "🎲 4🔒 1") || faces(m)[2] != "4🔒" {
		t.Errorf("the board says %q, its buttons %q", m.Text(), faces(m))
	}
	g.complete()
	g.illustrates(d)
	if err := d.Edit(g.ctx, g.place(), g.core.at(), g.core.board); err != nil {
		t.Fatal(err)
	}
	if got := plainly(g.board().Text()); !strings.Contains(got, "# :die_4_kept::die_1:") {
		t.Errorf("the board says %q", got)
	}
}

// After a 429 and a restart in the middle the rest is uploaded, and nothing twice.
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

func TestRefusedEmojiAreToldOnce(t *testing.T) {
	for _, status := range []int{http.StatusBadRequest, http.StatusForbidden} {
		t.Run(http.StatusText(status), func(t *testing.T) {
			g := newGallery(t, discordtest.Options{}, emoji.Dice)
			g.server.RefuseEmoji(status)
			d, _ := g.opens(Options{})
			if !g.log.WaitFor(g.ctx, "emoji are not to be had", 1) {
				t.Fatalf("nobody is told\n%s", g.log)
			}
			if got := g.post(d).Text(); !strings.Contains(got, "🎲 4🔒 1") {
				t.Errorf("the board says %q", got)
			}
			g.server.Drop() // another welcome
			if found := d.uploader("").state(g.ctx); !strings.HasPrefix(found, "emoji are not to be had, boards are "+
				"drawn in letters: discord answers") {
				t.Errorf("an operator is told %q", found)
			}
			if n := strings.Count(g.log.String(), "emoji are not to be had"); n != 1 {
				t.Errorf("it is told %d times", n)
			}
		})
	}
}

// Another version is uploaded beside the first, which goes when no board in play shows it any more;
// what is the operator's stays.
func TestOlderVersionsGoWhenBoardsAreRedrawn(t *testing.T) {
	g := newGallery(t, discordtest.Options{}, emoji.Dice)
	g.server.AddEmoji("die_3_k1_of_mine")
	first, stop := g.opens(Options{})
	g.complete("die_3_k1_of_mine")
	g.illustrates(first)
	g.post(first)
	stop()
	old := append(g.wanted(), "die_3_k1_of_mine")
	g.server.RemoveEmoji("die_6_kept_k1")
	old = slices.DeleteFunc(old, func(name string) bool { return name == "die_6_kept_k1" })
	g.server.AddEmoji("die_6_kept_k1") // the operator has made one with this name
	old = append(old, "die_6_kept_k1")

	g.notes.Changed(time.Now())
	g.all = few(2, emoji.Dice)
	second, _ := g.opens(Options{})
	g.complete(old...)
	g.illustrates(second)
	if err := second.Edit(g.ctx, g.place(), g.core.at(), g.core.board); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(g.board().Text(), "<:die_4_kept_k2:") {
		t.Errorf("the board says %q", g.board().Text())
	}
	g.complete(old...)
	g.notes.Changed(time.Now().Add(time.Minute))
	g.complete("die_3_k1_of_mine", "die_6_kept_k1")
	if !g.log.WaitFor(g.ctx, "deleted emoji of older versions", 1) {
		t.Error("nobody is told")
	}
}

// A program of before, which still runs, leaves alone what one of today has uploaded.
func TestNewerVersionsAreLeftAlone(t *testing.T) {
	g := newGallery(t, discordtest.Options{}, emoji.Throws)
	g.all = few(2, emoji.Throws)
	_, stop := g.opens(Options{})
	g.complete()
	stop()
	newer := g.wanted()
	g.all = few(1, emoji.Throws)
	_, stop = g.opens(Options{})
	g.complete(newer...)
	stop()
	g.complete(newer...)
	if n := len(g.server.Requests("DELETE /applications")); n > 0 {
		t.Errorf("%d were deleted", n)
	}
}

// Of two replicas one uploads; the other draws with what is there then.
func TestOneOfTwoUploads(t *testing.T) {
	g := newGallery(t, discordtest.Options{}, emoji.Dice)
	var leases platformtest.Leases
	one, _ := g.opens(Options{Leases: leases.Join()})
	two, _ := g.opens(Options{Leases: leases.Join()})
	g.illustrates(one)
	g.illustrates(two)
	if taken, refused := g.uploads(); taken != len(g.all) || refused > 0 {
		t.Errorf("%d uploads and %d in vain, of %d", taken, refused, len(g.all))
	}
	if n := strings.Count(g.log.String(), "uploading emoji"); n != 1 {
		t.Errorf("%d upload", n)
	}
}

// A replica that loses the lease in the middle leaves the rest to the next.
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

// Somebody deletes an emoji behind the bot's back: Discord refuses boards with it on a button, and
// they are drawn in letters at once, until it is there again.
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
	if err := d.Edit(g.ctx, g.place(), g.core.at(), g.core.board); err != nil {
		t.Fatal(err)
	}
	if got := plainly(g.board().Text()); !strings.Contains(got, "# :die_4_kept::die_1:") {
		t.Errorf("the board says %q", got)
	}
}
