package telegram

import (
	"context"
	"encoding/json"
	"errors"

	tg "github.com/go-telegram-bot-api/telegram-bot-api/v5"

	"knobel/bot/chat"
)

// Pages: messages whose content is replaced when one of their buttons is pressed, with their pictures.

// longestCaption is the largest number of characters in the text below a picture.
const longestCaption = 1024

// page returns the page whose button was pressed, and whether the person may turn it, that is, replace its content.
// Boards, which are no replies, are never turned, and other people's pages only if forAll. For a deleted message
// Telegram sends only its number; the page is then the stored one.
func (l listener) page(c callback, forAll bool) (p *page, ok bool) {
	var reply struct {
		ID   int64  `json:"message_id"`
		From person `json:"from"`
	}
	err := json.Unmarshal(c.Message.ReplyTo, &reply)
	to, from := reply.ID, reply.From.ID
	ok = err == nil && to != 0 && to != c.Message.topic() // in a topic every message counts as a reply to its first one
	if ok && !forAll && from != l.me.ID && from != c.From.ID || !ok && present(c.Message.ReplyTo) {
		return nil, false
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	at := [2]int64{c.Message.Chat.ID, c.Message.ID}
	p = l.shown[at]
	switch {
	case !ok:
		return p, p != nil && p.turn != 0 && (p.asker == 0 || p.asker == c.From.ID)
	case p == nil:
		p = &page{message: c.Message.ID, photo: present(c.Message.Photo), to: to, topic: c.Message.topic()}
		l.keep(at, p)
	}
	if p.asker = 0; !forAll && from != l.me.ID { // an answer to a press on another person's page is public
		p.asker = from
	}
	return p, true
}

// maxShown is the number of stored pages, or of places with answers, at which all are dropped.
const maxShown = 4096

// keep stores the page under at, a chat and a message that shows it. The caller holds the lock.
func (p *pages) keep(at [2]int64, of *page) {
	if len(p.shown) >= maxShown {
		clear(p.shown)
	}
	p.shown[at] = of
}

// addressed adds to params the message to that a new one answers, and its topic; 0: none.
func addressed(params tg.Params, to, topic int64) tg.Params {
	if to != 0 {
		params["reply_parameters"] = inJSON(map[string]any{"message_id": to, "allow_sending_without_reply": true})
	}
	if topic != 0 {
		params["message_thread_id"] = decimal(topic)
	}
	return params
}

// addressed adds to params the message that the letter answers and its topic.
func (l *letter) addressed(params tg.Params) tg.Params {
	if l.receiver != nil {
		params["disable_notification"] = "true"
	}
	return addressed(params, l.page.to, l.page.topic)
}

// newest returns the content to send for letter l: the newest for its page. ok is false if a newer button press has
// turned the page already. If the page was stored under its message only after the press, l gets that page.
func (t *Telegram) newest(l *letter) (m chat.Message, ok bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if l.page.waiting == l {
		l.page.waiting = nil
	}
	if p := t.shown[[2]int64{l.chat, l.pressed}]; p != nil && p != l.page {
		p.asker, l.page = l.page.asker, p
	}
	return l.m, l.page.turn <= l.turn
}

// present returns the message that shows the letter's page, 0 if there is none now, and whether it is a picture.
func (t *Telegram) present(l *letter) (message int64, photo bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return l.page.message, l.page.photo
}

// storeShown stores that message now shows the letter's page, 0 if its text is still to be sent; photo: it is a
// picture.
func (t *Telegram) storeShown(l *letter, message int64, photo bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	p := l.page
	p.message, p.photo, p.turn = message, photo, l.turn
	p.public = l.receiver == nil
	if message != 0 {
		t.keep([2]int64{l.chat, message}, p)
	}
}

// deliver sends letter l within the chat's budget and blocks until then. It makes up to three tries: after a
// retry_after, and without the picture if that is refused. It logs failures.
func (t *Telegram) deliver(ctx context.Context, l *letter) {
	for range 3 {
		var below *letter
		var m chat.Message
		err := t.budget.answer(ctx, l.chat, func() (err error) {
			var ok bool
			if m, ok = t.newest(l); !ok {
				if l.above == 0 {
					return nil
				}
				return t.remove(ctx, l.chat, l.above) // the picture sent before the text
			}
			below, err = t.show(ctx, l, m)
			return t.translate(l.chat, err)
		})
		_, later := errors.AsType[chat.Later](err)
		refused, ok := refusalOf(err)
		switch {
		case err == nil:
			t.noteWrite(placeID(l.chat, l.page.topic), nil)
			t.mutes.answered(placeID(l.chat, l.page.topic))
			if below != nil {
				t.deliver(ctx, below)
			} else if l.turn == 0 && l.receiver != nil {
				t.replace(ctx, l)
			}
			return
		case ok && refused.MigrateToChatID != 0: // message ids of the old chat are invalid
			t.deliver(ctx, &letter{chat: refused.MigrateToChatID, page: &page{topic: l.page.topic}, m: m})
			return
		case later:
			t.mu.Lock()
			behind := l.above == 0 && l.page.waiting != nil // a newer letter waits for the same page
			t.mu.Unlock()
			if behind {
				return
			}
			continue
		case ok && m.Picture != nil && !errors.Is(err, chat.ErrGone):
			t.mu.Lock()
			l.m = withoutPicture(m)
			t.mu.Unlock()
			continue
		}
		t.noteWrite(placeID(l.chat, l.page.topic), err)
		if !errors.Is(err, chat.ErrAway) && !errors.Is(err, chat.ErrGone) {
			chat.LogFailure(ctx, t.log.Warn, "a command could not be answered", err)
		}
		return
	}
}

// withoutPicture returns m with the picture's description as its last line instead of the picture.
func withoutPicture(m chat.Message) chat.Message {
	if m.Picture != nil && m.Picture.More != "" {
		m.Lines = append(m.Lines[:len(m.Lines):len(m.Lines)], m.Picture.More)
	}
	m.Picture = nil
	return m
}

// show sends m as a new message, or edits the message of the letter's page. A text that does not fit below its picture
// is returned as the letter below, which is still to be sent; nil: there is none.
func (t *Telegram) show(ctx context.Context, l *letter, m chat.Message) (below *letter, err error) {
	over, photo := t.present(l)
	switch pictured := m.Picture != nil && len(m.Picture.PNG) > 0; {
	case !pictured && over != 0 && !photo:
		params := written(l.chat, m)
		params["message_id"] = decimal(over)
		_, err := t.sendOrEdit(ctx, "editMessageText", m, params)
		return nil, t.storeReplaced(ctx, l, over, false, err)
	case !pictured:
		// pages are no ephemeral messages: they need a message id
		if t.ephemeral.Load() && l.receiver != nil && !l.receiver.secret && l.turn == 0 && l.above == 0 &&
			len(m.Buttons) == 0 {
			if whispered, err := t.whisper(ctx, l, m); whispered {
				return nil, err
			}
		}
		if err := t.deleteShown(ctx, l); err != nil {
			return nil, err
		}
		sent, err := t.posted(t.sendOrEdit(ctx, "sendMessage", m, l.addressed(written(l.chat, m))))
		if err != nil {
			return nil, err
		}
		t.storeShown(l, sent, false)
		t.mu.Lock()
		defer t.mu.Unlock()
		l.page.above = l.above
		return nil, nil
	}
	caption := lines(withoutPicture(m))
	if total(caption) <= longestCaption {
		return nil, t.captioned(ctx, l, m, html(caption, longestCaption))
	}
	if err := t.deleteShown(ctx, l); err != nil {
		return nil, err
	}
	t.storeShown(l, 0, false) // the text follows; the one before is gone
	alt := html([]line{{text: clean(m.Picture.Alt)}}, longestCaption)
	params := l.addressed(tg.Params{"chat_id": decimal(l.chat), "caption": alt, "parse_mode": "HTML"})
	above, err := t.posted(t.upload(ctx, "sendPhoto", params, "photo", m.Picture.PNG))
	m.Picture = nil
	return &letter{chat: l.chat, pressed: l.pressed, page: l.page, turn: l.turn, above: above, receiver: l.receiver,
		m: m}, err
}

// posted stores and returns the number of the message in raw, Telegram's response. err is the request's error, which it
// returns.
func (t *Telegram) posted(raw json.RawMessage, err error) (int64, error) {
	var sent message
	if err == nil {
		err = json.Unmarshal(raw, &sent)
	}
	t.noteMessage(sent)
	return sent.ID, err
}

// captioned sends the picture of m with the caption as a new message, or edits the message of the letter's page to show
// them.
func (t *Telegram) captioned(ctx context.Context, l *letter, m chat.Message, caption string) error {
	params := tg.Params{"chat_id": decimal(l.chat)}
	if k := keys(m.Buttons); len(k.Rows) > 0 {
		params["reply_markup"] = inJSON(k)
	}
	over, _ := t.present(l)
	var err error
	if over == 0 {
		params["caption"], params["parse_mode"] = caption, "HTML"
		over, err = t.posted(t.upload(ctx, "sendPhoto", l.addressed(params), "photo", m.Picture.PNG))
	} else {
		params["message_id"] = decimal(over)
		params["media"] = inJSON(map[string]any{"type": "photo", "media": "attach://picture", "caption": caption,
			"parse_mode": "HTML"})
		_, err = t.upload(ctx, "editMessageMedia", params, "picture", m.Picture.PNG)
	}
	return t.storeReplaced(ctx, l, over, true, err)
}

// upload makes a request with the picture png as a file in the given field.
func (t *Telegram) upload(ctx context.Context, method string, params tg.Params, field string,
	png []byte) (json.RawMessage, error) {
	return t.call(ctx, method, params,
		tg.RequestFile{Name: field, Data: tg.FileBytes{Name: "picture.png", Bytes: png}})
}

// deleteShown deletes the message of the letter's page, if any, where it cannot be edited: Telegram turns no picture
// into a text. If it is gone, another press has turned the page, and the error is returned.
func (t *Telegram) deleteShown(ctx context.Context, l *letter) error {
	over, _ := t.present(l)
	if over == 0 {
		return nil
	}
	err := t.remove(ctx, l.chat, over)
	if says(err, "can't be deleted") {
		err = nil // it is too old to be deleted, and stays
	}
	return t.storeReplaced(ctx, l, 0, false, err)
}

// storeReplaced stores that message shows the letter's page now, and deletes the picture above the page's previous
// text. If err is not nil, the request before has failed: it is returned and nothing is stored.
func (t *Telegram) storeReplaced(ctx context.Context, l *letter, message int64, photo bool, err error) error {
	if err != nil {
		return err
	}
	t.storeShown(l, message, photo)
	t.mu.Lock()
	picture := l.page.above
	l.page.above = 0
	t.mu.Unlock()
	if picture == 0 {
		return nil
	}
	if err = t.remove(ctx, l.chat, picture); err != nil {
		t.log.Debug("delete page picture failed", "error", err)
	}
	return nil
}
