package telegram

import (
	"context"
	"slices"
	"strings"
	"time"

	tg "github.com/go-telegram-bot-api/telegram-bot-api/v5"

	"knobel/bot/chat"
)

// Answers to button presses and commands.

// maxPending is how many answers to commands may wait in one chat. While so many wait, further commands get no answer.
const maxPending = 3

// begin registers a button press in chat as unanswered. The caller calls answered when the press is answered.
func (p *presses) begin(chat int64) (answered func()) {
	done := make(chan struct{})
	p.mu.Lock()
	defer p.mu.Unlock()
	p.open[chat] = append(p.open[chat], done)
	return func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		close(done)
		p.open[chat] = slices.DeleteFunc(p.open[chat], func(other chan struct{}) bool { return other == done })
		if len(p.open[chat]) == 0 {
			delete(p.open, chat)
		}
	}
}

// waitAnswered blocks until the presses in chat that are unanswered at the call have been answered, or ctx is done.
func (p *presses) waitAnswered(ctx context.Context, chat int64) {
	p.mu.Lock()
	open := slices.Clone(p.open[chat])
	p.mu.Unlock()
	for _, done := range open {
		select {
		case <-done:
		case <-ctx.Done():
			return
		}
	}
}

// answerPress answers button press c, the pressNumber-th, exactly once: with reply.Toast, with an alert window for a
// short or secret reply.Private, or silently. It writes reply.Page, or a longer reply.Private, into the chat.
func (l listener) answerPress(ctx context.Context, c callback, pressNumber int64, reply chat.Reply) {
	params := tg.Params{"callback_query_id": c.ID}
	text, window := clean(reply.Toast), false
	if c.Message == nil {
		text, window = l.answerInMessage(ctx, c, reply)
	} else if reply.Page != nil {
		if !reply.Refused {
			text = ""
		}
		l.answerInChat(ctx, c, pressNumber, reply)
	} else if reply.Private != nil && reply.Private.File != nil {
		text = clean(l.sendFile(ctx, c.Message.Chat, c.From.ID, reply))
		window = text != clean(reply.Toast) // then text is advice after a failure, which takes a while to read
	} else if reply.Private != nil {
		text, window = alertText(*reply.Private), true
		if !reply.Secret && (len(reply.Private.Buttons) > 0 || reply.Public || !fitsWindow(*reply.Private, text)) {
			text, window = "", false
			if reply.Instead && reply.Refused {
				text = clean(reply.Toast)
			}
			l.answerInChat(ctx, c, pressNumber, reply)
		}
	}
	if text != "" {
		params["text"] = clip(text, longestToast)
		if window {
			params["show_alert"] = "true"
		}
	}
	ctx, cancel := context.WithTimeout(ctx, answerTime)
	defer cancel()
	err := l.execute(ctx, "answerCallbackQuery", params)
	if err != nil && !isRefusal(err, "query is too old", "query id is invalid") {
		l.log.Warn("answer button press failed", "error", err)
	}
}

// answerInChat writes reply to the chat of button press c, the pressNumber-th, in the background: it edits the pressed
// message or posts another. It posts a private answer without buttons: an edit would remove the buttons to go back.
func (l listener) answerInChat(ctx context.Context, c callback, pressNumber int64, reply chat.Reply) {
	m, forAll := reply.Private, reply.Instead || reply.Page != nil
	if reply.Page != nil {
		m = reply.Page
	}
	to := receiverOf(c.Message.Chat, c.From, reply)
	if to != nil {
		to.press = c.ID
	}
	p, own := l.pressedPage(c, forAll)
	if !own || !forAll && (reply.Public || len(m.Buttons) == 0) {
		l.sendAnswer(ctx, *c.Message, *m, to)
		return
	}
	next := &queuedAnswer{chat: c.Message.Chat.ID, pressed: c.Message.ID, page: p, pressNumber: pressNumber,
		receiver: to, m: *m}
	l.mu.Lock()
	defer l.mu.Unlock()
	if waiting := p.waiting; waiting != nil { // only the newest content of a page is sent
		if waiting.pressNumber < pressNumber {
			waiting.m, waiting.pressNumber = *m, pressNumber
		}
		return
	}
	p.waiting = next
	l.working.Go(func() {
		defer l.newestContent(next)
		l.deliver(ctx, next)
	})
}

// alertText returns m as plain text for an alert window, which shows a text and no buttons.
func alertText(m chat.Message) string {
	parts := append([]string{m.Head}, m.Told...)
	for _, e := range m.Exact {
		parts = append(parts, e.String())
	}
	parts = append(append(parts, m.Lines...), m.Small)
	var lines []string
	for _, p := range parts {
		for l := range strings.SplitSeq(p, "\n") {
			if l = strings.TrimSpace(clean(l)); l != "" {
				lines = append(lines, l)
			}
		}
	}
	return strings.Join(lines, "\n")
}

// fitsWindow reports whether an alert window shows all of m, whose text for that is text.
func fitsWindow(m chat.Message, text string) bool {
	return m.Picture == nil && m.Sheet == nil && length(text) <= longestToast
}

// sendAnswer posts m as a reply to the message replyTo, in the background, when the chat's budget of writes allows it.
// If maxPending answers wait there already, it drops m. only is the one person who needs m; nil: all people.
func (t *Telegram) sendAnswer(ctx context.Context, replyTo message, m chat.Message, only *receiver) {
	chat := replyTo.Chat.ID
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.pending[chat] >= maxPending {
		t.log.Debug("too many pending answers in chat; dropped one")
		return
	}
	t.pending[chat]++
	t.working.Go(func() {
		defer func() {
			t.mu.Lock()
			defer t.mu.Unlock()
			if t.pending[chat]--; t.pending[chat] == 0 {
				delete(t.pending, chat)
			}
		}()
		t.deliver(ctx, &queuedAnswer{chat: chat, page: &page{to: replyTo.ID, topic: replyTo.topic()}, receiver: only,
			m: m})
	})
}

// execute makes a request and ignores its result unless that is an error.
func (t *Telegram) execute(ctx context.Context, method string, params tg.Params) error {
	_, err := t.call(ctx, method, params)
	return err
}

// remove deletes the message with the id message from chat.
func (t *Telegram) remove(ctx context.Context, chat, message int64) error {
	return t.execute(ctx, "deleteMessage", messageKey(chat, message))
}

// messageParams returns the parameters with which a request sends message m to chat, or edits a message there to m.
func messageParams(chat int64, m chat.Message) tg.Params {
	return textParams(chat, messageHTML(m), m.Buttons)
}

// textParams returns the parameters with which a request sends a text in Telegram's HTML to chat, with buttons.
func textParams(chat int64, text string, buttons [][]chat.Button) tg.Params {
	params := tg.Params{
		"chat_id": decimal(chat), "text": text, "parse_mode": "HTML",
		"link_preview_options": `{"is_disabled":true}`,
	}
	if k := newKeyboard(buttons); len(k.Rows) > 0 {
		params["reply_markup"] = inJSON(k)
	}
	return params
}

// sendFile sends the file of reply to the person's private chat. It returns what to show in origin, the chat of the
// request: "" (nothing) if that is the private chat, else reply.Toast, or after a failure a hint for the person.
func (l listener) sendFile(ctx context.Context, origin conversation, userNumber int64, reply chat.Reply) string {
	params := tg.Params{"chat_id": decimal(userNumber),
		"caption": linesHTML(messageLines(*reply.Private), longestCaption), "parse_mode": "HTML"}
	file := tg.FileBytes{Name: reply.Private.File.Name, Bytes: reply.Private.File.Bytes}
	err := l.budget.writeAnswer(ctx, userNumber, func() error {
		_, err := l.call(ctx, "sendDocument", params, tg.RequestFile{Name: "document", Data: file})
		return l.translateError(userNumber, err)
	})
	private := origin.Type == "private"
	switch {
	case err == nil && private:
		return ""
	case err == nil:
		return reply.Toast
	}
	if _, refused := refusalOf(err); !refused || private {
		l.log.Warn("send file failed", "error", err)
	}
	return reply.Unsent + " https://t.me/" + l.me.Username + "?start=mydata"
}

// sendPrivately sends m to the private chat of the person with userNumber and reports whether it was sent: not if the
// person has never opened that chat. It gives up after three seconds: a pressed button waits for its answer.
func (t *Telegram) sendPrivately(ctx context.Context, userNumber int64, m chat.Message) bool {
	ctx, cancel := context.WithTimeout(ctx, 3*time.Second)
	defer cancel()
	err := t.budget.writeAnswer(ctx, userNumber, func() error {
		_, err := t.sendOrEdit(ctx, "sendMessage", m, messageParams(userNumber, m))
		return t.translateError(userNumber, err)
	})
	if _, refused := refusalOf(err); err != nil && !refused {
		t.log.Debug("send direct message failed", "error", err)
	}
	return err == nil
}
