package telegramtest

import (
	"bytes"
	"cmp"
	"encoding/json"
	"net/http"
	"reflect"
	"slices"
	"strings"
)

// methods returns, by name, the methods without files, except getUpdates. Callers of a method hold the server's lock.
func methods() map[string]func(*Server, map[string]string) (any, *refusal) {
	return map[string]func(*Server, map[string]string) (any, *refusal){
		"getMe":                  func(s *Server, _ map[string]string) (any, *refusal) { return s.self(), nil },
		"setWebhook":             (*Server).setWebhook,
		"deleteWebhook":          (*Server).deleteWebhook,
		"getWebhookInfo":         (*Server).getWebhookInfo,
		"sendMessage":            (*Server).sendMessage,
		"sendRichMessage":        (*Server).sendRichMessage,
		"editMessageText":        (*Server).editMessageText,
		"editMessageCaption":     (*Server).editMessageCaption,
		"editMessageReplyMarkup": (*Server).editMessageReplyMarkup,
		"pinChatMessage":         (*Server).pinChatMessage,
		"unpinChatMessage":       (*Server).unpinChatMessage,
		"deleteMessage":          (*Server).deleteMessage,
		"setMessageReaction":     (*Server).setMessageReaction,
		"answerCallbackQuery":    (*Server).answerCallbackQuery,
		"answerGuestQuery":       (*Server).answerGuestQuery,
		"answerInlineQuery":      (*Server).answerInlineQuery,
		"getChat":                (*Server).getChat,
		"getChatMember":          (*Server).getChatMember,
		"getChatAdministrators":  (*Server).getChatAdministrators,
		"setMyCommands":          (*Server).setMyCommands,
		"getMyCommands":          (*Server).getMyCommands,
		"getMyDescription":       getDescription("description"),
		"setMyDescription":       setDescription("description"),
		"getMyShortDescription":  getDescription("short_description"),
		"setMyShortDescription":  setDescription("short_description"),
		"getChatMenuButton":      (*Server).getMenuButton,
		"setChatMenuButton":      (*Server).setMenuButton,
	}
}

// chat returns the chat of a request, or a refusal if the bot cannot write there.
func (s *Server) chat(params map[string]string) (*Chat, *refusal) {
	c := s.chats[parseInt(params["chat_id"])]
	switch inline := params["inline_message_id"]; {
	case inline != "" && s.inline[inline] == nil:
		return nil, badRequest("MESSAGE_ID_INVALID")
	case inline != "":
		return s.inline[inline], nil
	case c == nil:
		return nil, badRequest("chat not found")
	case c.movedTo != 0:
		no := badRequest("group chat was upgraded to a supergroup chat")
		no.parameters = map[string]any{"migrate_to_chat_id": c.movedTo}
		return nil, no
	case c.closedReason != "":
		return nil, &refusal{code: http.StatusForbidden, text: c.closedReason}
	}
	return c, nil
}

// plain returns the text of a request without its markup, or a refusal if it is empty or invalid.
func (s *Server) plain(method string, params map[string]string) (string, *refusal) {
	text, no := s.withoutMarkup(method, params["text"], params["parse_mode"], params)
	if no != nil {
		return "", no
	}
	if strings.TrimSpace(text) == "" {
		s.violate(method, "the text is empty", params)
		return "", badRequest("message text is empty")
	}
	return text, nil
}

// withoutMarkup returns text, whose parse_mode is mode, without markup, or a refusal. method and params are for errors.
func (s *Server) withoutMarkup(method, text, mode string, params map[string]string) (string, *refusal) {
	if mode != "HTML" {
		return text, nil
	}
	plain, err := ParseHTML(text)
	if err != nil {
		s.violate(method, "can't parse entities: "+err.Error(), params)
		return "", badRequest("can't parse entities: %v", err)
	}
	for _, m := range newMarkup {
		if at := m.tag.FindStringIndex(text); at != nil && s.api.before(m.since) {
			return "", badRequest("can't parse entities: "+m.message, at[0])
		}
	}
	return plain, nil
}

// keyboard returns the buttons of a request, as far as this server's version knows them.
func (s *Server) keyboard(params map[string]string) [][]Button {
	var markup struct {
		Rows [][]Button `json:"inline_keyboard"`
	}
	_ = json.Unmarshal([]byte(params["reply_markup"]), &markup) // checked before
	for _, row := range markup.Rows {
		for i := range row {
			if s.api.before("9.4") {
				row[i].Style = ""
			}
		}
	}
	return slices.DeleteFunc(markup.Rows, func(row []Button) bool { return len(row) == 0 })
}

func (s *Server) sendMessage(params map[string]string) (any, *refusal) {
	text, no := s.plain("sendMessage", params)
	if no != nil {
		return nil, no
	}
	var to struct { // the person of an ephemeral message, as far as this server knows those
		Receiver int64 `json:"receiver_user_id"`
	}
	switch s.whispers {
	case "10.2":
		to.Receiver = parseInt(params["receiver_user_id"])
	case "10.3":
		_ = json.Unmarshal([]byte(params["ephemeral_message_parameters"]), &to) // checked before
	}
	if to.Receiver != 0 {
		return s.sendEphemeral(params, to.Receiver, text)
	}
	return s.send("sendMessage", params, Message{Text: text, HTML: params["text"]})
}

func (s *Server) sendRichMessage(params map[string]string) (any, *refusal) {
	text, html, no := s.rich("sendRichMessage", params)
	if no != nil {
		return nil, no
	}
	return s.send("sendRichMessage", params, Message{Text: text, HTML: html, Rich: true})
}

// rich returns the visible text and the HTML of a request's rich message, or a refusal if it is invalid.
func (s *Server) rich(method string, params map[string]string) (text, html string, refused *refusal) {
	var sent struct{ HTML string }
	_ = json.Unmarshal([]byte(params["rich_message"]), &sent) // checked before
	text, err := ParseRich(sent.HTML)
	if err != nil {
		s.violate(method, "can't parse rich message: "+err.Error(), params)
		return "", "", badRequest("can't parse rich message: %v", err)
	}
	return text, sent.HTML, nil
}

const general = 1 // the id of the first topic of every forum

// send posts m as the bot's message into the chat of a request. It returns the message as JSON, or a refusal.
func (s *Server) send(method string, params map[string]string, m Message) (any, *refusal) {
	c, no := s.chat(params)
	if no != nil {
		return nil, no
	}
	m.Thread, m.Silent = parseInt(params["message_thread_id"]), params["disable_notification"] == "true"
	if m.Thread == general {
		s.violate(method, "the general topic has no number that one can send to", params)
	}
	if _, known := c.topics[m.Thread]; m.Thread != 0 && !known {
		return nil, badRequest("message thread not found")
	}
	if m.Photo != nil && c.noPhotos {
		return nil, badRequest("not enough rights to send photos to the chat")
	}
	if no := c.writeRefusal(m.Thread); no != nil {
		return nil, no
	}
	if m.ReplyTo, no = c.replyTarget(params); no != nil {
		return nil, no
	}
	if no := s.charge(method, c, params); no != nil {
		return nil, no
	}
	c.last++
	m.ID, m.Keyboard = c.last, s.keyboard(params)
	c.posts[c.last] = &m
	return c.message(&m), nil
}

// replyTarget returns the id of the message to which a request replies (0: none), or refuses if it is missing.
func (c *Chat) replyTarget(params map[string]string) (int64, *refusal) {
	var to struct {
		Message int64 `json:"message_id"`
		Without bool  `json:"allow_sending_without_reply"`
	}
	_ = json.Unmarshal([]byte(params["reply_parameters"]), &to) // checked before
	if to.Message == 0 || c.posts[to.Message] != nil {
		return to.Message, nil
	}
	if to.Without {
		return 0, nil
	}
	return 0, badRequest("message to be replied not found")
}

// botMessage returns the chat and message of a request, or a refusal if the bot cannot edit it.
func (s *Server) botMessage(params map[string]string) (*Chat, *Message, *refusal) {
	c, no := s.chat(params)
	if no != nil {
		return nil, nil, no
	}
	m := c.posts[parseInt(cmp.Or(params["message_id"], "1"))] // an inline message has the number 1
	if m == nil {
		return nil, nil, badRequest("message to edit not found")
	}
	if m.From != 0 || c.kind == "inline" && m.Edits == 0 && len(m.Keyboard) == 0 { // sent without buttons
		return nil, nil, badRequest("message can't be edited")
	}
	return c, m, nil
}

func (s *Server) editMessageText(params map[string]string) (any, *refusal) {
	text, html, rich, no := "", params["text"], params["rich_message"] != "" && !s.api.before("10.1"), (*refusal)(nil)
	switch {
	case rich:
		text, html, no = s.rich("editMessageText", params)
	case params["rich_message"] != "": // the text is ignored
		no = badRequest("message text is empty")
	default:
		text, no = s.plain("editMessageText", params)
	}
	if no != nil {
		return nil, no
	}
	if _, m, no := s.botMessage(params); no == nil && m.Photo != nil {
		return nil, badRequest("there is no text in the message to edit")
	}
	return s.edit("editMessageText", params, func(m Message) Message {
		m.Text, m.HTML, m.Rich, m.Keyboard = text, html, rich, s.keyboard(params)
		return m
	})
}

func (s *Server) editMessageReplyMarkup(params map[string]string) (any, *refusal) {
	return s.edit("editMessageReplyMarkup", params, func(m Message) Message {
		m.Keyboard = s.keyboard(params)
		return m
	})
}

// edit edits the message of a request by change and returns it as JSON, or a refusal, even if nothing changes.
func (s *Server) edit(method string, params map[string]string, change func(Message) Message) (any, *refusal) {
	c, m, no := s.botMessage(params)
	if no == nil {
		no = c.writeRefusal(m.Thread)
	}
	if no != nil {
		return nil, no
	}
	if no := s.charge(method, c, params); no != nil {
		return nil, no
	}
	next := change(*m)
	if next.HTML == m.HTML && bytes.Equal(next.Photo, m.Photo) && reflect.DeepEqual(next.Keyboard, m.Keyboard) {
		return nil, badRequest("message is not modified: specified new message content and reply markup are exactly " +
			"the same as a current content and reply markup of the message")
	}
	next.Edits++
	*m = next
	if c.kind == "inline" {
		return true, nil
	}
	return c.message(m), nil
}

func (s *Server) deleteMessage(params map[string]string) (any, *refusal) {
	c, no := s.chat(params)
	if no != nil {
		return nil, no
	}
	m := c.posts[parseInt(params["message_id"])]
	if m == nil {
		return nil, badRequest("message to delete not found")
	}
	if m.From != 0 && c.kind != "private" {
		return nil, badRequest("message can't be deleted")
	}
	delete(c.posts, m.ID)
	return true, nil
}

// answerCallbackQuery accepts one answer for each delivery of the press.
func (s *Server) answerCallbackQuery(params map[string]string) (any, *refusal) {
	q := s.queries[params["callback_query_id"]]
	tooOld := badRequest("query is too old and response timeout expired or query ID is invalid")
	if q == nil {
		s.violate("answerCallbackQuery", "there is no such query", params)
		return nil, tooOld
	}
	if len(q.Answers) >= q.Delivered {
		s.violate("answerCallbackQuery", "the query is answered already", params)
		return nil, tooOld
	}
	q.Answered = s.now()
	q.Answers = append(q.Answers, Answer{params["text"], params["show_alert"] == "true"})
	if q.old || len(q.Answers) > 1 {
		return nil, tooOld
	}
	return true, nil
}

func (s *Server) getChat(params map[string]string) (any, *refusal) {
	c, no := s.chat(params)
	if no != nil {
		return nil, no
	}
	told := c.json()
	if c.id < 0 {
		told["permissions"] = map[string]any{"can_send_messages": !c.membersMuted, "can_pin_messages": !c.noPins}
	}
	return told, nil
}

func (s *Server) getChatMember(params map[string]string) (any, *refusal) {
	c, no := s.chat(params)
	if no != nil {
		return nil, no
	}
	id := parseInt(params["user_id"])
	if id == selfID {
		return c.self(), nil
	}
	m := map[string]any{"status": c.stands[id], "user": Person{ID: id, First: "Somebody"}.user()}
	switch status := c.stands[id]; {
	case c.admins[id]:
		m["status"] = "administrator"
	case strings.HasPrefix(status, "restricted"):
		restrict(m, status == "restricted")
	case status == "":
		return nil, badRequest("member not found")
	}
	return m, nil
}

func (s *Server) getChatAdministrators(params map[string]string) (any, *refusal) {
	c, no := s.chat(params)
	if no != nil {
		return nil, no
	}
	all := []any{}
	for id := range c.admins {
		all = append(all, map[string]any{"status": "administrator", "user": Person{ID: id, First: "Somebody"}.user()})
	}
	return all, nil
}

// scope returns the key of a list of commands: scope and language.
func scope(params map[string]string) string {
	var of struct{ Type string }
	_ = json.Unmarshal([]byte(params["scope"]), &of) // checked before
	if of.Type == "" {
		of.Type = "default"
	}
	return of.Type + "|" + params["language_code"]
}

func (s *Server) setMyCommands(params map[string]string) (any, *refusal) {
	s.commands[scope(params)] = params["commands"]
	return true, nil
}

func (s *Server) getMyCommands(params map[string]string) (any, *refusal) {
	if raw := s.commands[scope(params)]; raw != "" {
		return json.RawMessage(raw), nil
	}
	return []any{}, nil
}
