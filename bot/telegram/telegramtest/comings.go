package telegramtest

// Join announces that people have joined the chat, by themselves or added by another person.
func (c *Chat) Join(by Person, who ...Person) {
	var all []any
	for _, p := range who {
		all = append(all, p.user())
	}
	c.announce(by, "new_chat_members", all)
}

// Leave announces that a person has left the chat or was removed.
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
