package discord

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"golang.org/x/time/rate"

	"knobel/bot/chat"
	"knobel/bot/chat/platformtest"
	"knobel/bot/discord/discordtest"
	"knobel/bot/fakes"
)

// pressing returns a scene in which every button press changes the board.
func pressing(t *testing.T, o discordtest.Options) *scene {
	t.Helper()
	t.Parallel()
	return rehearse(t, o, &script{handle: says(chat.Reply{Board: 1})})
}

func TestPressOnAnOldBoardWhileANewerExists(t *testing.T) {
	s := pressing(t, discordtest.Options{})
	first := s.posted()
	s.change("The newer board.")
	second := s.posted()
	s.change("Changed.")
	if a := s.answer(s.pressOn(first)); a.Type != 6 {
		t.Errorf("answer %d", a.Type)
	}
	last := s.shows("Changed.", 2)
	if old := s.hall.Messages()[0]; last.ID != second.ID || old.Text() != "The board." {
		t.Errorf("the old board says %q, the newer is %s, was %s", old.Text(), last.ID, second.ID)
	}
}

// TestPressOnABoardOlderThanAnHour checks that a press on an old board posts it again, even where writing is forbidden.
func TestPressOnABoardOlderThanAnHour(t *testing.T) {
	s := pressing(t, discordtest.Options{})
	m := s.posted()
	s.server.Advance(56 * time.Minute)
	s.hall.Deny(discordtest.SendMessages)
	s.change("Changed.")
	if a := s.answer(s.pressOn(m)); a.Type != 4 || a.Message.Private() {
		t.Errorf("answer %d", a.Type)
	}
	last := s.shows("Changed.", 2)
	if got := s.core.at(); got != refID(s.hall.ID, last.ID) {
		t.Errorf("the board is remembered as %s", got)
	}
	if edits := s.server.Requests("PATCH"); len(edits) != 0 {
		t.Errorf("%d edits of an old message", len(edits))
	}
	// The new message is young by Discord's time, though not by this machine's.
	s.change("Changed again.")
	if a := s.answer(s.pressOn(last)); a.Type != 7 {
		t.Errorf("answer %d", a.Type)
	}
	s.shows("Changed again.", 2)
}

func TestMessageIsDeletedWhileItIsPressed(t *testing.T) {
	s := pressing(t, discordtest.Options{})
	m := s.posted()
	s.hall.Remove(m.ID)
	if a := s.answer(s.pressOn(m)); a.Type != 6 {
		t.Errorf("answer %d", a.Type)
	}
	// The same board and a remembered nonce must give a new message.
	if last := s.shows("The board.", 1); last.ID == m.ID {
		t.Error("the deleted message is to hold the board")
	}
}

// TestPlaceWithoutPermission checks that answers to commands and presses draw boards where the bot may not write.
func TestPlaceWithoutPermission(t *testing.T) {
	t.Parallel()
	for name, denied := range map[string]int64{"to write": discordtest.SendMessages,
		"to see": discordtest.ViewChannel} {
		t.Run(name, func(t *testing.T) {
			s := pressing(t, discordtest.Options{})
			s.hall.Deny(denied)
			s.core.handle = says(chat.Reply{Board: 1, Fresh: true})
			if a := s.answer(s.hall.Slash(s.anna, "shutbox")); a.Type != 4 || a.Message.Private() {
				t.Fatalf("answer %d", a.Type)
			}
			s.until("the board is known", func() bool { return s.core.at() != "" })
			s.core.handle = says(chat.Reply{Board: 1})
			s.change("Changed.")
			if a := s.answer(s.pressOn(s.board())); a.Type != 7 {
				t.Errorf("answer %d", a.Type)
			}
			s.shows("Changed.", 1)
			if _, err := s.discord.Post(s.ctx, s.place(), s.core.board); !errors.Is(err, chat.ErrAway) {
				t.Errorf("a post there: %v", err)
			}
		})
	}
}

// TestWhatRefusalsMean checks that Discord's refusals of a post, an edit and a deletion become errors of package chat.
func TestWhatRefusalsMean(t *testing.T) {
	s := pressing(t, discordtest.Options{})
	s.posted()
	fakes.Cases(t, "refusals.txt", func(said string) string {
		fault := discordtest.Fault{HTML: strings.Contains(said, "html"), Global: strings.Contains(said, "global")}
		if _, err := fmt.Sscan(said, &fault.Status, &fault.Code, &fault.RetryAfter); err != nil {
			t.Fatal(err)
		}
		all := []discordtest.Fault{fault, fault, fault}
		all[0].On, all[1].On, all[2].On = "POST /channels", "PATCH /channels", "DELETE /channels"
		s.server.Fail(all...)
		_, posted := s.discord.Post(s.ctx, s.place(), boardOf("New."))
		edited := s.discord.Edit(s.ctx, s.place(), s.core.at(), boardOf("New."))
		retired := s.discord.Retire(s.ctx, s.place(), s.core.at())
		return platformtest.Meaning(posted) + " " + platformtest.Meaning(edited) + " " + platformtest.Meaning(retired)
	})
}

// TestPostIsTriedAgain checks that a post whose response was lost is not repeated, and that a Retry-After holds for the
// channel or, if global, for all channels.
func TestPostIsTriedAgain(t *testing.T) {
	s := pressing(t, discordtest.Options{})
	s.server.Fail(discordtest.Fault{On: "POST /channels", Cut: true, After: true})
	if _, err := s.discord.Post(s.ctx, s.place(), s.core.board); err == nil {
		t.Fatal("an answer that was lost is no error")
	}
	s.posted()
	s.shows("The board.", 1)
}

// TestPaces checks the pauses of one channel and of the whole bot, and that idle channels are dropped.
func TestPaces(t *testing.T) {
	p := paces{channels: map[string]*channelState{}}
	p.pauseFor("1", time.Hour)
	p.pauseFor("1", time.Second) // a shorter one of another route changes nothing
	if one, two := p.wait("1"), p.wait("2"); one < 59*time.Minute || two > time.Second {
		t.Errorf("one waits %v, two %v", one, two)
	}
	p.pauseFor(everywhere, 2*time.Hour)
	if one, two := p.wait("1"), p.wait("2"); min(one, two) < 119*time.Minute {
		t.Errorf("one waits %v, two %v", one, two)
	}
	for i := range 3 * manyChannels {
		p.wait(fmt.Sprint("c", i))
		p.stateOf(fmt.Sprint("c", i)).limiter.SetLimit(rate.Inf) // idle at once
	}
	if len(p.channels) > manyChannels || p.wait("1") < 59*time.Minute {
		t.Errorf("%d channels are remembered", len(p.channels))
	}
}

func TestWhatIsNoPlace(t *testing.T) {
	t.Parallel()
	d := New(Options{Token: "x", URL: "http://127.0.0.1:1"})
	for _, place := range []chat.Place{"", "telegram:1", "discord:1", "discord:1:x", "discord:1:2:3", "discord:1:../2",
		"discord:1:007"} {
		if _, err := d.Post(t.Context(), place, boardOf("x")); err == nil {
			t.Errorf("%q is a place", place)
		}
		if err := d.Ready(t.Context(), place, chat.ToMove); err == nil {
			t.Errorf("%q is a place", place)
		}
	}
	for _, ref := range []chat.Ref{"", "1", "1/x", "1/2/3", "1/ 2"} {
		if d.Edit(t.Context(), "", ref, boardOf("x")) == nil || d.Retire(t.Context(), "", ref) == nil {
			t.Errorf("%q is a message", ref)
		}
	}
}
