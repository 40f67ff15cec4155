package telegramtest

import "strings"

// Restrict takes the right to write from the bot, or gives it back, and tells
// it.
func (c *Chat) Restrict(on bool) {
	c.s.mu.Lock()
	defer c.s.mu.Unlock()
	c.silent = on
	m := c.membership("member", "member")
	m["new_chat_member"] = c.self()
	c.s.queue("my_chat_member", m, "")
}

// Quiet takes the right to write from all members, or gives it back, without an update.
func (c *Chat) Quiet(on bool) {
	c.s.mu.Lock()
	defer c.s.mu.Unlock()
	c.quiet = on
}

// CloseTopic closes a topic or opens it again: only administrators write in a
// closed one.
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
	c.s.tell()
}

// self is the bot as a member. The caller holds the lock.
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

// muted says why the bot may not write in a topic, nil where it may. The caller
// holds the lock.
func (c *Chat) muted(topic int64) *refusal {
	switch {
	case c.silent || c.quiet:
		return badRequest("not enough rights to send text messages to the chat")
	case c.shut[topic]:
		return badRequest("TOPIC_CLOSED")
	}
	return nil
}
