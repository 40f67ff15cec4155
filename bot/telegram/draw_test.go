package telegram

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"knobel/bot/chat"
	"knobel/bot/chat/platformtest"
	"knobel/bot/fakes"
	"knobel/bot/telegram/telegramtest"
)

func TestDrawing(t *testing.T) {
	s := open(t)
	group, board, ref := s.table()
	place := placeID(group.ID(), 0)
	ctx := t.Context()
	check(t, s.tele.Edit(ctx, place, ref, lobby("Ben sits.")))
	if err := s.tele.Edit(ctx, place, ref, lobby("Ben sits.")); err != nil {
		t.Fatalf("what is there already: %v", err)
	}
	if m, _ := group.Message(board.ID); m.Text != "Ben sits." || m.Edits != 1 {
		t.Errorf("%+v", m)
	}
	if m, _ := group.Message(board.ID); m.Keyboard[0][0].Style != "primary" {
		t.Errorf("%+v", m.Keyboard)
	}
	newer, err := s.tele.Post(ctx, place, lobby("Ben sits, again."))
	if err != nil || newer == ref {
		t.Fatalf("%s, %v", newer, err)
	}
	for range 2 { // the second time there is nothing left to do
		check(t, s.tele.Retire(ctx, place, ref))
	}
	if err := s.tele.Edit(ctx, place, ref, lobby("x")); !errors.Is(err, chat.ErrGone) {
		t.Errorf("edit of what is gone: %v", err)
	}
	s.server.Fail(telegramtest.Fault{On: "deleteMessage", Status: 400,
		Message: "Bad Request: message can't be deleted for everyone"})
	check(t, s.tele.Retire(ctx, place, newer))
	if m := group.Messages(); len(m) != 1 || len(m[0].Keyboard) != 0 {
		t.Errorf("%+v", m)
	}
	if err := s.tele.Retire(ctx, place, refID(-5, 1)); err != nil {
		t.Errorf("a board of the former group: %v", err)
	}
}

// TestWhatRefusalsMean checks that Telegram's refusals of an edit become errors of package chat.
func TestWhatRefusalsMean(t *testing.T) {
	s := open(t)
	group, _, ref := s.table()
	fakes.Cases(t, "refusals.txt", func(said string) string {
		status, text, _ := strings.Cut(said, " ")
		fault := telegramtest.Fault{On: "editMessageText", Message: text}
		fault.Status, _ = strconv.Atoi(status)
		if fault.Status == http.StatusTooManyRequests {
			fault.RetryAfter = 9
		}
		s.server.Fail(fault)
		return platformtest.Meaning(s.tele.Edit(t.Context(), placeID(group.ID(), 0), ref, lobby("x")))
	})
}

func TestRetryAfterIsObeyed(t *testing.T) {
	s := open(t)
	group, _, ref := s.table()
	s.server.Fail(telegramtest.Fault{On: "editMessageText", Status: 429, Message: "Too Many Requests", RetryAfter: 30})
	before := s.clock.Now()
	var later chat.Later
	if err := s.tele.Edit(t.Context(), placeID(group.ID(), 0), ref, lobby("x")); !errors.As(err, &later) {
		t.Fatal(err)
	}
	check(t, s.tele.Edit(t.Context(), placeID(group.ID(), 0), ref, lobby("x")))
	if waited := s.clock.Now().Sub(before); waited < 30*time.Second {
		t.Errorf("waited %v", waited)
	}
}

func TestMigration(t *testing.T) {
	for _, how := range []telegramtest.Announcement{telegramtest.OldFirst, telegramtest.NewFirst,
		telegramtest.Silently} {
		t.Run(fmt.Sprint(how), func(t *testing.T) {
			s := open(t).run()
			group, _, ref := s.table()
			old := placeID(group.ID(), 0)
			s.core.places = []chat.Place{old, "telegram:-5:7"}
			next := group.Upgrade(how)
			move := fmt.Sprintf("%s > %s", chatID(group.ID()), chatID(next.ID()))
			if how == telegramtest.Silently {
				var later chat.Later
				if err := s.tele.Edit(t.Context(), old, ref, lobby("x")); !errors.As(err, &later) {
					t.Fatal(err)
				}
			}
			s.until("the move is known", func() bool { return len(s.core.migrations()) > 0 || touch(s) })
			for _, m := range s.core.migrations() {
				if m != move {
					t.Errorf("moved %s, want %s", m, move)
				}
			}
			place := placeID(next.ID(), 0)
			s.core.mu.Lock()
			places := slices.Clone(s.core.places)
			s.core.mu.Unlock()
			if !slices.Equal(places, []chat.Place{place, "telegram:-5:7"}) {
				t.Errorf("places %v", places)
			}
			if err := s.tele.Edit(t.Context(), place, ref, lobby("x")); !errors.Is(err, chat.ErrGone) {
				t.Errorf("old boards stay behind: %v", err)
			}
			if _, err := s.tele.Post(t.Context(), place, lobby("x")); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestAnAllowanceInHandIsNotForgotten checks that a pinned allowance is not dropped, however many chats come.
func TestAnAllowanceInHandIsNotForgotten(t *testing.T) {
	clock := fakes.NewClock(false)
	b := newBudget(clock)
	clock.Advance(time.Minute)
	mine := b.pin(7)
	for chat := range int64(manyChats + 10) {
		b.release(b.pin(-chat - 1))
	}
	if b.pin(7) != mine {
		t.Error("a chat has two allowances")
	}
}

// summons returns a ping that calls Ben to the board and shows this name.
func summons(name string, board chat.Ref) chat.Ping {
	return chat.Ping{
		Once: "call 1", To: userID(ben.ID), Name: name, After: ", it's your turn: Shut the Box.",
		Board: board,
		Off:   chat.Button{Label: "Don't remind me", Press: "1:7:0:/notify off"},
	}
}

func TestCalling(t *testing.T) {
	s := open(t)
	forum := s.server.Supergroup("Dice", true)
	topic := forum.Topic("Games")
	place := placeID(forum.ID(), topic)
	board, err := s.tele.Post(t.Context(), place, lobby("Ben's turn to roll."))
	check(t, err)
	_, shown, _ := parseRef(board)
	for _, c := range []struct{ name, want string }{
		{"Ben", `<a href="tg://user?id=12">Ben</a>, it's your turn: Shut the Box.`},
		{"<b>@all & \u202e",
			"<a href=\"tg://user?id=12\">&lt;b&gt;@\u2060all &amp;</a>, it's your turn: Shut the Box."},
		{" \n", `<a href="tg://user?id=12">12</a>, it's your turn: Shut the Box.`},
	} {
		ref, err := s.tele.Call(t.Context(), place, summons(c.name, board))
		check(t, err)
		_, id, _ := parseRef(ref)
		m, ok := forum.Message(id)
		if !ok || m.HTML != c.want || m.Thread != topic || m.ReplyTo != shown {
			t.Errorf("%q is called by %+v", c.name, m)
		}
		if press, ok := m.Data("Don't remind me"); !ok || press != "1:7:0:/notify off" {
			t.Errorf("buttons %v", m.Keyboard)
		}
		for range 2 { // the second time the ping is already deleted
			check(t, s.tele.Retire(t.Context(), place, ref))
		}
		if _, ok := forum.Message(id); ok {
			t.Error("a call stays")
		}
	}
	for _, call := range s.server.Calls("sendMessage") {
		if call.Params["disable_notification"] != "" {
			t.Error("a call is silent")
		}
	}
	forum.Delete(shown)
	ref, err := s.tele.Call(t.Context(), place, summons("Ben", board))
	_, id, _ := parseRef(ref)
	if m, ok := forum.Message(id); err != nil || !ok || m.ReplyTo != 0 {
		t.Errorf("without a board: %+v, %v", m, err)
	}
	if b := s.tele.Budget(place); b.Of != "group" || b.Limit != 20 || b.Calls != 4 || b.Sends != 5 || b.Edits != 0 {
		t.Errorf("the budget says %+v", b)
	}
	if _, err := s.tele.Call(t.Context(), place, chat.Ping{To: "discord:1"}); err == nil {
		t.Error("somebody from elsewhere is called")
	}
}

var errOther = errors.New("any other error")

// TestCallsThatFail checks that a ping that may have arrived returns ErrUnsure, and a refused one does not.
func TestCallsThatFail(t *testing.T) {
	for _, c := range []struct {
		name  string
		fault telegramtest.Fault
		want  error
	}{
		{"cut off behind", telegramtest.Fault{Cut: true, After: true}, chat.ErrUnsure},
		{"a fault of theirs", telegramtest.Fault{Status: 502, HTML: true}, chat.ErrUnsure},
		{"too many", telegramtest.Fault{Status: 429, Message: "Too Many Requests: retry after 9", RetryAfter: 9},
			chat.Later{After: 9 * time.Second}},
		{"kicked", telegramtest.Fault{Status: 403, Message: "Forbidden: bot was kicked from the supergroup chat"},
			chat.ErrAway},
		{"nonsense", telegramtest.Fault{Status: 400, Message: "Bad Request: nonsense"}, errOther},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := open(t)
			group, _, board := s.table()
			c.fault.On = "sendMessage"
			s.server.Fail(c.fault)
			_, err := s.tele.Call(t.Context(), placeID(group.ID(), 0), summons("Ben", board))
			if c.want == errOther && (err == nil || errors.Is(err, chat.ErrUnsure)) ||
				c.want != errOther && !errors.Is(err, c.want) {
				t.Errorf("got %v, want %v", err, c.want)
			}
		})
	}
	nowhere := New(Options{Token: "1:x", URL: "http://127.0.0.1:1", Clock: fakes.NewClock(true)})
	if _, err := nowhere.Call(t.Context(), placeID(-5, 0), summons("Ben", "")); err == nil ||
		errors.Is(err, chat.ErrUnsure) {
		t.Errorf("where nobody listens: %v", err)
	}
}
