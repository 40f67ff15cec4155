package telegram

import (
	"context"
	"encoding/json"
	"errors"

	tg "github.com/go-telegram-bot-api/telegram-bot-api/v5"

	"knobel/bot/chat"
)

// Pages: messages that a press replaces, with their pictures.

// longestCaption is the longest text below a picture.
const longestCaption = 1024

// page returns the pressed page. It returns false for boards, which are not replies, and for other people's pages.
// For a deleted page Telegram sends only its number; the rest is remembered.
func (t *Telegram) page(c callback, self int64) (p page, ok bool) {
	if p, ok = c.page(self); ok || present(c.Message.ReplyTo) {
		return p, ok
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	p, _, ok = t.became.now(c.Message.Chat.ID, c.Message.ID)
	ok = ok && (p.asker == 0 || p.asker == c.From.ID)
	p.message = c.Message.ID
	return p, ok
}

// page returns the page of a press whose message is visible.
func (c callback) page(self int64) (p page, ok bool) {
	p, from, ok := c.replies()
	if !ok || from != self && from != c.From.ID {
		return page{}, false
	}
	if from != self { // an answer to a press on another's page is public
		p.asker = from
	}
	return p, true
}

// replies returns the pressed message as a page, and the author of the message that it answers. It returns false for
// boards, which are not replies.
func (c callback) replies() (p page, from int64, ok bool) {
	var to struct {
		ID   int64  `json:"message_id"`
		From person `json:"from"`
	}
	if json.Unmarshal(c.Message.ReplyTo, &to) != nil || to.ID == 0 || to.ID == c.Message.topic() {
		return page{}, 0, false // in a topic everything answers its first message
	}
	return page{message: c.Message.ID, photo: present(c.Message.Photo), to: to.ID,
		topic: c.Message.topic()}, to.From.ID, true
}

// maxAbove is the number of entries after which all are dropped.
const maxAbove = 4096

// put stores a picture.
func (a above) put(chat, message, picture int64) {
	if len(a) >= maxAbove {
		clear(a)
	}
	a[[2]int64{chat, message}] = picture
}

// pop removes and returns a picture, 0 if there is none.
func (a above) pop(chat, message int64) int64 {
	at := [2]int64{chat, message}
	defer delete(a, at)
	return a[at]
}

// now returns the present state of a page and the message that was last in its place, or false if nothing is known.
func (b became) now(chat, message int64) (p page, place int64, ok bool) {
	for place = message; ; place = p.message {
		next, known := b[[2]int64{chat, place}]
		if !known {
			return p, place, ok
		}
		p, ok = next, true
		if p.message == 0 || p.message == place {
			return p, place, ok
		}
	}
}

// addressed adds the address of a new message.
func (l *letter) addressed(params tg.Params) tg.Params {
	if l.to != 0 {
		params["reply_parameters"] = inJSON(map[string]any{"message_id": l.to, "allow_sending_without_reply": true})
	}
	if l.topic != 0 {
		params["message_thread_id"] = decimal(l.topic)
	}
	if l.receiver != nil {
		params["disable_notification"] = "true"
	}
	return params
}

// number counts presses in their order: their answers are concurrent.
func (t *Telegram) number() int64 {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.turns++
	return t.turns
}

// turn writes an answer over the page that it replaces. Of several that wait for the same page only the newest is
// written.
func (t *Telegram) turn(ctx context.Context, l letter) {
	at := [2]int64{l.chat, l.from}
	t.mu.Lock()
	defer t.mu.Unlock()
	if waiting := t.turning[at]; waiting != nil {
		if waiting.turn < l.turn {
			waiting.m, waiting.turn = l.m, l.turn
		}
		return
	}
	t.turning[at] = &l
	t.working.Go(func() {
		defer t.newest(&l)
		t.deliver(ctx, &l)
	})
}

// newest takes over the text of the newest letter.
func (t *Telegram) newest(l *letter) chat.Message {
	t.mu.Lock()
	defer t.mu.Unlock()
	at := [2]int64{l.chat, l.from}
	if t.turning[at] == l {
		delete(t.turning, at)
	}
	return l.m
}

// behind reports whether a newer letter waits for the same page.
func (t *Telegram) behind(l *letter) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	waiting := t.turning[[2]int64{l.chat, l.from}]
	return l.from != 0 && l.above == 0 && waiting != nil && waiting != l
}

// finds looks up the present state of the pressed page. It returns false if a newer press has turned it already.
func (t *Telegram) finds(l *letter) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	p, place, known := t.became.now(l.chat, l.from)
	if l.place = place; known {
		l.over = p
	}
	return l.from == 0 || p.turn <= l.turn
}

// noted stores what a page has become.
func (t *Telegram) noted(l *letter, p page) {
	if l.from == 0 {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.became) >= maxAbove {
		clear(t.became)
	}
	if p.message != 0 && p.message != l.place {
		t.answers.turn(l.chat, l.place, p.message)
	}
	p.turn, p.asker, p.to, p.topic = l.turn, l.asker, l.to, l.topic
	t.became[[2]int64{l.chat, l.place}] = p
}

// deliver writes an answer; again after a retry_after, and without its picture if that is refused.
func (t *Telegram) deliver(ctx context.Context, l *letter) {
	for range 3 {
		var below *letter
		var m chat.Message
		err := t.budget.answer(ctx, l.chat, func() (err error) {
			m = t.newest(l)
			if !t.finds(l) {
				return t.overtaken(ctx, l)
			}
			below, err = t.show(ctx, l, m)
			return t.judge(l.chat, err)
		})
		_, later := errors.AsType[chat.Later](err)
		refused, ok := refusalOf(err)
		switch {
		case err == nil:
			t.wrote(placeID(l.chat, l.topic), nil)
			t.mutes.answered(placeID(l.chat, l.topic))
			if below != nil {
				t.deliver(ctx, below)
			} else {
				t.replace(ctx, l)
			}
			return
		case ok && refused.MigrateToChatID != 0: // ids of the old chat are void
			t.deliver(ctx, &letter{chat: refused.MigrateToChatID, topic: l.topic, m: m})
			return
		case later:
			if t.behind(l) {
				return
			}
			continue
		case ok && m.Picture != nil && !errors.Is(err, chat.ErrGone):
			t.mu.Lock()
			l.m = withoutPicture(m)
			t.mu.Unlock()
			continue
		}
		t.wrote(placeID(l.chat, l.topic), err)
		if !errors.Is(err, chat.ErrAway) && !errors.Is(err, chat.ErrGone) {
			chat.LogFailure(ctx, t.log.Warn, "a command could not be answered", err)
		}
		return
	}
}

// overtaken ends a letter whose page a newer press has turned, and deletes the picture sent before its text.
func (t *Telegram) overtaken(ctx context.Context, l *letter) error {
	if l.above == 0 {
		return nil
	}
	return t.remove(ctx, l.chat, l.above)
}

// withoutPicture replaces a message's picture by its description, unless the lines say the same.
func withoutPicture(m chat.Message) chat.Message {
	if m.Picture != nil && m.Picture.More != "" {
		m.Lines = append(m.Lines[:len(m.Lines):len(m.Lines)], m.Picture.More)
	}
	m.Picture = nil
	return m
}

// show requests the display of a message. A text that does not fit below its picture is left for another letter.
func (t *Telegram) show(ctx context.Context, l *letter, m chat.Message) (below *letter, err error) {
	switch pictured := m.Picture != nil && len(m.Picture.PNG) > 0; {
	case !pictured && l.over.message != 0 && !l.over.photo:
		params := written(l.chat, m)
		params["message_id"] = decimal(l.over.message)
		_, err := t.put(ctx, "editMessageText", m, params)
		if err == nil || says(err, "message is not modified") {
			l.sent = l.over.message
		}
		if err == nil {
			t.noted(l, page{message: l.over.message})
		}
		return nil, t.tidied(ctx, l, err)
	case !pictured:
		if t.whispers(l, m) {
			if whispered, err := t.whisper(ctx, l, m); whispered {
				return nil, err
			}
		}
		return nil, t.text(ctx, l, m)
	}
	caption := lines(withoutPicture(m))
	if total(caption) <= longestCaption {
		return nil, t.tidied(ctx, l, t.captioned(ctx, l, m, html(caption, longestCaption)))
	}
	if err := t.clear(ctx, l); err != nil {
		return nil, err
	}
	t.noted(l, page{}) // the text follows; the one before is gone
	alt := html([]line{{text: clean(m.Picture.Alt)}}, longestCaption)
	params := l.addressed(tg.Params{"chat_id": decimal(l.chat), "caption": alt, "parse_mode": "HTML"})
	photo, err := t.posted(t.upload(ctx, "sendPhoto", params, "photo", m.Picture.PNG))
	m.Picture = nil
	return &letter{chat: l.chat, topic: l.topic, to: l.to, from: l.from, turn: l.turn, asker: l.asker, above: photo,
		receiver: l.receiver, m: m}, err
}

// text sends a message without a picture, or below one.
func (t *Telegram) text(ctx context.Context, l *letter, m chat.Message) error {
	if err := t.clear(ctx, l); err != nil {
		return err
	}
	sent, err := t.posted(t.put(ctx, "sendMessage", m, l.addressed(written(l.chat, m))))
	if err == nil {
		l.sent = sent
		t.noted(l, page{message: sent})
	}
	if err == nil && l.above != 0 {
		t.mu.Lock()
		defer t.mu.Unlock()
		t.above.put(l.chat, sent, l.above)
	}
	return err
}

// posted returns the number of the sent message.
func (t *Telegram) posted(raw json.RawMessage, err error) (int64, error) {
	var sent message
	if err == nil {
		err = json.Unmarshal(raw, &sent)
	}
	t.met(sent)
	return sent.ID, err
}

// captioned sends a picture with a caption, or turns a page into one.
func (t *Telegram) captioned(ctx context.Context, l *letter, m chat.Message, caption string) error {
	params := tg.Params{"chat_id": decimal(l.chat)}
	if k := keys(m.Buttons); len(k.Rows) > 0 {
		params["reply_markup"] = inJSON(k)
	}
	if l.over.message == 0 {
		params["caption"], params["parse_mode"] = caption, "HTML"
		sent, err := t.posted(t.upload(ctx, "sendPhoto", l.addressed(params), "photo", m.Picture.PNG))
		if err == nil {
			l.sent = sent
			t.noted(l, page{message: sent, photo: true})
		}
		return err
	}
	params["message_id"] = decimal(l.over.message)
	params["media"] = inJSON(map[string]any{"type": "photo", "media": "attach://picture", "caption": caption,
		"parse_mode": "HTML"})
	_, err := t.upload(ctx, "editMessageMedia", params, "picture", m.Picture.PNG)
	if err == nil {
		l.sent = l.over.message
		t.noted(l, page{message: l.over.message, photo: true})
	}
	return err
}

// upload makes a request with a picture as a file.
func (t *Telegram) upload(ctx context.Context, method string, params tg.Params, field string,
	png []byte) (json.RawMessage, error) {
	return t.client.call(ctx, method, params,
		tg.RequestFile{Name: field, Data: tg.FileBytes{Name: "picture.png", Bytes: png}})
}

// clear deletes a page that cannot be edited: Telegram turns no picture into a text. A page that is gone was turned
// by another press.
func (t *Telegram) clear(ctx context.Context, l *letter) error {
	if l.over.message == 0 {
		return nil
	}
	err := t.remove(ctx, l.chat, l.over.message)
	if says(err, "can't be deleted") {
		err = nil // it is too old, and stays
	}
	if err = t.tidied(ctx, l, err); err == nil {
		t.noted(l, page{})
		l.over = page{}
	}
	return err
}

// tidied deletes the picture above a page, unless the page has not changed.
func (t *Telegram) tidied(ctx context.Context, l *letter, err error) error {
	if err != nil {
		return err
	}
	t.mu.Lock()
	picture := t.above.pop(l.chat, l.over.message)
	t.mu.Unlock()
	if picture == 0 {
		return nil
	}
	if err = t.remove(ctx, l.chat, picture); err != nil {
		t.log.Debug("delete page picture failed", "error", err)
	}
	return nil
}
