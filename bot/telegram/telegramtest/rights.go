package telegramtest

import (
	"encoding/json"
	"slices"
	"strings"
)

// The bot's rights in a chat: writing, reactions, ephemeral messages.

// Restrict revokes or returns the bot's right to write, with an update.
func (c *Chat) Restrict(on bool) {
	c.s.mu.Lock()
	defer c.s.mu.Unlock()
	c.silent = on
	m := c.membership("member", "member")
	m["new_chat_member"] = c.self()
	c.s.queue("my_chat_member", m, "")
}

// NoReactions disables reactions in the chat.
func (c *Chat) NoReactions() {
	c.s.mu.Lock()
	defer c.s.mu.Unlock()
	c.stiff = true
}

// Quiet revokes or returns all members' right to write, without an update.
func (c *Chat) Quiet(on bool) {
	c.s.mu.Lock()
	defer c.s.mu.Unlock()
	c.quiet = on
}

// CloseTopic closes or opens a topic: only admins write in a closed one.
func (c *Chat) CloseTopic(topic int64, on bool) {
	c.s.mu.Lock()
	defer c.s.mu.Unlock()
	c.shut[topic] = on
}

// DeleteTopic deletes a topic with its messages, without an update.
func (c *Chat) DeleteTopic(topic int64) {
	c.s.mu.Lock()
	defer c.s.mu.Unlock()
	delete(c.topics, topic)
	for id, m := range c.posts {
		if m.Thread == topic {
			delete(c.posts, id)
		}
	}
	c.s.Tell()
}

// self returns the bot as a member. The caller holds the lock.
func (c *Chat) self() map[string]any {
	m := map[string]any{"user": c.s.self(), "status": "member"}
	if c.silent {
		m["status"], m["until_date"], m["is_member"] = "restricted", 0, true
		for _, may := range strings.Fields("send_messages send_audios send_documents send_photos send_videos " +
			"send_video_notes send_voice_notes " +
			"send_polls send_other_messages add_web_page_previews react_to_messages edit_tag change_info " +
			"invite_users pin_messages manage_topics") {
			m["can_"+may] = false
		}
	}
	return m
}

// muted returns why the bot may not write in a topic, nil if it may. The caller holds the lock.
func (c *Chat) muted(topic int64) *refusal {
	switch {
	case c.silent || c.quiet:
		return badRequest("not enough rights to send text messages to the chat")
	case c.shut[topic]:
		return badRequest("TOPIC_CLOSED")
	}
	return nil
}

func (s *Server) setMessageReaction(params map[string]string) (any, *refusal) {
	c, no := s.chat(params)
	if no != nil {
		return nil, no
	}
	m := c.posts[whole(params["message_id"])]
	if m == nil {
		return nil, badRequest("message to react not found")
	}
	if c.stiff {
		return nil, badRequest("REACTION_INVALID")
	}
	var all []struct{ Emoji string }
	_ = json.Unmarshal([]byte(params["reaction"]), &all) // checked before
	m.Reaction = ""
	if len(all) > 0 {
		m.Reaction = all[0].Emoji
	}
	return true, nil
}

// Whisper is an ephemeral message.
type Whisper struct {
	To   int64
	Text string
}

// Whispers returns the ephemeral messages that the bot has sent in the chat.
func (c *Chat) Whispers() []Whisper {
	c.s.mu.Lock()
	defer c.s.mu.Unlock()
	return slices.Clone(c.alone)
}

// receiver returns the person of an ephemeral message, as far as this server knows those; 0: all.
func (s *Server) receiver(params map[string]string) int64 {
	switch s.whispers {
	case "10.2":
		return whole(params["receiver_user_id"])
	case "10.3":
		var who struct {
			Receiver int64 `json:"receiver_user_id"`
		}
		_ = json.Unmarshal([]byte(params["ephemeral_message_parameters"]), &who) // checked before
		return who.Receiver
	}
	return 0
}

// whisper sends an ephemeral message, which has no number in the chat.
func (s *Server) whisper(params map[string]string, to int64, text string) (any, *refusal) {
	c, no := s.chat(params)
	if no == nil {
		no = c.muted(whole(params["message_thread_id"]))
	}
	if no == nil {
		no = s.charge("sendMessage", c, params)
	}
	if no != nil {
		return nil, no
	}
	c.alone = append(c.alone, Whisper{to, text})
	sent := c.message(&Message{Text: text})
	sent["ephemeral_message_id"] = len(c.alone)
	return sent, nil
}
