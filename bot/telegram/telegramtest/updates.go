package telegramtest

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"time"
)

// The queue of a polling bot's updates.

// longestPoll is the longest time for which the real server keeps a poll open.
const longestPoll = 50 * time.Second

// updates is the queue of the bot's updates.
type updates struct {
	next    int64    // the id of the next update
	waiting []update // unacknowledged, in order
	done    []update // acknowledged
	repeats []update // to be delivered once more, whatever the offset
	allowed []string // the kinds that the bot wants; nil: all
	poller  chan struct{}
	clashes int // polls while another was open
}

// update is one update.
type update struct {
	id    int64
	kind  string
	query string // the id of its callback query, "": none
	chat  int64  // 0: none
	body  json.RawMessage
}

// release ends the open poll, if any.
func (u *updates) release() {
	if u.poller != nil {
		close(u.poller)
		u.poller = nil
	}
}

// queue adds an update and returns its id. query is the id of a callback query, or "". The caller holds s.mu.
func (s *Server) queue(kind string, content any, query string) int64 {
	id := s.updates.next
	s.updates.next++
	if len(s.updates.allowed) > 0 && !slices.Contains(s.updates.allowed, kind) {
		return id
	}
	body, err := json.Marshal(map[string]any{"update_id": id, kind: content})
	if err != nil {
		panic(err) // only values of this package are encoded
	}
	if s.spec != nil {
		if wrong := s.spec.checkUpdate(body); len(wrong) > 0 {
			panic(fmt.Sprintf("telegramtest: Telegram would not tell this: %q, in %s", wrong, body))
		}
	}
	s.updates.waiting = append(s.updates.waiting, update{id, kind, query, chatOf(body), body})
	s.Tell()
	return id
}

// Inject queues an arbitrary update and returns its id. body returns the JSON for that id.
func (s *Server) Inject(body func(id int64) string) int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	id := s.updates.next
	s.updates.next++
	raw := json.RawMessage(body(id))
	s.updates.waiting = append(s.updates.waiting, update{id: id, chat: chatOf(raw), body: raw})
	s.Tell()
	return id
}

// Newest returns the id of the newest update.
func (s *Server) Newest() int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.updates.next - 1
}

// Pending returns the number of unacknowledged updates.
func (s *Server) Pending() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.updates.waiting)
}

// Clashes returns how many polls came while another was open, as with two bots. The open one then got the status 409.
func (s *Server) Clashes() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.updates.clashes
}

// Rewind undoes the acknowledgement of the last n updates, as if the bot had died before: a new bot gets them again.
func (s *Server) Rewind(n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	from := max(0, len(s.updates.done)-n)
	s.updates.waiting = append(slices.Clone(s.updates.done[from:]), s.updates.waiting...)
	slices.SortFunc(s.updates.waiting, func(a, b update) int { return cmp.Compare(a.id, b.id) })
	s.updates.done = s.updates.done[:from]
	s.Tell()
}

// Again delivers the update id, which was delivered before, once more with the next response, whatever the offset.
func (s *Server) Again(id int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, u := range slices.Concat(s.updates.done, s.updates.waiting) {
		if u.id == id {
			s.updates.repeats = append(s.updates.repeats, u)
		}
	}
	s.Tell()
}

// getUpdates waits for updates as the real method does: an offset acknowledges all before it, unacknowledged ones come
// again, and a second poll ends the first.
func (s *Server) getUpdates(r *http.Request, params map[string]string) (any, *refusal) {
	s.mu.Lock()
	if s.hook.url != "" {
		s.mu.Unlock()
		return nil, &refusal{code: http.StatusConflict,
			text: "Conflict: can't use getUpdates method while webhook is active; " +
				"use deleteWebhook to delete the webhook first"}
	}
	s.acknowledge(params)
	if s.updates.poller != nil {
		s.updates.clashes++
	}
	s.updates.release()
	mine := make(chan struct{})
	s.updates.poller = mine
	s.mu.Unlock()

	wait := min(time.Duration(parseInt(params["timeout"]))*time.Second, longestPoll)
	deadline := time.NewTimer(wait)
	defer deadline.Stop()
	defer func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.updates.poller == mine {
			s.updates.poller = nil
		}
	}()
	for {
		s.mu.Lock()
		batch, changed := s.batch(params["limit"]), s.Next()
		taken := s.updates.poller != mine
		s.mu.Unlock()
		if !taken && (len(batch) > 0 || wait == 0) {
			return s.takeBodies(batch), nil
		}
		select {
		case <-mine:
			return nil, &refusal{code: http.StatusConflict, text: "Conflict: terminated by other getUpdates request; " +
				"make sure that only one bot instance is running"}
		case <-changed:
		case <-deadline.C:
			return []json.RawMessage{}, nil
		case <-r.Context().Done():
			return []json.RawMessage{}, nil
		case <-s.Closing:
			return []json.RawMessage{}, nil
		}
	}
}

// acknowledge drops all updates before the offset in params. The caller holds the lock.
func (s *Server) acknowledge(params map[string]string) {
	if raw := params["allowed_updates"]; raw != "" {
		s.updates.allowed = nil
		_ = json.Unmarshal([]byte(raw), &s.updates.allowed)
	}
	offset := parseInt(params["offset"])
	for len(s.updates.waiting) > 0 && s.updates.waiting[0].id < offset {
		s.updates.done = append(s.updates.done, s.updates.waiting[0])
		s.updates.waiting = s.updates.waiting[1:]
	}
	s.Tell()
}

// batch returns the updates of the next response, at most limit ("": as many as allowed). The caller holds the lock.
func (s *Server) batch(limit string) []update {
	most := s.batchSize
	if limit != "" {
		most = min(most, int(parseInt(limit)))
	}
	all := slices.Concat(s.updates.repeats, s.updates.waiting)
	return all[:min(most, len(all))]
}

// takeBodies returns the JSON of the updates in batch and counts their presses as delivered.
func (s *Server) takeBodies(batch []update) []json.RawMessage {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.updates.repeats = nil
	bodies := []json.RawMessage{}
	for _, u := range batch {
		bodies = append(bodies, u.body)
		if q := s.queries[u.query]; q != nil {
			q.Delivered++
		}
	}
	return bodies
}
