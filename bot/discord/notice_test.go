package discord

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"knobel/bot/chat"
	"knobel/bot/discord/discordtest"
)

// noticeOf returns a message that is no board, with two buttons.
func noticeOf(head string) chat.Message {
	m := chat.Message{Head: head, Accent: -1, Buttons: [][]chat.Button{
		{{Label: "I'm in", Press: "1:0:0:/evening 7 in"}, {Label: "Settle up", Press: "1:0:0:/settle"}}}}
	m.Once, m.Silent = "notice 7", true
	return m
}

// TestNoticesWithTheSameIDAreOneMessage checks that a second try with other content changes the message of the first.
func TestNoticesWithTheSameIDAreOneMessage(t *testing.T) {
	s := pressing(t, discordtest.Options{})
	s.server.Fail(discordtest.Fault{On: "POST /channels", Cut: true, After: true})
	if _, err := s.discord.Post(s.ctx, s.place(), noticeOf("In: Anna.")); err == nil {
		t.Fatal("a lost response is no error")
	}
	s.discord.clock.ahead.Store(int64(2 * time.Second)) // as if that was two seconds ago
	_, err := s.discord.Post(s.ctx, s.place(), noticeOf("In: Anna, Ben."))
	check(t, err)
	if m := s.shows("In: Anna, Ben.", 1); !m.Silent() || len(m.Called) > 0 {
		t.Errorf("the message is %+v", m)
	}
	other := noticeOf("In: Anna.")
	other.Once = "notice 8"
	_, err = s.discord.Post(s.ctx, s.place(), other)
	check(t, err)
	s.shows("In: Anna.", 2)
}

// TestANoticeIsFoundByItsButtons checks that a message that may be posted already is found below the given one by all
// its buttons, not by a command that other messages have, too.
func TestANoticeIsFoundByItsButtons(t *testing.T) {
	s := pressing(t, discordtest.Options{Pace: -1})
	first, err := s.discord.Post(s.ctx, s.place(), noticeOf("Posted."))
	check(t, err)
	m := noticeOf("Changed.")
	m.Unnoted, m.Once = true, "another id"
	again, err := s.discord.Post(s.ctx, s.place(), m)
	check(t, err)
	if s.shows("Changed.", 1); again != first {
		t.Errorf("it is %s, was %s", again, first)
	}
	m.Below = first
	_, err = s.discord.Post(s.ctx, s.place(), m)
	check(t, err)
	s.shows("Changed.", 2)
	m.Below, m.Buttons, m.Once = "", [][]chat.Button{{{Label: "Settle up", Press: "1:0:0:/settle"}}}, "a third id"
	_, err = s.discord.Post(s.ctx, s.place(), m)
	check(t, err)
	s.shows("Changed.", 3)
}

// TestPeopleAreCalledByAPost checks that a post mentions and notifies exactly the given people of Discord, and that an
// edit notifies no one.
func TestPeopleAreCalledByAPost(t *testing.T) {
	s := pressing(t, discordtest.Options{})
	ben := s.server.Person("Ben", "de")
	m := boardOf("A table is open <@" + ben.ID + ">.")
	m.Silent, m.Call = true, []chat.User{userID(s.anna.ID), "telegram:1", userID("x"), userID(s.anna.ID)}
	ref, err := s.discord.Post(s.ctx, s.place(), m)
	check(t, err)
	said := "A table is open \\<@\u2060" + ben.ID + ">."
	posted := s.shows(said+"\n<@"+s.anna.ID+">", 1)
	if posted.Silent() || !slices.Equal(posted.Called, []string{s.anna.ID}) {
		t.Errorf("it notifies %v, flags %d", posted.Called, posted.Flags)
	}
	check(t, s.discord.Edit(s.ctx, s.place(), ref, m))
	s.shows(said, 1)
}

// TestANoticeHasAPicture checks that a posted picture comes with its description, stays when the text changes, and is
// removed with the picture of the message.
func TestANoticeHasAPicture(t *testing.T) {
	s := pressing(t, discordtest.Options{})
	m := noticeOf("Ben won.")
	m.Picture = drawing(t, "evening.png", "Ben won 12.", 40)
	ref, err := s.discord.Post(s.ctx, s.place(), m)
	check(t, err)
	sees := func(want string) {
		t.Helper()
		s.until(want, func() bool { return sees(s.board()) == want })
	}
	sees("Ben won. | evening.png (Ben won 12.)")
	m.Head = "Someone won."
	check(t, s.discord.Edit(s.ctx, s.place(), ref, m))
	sees("Someone won. | evening.png (Ben won 12.)")
	m.Picture = nil
	check(t, s.discord.Edit(s.ctx, s.place(), ref, m))
	sees("Someone won.")
}

// TestAnOldNoticeIsStillEdited checks that a message that no other replaces is edited after an hour, and that further
// edits wait once Discord refuses them.
func TestAnOldNoticeIsStillEdited(t *testing.T) {
	s := pressing(t, discordtest.Options{Pace: -1})
	ref, err := s.discord.Post(s.ctx, s.place(), noticeOf("Posted."))
	check(t, err)
	s.server.Advance(3 * time.Hour)
	for _, name := range strings.Fields("Anna Ben Carla") {
		check(t, s.discord.Edit(s.ctx, s.place(), ref, noticeOf(name)))
	}
	err = s.discord.Edit(s.ctx, s.place(), ref, noticeOf("Dora"))
	if later, ok := errors.AsType[chat.Later](err); !ok || later.After != oldEditPause {
		t.Errorf("the fourth edit: %v", err)
	}
	s.shows("Carla", 1)
}
