package discordtest

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/gorilla/websocket"

	"knobel/bot/fakes"
)

// The gateway: sessions, heartbeats, resuming, and events.

const gatewayPath = "/gw/"

// Operations of the gateway.
const (
	opDispatch  = 0
	opHeartbeat = 1
	opIdentify  = 2
	opResume    = 6
	opReconnect = 7
	opInvalid   = 9
	opHello     = 10
	opBeaten    = 11
)

const intentGuilds = 1 // the only intent that a game bot needs

// Opening is the gateway's treatment of one of the bot's next connections.
type Opening struct {
	// Close, if not 0, closes with this code after IDENTIFY or RESUME.
	Close int
	// Reconnect asks for another connection instead of sending READY.
	Reconnect bool
	// Mute sends nothing, not even HELLO.
	Mute bool
}

// gateway is the state of the gateway, guarded by the server's lock.
type gateway struct {
	sessions     map[string]*session
	entered      int // number of starts and resumes of sessions
	shards       int // number of shards, as the bot sent it last; 0: never
	began        []Began
	conns        []*conn
	openings     []Opening
	opened       int
	identifies   int
	resumes      int
	ignoresBeats bool
}

// session is a session of the bot, with the events to be sent again after a resume.
type session struct {
	id     string
	seq    int64
	events []frame
	conn   *conn
	shard  int
	order  int                                     // number of its last start or resume
	tell   func(kind string, data json.RawMessage) // sends an event to a bot without a socket; nil: it has one
}

// frame is one message on a gateway connection.
type frame struct {
	Op   int    `json:"op"`
	Data any    `json:"d"`
	Seq  *int64 `json:"s"`
	Type string `json:"t,omitempty"`
}

// conn is one gateway connection; its writes are sequential.
type conn struct {
	mu     sync.Mutex
	socket *websocket.Conn
}

// send writes a frame and ignores errors.
func (c *conn) send(f frame) {
	c.mu.Lock()
	defer c.mu.Unlock()
	_ = c.socket.SetWriteDeadline(time.Now().Add(fakes.Patience))
	_ = c.socket.WriteJSON(f)
}

// closeWith closes the connection with a close code.
func (c *conn) closeWith(code int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	_ = c.socket.WriteControl(websocket.CloseMessage, websocket.FormatCloseMessage(code, ""),
		time.Now().Add(fakes.Patience))
	_ = c.socket.Close()
}

// dropAll cuts all connections without a close code.
func (g *gateway) dropAll() {
	for _, c := range g.conns {
		_ = c.socket.Close()
	}
	g.conns = nil
}

// Began is the start of a session: its shard, the number of shards and the time.
type Began struct {
	Shard, Shards int
	At            time.Time
}

// Starts returns all starts of sessions, in order.
func (s *Server) Starts() []Began {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.gateway.began)
}

// enter marks live, which was just started or resumed, as the newest session of its shard.
func (g *gateway) enter(live *session) {
	g.entered++
	live.order = g.entered
}

// current returns the newest session of a shard, if possible one with a connection; nil: the shard has no session.
func (g *gateway) current(shard int) (newest *session) {
	for _, known := range g.sessions {
		switch {
		case known.shard != shard:
		case newest == nil, newest.conn == nil && known.conn != nil: // prefer connected: a closed one may enter later
			newest = known
		case (newest.conn == nil) == (known.conn == nil) && known.order > newest.order:
			newest = known
		}
	}
	return newest
}

// shardOf returns the shard of the server with the id guild, or of direct messages ("").
func (g *gateway) shardOf(guild string) int {
	id, _ := strconv.ParseInt(guild, 10, 64)
	return int(id>>22) % max(g.shards, 1)
}

// dispatch sends an event to every session of its shard, as Discord does, or stores it for a resume. It reports whether
// any session will get it. The caller holds the lock.
func (s *Server) dispatch(kind string, data any) bool {
	guild := ""
	if d, ok := data.(map[string]any); ok {
		if guild, _ = d["guild_id"].(string); strings.HasPrefix(kind, "GUILD_") {
			guild, _ = d["id"].(string)
		}
	}
	heard, shard := 0, s.gateway.shardOf(guild)
	for _, known := range s.gateway.sessions {
		if known.shard == shard && s.dispatchTo(known, kind, data) {
			heard++
		}
	}
	if d, ok := data.(map[string]any); ok && heard > 1 {
		if i := s.interactions[fmt.Sprint(d["token"])]; i != nil {
			i.redelive = true // several sessions get it, each may answer
		}
	}
	return heard > 0
}

// dispatchTo is dispatch to the session live. It returns false if live has no socket and Away is on.
func (s *Server) dispatchTo(live *session, kind string, data any) bool {
	raw, err := json.Marshal(data)
	if err != nil {
		panic("discordtest: event that is no JSON: " + err.Error())
	}
	live.seq++
	seq := live.seq
	if live.tell != nil {
		if s.IsAway() {
			return false
		}
		go live.tell(kind, raw)
		return true
	}
	f := frame{Op: opDispatch, Data: json.RawMessage(raw), Seq: &seq, Type: kind}
	live.events = append(live.events, f)
	if len(live.events) > 1000 {
		live.events = slices.Clone(live.events[500:])
	}
	if live.conn != nil {
		live.conn.send(f)
	}
	return true
}

// Emit sends any event to the bot, including unknown ones.
func (s *Server) Emit(kind string, data any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.dispatch(kind, data)
}

// serveGateway serves one connection until it ends.
func (s *Server) serveGateway(w http.ResponseWriter, r *http.Request) {
	if s.IsAway() {
		panic(http.ErrAbortHandler)
	}
	upgrader := websocket.Upgrader{CheckOrigin: func(*http.Request) bool { return true }}
	socket, err := upgrader.Upgrade(w, r, nil)
	if err != nil {
		return
	}
	c, opening := &conn{socket: socket}, Opening{}
	s.mu.Lock()
	s.gateway.conns = append(s.gateway.conns, c)
	s.gateway.opened++
	if len(s.gateway.openings) > 0 {
		opening, s.gateway.openings = s.gateway.openings[0], s.gateway.openings[1:]
	}
	s.Tell()
	s.mu.Unlock()
	if !opening.Mute {
		c.send(frame{Op: opHello, Data: map[string]any{"heartbeat_interval": s.o.Heartbeat.Milliseconds()}})
	}
	code := s.listen(c, opening)
	_ = socket.Close()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.gateway.conns = slices.DeleteFunc(s.gateway.conns, func(other *conn) bool { return other == c })
	for id, known := range s.gateway.sessions {
		if known.conn != c {
			continue
		}
		known.conn = nil
		if code == websocket.CloseNormalClosure || code == websocket.CloseGoingAway { // a goodbye ends the session
			delete(s.gateway.sessions, id)
		}
	}
	s.Tell()
}

// listen answers the bot's frames on c, as opening demands, until c ends. It returns the bot's close code, 0 for none.
func (s *Server) listen(c *conn, opening Opening) int {
	for {
		var f struct {
			Op   int             `json:"op"`
			Data json.RawMessage `json:"d"`
		}
		if err := c.socket.ReadJSON(&f); err != nil {
			if closing, ok := err.(*websocket.CloseError); ok {
				return closing.Code
			}
			return 0
		}
		switch {
		case opening.Mute:
		case f.Op == opHeartbeat:
			if s.answersBeats() {
				c.send(frame{Op: opBeaten})
			}
		case opening.Close != 0:
			c.closeWith(opening.Close)
		case opening.Reconnect:
			c.send(frame{Op: opReconnect})
		case f.Op == opIdentify:
			s.identify(c, f.Data)
		case f.Op == opResume:
			s.resume(c, f.Data)
		}
	}
}

// answersBeats reports whether heartbeats are answered.
func (s *Server) answersBeats() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return !s.gateway.ignoresBeats
}

// identify starts a session with the IDENTIFY data of c, or closes c if they are refused.
func (s *Server) identify(c *conn, data json.RawMessage) {
	var d struct {
		Token   string `json:"token"`
		Intents int    `json:"intents"`
		Shard   []int  `json:"shard"`
	}
	_ = json.Unmarshal(data, &d)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.gateway.identifies++
	if d.Token != "Bot "+s.o.Token {
		go c.closeWith(4004)
		return
	}
	if d.Intents != intentGuilds {
		s.Violate("identify", "intents %d, guilds alone would do", d.Intents)
	}
	start := Began{Shards: 1, At: s.now()}
	if len(d.Shard) == 2 {
		start.Shard, start.Shards = d.Shard[0], d.Shard[1]
	}
	if start.Shard < 0 || start.Shard >= start.Shards {
		go c.closeWith(4010)
		return
	}
	s.gateway.began, s.gateway.shards = append(s.gateway.began, start), start.Shards
	s.welcome(&session{id: "session" + s.snowflake(), conn: c, shard: start.Shard})
}

// Follow passes all events to tell, for a bot without a socket, until ctx is done.
func (s *Server) Follow(ctx context.Context, tell func(kind string, data json.RawMessage)) {
	s.mu.Lock()
	mine := &session{id: "session" + s.snowflake(), tell: tell}
	s.welcome(mine)
	s.Tell()
	s.mu.Unlock()
	<-ctx.Done()
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.gateway.sessions, mine.id)
}

// welcome starts a session with the events READY and GUILD_CREATE. The caller holds the lock.
func (s *Server) welcome(live *session) {
	s.gateway.sessions[live.id] = live
	s.gateway.enter(live)
	guilds := []any{}
	for _, g := range s.guilds {
		if s.gateway.shardOf(g.ID) != live.shard {
			continue
		}
		guilds = append(guilds, map[string]any{"id": g.ID, "unavailable": true})
	}
	s.dispatchTo(live, "READY", map[string]any{
		"v": 9, "user": botUser(), "guilds": guilds, "session_id": live.id,
		"resume_gateway_url": "ws://" + s.Addr() + "/gw",
		"application":        map[string]any{"id": applicationID, "flags": 0}, "private_channels": []any{},
	})
	for _, g := range s.guilds {
		if s.gateway.shardOf(g.ID) == live.shard {
			s.dispatchTo(live, "GUILD_CREATE", g.json())
		}
	}
	s.Tell()
}

// resume resumes a session by the RESUME data of c and sends the missed events, or reports that it is invalid.
func (s *Server) resume(c *conn, data json.RawMessage) {
	var d struct {
		Token     string `json:"token"`
		SessionID string `json:"session_id"`
		Seq       int64  `json:"seq"`
	}
	_ = json.Unmarshal(data, &d)
	s.mu.Lock()
	defer s.mu.Unlock()
	known := s.gateway.sessions[d.SessionID]
	if known == nil || d.Token != "Bot "+s.o.Token {
		c.send(frame{Op: opInvalid, Data: false})
		return
	}
	s.gateway.resumes++
	known.conn = c
	s.gateway.enter(known)
	for _, f := range known.events {
		if *f.Seq > d.Seq {
			c.send(f)
		}
	}
	s.dispatchTo(known, "RESUMED", map[string]any{})
	s.Tell()
}
