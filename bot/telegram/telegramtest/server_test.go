package telegramtest

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"knobel/bot/fakes"
)

var anna = Person{ID: 11, First: "Anna", Language: "de"}

// ask makes a request with these parameters (name, value, …) and returns the body of the response.
func ask(t *testing.T, s *Server, method string, pairs ...string) string {
	t.Helper()
	form := url.Values{}
	for i := 0; i < len(pairs); i += 2 {
		form.Set(pairs[i], pairs[i+1])
	}
	resp, err := http.PostForm(s.URL()+"/bot"+s.Token()+"/"+method, form)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	said, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(said)
}

// says checks that response contains part.
func says(t *testing.T, response, part string) {
	t.Helper()
	if !strings.Contains(response, part) {
		t.Errorf("%s, want %q", response, part)
	}
}

// TestPolls checks that a second poll ends the first, and that unacknowledged updates come again.
func TestPolls(t *testing.T) {
	s := Start(t, Options{})
	first := make(chan string, 1)
	go func() { first <- ask(t, s, "getUpdates", "timeout", "50") }()
	ctx, cancel := context.WithTimeout(t.Context(), fakes.Patience)
	defer cancel()
	polling := func() bool {
		s.mu.Lock()
		defer s.mu.Unlock()
		return s.updates.poller != nil
	}
	if err := s.Wait(ctx, polling); err != nil {
		t.Fatal(err)
	}
	ask(t, s, "getUpdates", "timeout", "0")
	says(t, <-first, "terminated by other getUpdates")
	s.Group("Friends").Say(anna, "/help")
	for range 2 {
		says(t, ask(t, s, "getUpdates"), "/help")
	}
	ask(t, s, "getUpdates", "offset", fmt.Sprint(s.Newest()+1), "timeout", "0")
	if n := s.Pending(); n != 0 {
		t.Errorf("%d updates are left", n)
	}
}

// TestLimits checks that a group has a budget and a press takes one answer.
func TestLimits(t *testing.T) {
	clock := fakes.NewClock(false)
	s := Start(t, Options{Now: clock.Now})
	group := s.Group("Friends")
	send := func() string {
		return ask(t, s, "sendMessage", "chat_id", fmt.Sprint(group.ID()), "text", "x")
	}
	for range 20 {
		says(t, send(), `"ok":true`)
		clock.Advance(time.Second)
	}
	says(t, send(), `"retry_after":40`)
	query := group.PressData(anna, 1, "x")
	ask(t, s, "getUpdates")
	says(t, ask(t, s, "answerCallbackQuery", "callback_query_id", query), `"ok":true`)
	says(t, ask(t, s, "answerCallbackQuery", "callback_query_id", query), "query is too old")
	if all := s.Forgive(); len(all) != 2 {
		t.Errorf("violations: %v", all)
	}
}

// good are the parameters of a valid sendMessage.
const good = `chat_id=-100123&text=<b>Anna</b> throws&parse_mode=HTML` +
	`&reply_markup={"inline_keyboard":[[{"text":"9+2","callback_data":"v1:7:3:shut 9+2","style":"primary"}]]}` +
	`&link_preview_options={"is_disabled":true}` +
	`&reply_parameters={"message_id":5,"allow_sending_without_reply":true}`

var repeated = regexp.MustCompile(`<(.)\*(\d+)>`)

// TestCheck checks which calls are valid. A case is a method and its parameters, or changes of a valid sendMessage.
func TestCheck(t *testing.T) {
	fakes.Cases(t, "checked.txt", func(said string) string {
		said = repeated.ReplaceAllStringFunc(said, func(found string) string {
			m := repeated.FindStringSubmatch(found)
			n, _ := strconv.Atoi(m[2])
			return strings.Repeat(m[1], n)
		})
		method, changes, _ := strings.Cut(said, " ")
		if method == "sendMessage" {
			changes = good + "&" + changes
		}
		params := map[string]string{}
		for pair := range strings.SplitSeq(changes, "&") {
			if name, value, ok := strings.Cut(pair, "="); ok {
				params[name] = value
			}
		}
		return strings.Join(Described().Check(method, params, nil), "; ")
	})
}

func TestParseHTML(t *testing.T) {
	fakes.Cases(t, "html.txt", func(raw string) string {
		text, err := ParseHTML(raw)
		if err != nil {
			return "error: " + err.Error()
		}
		return text
	})
}

// TestGuests checks that a mention has one answer in time with a title, and which of the bot's messages can be edited.
func TestGuests(t *testing.T) {
	s := Start(t, Options{Guest: true, Inline: true})
	there := s.Foreign(-5)
	answer := func(query, title, markup string) string {
		return ask(t, s, "answerGuestQuery", "guest_query_id", query, "result", `{"type":"article","id":"1","title":"`+
			title+`","input_message_content":{"message_text":"Who plays?"}`+markup+`}`)
	}
	edit := func(inline, text string) string {
		return ask(t, s, "editMessageText", "inline_message_id", inline, "text", text)
	}
	const keys = `,"reply_markup":{"inline_keyboard":[[{"text":"Join","callback_data":"x"}]]}`
	query := there.Mention(anna, "@KnobelBot coin")
	says(t, ask(t, s, "getUpdates"), `"guest_query_id":"`+query+`"`)
	says(t, answer(query, "", keys), "result.title has 0 characters")
	says(t, answer(query, "Coin", keys), s.Sent(query))
	says(t, answer(query, "Coin", keys), "query is too old")
	says(t, edit(s.Sent(query), "Anna plays."), `"result":true`)
	says(t, edit("AgAA-no", "Anna plays."), "MESSAGE_ID_INVALID")
	late := there.Mention(anna, "@KnobelBot coin")
	s.guests[late].asked = time.Now().Add(-guestWindow - time.Second)
	says(t, answer(late, "Coin", keys), "query is too old")
	bare := there.Mention(anna, "@KnobelBot coin")
	answer(bare, "Coin", "")
	says(t, edit(s.Sent(bare), "Anna plays."), "message can't be edited")
	if _, err := there.Press(anna, s.Sent(bare), "Join"); err == nil {
		t.Error("a message without buttons has a button")
	}
	there.PressData(anna, s.Sent(query), "x")
	says(t, ask(t, s, "getUpdates"), `"inline_message_id":"`+s.Sent(query)+`"`)
	if all := s.Forgive(); len(all) != 3 {
		t.Errorf("violations: %v", all)
	}
}
