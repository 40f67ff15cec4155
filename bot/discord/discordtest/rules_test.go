package discordtest

import (
	"bytes"
	_ "embed"
	"fmt"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"
)

//go:embed testdata/refused.txt
var refusals string

const (
	quiet = `"allowed_mentions":{"parse":[]}`
	word  = `{"type":4,"data":{"content":"x",` + quiet + `}}`
)

// bench is a server with a bot whose requests the test makes.
type bench struct {
	*testing.T
	*Server
	hall *Channel
	anna *Person
}

// newBench starts a server with a channel and a person, without a rate limit.
func newBench(t *testing.T) bench { return newBenchWith(t, Options{Pace: -1}) }

func newBenchWith(t *testing.T, o Options) bench {
	s := Start(t, o)
	return bench{t, s, s.Guild("The Dice").Channel("table"), s.Person("Anna", "en-US")}
}

// does makes a request and returns the status and the body of the response.
func (b bench) does(method, path, body string) (int, string) {
	b.Helper()
	return b.asks(method, path, "application/json", "Bot "+b.Token(), body)
}

// asks is does with a body of type kind and an Authorization.
func (b bench) asks(method, path, kind, auth, body string) (int, string) {
	b.Helper()
	req, err := http.NewRequestWithContext(b.Context(), method, b.URL()+"/api/v9"+path, strings.NewReader(body))
	if err != nil {
		b.Fatal(err)
	}
	req.Header.Set("User-Agent", "DiscordBot (https://example.org, 1)")
	req.Header.Set("Authorization", auth)
	req.Header.Set("Content-Type", kind)
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		b.Fatal(err)
	}
	defer resp.Body.Close()
	var said bytes.Buffer
	if _, err := said.ReadFrom(resp.Body); err != nil {
		b.Fatal(err)
	}
	return resp.StatusCode, said.String()
}

// refuses checks that a request gets this status and a response that contains part.
func (b bench) refuses(method, path, body string, status int, part string) {
	b.Helper()
	if got, said := b.does(method, path, body); got != status || !strings.Contains(said, part) {
		b.Errorf("%s %s: %d %.200s, want %d %s", method, path, got, said, status, part)
	}
}

// answers checks that an answer to i gets this status and a response that contains part.
func (b bench) answers(i *Interaction, body string, status int, part string) {
	b.Helper()
	b.refuses("POST", "/interactions/"+i.id+"/"+i.token+"/callback", body, status, part)
}

// violated checks the number of violations so far and clears them.
func (b bench) violated(count int) {
	b.Helper()
	if all := b.Forgive(); len(all) != count {
		b.Errorf("%d violations, want %d: %v", len(all), count, all)
	}
}

var repeated = regexp.MustCompile(`<<(.*?)\*(\d+)>>|<(.)\*(\d+)>`)

// spelled returns body, which is spelled as in refused.txt, with its abbreviations expanded.
func spelled(body string) string {
	return repeated.ReplaceAllStringFunc(strings.ReplaceAll(body, "$Q", quiet), func(found string) string {
		m := repeated.FindStringSubmatch(found)
		if m[3] != "" {
			n, _ := strconv.Atoi(m[4])
			return strings.Repeat(m[3], n)
		}
		n, _ := strconv.Atoi(m[2])
		var all []string
		for i := range n {
			all = append(all, strings.ReplaceAll(m[1], "#", strconv.Itoa(i)))
		}
		return strings.Join(all, ",")
	})
}

func TestWhatDiscordRefuses(t *testing.T) {
	b := newBench(t)
	for line := range strings.Lines(refusals) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		parts := strings.SplitN(strings.TrimSpace(line), "|", 3)
		what, why, body := strings.TrimSpace(parts[0]), strings.TrimSpace(parts[1]), parts[2]
		method, path := "POST", "/channels/"+b.hall.ID+"/messages"
		switch what {
		case "commands":
			method, path = "PUT", "/applications/"+applicationID+"/commands"
		case "emojis":
			path = "/applications/" + applicationID + "/emojis"
		}
		status, said := b.does(method, path, spelled(spelled(body)))
		wrong := b.Forgive()
		switch {
		case why == "" && (status >= http.StatusBadRequest || len(wrong) > 0):
			t.Errorf("%.100s is refused: %s", body, said)
		case why != "" && (status != http.StatusBadRequest || !strings.Contains(said, why)):
			t.Errorf("%.100s: %d %.200s, want %q", body, status, said, why)
		case why != "" && why != "Invalid emoji" && len(wrong) != 1:
			t.Errorf("%.100s: noted are %v", body, wrong)
		}
	}
	b.refuses("GET", "/nothing", "", http.StatusBadRequest, "no such call")
	b.violated(1)
}

// TestAnInteractionIsAnsweredOnceAndInTime checks that an interaction takes one fitting answer in time, then messages.
func TestAnInteractionIsAnsweredOnceAndInTime(t *testing.T) {
	b := newBench(t)
	slash := b.hall.Slash(b.anna, "shutbox")
	behind := "/webhooks/" + applicationID + "/" + slash.token
	letter := `{"content":"more",` + quiet + `}`
	b.refuses("POST", behind, letter, http.StatusNotFound, "10015")
	b.answers(slash, `{"type":7,"data":{"content":"x",`+quiet+`}}`, http.StatusBadRequest, "does not answer")
	b.violated(2)
	b.answers(slash, `{"type":5,"data":{"flags":64}}`, http.StatusNoContent, "")
	b.refuses("POST", behind, letter, http.StatusBadRequest, "thinking")
	b.answers(slash, word, http.StatusBadRequest, "40060")
	b.violated(2)
	b.refuses("PATCH", behind+"/messages/@original", letter, http.StatusOK, "more")
	b.refuses("POST", behind, letter, http.StatusOK, "more")

	b.answers(b.hall.Slash(b.anna, "shutbox"), word, http.StatusNoContent, "")
	board, _ := b.hall.Last()
	late := b.hall.Press(b.anna, board.ID, "a")
	b.Advance(3100 * time.Millisecond)
	b.answers(late, `{"type":6}`, http.StatusNotFound, "10062")
	b.violated(1)
	gone := b.hall.Press(b.anna, board.ID, "a")
	b.hall.Remove(board.ID)
	b.answers(gone, `{"type":7,"data":{"content":"y",`+quiet+`}}`, http.StatusNotFound, "10008")
	b.Advance(16 * time.Minute)
	b.refuses("PATCH", behind+"/messages/@original", letter, http.StatusUnauthorized, "50027")
	b.Forgive()
}

// TestChannelsHaveLimits checks the limits of old edits, nonces, rates and permissions.
func TestChannelsHaveLimits(t *testing.T) {
	b := newBench(t)
	at := "/channels/" + b.hall.ID + "/messages"
	once := `{"content":"x","nonce":"n1","enforce_nonce":true,` + quiet + `}`
	b.does("POST", at, once)
	b.does("POST", at, once)
	all := b.hall.Messages()
	if len(all) != 1 {
		t.Fatalf("one nonce made %d messages", len(all))
	}
	b.Advance(61 * time.Minute)
	for range 3 {
		b.refuses("PATCH", at+"/"+all[0].ID, `{"content":"y",`+quiet+`}`, http.StatusOK, "")
	}
	b.refuses("PATCH", at+"/"+all[0].ID, `{"content":"z",`+quiet+`}`, http.StatusTooManyRequests, "30046")
	b.o.Pace = 5
	for range 5 {
		b.does("POST", at, `{"content":"x",`+quiet+`}`)
	}
	b.refuses("POST", at, `{"content":"x",`+quiet+`}`, http.StatusTooManyRequests, "retry_after")
	b.does("POST", at, `{"content":"x",`+quiet+`}`)
	b.violated(1)
	b.Advance(windowLength)
	b.hall.Deny(SendMessages)
	b.refuses("POST", at, `{"content":"x",`+quiet+`}`, http.StatusForbidden, "50013")
	b.hall.Deny(ViewChannel)
	b.refuses("POST", at, `{"content":"x",`+quiet+`}`, http.StatusForbidden, "50001")
}

// TestEventsHaveRules checks what events of a server must be, at which times they have exceptions, and their limit.
func TestEventsHaveRules(t *testing.T) {
	b := newBench(t)
	guild := b.hall.guild
	at, start := "/guilds/"+guild.ID+"/scheduled-events", b.Now().UTC().AddDate(0, 0, 2).Truncate(time.Second)
	event := func(start, end, recurs time.Time, day int) string {
		return fmt.Sprintf(`{"name":"x","scheduled_start_time":%q,"scheduled_end_time":%q,"privacy_level":2,`+
			`"entity_type":3,"entity_metadata":{"location":"here"},"recurrence_rule":{"start":%q,"frequency":2,`+
			`"interval":1,"by_weekday":[%d]}}`, start.Format(time.RFC3339), end.Format(time.RFC3339),
			recurs.Format(time.RFC3339), day)
	}
	good := event(start, start.Add(time.Hour), start, weekday(start))
	past := start.AddDate(0, 0, -3)
	for why, body := range map[string]string{
		"PAST":      event(past, start, past, weekday(past)),
		"after":     event(start, start, start, weekday(start)),
		"from":      event(start, start.Add(time.Hour), past, weekday(start)),
		"weekday":   event(start, start.Add(time.Hour), start, (weekday(start)+1)%7),
		"name":      strings.Replace(good, `"x"`, `" "`, 1),
		"frequency": strings.Replace(good, `"frequency":2`, `"frequency":3`, 1),
		"location":  strings.Replace(good, `"here"`, `"`+strings.Repeat("x", 101)+`"`, 1),
	} {
		b.refuses("POST", at, body, http.StatusBadRequest, why)
		b.violated(1)
	}
	b.refuses("POST", at, good, http.StatusOK, `"status":1`)
	at += "/" + guild.Events()[0].ID
	skip := func(day time.Time) string {
		return fmt.Sprintf(`{"original_scheduled_start_time":%q,"is_canceled":true}`, day.Format(time.RFC3339))
	}
	b.refuses("POST", at+"/exceptions", skip(start), http.StatusOK, exceptionID(start))
	b.refuses("POST", at+"/exceptions", skip(start), http.StatusBadRequest, "already")
	b.refuses("POST", at+"/exceptions", skip(start.Add(time.Hour)), http.StatusBadRequest, "begin then")
	b.refuses("POST", at+"/exceptions", skip(start.Add(-week)), http.StatusBadRequest, "begin then")
	b.violated(3)
	b.Advance(48*time.Hour + time.Minute)
	b.refuses("GET", at, "", http.StatusOK, `"status":2`)
	b.refuses("PATCH", at, event(start.Add(week), start.Add(2*week), start.Add(week), weekday(start)),
		http.StatusBadRequest, "active")
	b.violated(1)
	b.Advance(time.Hour)
	b.refuses("GET", at, "", http.StatusOK, start.Add(week).Format(time.RFC3339))
	for range maxEvents - 1 {
		guild.events = append(guild.events, guild.events[0])
	}
	b.refuses("POST", "/guilds/"+guild.ID+"/scheduled-events", good, http.StatusBadRequest, "30038")
}
