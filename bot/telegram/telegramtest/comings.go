package telegramtest

// Join tells that people have come into the chat, let in by one of them or
// somebody else.
func (c *Chat) Join(by Person, who ...Person) {
	var all []any
	for _, p := range who {
		all = append(all, p.user())
	}
	c.announce(by, "new_chat_members", all)
}

// Leave tells that somebody has left the chat or was removed.
func (c *Chat) Leave(by, who Person) { c.announce(by, "left_chat_member", who.user()) }

// announce queues a service message.
func (c *Chat) announce(by Person, key string, value any) {
	c.s.mu.Lock()
	defer c.s.mu.Unlock()
	c.last++
	m := c.message(&Message{ID: c.last, From: by.ID})
	m["from"], m[key] = by.user(), value
	c.s.queue("message", m, "")
}
