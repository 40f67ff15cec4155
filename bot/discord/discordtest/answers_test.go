package discordtest

import (
	"fmt"
	"net/http"
	"slices"
	"testing"
)

// Every rule about requests as such.
func TestWrongRequests(t *testing.T) {
	b := newBench(t, Options{Pace: -1})
	_, made, _ := b.does("POST", "/channels/"+b.hall.ID+"/messages", `{"content":"x",`+quiet+`}`)
	at := "/channels/" + b.hall.ID + "/messages/"
	for _, c := range []struct {
		name, method, path, body string
		status                   int
		why                      string // "": no fault of the bot's
	}{
		{"no such path", "GET", "/nothing", "", 400, "no such path"},
		{"no such method", "PUT", at + made["id"].(string), `{}`, 400, "no PUT"},
		{"a body where none belongs", "DELETE", at + made["id"].(string), `{}`, 400, "no body"},
		{"an unknown query", "GET", "/channels/" + b.hall.ID + "?x=1", "", 400, "query"},
		{"an id that is none", "GET", "/channels/x", "", 400, "no such path"},
		{"what the bot does not use", "GET", "/users/@me/connections", "", 400, "no such path"},
		{"an unknown channel", "GET", "/channels/1", "", 404, ""},
		{"an unknown message", "PATCH", at + "1", `{"content":"y",` + quiet + `}`, 404, ""},
		{"privacy later", "PATCH", at + made["id"].(string), `{"content":"y","flags":64,` + quiet + `}`, 400, ""},
		{"an answer to nobody", "POST", "/interactions/1/x/callback", word, 404, "no such interaction"},
		{"a message behind nothing", "POST", "/webhooks/" + applicationID + "/x", `{"content":"y",` + quiet + `}`,
			401, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			b.T = t
			status, _, _ := b.does(c.method, c.path, c.body)
			if status != c.status {
				t.Errorf("answered %d, want %d", status, c.status)
			}
			if c.why != "" || status == 400 {
				b.violated(c.why)
			}
		})
	}
	b.T, b.token = t, "another"
	if status, _, _ := b.does("GET", "/users/@me", ""); status != 401 {
		t.Errorf("another token is answered %d", status)
	}
	resp, err := http.Get(b.URL() + "/api/v8/gateway")
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	b.violated("no version")
	if resp, err = http.Get(b.URL() + "/api/v10/gateway"); err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	b.violated("User-Agent")
}

// Every rule about answers.
func TestWrongAnswers(t *testing.T) {
	b := newBench(t, Options{Pace: -1})
	_, made, _ := b.does("POST", "/channels/"+b.hall.ID+"/messages", `{"content":"x",`+quiet+`}`)
	slash := func() *Interaction { return b.hall.Slash(b.anna, "help") }
	press := func() *Interaction { return b.hall.Press(b.anna, made["id"].(string), "a") }
	typed := func() *Interaction { return b.hall.Complete(b.anna, "shutbox", "tiles", "4") }
	for _, c := range []struct {
		name string
		did  func() *Interaction
		body string
		why  string
	}{
		{"later to a command", slash, `{"type":6}`, "does not answer"},
		{"an update to a command", slash, `{"type":7,"data":{"content":"x",` + quiet + `}}`, "does not answer"},
		{"completions to a command", slash, `{"type":8,"data":{"choices":[]}}`, "does not answer"},
		{"a message to letters", typed, word, "completions only"},
		{"26 completions", typed, `{"type":8,"data":{"choices":[` + repeat(26, func(i int) string {
			return fmt.Sprintf(`{"name":"%d","value":"%d"}`, i, i)
		}) + `]}}`, ""},
		{"thinking with words", slash, `{"type":5,"data":{"content":"x",` + quiet + `}}`, "nothing else"},
		{"an empty message", slash, `{"type":4,"data":{` + quiet + `}}`, "empty"},
		{"an unknown type", press, `{"type":77}`, ""},
		{"a layout behind a flag that is missing", press,
			`{"type":7,"data":{"components":[{"type":10,"content":"x"}],` + quiet + `}}`, "flag"},
	} {
		t.Run(c.name, func(t *testing.T) {
			b.T = t
			i := c.did()
			if status, _ := b.callback(i, c.body); status != 400 || i.Answered() {
				t.Errorf("answered %d", status)
			}
			b.violated(c.why)
		})
	}
}

// Good answers do what they say.
func TestAnswersDoWhatTheySay(t *testing.T) {
	b := newBench(t, Options{Pace: -1})
	i := b.hall.Slash(b.anna, "help")
	status, said, _ := b.does("POST", "/interactions/"+i.id+"/"+i.token+"/callback?with_response=true", word)
	resource, _ := said["resource"].(map[string]any)
	message, _ := resource["message"].(map[string]any)
	if status != 200 || message["content"] != "x" || len(b.hall.Messages()) != 1 {
		t.Errorf("%d: %v", status, said)
	}
	at := message["id"].(string)
	p := b.hall.Press(b.anna, at, "a")
	if status, _ := b.callback(p, `{"type":7,"data":{"content":"y",`+quiet+`}}`); status != 204 ||
		b.hall.Messages()[0].Text() != "y" {
		t.Errorf("%d: %q", status, b.hall.Messages()[0].Text())
	}
	p = b.hall.Press(b.anna, at, "a")
	b.callback(p, `{"type":6}`)
	if status, _, _ := b.does("PATCH", "/webhooks/"+applicationID+"/"+p.token+"/messages/@original",
		`{"content":"z",`+quiet+`}`); status != 200 || b.hall.Messages()[0].Text() != "z" {
		t.Errorf("%d: %q", status, b.hall.Messages()[0].Text())
	}
	if status, _, _ := b.does("POST", "/webhooks/"+applicationID+"/"+p.token, `{"content":"for you","flags":64,`+quiet+
		`}`); status != 200 || len(b.hall.Private(b.anna)) != 1 {
		t.Errorf("%d: %v", status, b.hall.Private(b.anna))
	}
	p = b.hall.Press(b.anna, at, "a")
	b.hall.Remove(at)
	if status, code := b.callback(p, `{"type":7,"data":{"content":"y",`+quiet+`}}`); status != 404 || code != 10008 {
		t.Errorf("an update of what is deleted: %d, %d", status, code)
	}
	if open := b.Unanswered(); !slices.Equal(open, []string{"Anna: press a"}) {
		t.Errorf("unanswered: %v", open)
	}
	b.Forgive()
}
