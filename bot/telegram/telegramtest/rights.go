package telegramtest

import (
	"encoding/json"
	"math"
	"net/http"
	"slices"
	"strings"
	"time"
)

// The bot's rights in a chat: writing, reactions, ephemeral messages.

// Restrict revokes (on) or restores the bot's right to write, with an update.
func (c *Chat) Restrict(on bool) {
	c.s.mu.Lock()
	defer c.s.mu.Unlock()
	c.botMuted = on
	m := c.membership("member", "member")
	m["new_chat_member"] = c.self()
	c.s.queue("my_chat_member", m, "")
}

// NoReactions disables reactions in the chat.
func (c *Chat) NoReactions() {
	c.s.mu.Lock()
	defer c.s.mu.Unlock()
	c.noReactions = true
}

// NoPins forbids members to pin messages, without an update.
func (c *Chat) NoPins() {
	c.s.mu.Lock()
	defer c.s.mu.Unlock()
	c.noPins = true
}

// Pins returns the ids of the pinned messages, the newest last.
func (c *Chat) Pins() []int64 {
	c.s.mu.Lock()
	defer c.s.mu.Unlock()
	return slices.DeleteFunc(slices.Clone(c.pins), func(id int64) bool { return c.posts[id] == nil })
}

// pinnable returns the chat and message that a request pins or unpins, or a refusal. verb is for its text.
func (s *Server) pinnable(verb string, params map[string]string) (c *Chat, message int64, no *refusal) {
	c, no = s.chat(params)
	message = parseInt(params["message_id"])
	switch {
	case no != nil:
	case c.kind != "private" && (c.noPins || c.botMuted):
		no = badRequest("not enough rights to manage pinned messages in the chat")
	case c.posts[message] == nil:
		no = badRequest("message to %s not found", verb)
	}
	return c, message, no
}

// pinChatMessage pins a message. In a group a message of the service says so, too.
func (s *Server) pinChatMessage(params map[string]string) (any, *refusal) {
	c, message, no := s.pinnable("pin", params)
	if no != nil {
		return nil, no
	}
	if c.pins = append(slices.DeleteFunc(c.pins, func(id int64) bool { return id == message }), message); c.id < 0 {
		c.last++
	}
	return true, nil
}

func (s *Server) unpinChatMessage(params map[string]string) (any, *refusal) {
	c, message, no := s.pinnable("unpin", params)
	if no != nil {
		return nil, no
	}
	c.pins = slices.DeleteFunc(c.pins, func(id int64) bool { return id == message })
	return true, nil
}

// Quiet revokes (on) or restores all members' right to write, without an update.
func (c *Chat) Quiet(on bool) {
	c.s.mu.Lock()
	defer c.s.mu.Unlock()
	c.membersMuted = on
}

// CloseTopic closes (on) or opens a topic: only admins may write in a closed one.
func (c *Chat) CloseTopic(topic int64, on bool) {
	c.s.mu.Lock()
	defer c.s.mu.Unlock()
	c.closedTopics[topic] = on
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

// self returns the bot as a ChatMember of the Bot API. The caller holds the lock.
func (c *Chat) self() map[string]any {
	m := map[string]any{"user": c.s.self(), "status": "member"}
	if c.botMuted {
		restrict(m, true)
	}
	return m
}

// restrict makes m a ChatMemberRestricted, who is a member or has left.
func restrict(m map[string]any, isMember bool) {
	m["status"], m["until_date"], m["is_member"] = "restricted", 0, isMember
	for _, may := range strings.Fields("send_messages send_audios send_documents send_photos send_videos " +
		"send_video_notes send_voice_notes " +
		"send_polls send_other_messages add_web_page_previews react_to_messages edit_tag change_info " +
		"invite_users pin_messages manage_topics") {
		m["can_"+may] = false
	}
}

// writeRefusal returns why the bot may not write in a topic, nil if it may. The caller holds the lock.
func (c *Chat) writeRefusal(topic int64) *refusal {
	switch {
	case c.botMuted || c.membersMuted:
		return badRequest("not enough rights to send text messages to the chat")
	case c.closedTopics[topic]:
		return badRequest("TOPIC_CLOSED")
	}
	return nil
}

func (s *Server) setMessageReaction(params map[string]string) (any, *refusal) {
	c, no := s.chat(params)
	if no != nil {
		return nil, no
	}
	m := c.posts[parseInt(params["message_id"])]
	if m == nil {
		return nil, badRequest("message to react not found")
	}
	if c.noReactions {
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

// Whisper is an ephemeral message: only the person To sees it.
type Whisper struct {
	To   int64
	Text string
}

// Whispers returns the ephemeral messages that the bot has sent in the chat.
func (c *Chat) Whispers() []Whisper {
	c.s.mu.Lock()
	defer c.s.mu.Unlock()
	return slices.Clone(c.whispers)
}

// sendEphemeral sends an ephemeral message to receiver. Such a message has no id in the chat.
func (s *Server) sendEphemeral(params map[string]string, receiver int64, text string) (any, *refusal) {
	c, no := s.chat(params)
	if no == nil {
		no = c.writeRefusal(parseInt(params["message_thread_id"]))
	}
	if no == nil {
		no = s.charge("sendMessage", c, params)
	}
	if no != nil {
		return nil, no
	}
	c.whispers = append(c.whispers, Whisper{receiver, text})
	sent := c.message(&Message{Text: text})
	sent["ephemeral_message_id"] = len(c.whispers)
	return sent, nil
}

// Telegram's limits of a bot's sends and edits together: groupWrites within groupWindow in a group, one every
// privatePace with a short burst in a private chat.
const (
	groupWrites  = 20
	groupWindow  = time.Minute
	privateBurst = 5
	privatePace  = time.Second
)

// budget holds the bot's recent writes by chat.
type budget struct {
	group   map[int64][]time.Time // the times of the last minute's writes
	private map[int64]time.Time   // when its bucket will be full again
}

// charge counts one send or edit in chat and returns true, or returns how long to wait if the budget is spent.
func (b budget) charge(chat int64, now time.Time) (time.Duration, bool) {
	if chat > 0 {
		rest := b.private[chat]
		if rest.Before(now) {
			rest = now
		}
		if wait := rest.Add(privatePace).Sub(now) - privateBurst*privatePace; wait > 0 {
			return wait, false
		}
		b.private[chat] = rest.Add(privatePace)
		return 0, true
	}
	writes := slices.DeleteFunc(b.group[chat], func(at time.Time) bool { return now.Sub(at) >= groupWindow })
	b.group[chat] = writes
	if len(writes) >= groupWrites {
		return writes[0].Add(groupWindow).Sub(now), false
	}
	b.group[chat] = append(writes, now)
	return 0, true
}

// charge counts one write of the bot in c; beyond the budget it records a violation and refuses. The caller holds s.mu.
func (s *Server) charge(method string, c *Chat, params map[string]string) *refusal {
	if c.kind != "private" && strings.Contains(params["reply_markup"], `"web_app"`) {
		s.violate(method, "pages open from buttons in private chats only", params)
		return badRequest("BUTTON_TYPE_INVALID")
	}
	wait, ok := s.budget.charge(c.id, s.now())
	if ok {
		s.writes++
		return nil
	}
	s.violate(method, "the chat's budget of sends and edits is spent", params)
	after := int(math.Ceil(wait.Seconds()))
	return &refusal{
		code: http.StatusTooManyRequests, text: "Too Many Requests: retry later",
		parameters: map[string]any{"retry_after": max(after, 1)},
	}
}

// Writes returns the number of sends and edits in the group within the last minute. For private chats it returns 0.
func (c *Chat) Writes() int {
	c.s.mu.Lock()
	defer c.s.mu.Unlock()
	now := c.s.now()
	return len(slices.DeleteFunc(slices.Clone(c.s.budget.group[c.id]), func(at time.Time) bool {
		return now.Sub(at) >= groupWindow
	}))
}

// The bot's profile, as the bot and its operator write it.

// Describe sets a text of the profile, as an operator does with BotFather. key is "description" or "short_description";
// language "" means all languages without a text.
func (s *Server) Describe(key, language, text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.profile[key+"|"+language] = text
}

// Description returns a text of the profile, with the parameters of Describe; "" if there is none.
func (s *Server) Description(key, language string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.profile[key+"|"+language]
}

// MenuButton returns the button beside the text field in JSON, "" if the bot has not set it.
func (s *Server) MenuButton() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.profile["menu"]
}

// SetMenuButton sets the button beside the text field to JSON, as an operator does with BotFather; "": the default.
func (s *Server) SetMenuButton(button string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.profile["menu"] = button
}

// setDescription returns the method that sets the profile text key in a language.
func setDescription(key string) func(*Server, map[string]string) (any, *refusal) {
	return func(s *Server, params map[string]string) (any, *refusal) {
		s.profile[key+"|"+params["language_code"]] = params[key]
		return true, nil
	}
}

// getDescription returns the method that returns the profile text key in a language, or else that for all others.
func getDescription(key string) func(*Server, map[string]string) (any, *refusal) {
	return func(s *Server, params map[string]string) (any, *refusal) {
		text := s.profile[key+"|"+params["language_code"]]
		if text == "" {
			text = s.profile[key+"|"]
		}
		return map[string]any{key: text}, nil
	}
}

func (s *Server) getMenuButton(map[string]string) (any, *refusal) {
	if s.profile["menu"] == "" {
		return map[string]any{"type": "default"}, nil
	}
	return json.RawMessage(s.profile["menu"]), nil
}

func (s *Server) setMenuButton(params map[string]string) (any, *refusal) {
	s.profile["menu"] = params["menu_button"]
	return true, nil
}
