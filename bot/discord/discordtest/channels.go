package discordtest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"time"
)

// Messages of a channel through the API.

// oldAge is the age of a message from which its edits are limited.
const (
	oldAge   = time.Hour
	oldEdits = 3
)

// nonceLife is how long a nonce is remembered, even if its message was deleted.
const nonceLife = 5 * time.Minute

// open finds the channel of a call and refuses it without the needed permissions. The caller holds the lock.
func (s *Server) open(w http.ResponseWriter, c call, needs int64) *Channel {
	channel := s.channels[c.parts[1]]
	switch {
	case channel == nil || channel.gone:
		refuse(w, http.StatusNotFound, 10003, "Unknown Channel")
		return nil
	case channel.allowed()&ViewChannel == 0:
		refuse(w, http.StatusForbidden, 50001, "Missing Access")
		return nil
	case channel.allowed()&needs != needs:
		refuse(w, http.StatusForbidden, 50013, "Missing Permissions")
		return nil
	}
	return channel
}

func (s *Server) getChannel(w http.ResponseWriter, c call) {
	if channel := s.open(w, c, 0); channel != nil {
		answer(w, http.StatusOK, channel.json())
	}
}

// getMessages lists messages after another one, or the last ones, the newest first; none without permission to read
// the history.
func (s *Server) getMessages(w http.ResponseWriter, c call) {
	channel := s.open(w, c, 0)
	if channel == nil || !s.paced(w, "list "+channel.ID) {
		return
	}
	asked := url.Values(c.query)
	limit, err := strconv.Atoi(asked.Get("limit"))
	if err != nil {
		limit = 50
	}
	after, err := strconv.ParseUint(asked.Get("after"), 10, 64)
	all := []any{}
	for _, m := range channel.messages {
		id, _ := strconv.ParseUint(m.id, 10, 64)
		if m.private == nil && id > after && channel.allowed()&ReadHistory != 0 {
			all = append(all, m.json())
		}
	}
	if len(all) > limit && err == nil {
		all = all[:limit]
	}
	all = all[max(len(all)-limit, 0):]
	slices.Reverse(all)
	answer(w, http.StatusOK, all)
}

func (s *Server) postMessage(w http.ResponseWriter, c call) {
	needs := SendMessages
	if channel := s.channels[c.parts[1]]; channel != nil && channel.parent != nil {
		needs = SendInThreads
	}
	channel := s.open(w, c, needs)
	if channel == nil || !s.paced(w, "post "+channel.ID) {
		return
	}
	if channel.locked {
		refuse(w, http.StatusForbidden, 160005, "Thread is locked")
		return
	}
	b, err := readBody(c.body, c.files)
	if err != nil {
		s.bad(w, c, err.Error())
		return
	}
	nonce := ""
	if b.Nonce != nil {
		nonce = fmt.Sprint(b.Nonce)
	}
	if m := channel.nonces[nonce]; b.EnforceNonce && nonce != "" && m != nil && s.age(m.id) < nonceLife {
		answer(w, http.StatusOK, m.json())
		return
	}
	if why := b.check(nil); why != "" {
		s.bad(w, c, why)
		return
	}
	channel.archived = false // a new message revives the thread
	if b.Answers != nil {
		switch found := channel.find(b.Answers.Message); {
		case channel.allowed()&ReadHistory == 0:
			refuse(w, http.StatusForbidden, 160002, "Cannot reply without permission to read message history")
			return
		case found == nil && (b.Answers.Must == nil || *b.Answers.Must):
			refuse(w, http.StatusBadRequest, 50035, "Unknown message")
			return
		case found == nil:
			b.Answers = nil
		}
	}
	m := s.newMessage(channel, b, nil)
	if b.Answers != nil {
		m.answers = b.Answers.Message
	}
	m.called = b.Mentions.Users
	m.nonce = nonce
	channel.nonces[nonce] = m
	answer(w, http.StatusOK, m.json())
	s.Tell()
}

// newMessage adds a message to a channel. The caller holds the lock.
func (s *Server) newMessage(channel *Channel, b body, private *Person) *message {
	m := &message{id: s.snowflake(), channel: channel, posted: s.now(), private: private}
	s.write(m, b)
	channel.messages = append(channel.messages, m)
	return m
}

// write changes the fields that a body has. The caller holds the lock.
func (s *Server) write(m *message, b body) {
	if b.Content != nil {
		m.content = *b.Content
	}
	if b.Components != nil {
		m.components, m.tree = b.Components, b.tree
	}
	m.attached = nil
	for _, a := range b.attached {
		if a.ID == "" {
			a.ID = s.snowflake()
		}
		m.attached = append(m.attached, a)
	}
	m.flags |= b.flags() & (flagEphemeral | flagV2)
}

// change edits a message by the rules. The caller holds the lock.
func (s *Server) change(w http.ResponseWriter, c call, m *message, raw json.RawMessage) bool {
	b, err := readBody(raw, c.files)
	if err != nil {
		s.bad(w, c, err.Error())
		return false
	}
	why := b.check(m)
	if b.flags()&flagEphemeral != 0 && m.private == nil {
		why = "a message cannot become private later"
	}
	if why != "" {
		s.bad(w, c, why)
		return false
	}
	s.write(m, b)
	m.edits++
	m.waiting = false
	return true
}

// written finds the message of a call and refuses what it cannot do. The caller holds the lock.
func (s *Server) written(w http.ResponseWriter, c call, route string) *message {
	channel := s.open(w, c, 0)
	if channel == nil || !s.paced(w, route+channel.ID) || channel.shut(w) {
		return nil
	}
	m := channel.find(c.parts[3])
	if m == nil || m.private != nil {
		refuse(w, http.StatusNotFound, 10008, "Unknown Message")
		return nil
	}
	return m
}

func (s *Server) patchMessage(w http.ResponseWriter, c call) {
	m := s.written(w, c, "edit ")
	if m == nil {
		return
	}
	if s.age(m.id) > oldAge {
		m.oldEdits++
		if m.oldEdits > oldEdits {
			refuse(w, http.StatusTooManyRequests, 30046,
				"Maximum number of edits to messages older than 1 hour reached. Try again later")
			return
		}
	}
	if s.change(w, c, m, c.body) {
		answer(w, http.StatusOK, m.json())
		s.Tell()
	}
}

func (s *Server) deleteMessage(w http.ResponseWriter, c call) {
	if m := s.written(w, c, "delete "); m != nil {
		m.channel.messages = slices.DeleteFunc(m.channel.messages, func(other *message) bool { return other == m })
		w.WriteHeader(http.StatusNoContent)
		s.Tell()
	}
}
