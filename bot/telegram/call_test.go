package telegram

import (
	"errors"
	"testing"
	"time"

	"knobel/bot/chat"
	"knobel/bot/fakes"
	"knobel/bot/telegram/telegramtest"
)

func summons(name string, board chat.Ref) chat.Ping {
	return chat.Ping{
		Once: "call 1", To: userID(ben.ID), Name: name, After: ", it is your turn: Shut the Box.",
		Board: board,
		Off:   chat.Button{Label: "Do not call me", Press: "1:7:0:/notify off"},
	}
}

func TestCalling(t *testing.T) {
	s := open(t)
	forum := s.server.Supergroup("Dice", true)
	topic := forum.Topic("Games")
	place := placeID(forum.ID(), topic)
	board, err := s.tele.Post(t.Context(), place, lobby("Ben is to throw."))
	if err != nil {
		t.Fatal(err)
	}
	_, shown, _ := parseRef(board)
	for _, c := range []struct{ name, want string }{
		{"Ben", `<a href="tg://user?id=12">Ben</a>, it is your turn: Shut the Box.`},
		{"<b>@all & \u202e",
			"<a href=\"tg://user?id=12\">&lt;b&gt;@\u2060all &amp;</a>, it is your turn: Shut the Box."},
		{" \n", `<a href="tg://user?id=12">12</a>, it is your turn: Shut the Box.`},
	} {
		ref, err := s.tele.Call(t.Context(), place, summons(c.name, board))
		if err != nil {
			t.Fatal(err)
		}
		_, id, _ := parseRef(ref)
		m, ok := forum.Message(id)
		if !ok || m.HTML != c.want || m.Thread != topic || m.ReplyTo != shown {
			t.Errorf("%q is called by %+v", c.name, m)
		}
		if press, ok := m.Data("Do not call me"); !ok || press != "1:7:0:/notify off" {
			t.Errorf("buttons %v", m.Keyboard)
		}
		for range 2 { // the second time it is gone
			if err := s.tele.Retire(t.Context(), place, ref); err != nil {
				t.Fatal(err)
			}
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

// A call that may have arrived returns ErrUnsure; a refused one does not.
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
