package telegram

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"knobel/bot/chat"
	"knobel/bot/telegram/telegramtest"
)

// TestPostsWithPictures checks that a posted picture has the text as its caption if that fits, else below the text, and
// that edits change the words of either.
func TestPostsWithPictures(t *testing.T) {
	long := strings.Repeat("Many words. ", 100)
	for _, c := range []struct {
		name         string
		posted, then *chat.Message
		forbidden    bool
		want, later  string
	}{
		{"with a caption", pageOf("One.", drawing(t, "Alt.", 60)), pageOf("Two.", drawing(t, "Alt.", 60)), false,
			"[60] One.", "[60] Two."},
		{"below a long text", pageOf("One.", drawing(t, "Alt.", 60), long),
			pageOf("Two.", drawing(t, "Alt.", 60), long), false, "One. / [60] Alt.", "Two. / [60] Alt."},
		{"a text that gets longer", pageOf("One.", drawing(t, "Alt.", 60)),
			pageOf("Two.", drawing(t, "Alt.", 60), long), false, "[60] One.", "[60] Two."},
		{"a text that gets shorter", pageOf("One.", drawing(t, "Alt.", 60), long),
			pageOf("Two.", drawing(t, "Alt.", 60)), false, "One. / [60] Alt.", "Two. / [60] Alt."},
		{"a picture that is left out", pageOf("One.", drawing(t, "Alt.", 60)), pageOf("Two.", nil), false,
			"[60] One.", "[60] Two."},
		{"where pictures are forbidden", pageOf("One.", drawing(t, "Alt.", 60)), pageOf("Two.", drawing(t, "Alt.", 60)),
			true, "One.", "Two."},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := open(t)
			group := s.server.Supergroup("Friends", true)
			at := placeID(group.ID(), group.Topic("Dice"))
			if c.forbidden {
				group.NoPhotos()
			}
			c.posted.Silent = true
			ref, err := s.tele.Post(t.Context(), at, *c.posted)
			check(t, err)
			if got := shown(group); got != c.want {
				t.Errorf("posted is %q, want %q", got, c.want)
			}
			for _, m := range group.Messages() {
				if !m.Silent || m.Thread == 0 {
					t.Errorf("a message with sound, or elsewhere: %+v", m)
				}
			}
			check(t, s.tele.Edit(t.Context(), at, ref, *c.then))
			check(t, s.tele.Edit(t.Context(), at, ref, *c.then))
			if got := shown(group); got != c.later {
				t.Errorf("edited is %q, want %q", got, c.later)
			}
			if m, _ := group.Find("Two."); len(m.Keyboard) != 1 {
				t.Errorf("the buttons are %v", m.Keyboard)
			}
		})
	}
}

// TestPeopleAreCalledByAPost checks that a post mentions the given people of Telegram with a sound, and that an edit
// mentions no one.
func TestPeopleAreCalledByAPost(t *testing.T) {
	s := open(t)
	group := s.server.Group("Friends")
	at := placeID(group.ID(), 0)
	m := lobby("A table is open.")
	m.People = []chat.Person{{User: userID(anna.ID), Name: "<b>@Anna"}}
	m.Lines = []string{strings.Repeat("words ", 2000)}
	m.Silent, m.Call = true, []chat.User{userID(anna.ID), "discord:1", userID(ben.ID)}
	for _, picture := range []*chat.Picture{nil, drawing(t, "Alt.", 60)} {
		if m.Picture = picture; picture != nil {
			m.Table, m.Lines = 0, nil
		}
		ref, err := s.tele.Post(t.Context(), at, m)
		check(t, err)
		want := "\n" + `<a href="tg://user?id=11">&lt;b&gt;@` + joiner + `Anna</a>, <a href="tg://user?id=12">12</a>`
		posted, _ := group.Find("A table is open.")
		if !strings.HasSuffix(posted.HTML, want) || posted.Silent || (posted.Photo != nil) != (picture != nil) {
			t.Errorf("posted is %q, silent %v", posted.HTML, posted.Silent)
		}
		check(t, s.tele.Edit(t.Context(), at, ref, m))
		if edited, _ := group.Find("A table is open."); strings.Contains(edited.HTML, "tg://user") {
			t.Errorf("edited is %q", edited.HTML)
		}
	}
}

func TestPins(t *testing.T) {
	s := open(t)
	group := s.server.Supergroup("Friends", false)
	for _, c := range []*telegramtest.Chat{group, s.server.Private(anna)} {
		at := placeID(c.ID(), 0)
		ref, err := s.tele.Post(t.Context(), at, *pageOf("Tonight.", nil))
		check(t, err)
		m, _ := c.Find("Tonight.")
		check(t, s.tele.Pin(t.Context(), at, ref))
		if pins := c.Pins(); !slices.Equal(pins, []int64{m.ID}) {
			t.Errorf("pinned is %v", pins)
		}
		for range 2 {
			check(t, s.tele.Unpin(t.Context(), at, ref))
		}
		if pins := c.Pins(); len(pins) > 0 {
			t.Errorf("still pinned is %v", pins)
		}
		check(t, s.tele.Retire(t.Context(), at, ref))
		check(t, s.tele.Unpin(t.Context(), at, ref))
		if err := s.tele.Pin(t.Context(), at, ref); !errors.Is(err, chat.ErrGone) {
			t.Errorf("a message that is gone: %v", err)
		}
	}
	for _, call := range s.server.Calls("pinChatMessage") {
		if call.Params["disable_notification"] != "true" {
			t.Error("a pin makes a sound")
		}
	}
	at := placeID(group.ID(), 0)
	ref, err := s.tele.Post(t.Context(), at, *pageOf("Tonight.", nil))
	check(t, err)
	group.NoPins()
	if err := s.tele.Pin(t.Context(), at, ref); !errors.Is(err, chat.ErrAway) {
		t.Errorf("without the right: %v", err)
	}
	inline := chat.Place(inlinePrefix + "x")
	if s.tele.Traits(at).Pinner != s.tele || s.tele.Traits(inline).Pinner != nil {
		t.Error("pins are possible in chats of which the bot is a member")
	}
	if err := s.tele.Pin(t.Context(), inline, chat.Ref(inline)); !errors.Is(err, chat.ErrAway) {
		t.Errorf("in an inline message: %v", err)
	}
	_, err = s.tele.Post(t.Context(), at, *pageOf("After.", nil)) // the missing right is not that to write
	check(t, err)
}
