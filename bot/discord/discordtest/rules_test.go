package discordtest_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"knobel/bot/discord/discordtest"
)

const nobody = `"allowed_mentions":{"parse":[]}`

// ask sends one request as a bot would, and returns status and body.
func ask(t *testing.T, s *discordtest.Server, method, path, body string) (int, string) {
	t.Helper()
	var reader io.Reader
	if body != "" {
		reader = strings.NewReader(body)
	}
	r, err := http.NewRequestWithContext(t.Context(), method, s.URL()+"/api/v9"+path, reader)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bot "+s.Token())
	r.Header.Set("User-Agent", "DiscordBot (https://example.org, 1)")
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	var b bytes.Buffer
	if _, err := b.ReadFrom(answer.Body); err != nil {
		t.Fatal(err)
	}
	return answer.StatusCode, b.String()
}

// button is a button as JSON.
func button(id, label string) string {
	return fmt.Sprintf(`{"type":2,"style":1,"custom_id":%q,"label":%q}`, id, label)
}

// row is a row of n buttons as JSON, told apart by a letter.
func row(letter string, n int) string {
	buttons := make([]string, n)
	for i := range buttons {
		buttons[i] = button(fmt.Sprint(letter, i), "x")
	}
	return `{"type":1,"components":[` + strings.Join(buttons, ",") + `]}`
}

// many is a list of so many alike.
func many(n int, format string) string {
	all := make([]string, n)
	for i := range all {
		all[i] = fmt.Sprintf(format, i)
	}
	return strings.Join(all, ",")
}

func TestMessagesThatDiscordRefuses(t *testing.T) {
	texts := strings.TrimSuffix(strings.Repeat(`{"type":10,"content":"x"},`, 40), ",")
	rows := []string{row("a", 1), row("b", 1), row("c", 1), row("d", 1), row("e", 1), row("f", 1)}
	for name, c := range map[string]struct{ body, why string }{
		"long content": {`{"content":"` + strings.Repeat("x", 2001) + `",` + nobody + `}`, "2000"},
		"no mentions":  {`{"content":"x"}`, "allowed_mentions"},
		"everybody":    {`{"content":"x","allowed_mentions":{"parse":["everyone"]}}`, "allowed_mentions"},
		"empty":        {`{` + nobody + `}`, "empty"},
		"six rows": {`{"content":"x",` + nobody + `,"components":[` + strings.Join(rows, ",") + `]}`,
			"5 rows"},
		"six in a row": {`{"content":"x",` + nobody + `,"components":[` + row("a", 6) + `]}`, "Invalid"},
		"one id twice": {`{"content":"x",` + nobody + `,"components":[` + row("a", 1) + "," + row("a", 1) + `]}`,
			"twice"},
		"a bare button": {`{"content":"x",` + nobody +
			`,"components":[{"type":1,"components":[{"type":2,"style":1,"custom_id":"a"}]}]}`, "without label"},
		"a silent button": {`{"content":"x",` + nobody +
			`,"components":[{"type":1,"components":[{"type":2,"style":1,"label":"a"}]}]}`, "without custom_id"},
		"a long id": {`{"content":"x",` + nobody + `,"components":[{"type":1,"components":[` +
			button(strings.Repeat("x", 101), "a") + `]}]}`, "Invalid"},
		"text, unflagged": {`{"content":"x",` + nobody + `,"components":[{"type":10,"content":"x"}]}`, "flag"},
		"flag and content": {`{"content":"x","flags":32768,` + nobody + `,"components":[{"type":10,"content":"x"}]}`,
			"cannot have content"},
		"41 nested": {`{"flags":32768,` + nobody + `,"components":[{"type":17,"components":[` + texts +
			`]}]}`, "41 components"},
		"much text": {`{"flags":32768,` + nobody + `,"components":[{"type":10,"content":"` +
			strings.Repeat("x", 2500) + `"},{"type":10,"content":"` + strings.Repeat("y", 2500) + `"}]}`,
			"characters of text"},
		"an unknown key": {`{"content":"x","contnet":"x",` + nobody + `}`, "contnet"},
		"a box in a box": {`{"flags":32768,` + nobody +
			`,"components":[{"type":17,"components":[{"type":17,"components":[{"type":10,"content":"x"}]}]}]}`,
			"Invalid"},
		"an empty text": {`{"flags":32768,` + nobody + `,"components":[{"type":10,"content":""}]}`, "Invalid"},
		"a nameless emoji": {`{"content":"x",` + nobody +
			`,"components":[{"type":1,"components":[{"type":2,"style":1,"custom_id":"a","emoji":{"id":"1"}}]}]}`,
			"Invalid"},
		"a nonce of 26":      {`{"content":"x","nonce":"` + strings.Repeat("n", 26) + `",` + nobody + `}`, "Invalid"},
		"no JSON altogether": {`{"content":`, "Invalid"},
		"no mentions named":  {`{"content":"x","allowed_mentions":{}}`, "allowed_mentions"},
		"spaces alone":       {`{"content":" \n",` + nobody + `}`, "empty"},
		"flag, empty content": {`{"content":"","flags":32768,` + nobody + `,"components":[{"type":10,"content":"x"}]}`,
			"cannot have content"},
		"flag and embeds": {`{"embeds":[{"title":"x"}],"flags":32768,` + nobody +
			`,"components":[{"type":10,"content":"x"}]}`, "embeds"},
		"a text of spaces": {`{"flags":32768,` + nobody + `,"components":[{"type":10,"content":"  "}]}`, "letters"},
		"a row of nothing": {`{"content":"x",` + nobody + `,"components":[{"type":1,"components":[]}]}`, "Invalid"},
		"a button outside": {`{"flags":32768,` + nobody + `,"components":[` + button("a", "a") + `]}`, "Invalid"},
		"a long label": {`{"content":"x",` + nobody + `,"components":[{"type":1,"components":[` +
			button("a", strings.Repeat("x", 81)) + `]}]}`, "Invalid"},
		"a link with an id": {`{"content":"x",` + nobody +
			`,"components":[{"type":1,"components":[{"type":2,"style":5,"label":"a","custom_id":"a","url":"https://example.org"}]}]}`, "Invalid"},
		"an unknown style": {`{"content":"x",` + nobody +
			`,"components":[{"type":1,"components":[{"type":2,"style":9,"label":"a","custom_id":"a"}]}]}`, "Invalid"},
		"an unknown kind": {`{"flags":32768,` + nobody + `,"components":[{"type":99}]}`, "Invalid"},
	} {
		t.Run(name, func(t *testing.T) {
			s := discordtest.Start(t, discordtest.Options{})
			channel := s.Guild("Monday").Channel("dice")
			status, text := ask(t, s, "POST", "/channels/"+channel.ID+"/messages", c.body)
			if status != http.StatusBadRequest || !strings.Contains(text, c.why) {
				t.Errorf("answered %d %.200s, want 400 because of %q", status, text, c.why)
			}
			if len(s.Forgive()) != 1 {
				t.Error("not remembered as a violation")
			}
		})
	}
}

func TestCommandsThatDiscordRefuses(t *testing.T) {
	long := strings.Repeat("x", 90)
	heavy := make([]string, 25)
	for i := range heavy {
		choices := make([]string, 5)
		for j := range choices {
			choices[j] = fmt.Sprintf(`{"name":"%s%d","value":"v%d"}`, long, j, j)
		}
		heavy[i] = fmt.Sprintf(`{"type":3,"name":"o%d","description":"d","choices":[%s]}`, i,
			strings.Join(choices, ","))
	}
	for name, c := range map[string]struct{ body, why string }{
		"capitals":           {`[{"name":"Shut","description":"d"}]`, "name"},
		"a blank":            {`[{"name":"shut the","description":"d"}]`, "name"},
		"no description":     {`[{"name":"shut"}]`, "description"},
		"two alike":          {`[{"name":"a","description":"d"},{"name":"a","description":"d"}]`, "twice"},
		"required last":      {`[{"name":"a","description":"d","options":[{"type":3,"name":"x","description":"d"},{"type":3,"name":"y","description":"d","required":true}]}]`, "required"},
		"too heavy":          {`[{"name":"a","description":"d","options":[` + strings.Join(heavy, ",") + `]}]`, "8000"},
		"choices and typing": {`[{"name":"a","description":"d","options":[{"type":3,"name":"x","description":"d","autocomplete":true,"choices":[{"name":"a","value":"a"}]}]}]`, "autocomplete"},
		"a choice twice":     {`[{"name":"a","description":"d","options":[{"type":3,"name":"x","description":"d","choices":[{"name":"a","value":"a"},{"name":"b","value":"a"}]}]}]`, "twice"},
		"101 commands":       {`[` + many(101, `{"name":"c%d","description":"d"}`) + `]`, ""},
		"26 options": {`[{"name":"a","description":"d","options":[` +
			many(26, `{"type":3,"name":"o%d","description":"d"}`) + `]}]`, ""},
		"26 choices":         {`[{"name":"a","description":"d","options":[{"type":3,"name":"x","description":"d","choices":[` + many(26, `{"name":"n%[1]d","value":"v%[1]d"}`) + `]}]}]`, ""},
		"an option twice":    {`[{"name":"a","description":"d","options":[{"type":3,"name":"x","description":"d"},{"type":3,"name":"x","description":"d"}]}]`, "twice"},
		"from more to less":  {`[{"name":"a","description":"d","options":[{"type":4,"name":"x","description":"d","min_value":2,"max_value":1}]}]`, "more to less"},
		"a long description": {`[{"name":"a","description":"` + strings.Repeat("x", 101) + `"}]`, ""},
		"an unknown key":     {`[{"name":"a","description":"d","colour":1}]`, "colour"},
		"a strange language": {`[{"name":"a","description":"d","description_localizations":{"en":"d"}}]`, "language"},
	} {
		t.Run(name, func(t *testing.T) {
			s := discordtest.Start(t, discordtest.Options{})
			status, text := ask(t, s, "PUT", "/applications/1198622483471925248/commands", c.body)
			if status != http.StatusBadRequest || !strings.Contains(text, c.why) {
				t.Errorf("answered %d %.200s, want 400 because of %q", status, text, c.why)
			}
			if len(s.Forgive()) != 1 {
				t.Error("not remembered as a violation")
			}
		})
	}
}

func TestAnInteractionIsAnsweredOnceAndInTime(t *testing.T) {
	s := discordtest.Start(t, discordtest.Options{})
	channel, anna := s.Guild("Monday").Channel("dice"), s.Person("Anna", "de")
	callback := func(i *discordtest.Interaction, body string) (int, string) {
		return ask(t, s, "POST", i.CallbackPath()+"?with_response=true", body)
	}
	board := `{"type":4,"data":{"content":"board",` + nobody + `,"components":[` + row("a", 2) + `]}}`

	slash := channel.Slash(anna, "shutbox")
	if status, text := callback(slash, `{"type":7,"data":{"content":"x",`+nobody+
		`}}`); status != http.StatusBadRequest {
		t.Errorf("a command was answered by changing a message: %d %s", status, text)
	}
	if status, text := callback(slash, board); status != http.StatusOK || !strings.Contains(text, `"board"`) {
		t.Errorf("the answer came to %d %s", status, text)
	}
	if status, text := callback(slash, board); status != http.StatusBadRequest || !strings.Contains(text, "40060") {
		t.Errorf("a second answer came to %d %s", status, text)
	}

	message, _ := channel.Last()
	late := channel.Press(anna, message.ID, "a1")
	s.Advance(3100 * time.Millisecond)
	if status, text := callback(late, `{"type":6}`); status != http.StatusNotFound || !strings.Contains(text, "10062") {
		t.Errorf("a late answer came to %d %s", status, text)
	}
	secret := channel.Press(anna, message.ID, "a0")
	if status, text := callback(secret, `{"type":4,"data":{"content":"not you","flags":64,`+nobody+
		`}}`); status != http.StatusOK {
		t.Errorf("a private answer came to %d %s", status, text)
	}
	if n := len(channel.Messages()); n != 1 {
		t.Errorf("everybody sees %d messages, want the board alone", n)
	}
	if private := channel.Private(anna); len(private) != 1 || private[0].Content != "not you" || !private[0].Private() {
		t.Errorf("Anna sees %+v alone", private)
	}
	s.Advance(16 * time.Minute)
	path := "/webhooks/1198622483471925248/" + secret.Token() + "/messages/@original"
	if status, text := ask(t, s, "PATCH", path, `{"content":"x",`+nobody+`}`); status != http.StatusUnauthorized {
		t.Errorf("a token of 16 minutes came to %d %s", status, text)
	}
	if got := len(s.Forgive()); got != 3 {
		t.Errorf("%d violations, want the wrong, the second and the late answer", got)
	}
}

func TestOldMessagesTakeFewEdits(t *testing.T) {
	s := discordtest.Start(t, discordtest.Options{Pace: -1})
	channel := s.Guild("Monday").Channel("dice")
	body := `{"content":"x","nonce":"n1","enforce_nonce":true,` + nobody + `}`
	ask(t, s, "POST", "/channels/"+channel.ID+"/messages", body)
	ask(t, s, "POST", "/channels/"+channel.ID+"/messages", body)
	messages := channel.Messages()
	if len(messages) != 1 {
		t.Fatalf("one nonce made %d messages", len(messages))
	}
	path := "/channels/" + channel.ID + "/messages/" + messages[0].ID
	for i := range 10 {
		if status, text := ask(t, s, "PATCH", path, `{"content":"y",`+nobody+`}`); status != http.StatusOK {
			t.Fatalf("edit %d came to %d %s", i, status, text)
		}
	}
	s.Advance(61 * time.Minute)
	var status int
	var text string
	for range 4 {
		status, text = ask(t, s, "PATCH", path, `{"content":"z",`+nobody+`}`)
	}
	if status != http.StatusTooManyRequests || !strings.Contains(text, "30046") {
		t.Errorf("the fourth edit of an old message came to %d %s", status, text)
	}
}

func TestChannelsHaveAPaceAndPermissions(t *testing.T) {
	s := discordtest.Start(t, discordtest.Options{})
	channel := s.Guild("Monday").Channel("dice")
	post := func() int {
		status, _ := ask(t, s, "POST", "/channels/"+channel.ID+"/messages", `{"content":"x",`+nobody+`}`)
		return status
	}
	for range 5 {
		post()
	}
	if got := post(); got != http.StatusTooManyRequests || len(s.Violations()) != 0 {
		t.Errorf("the sixth post came to %d", got)
	}
	if post(); len(s.Forgive()) != 1 {
		t.Error("asking again at once is no violation")
	}
	s.Advance(5 * time.Second)
	for _, c := range []struct {
		denied int64
		code   string
	}{{discordtest.SendMessages, "50013"}, {discordtest.ViewChannel, "50001"}} {
		channel.Deny(c.denied)
		if status, text := ask(t, s, "POST", "/channels/"+channel.ID+"/messages",
			`{"content":"x",`+nobody+`}`); status != http.StatusForbidden || !strings.Contains(text, c.code) {
			t.Errorf("without permission: %d %s, want %s", status, text, c.code)
		}
	}
}

func TestUnknownPathsAndFaults(t *testing.T) {
	s := discordtest.Start(t, discordtest.Options{})
	if status, _ := ask(t, s, "GET", "/chanels/1", ""); status != http.StatusBadRequest || len(s.Forgive()) != 1 {
		t.Errorf("a path that does not exist came to %d", status)
	}
	if status, _ := ask(t, s, "GET", "/channels/abc", ""); status != http.StatusBadRequest || len(s.Forgive()) != 1 {
		t.Errorf("an id of letters came to %d", status)
	}
	s.Fail(discordtest.Fault{On: "GET /gateway", Status: 502, HTML: true},
		discordtest.Fault{Status: 429, RetryAfter: 0.5, Global: true})
	if status, text := ask(t, s, "GET", "/users/@me", ""); status != 429 || !strings.Contains(text, "0.5") {
		t.Errorf("the second fault did not strike: %d %s", status, text)
	}
	if status, text := ask(t, s, "GET", "/gateway", ""); status != 502 || !strings.Contains(text, "<html>") {
		t.Errorf("the first fault did not strike: %d %s", status, text)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if err := s.Wait(ctx, func() bool { return false }); err == nil {
		t.Error("waited for nothing and found it")
	}
}

// Whoever cannot know whether an answer has arrived may look for it; who was told
// that it was not taken may not.
func TestAnswersOnTheirWayMayBeLookedFor(t *testing.T) {
	for _, c := range []struct {
		fault  discordtest.Fault
		wrongs int
	}{
		{discordtest.Fault{Status: 500}, 0},
		{discordtest.Fault{Status: 502, HTML: true}, 0},
		{discordtest.Fault{Status: 429, RetryAfter: 60}, 1},
		{discordtest.Fault{Status: 400, Code: 50035}, 1},
	} {
		s := discordtest.Start(t, discordtest.Options{})
		slash := s.Guild("Monday").Channel("dice").Slash(s.Person("Anna", "de"), "rules")
		s.Fail(c.fault)
		_, _ = ask(t, s, "POST", slash.CallbackPath(), `{"type":5,"data":{"flags":64}}`)
		status, text := ask(t, s, "GET", "/webhooks/1198622483471925248/"+slash.Token()+"/messages/@original", "")
		if wrong := s.Forgive(); status != http.StatusNotFound || len(wrong) != c.wrongs {
			t.Errorf("after %+v: %d %s, and %v", c.fault, status, text, wrong)
		}
	}
}

func TestFurtherMessagesStandBehindAnAnswer(t *testing.T) {
	s := discordtest.Start(t, discordtest.Options{})
	channel, anna := s.Guild("Monday").Channel("dice"), s.Person("Anna", "de")
	slash := channel.Slash(anna, "rules")
	behind := "/webhooks/1198622483471925248/" + slash.Token()
	letter := `{"content":"more","flags":64,` + nobody + `}`
	if status, text := ask(t, s, "POST", behind, letter); status != http.StatusNotFound || len(s.Forgive()) != 1 {
		t.Errorf("a message before the answer came to %d %s", status, text)
	}
	if status, text := ask(t, s, "POST", slash.CallbackPath(),
		`{"type":5,"data":{"flags":64}}`); status != http.StatusNoContent {
		t.Fatalf("thinking came to %d %s", status, text)
	}
	if status, text := ask(t, s, "POST", behind, letter); status != http.StatusBadRequest || len(s.Forgive()) != 1 {
		t.Errorf("a message while thinking came to %d %s", status, text)
	}
	if status, text := ask(t, s, "PATCH", behind+"/messages/@original",
		`{"content":"first",`+nobody+`}`); status != http.StatusOK {
		t.Errorf("the end of thinking came to %d %s", status, text)
	}
	if status, text := ask(t, s, "POST", behind, letter); status != http.StatusOK {
		t.Errorf("a message behind came to %d %s", status, text)
	}
	a, err := slash.Answer(t.Context())
	if err != nil || a.Message.Content != "first" || len(a.Further) != 1 || !a.Message.Private() {
		t.Errorf("the answer is %+v, %v", a, err)
	}
}
