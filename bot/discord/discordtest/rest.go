package discordtest

import (
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"time"

	"knobel/bot/fakes"
)

// Serving the API: versions, routes, faults, and the checks of every request.

// version matches the paths of the API versions in use.
var version = regexp.MustCompile(`^/api/v(9|10)(/.*)$`)

// serve serves every request: the gateway's connections and calls of the API.
func (s *Server) serve(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path == gatewayPath {
		s.serveGateway(w, r)
		return
	}
	raw, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}
	m := version.FindStringSubmatch(r.URL.Path)
	if m == nil {
		s.mu.Lock()
		s.Violate(r.Method+" "+r.URL.Path, "no version of the API that is in use")
		s.mu.Unlock()
		refuse(w, http.StatusNotFound, 0, "404: Not Found")
		return
	}
	c := call{method: r.Method, path: m[2], parts: strings.Split(strings.Trim(m[2], "/"), "/"), query: r.URL.Query(),
		body: raw, request: r}
	c.conn, _ = r.Context().Value(connKey{}).(net.Conn)
	switch kind := r.Header.Get("Content-Type"); {
	case strings.HasPrefix(kind, "multipart/form-data"):
		c.body, c.files, err = readForm(kind, raw)
	case kind == "application/x-www-form-urlencoded":
		c.isForm = true
		c.body, err = readFields(raw)
	}
	if err != nil {
		s.mu.Lock()
		s.Violate(c.what(), "%v", err)
		s.mu.Unlock()
		refuse(w, http.StatusBadRequest, 50035, "Invalid Form Body")
		return
	}
	s.Serve(w, r, fakes.Exchange{
		What: c.what(),
		Trouble: func() (f Fault, struck bool) {
			if s.o.Trouble != nil {
				return s.o.Trouble(c.what())
			}
			return f, false
		},
		Do:     func(w http.ResponseWriter) { s.answer(w, r, c) },
		Refuse: s.answerFault,
		Ended: func(f *Fault, status int) {
			s.record(c, r.URL.RawQuery, status)
			if f != nil {
				s.noteFault(c, *f)
			}
		},
	})
}

// record stores request c with its raw query and the status of its response (0: none).
func (s *Server) record(c call, query string, status int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if status == http.StatusTooManyRequests {
		s.refusedTooMany++
	} else if c.parts[0] == "channels" && (c.method == http.MethodPost || c.method == http.MethodPatch) {
		s.writes++
	}
	if !s.o.Forget {
		s.requests = append(s.requests, Request{
			Method: c.method, Path: c.path, Query: query, Body: c.body, At: s.now(), Status: status,
		})
	}
	s.Tell()
}

// answer checks the request r, parsed as c, against all rules and carries it out.
func (s *Server) answer(w http.ResponseWriter, r *http.Request, c call) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !strings.HasPrefix(r.UserAgent(), "DiscordBot (") {
		s.Violate(c.what(), "User-Agent %q names no bot", r.UserAgent())
	}
	auth := r.Header.Get("Authorization")
	secret := c.parts[0] == "interactions" || c.parts[0] == "webhooks" || strings.HasPrefix(c.path, "/oauth2/token") ||
		c.path == "/users/@me" && strings.HasPrefix(auth, "Bearer ")
	if !secret && auth != "Bot "+s.o.Token {
		refuse(w, http.StatusUnauthorized, 0, "401: Unauthorized")
		return
	}
	if !secret && s.refuseCrowded(w) {
		return
	}
	kind := r.Header.Get("Content-Type")
	if len(c.body) > 0 && c.files == nil && !c.isForm && kind != "application/json" {
		s.bad(w, c, "body of type "+kind)
		return
	}
	if s.o.Spec != nil {
		if err := s.o.Spec.check(c); err != nil {
			s.bad(w, c, err.Error())
			return
		}
	}
	if s.refuseUnknownEmoji(w, c) {
		return
	}
	do := supported[Described().named(c.method, c.path)]
	if do == nil {
		s.Violate(c.what(), "this server does not play that")
		refuse(w, http.StatusNotFound, 0, "404: Not Found")
		return
	}
	do(s, w, c)
}

// supported maps calls, by their names in api.txt, to their handlers. The server refuses other calls.
var supported = map[string]func(*Server, http.ResponseWriter, call){
	"GET /gateway":                                   (*Server).getGateway,
	"GET /gateway/bot":                               (*Server).getGateway,
	"GET /users/@me":                                 (*Server).getMe,
	"POST /oauth2/token":                             (*Server).postToken,
	"POST /oauth2/token/revoke":                      (*Server).revokeToken,
	"GET /applications/@me":                          (*Server).getApplication,
	"GET /oauth2/applications/@me":                   (*Server).getApplication,
	"GET /applications/{id}/commands":                (*Server).getCommands,
	"PUT /applications/{id}/commands":                (*Server).putCommands,
	"GET /applications/{id}/emojis":                  (*Server).getEmoji,
	"POST /applications/{id}/emojis":                 (*Server).postEmoji,
	"GET /channels/{id}":                             (*Server).getChannel,
	"POST /channels/{id}/threads":                    (*Server).postThread,
	"PUT /channels/{id}/thread-members/{id}":         (*Server).putMember,
	"GET /guilds/{id}":                               (*Server).getGuild,
	"GET /guilds/{id}/members/{id}":                  (*Server).getMember,
	"GET /guilds/{id}/scheduled-events":              (*Server).getEvents,
	"POST /guilds/{id}/scheduled-events":             (*Server).postEvent,
	"GET /guilds/{id}/scheduled-events/{id}":         (*Server).getEvent,
	"PATCH /guilds/{id}/scheduled-events/{id}":       (*Server).patchEvent,
	"DELETE /guilds/{id}/scheduled-events/{id}":      (*Server).deleteEvent,
	"GET /channels/{id}/messages":                    (*Server).getMessages,
	"POST /channels/{id}/messages":                   (*Server).postMessage,
	"PATCH /channels/{id}/messages/{id}":             (*Server).patchMessage,
	"DELETE /channels/{id}/messages/{id}":            (*Server).deleteMessage,
	"POST /interactions/{id}/{word}/callback":        (*Server).callback,
	"GET /users/@me/guilds":                          (*Server).getGuilds,
	"POST /webhooks/{id}/{word}":                     (*Server).followUp,
	"GET /webhooks/{id}/{word}/messages/@original":   (*Server).getOriginal,
	"PATCH /webhooks/{id}/{word}/messages/@original": (*Server).patchOriginal,
	"PATCH /webhooks/{id}/{word}/messages/{id}":      (*Server).patchFurther,

	"GET /applications/{id}/activity-instances/{word}": (*Server).getActivity,

	"POST /guilds/{id}/scheduled-events/{id}/exceptions":        (*Server).postException,
	"DELETE /guilds/{id}/scheduled-events/{id}/exceptions/{id}": (*Server).deleteException,
}

func (s *Server) getGateway(w http.ResponseWriter, c call) {
	at := map[string]any{"url": "ws://" + s.Addr() + gatewayPath[:len(gatewayPath)-1]}
	if len(c.parts) > 1 {
		at["shards"] = max(s.o.Shards, 1)
		at["session_start_limit"] = map[string]any{"total": 1000, "remaining": 1000 - s.gateway.identifies,
			"reset_after": 86_400_000, "max_concurrency": max(s.o.AtOnce, 1)}
	}
	answer(w, http.StatusOK, at)
}

func (s *Server) getApplication(w http.ResponseWriter, _ call) {
	installs, flags := map[string]any{"0": map[string]any{}}, 0
	if s.o.Accounts {
		installs["1"] = map[string]any{}
	}
	if s.o.Embedded {
		flags = flagEmbedded
	}
	answer(w, http.StatusOK, map[string]any{
		"id": applicationID, "name": "Knobel", "icon": nil, "description": "", "bot_public": true, "flags": flags,
		"integration_types_config": installs,
		"bot_require_code_grant":   false, "verify_key": strings.Repeat("0", 64), "bot": botUser(),
	})
}

func (s *Server) getGuilds(w http.ResponseWriter, _ call) {
	list := []any{}
	for _, g := range s.guilds {
		if !g.gone {
			list = append(list, map[string]any{"id": g.ID, "name": g.Name,
				"permissions": strconv.FormatInt(everyday&^g.denied, 10)})
		}
	}
	answer(w, http.StatusOK, list)
}

func (s *Server) getCommands(w http.ResponseWriter, c call) {
	var list []map[string]any
	_ = json.Unmarshal(s.commands, &list)
	if c.query["with_localizations"] == nil {
		for _, command := range list {
			forgetLanguages(command)
		}
	}
	if list == nil {
		list = []map[string]any{}
	}
	answer(w, http.StatusOK, list)
}

// forgetLanguages removes localizations from a command, as Discord does unless asked for them.
func forgetLanguages(node map[string]any) {
	delete(node, "name_localizations")
	delete(node, "description_localizations")
	for _, value := range node {
		list, _ := value.([]any)
		for _, inner := range list {
			if o, ok := inner.(map[string]any); ok {
				forgetLanguages(o)
			}
		}
	}
}

// New starts a server. The caller must close it.
func New(o Options) (*Server, error) {
	if o.Token == "" {
		o.Token = "MTE5ODYyMjQ4MzQ3MTkyNTI0OA.GtKnob.madeForTestsOnly_0123456789abcdef"
	}
	if o.Pace == 0 {
		o.Pace = 5
	}
	if o.Within == 0 {
		o.Within = answerWithin
	}
	if o.Heartbeat == 0 {
		o.Heartbeat = 41250 * time.Millisecond
	}
	s := &Server{
		o: o, channels: map[string]*Channel{}, interactions: map[string]*Interaction{}, commands: []byte("[]"),
		pace: map[string]*window{}, ended: map[net.Conn]bool{}, codes: map[string]access{},
		tokens: map[string]*access{}, people: map[string]*Person{},
	}
	s.gateway.sessions = map[string]*session{}
	s.HTTP.Handler = http.HandlerFunc(s.serve)
	s.HTTP.ConnState = func(c net.Conn, state http.ConnState) {
		if state == http.StateClosed { // a client that cancels a request does not learn its outcome
			s.mu.Lock()
			defer s.mu.Unlock()
			s.ended[c] = true
		}
	}
	s.HTTP.ConnContext = func(ctx context.Context, c net.Conn) context.Context {
		return context.WithValue(ctx, connKey{}, c)
	}
	return s, s.Listen(o.Listener)
}

// connKey is the key of a request's connection in its context.
type connKey struct{}

// Close ends all connections and the server. It may be called twice.
func (s *Server) Close() {
	s.mu.Lock()
	s.gateway.dropAll()
	s.mu.Unlock()
	s.End()
}

func (s *Server) getEmoji(w http.ResponseWriter, _ call) {
	items := []any{}
	for _, e := range s.emoji {
		items = append(items, e.json())
	}
	answer(w, http.StatusOK, map[string]any{"items": items})
}

func (s *Server) postEmoji(w http.ResponseWriter, c call) {
	if s.o.Uploads > 0 && !s.withinLimit(w, "uploads of emoji", s.o.Uploads) {
		return
	}
	var asked struct{ Name, Image string }
	if err := json.Unmarshal(c.body, &asked); err != nil {
		s.bad(w, c, err.Error())
		return
	}
	added, code, why := s.emoji.add(s.snowflake(), asked.Name, asked.Image)
	switch {
	case code != 0:
		refuse(w, http.StatusBadRequest, code, why)
	case why != "":
		s.bad(w, call{method: c.method, path: c.path}, why)
	default:
		answer(w, http.StatusCreated, added.json())
	}
}

// refuseUnknownEmoji refuses a request whose buttons have a missing emoji, as Discord does, and reports that. A missing
// emoji in a text, which people would read as :name:, is only a violation.
func (s *Server) refuseUnknownEmoji(w http.ResponseWriter, c call) bool {
	onButtons, inTexts := s.emoji.unknown(c.body)
	for _, name := range inTexts {
		s.Violate(c.what(), "a text with the emoji %s, which is not there", name)
	}
	if len(onButtons) > 0 {
		refuse(w, http.StatusBadRequest, 50035, "Invalid Form Body: Invalid emoji "+onButtons[0])
	}
	return len(onButtons) > 0
}
