package web

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"knobel/bot/chat"
	"knobel/bot/fakes"
	"knobel/games"
	"knobel/games/shutbox"
)

// requests is a story of requests, one a line:
//
//	serve secret=s acts=3         serves a browser table; again: with the key and database of the last one; proxies=;
//	                              rooms=secret; command=; opens=secret: can be opened to the network;
//	                              acts=, asks=, comers=, streams=: limits of requests and streams
//	board web:room x by anna ben  posts a board that says x, with seats of these browsers' people
//	close                         closes the database
//	replica A draws               serves a real bot on the same database, at $A; draws: this one draws the boards
//	5 anna POST /press {"press":"t"} Origin=null -> 403 "another site" !"secret" ROOM="path":"(.*)"
//	anna FOLLOWS /r/x -> "event: feed"
//
// A request line may begin with how often it is sent, and the browser's name; without a name the browser is new. After
// the path come a body, a form (secret=s&to=/) or headers; after the arrow, the wanted status, wanted parts of the head
// or body of the answer, unwanted parts (!), and ROOM=expression: its group's match is $ROOM in later lines. FOLLOWS
// opens the stream of a room, with a query, SEES reads on in it, both until all wanted parts came. "bot" is the bot's
// last event.
type requests struct {
	*testing.T
	w        *Web
	b        *fakeBot
	url      string
	browsers map[string]*http.Client
	streams  map[string]*stream
	names    map[string]string
}

func TestRequests(t *testing.T) {
	for _, file := range must(filepath.Glob("testdata/*.txt")) {
		for story := range strings.SplitSeq("\n"+string(must(os.ReadFile(file))), "\n== ") {
			title, lines, _ := strings.Cut(strings.TrimSpace(story), "\n")
			if lines == "" {
				continue
			}
			t.Run(title, func(t *testing.T) {
				t.Parallel()
				s := &requests{T: t, b: &fakeBot{}, browsers: map[string]*http.Client{},
					streams: map[string]*stream{}, names: map[string]string{}}
				for line := range strings.Lines(lines) {
					if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
						s.step(os.Expand(line, func(name string) string { return s.names[name] }))
					}
				}
			})
		}
	}
}

// step carries out one line of the story.
func (s *requests) step(line string) {
	left, right, asks := strings.Cut(line, " -> ")
	verb, rest, _ := strings.Cut(line, " ")
	switch {
	case asks:
		s.request(line, tokens(left), tokens(right))
	case verb == "serve":
		s.serve(rest)
	case verb == "board":
		place, rest, _ := strings.Cut(rest, " ")
		head, names, _ := strings.Cut(rest, " by ")
		m := board(1, head)
		for i, name := range strings.Fields(names) {
			m.People = append(m.People, chat.Person{Seat: i, User: s.visitor(name).user(0), Name: name})
		}
		must(s.w.Post(s.Context(), chat.Place(place), m))
	case verb == "replica":
		name, draws, _ := strings.Cut(rest, " ")
		c := Config{Alone: func() bool { return false }}
		if s.w != nil {
			c.Store = s.w.config.Store
		}
		s.w, s.names[name] = serveBot(s.T, c, draws != "", shutbox.Game{})
	case verb == "close":
		done(s.T, s.w.config.Store.Close())
	default:
		s.Fatalf("what is %q?", line)
	}
}

// urlOf returns the URL of a path.
func (s *requests) urlOf(path string) string {
	if strings.HasPrefix(path, "http") {
		return path
	}
	return s.url + path
}

// visitor returns the visitor of a browser.
func (s *requests) visitor(name string) visitor {
	for _, cookie := range s.browsers[name].Jar.Cookies(must(url.Parse(s.url))) {
		if v, ok := openVisitor(s.w.config.Key, cookie.Value); ok {
			return v
		}
	}
	s.Fatalf("%s is no visitor", name)
	return visitor{}
}

// serve serves a browser table with the settings of a line.
func (s *requests) serve(settings string) {
	c := Config{Operator: map[string]http.Handler{"GET /metrics": http.NotFoundHandler()}}
	c.Record = func(_ context.Context, chat chat.Chat, table int64) ([]byte, error) {
		if chat == roomChat && table == 7 {
			return []byte(`{"record":1}` + "\n"), nil
		}
		return nil, nil
	}
	c.Pages = map[string]Page{"greeting": greeting, "evening": greeting}
	limited := map[string]int{}
	for setting := range strings.FieldsSeq(settings) {
		switch name, value, _ := strings.Cut(setting, "="); name {
		case "acts", "asks", "comers", "streams":
			limited[name] = must(strconv.Atoi(value))
		case "secret":
			c.Secret = strings.ReplaceAll(value, "+", " ")
		case "proxies":
			c.Proxies = must(ParseProxies(value))
		case "rooms":
			c.GuardRooms = value == "secret"
		case "command":
			c.Command = strings.ReplaceAll(value, "+", " ")
		case "opens":
			open := false
			c.Reach = func(string) []string {
				if !open {
					return nil
				}
				return []string{"http://192.168.1.5:8080/"}
			}
			c.Open = func(context.Context) ([]net.Listener, string, error) {
				open = true
				return nil, value, nil
			}
		case "again":
			c.Key, c.Store = s.w.config.Key, s.w.config.Store
		default:
			s.Fatalf("what is %q?", setting)
		}
	}
	s.w = New(c)
	for name, limits := range map[string]**limits{"acts": &s.w.acts, "asks": &s.w.asks, "comers": &s.w.comers} {
		if n := limited[name]; n > 0 {
			*limits = newLimits(1e-9, n)
		}
	}
	if n := limited["streams"]; n > 0 {
		s.w.streams = newStreams(maxStreams, n)
	}
	s.url = serve(s.T, s.w, s.b)
	s.names["HOST"] = strings.TrimPrefix(s.url, "http://")
}

// greeting returns page data about the visitor and the query, or the error that the query names.
func greeting(_ context.Context, ev chat.Event, query url.Values) (any, error) {
	switch query.Get("error") {
	case "refused":
		return nil, fmt.Errorf("greeting: %w", games.Refuse("bot.text", games.Args{"Text": "No greeting here."}))
	case "broken":
		return nil, errors.New("no greeting")
	}
	return map[string]any{"to": ev.Name, "in": ev.Chat, "lang": ev.Locale, "table": query.Get("table")}, nil
}

// tokens splits a line at its spaces, except those in quoted parts.
func tokens(line string) (all []string) {
	for line = strings.TrimSpace(line); line != ""; line = strings.TrimSpace(line) {
		if quoted, err := strconv.QuotedPrefix(strings.TrimPrefix(line, "!")); err == nil {
			quoted = line[:len(line)-len(strings.TrimPrefix(line, "!"))] + quoted
			all, line = append(all, quoted), line[len(quoted):]
			continue
		}
		var one string
		one, line, _ = strings.Cut(line, " ")
		all = append(all, one)
	}
	return all
}

// request sends what asked (line's tokens before the arrow) describes, and checks the answers by wanted (those after).
func (s *requests) request(line string, asked, wanted []string) {
	times, c, name := 1, newClient(s.T), ""
	if n, err := strconv.Atoi(asked[0]); err == nil {
		times, asked = n, asked[1:]
	}
	if asked[0] == "bot" {
		ev, n := s.b.lastEvent()
		admin := ev.Admin != nil && ev.Admin(s.Context())
		told := fmt.Sprintf("%d %s%s%s %s by %s in %s without %s, admin %v equals %v hosted %v\n", n, ev.Command,
			ev.Press, ev.Text, ev.Name, ev.User, ev.Place, ev.Left, admin, ev.Equals, ev.Hosted)
		s.wantParts(line, told, wanted)
		return
	}
	if asked[0] != strings.ToUpper(asked[0]) {
		name, asked = asked[0], asked[1:]
		if s.browsers[name] == nil {
			s.browsers[name] = c
		}
		c = s.browsers[name]
	}
	switch asked[0] {
	case "FOLLOWS":
		room, query, _ := strings.Cut(asked[1], "?")
		s.streams[name] = openStream(s.T, c, strings.TrimSuffix(s.urlOf(room), "/"), "", must(url.ParseQuery(query)))
		fallthrough
	case "SEES":
		s.wantParts(line, s.streams[name].until(wanted), wanted)
		return
	}
	body, head := "", []string(nil)
	for _, token := range asked[2:] {
		if text, err := strconv.Unquote(token); err == nil {
			token = text
		}
		key, value, _ := strings.Cut(token, "=")
		switch {
		case strings.HasPrefix(token, "{"):
			body = token
		case key == "secret":
			form := must(url.ParseQuery(token))
			body, head = form.Encode(), append(head, "Content-Type", "application/x-www-form-urlencoded")
		default:
			head = append(head, key, value)
		}
	}
	for range times {
		res, text := do(s.T, c, asked[0], s.urlOf(asked[1]), body, head...)
		answer := fmt.Sprintln(res.StatusCode)
		for _, key := range slices.Sorted(maps.Keys(res.Header)) {
			answer += key + ": " + strings.Join(res.Header[key], ", ") + "\n"
		}
		s.wantParts(line, answer+"\n"+text, wanted)
	}
}

// until reads events until they hold all wanted parts, or to the end, and returns them.
func (s *stream) until(wanted []string) (events string) {
	lacks := func(want string) bool {
		text, err := strconv.Unquote(want)
		name, expression, _ := strings.Cut(want, "=")
		return err == nil && !strings.Contains(events, text) ||
			err != nil && name != "" && expression != "" && !regexp.MustCompile(expression).MatchString(events)
	}
	late := time.AfterFunc(fakes.Patience, func() { s.res.Body.Close() })
	defer late.Stop()
	for (events == "" || slices.ContainsFunc(wanted, lacks)) && s.lines.Scan() {
		events += s.lines.Text() + "\n"
	}
	return events
}

// wantParts fails the test unless an answer has all wanted parts.
func (s *requests) wantParts(line, answer string, wanted []string) {
	for _, want := range wanted {
		text, err := strconv.Unquote(strings.TrimPrefix(want, "!"))
		name, expression, isName := strings.Cut(want, "=")
		switch {
		case err == nil && strings.Contains(answer, text) == strings.HasPrefix(want, "!"),
			err != nil && !isName && !strings.HasPrefix(answer, want+"\n") && !strings.HasPrefix(answer, want+" "):
			s.Errorf("%s\nis answered, which is not %s:\n%s", line, want, answer)
		case err != nil && isName:
			found := regexp.MustCompile(expression).FindStringSubmatch(answer)
			if found == nil {
				s.Fatalf("%s\nis answered, without a %s:\n%s", line, name, answer)
			}
			s.names[name] = found[1]
		}
	}
}
