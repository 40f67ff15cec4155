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

// maxPending is the largest number of answers to commands that may wait in a chat; further commands get none.
const maxPending = 3

// begin registers an unanswered button press in chat. The caller calls leave once that is answered.
func (p *presses) begin(chat int64) (leave func()) {
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

// answered blocks until all button presses in chat that are unanswered now have been answered, or ctx is done.
func (p *presses) answered(ctx context.Context, chat int64) {
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

// answerPress answers button press c with reply r, once: by a toast; by an alert window, for a private answer that is
// short or secret; or silently, with the answer written into the chat. turn is the number of the press.
func (l listener) answerPress(ctx context.Context, c callback, turn int64, r chat.Reply) {
	params := tg.Params{"callback_query_id": c.ID}
	text, window := clean(r.Toast), false
	if r.Page != nil {
		if !r.Refused {
			text = ""
		}
		l.answerInChat(ctx, c, turn, r)
	} else if r.Private != nil && r.Private.File != nil {
		text = clean(l.sendFile(ctx, c.Message.Chat, c.From.ID, r))
		window = text != clean(r.Toast) // the refusal says what to do and takes a while to read
	} else if r.Private != nil {
		text, window = private(*r.Private), true
		if !r.Secret && (len(r.Private.Buttons) > 0 || r.Private.Picture != nil || r.Public ||
			length(text) > longestToast) {
			text, window = "", false
			if r.Instead && r.Refused {
				text = clean(r.Toast)
			}
			l.answerInChat(ctx, c, turn, r)
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
	err := l.once(ctx, "answerCallbackQuery", params)
	if err != nil && !says(err, "query is too old", "query id is invalid") {
		l.log.Warn("answer press failed", "error", err)
	}
}

// answerInChat writes reply r to button press c into the chat, in the background: over the page with the button, or as
// a new message. A message without buttons does not replace a private page, since it would leave no way back.
func (l listener) answerInChat(ctx context.Context, c callback, turn int64, r chat.Reply) {
	m, forAll := r.Private, r.Instead || r.Page != nil
	if r.Page != nil {
		m = r.Page
	}
	to := receiverOf(c.Message.Chat, c.From, r)
	if to != nil {
		to.press = c.ID
	}
	p, own := l.page(c, forAll)
	if !own || !forAll && (r.Public || len(m.Buttons) == 0) {
		l.send(ctx, *c.Message, *m, to)
		return
	}
	next := &letter{chat: c.Message.Chat.ID, pressed: c.Message.ID, page: p, turn: turn, receiver: to, m: *m}
	l.mu.Lock()
	defer l.mu.Unlock()
	if waiting := p.waiting; waiting != nil { // of several for the same page only the newest is written
		if waiting.turn < turn {
			waiting.m, waiting.turn = *m, turn
		}
		return
	}
	p.waiting = next
	l.working.Go(func() {
		defer l.newest(next)
		l.deliver(ctx, next)
	})
}

// private returns m as plain text for an alert window.
func private(m chat.Message) string {
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

// send posts m as an answer to the message to, in the background, once the chat's budget allows. If maxPending answers
// wait in the chat, m is dropped. who is the only person that it is for; nil: all.
func (t *Telegram) send(ctx context.Context, to message, m chat.Message, who *receiver) {
	chat := to.Chat.ID
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.pending[chat] >= maxPending {
		t.log.Debug("chat queue full; dropped an answer")
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
		t.deliver(ctx, &letter{chat: chat, page: &page{to: to.ID, topic: to.topic()}, receiver: who, m: m})
	})
}

// once makes a request and discards its result.
func (t *Telegram) once(ctx context.Context, method string, params tg.Params) error {
	_, err := t.call(ctx, method, params)
	return err
}

// remove deletes a message from chat.
func (t *Telegram) remove(ctx context.Context, chat, message int64) error {
	return t.once(ctx, "deleteMessage", at(chat, message))
}

// written returns the parameters of a request that sends m to chat or edits a message to show it.
func written(chat int64, m chat.Message) tg.Params { return texted(chat, draw(m), m.Buttons) }

// texted returns the parameters of a message in chat with a text in Telegram's HTML and with buttons.
func texted(chat int64, text string, buttons [][]chat.Button) tg.Params {
	params := tg.Params{
		"chat_id": decimal(chat), "text": text, "parse_mode": "HTML",
		"link_preview_options": `{"is_disabled":true}`,
	}
	if k := keys(buttons); len(k.Rows) > 0 {
		params["reply_markup"] = inJSON(k)
	}
	return params
}

// sendFile sends r's file to the private chat of user and returns the text for the chat asked, where the person asked:
// "" for none, r.Toast, or after a failure how to open the private chat.
func (l listener) sendFile(ctx context.Context, asked conversation, user int64, r chat.Reply) string {
	params := tg.Params{"chat_id": decimal(user), "caption": html(lines(*r.Private), longestCaption),
		"parse_mode": "HTML"}
	file := tg.FileBytes{Name: r.Private.File.Name, Bytes: r.Private.File.Bytes}
	err := l.budget.answer(ctx, user, func() error {
		_, err := l.call(ctx, "sendDocument", params, tg.RequestFile{Name: "document", Data: file})
		return l.translate(user, err)
	})
	private := asked.Type == "private"
	switch {
	case err == nil && private:
		return ""
	case err == nil:
		return r.Toast
	}
	if _, refused := refusalOf(err); !refused || private {
		l.log.Warn("send file failed", "error", err)
	}
	return r.Unsent + " https://t.me/" + l.me.Username + "?start=mydata"
}

// sendPrivately sends m to the private chat of user and reports whether that worked. It did not if the person has not
// opened that chat, or after three seconds: the chat of the button press waits meanwhile.
func (t *Telegram) sendPrivately(ctx context.Context, user int64, m chat.Message) bool {
	ctx, cancel := context.WithTimeout(ctx, 3*time.Second)
	defer cancel()
	err := t.budget.answer(ctx, user, func() error {
		_, err := t.sendOrEdit(ctx, "sendMessage", m, written(user, m))
		return t.translate(user, err)
	})
	if _, refused := refusalOf(err); err != nil && !refused {
		t.log.Debug("send direct message failed", "error", err)
	}
	return err == nil
}
