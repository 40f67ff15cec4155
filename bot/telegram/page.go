package telegram

import (
	"context"
	"encoding/json"
	"errors"

	tg "github.com/go-telegram-bot-api/telegram-bot-api/v5"

	"knobel/bot/chat"
)

// Pages: answers that get another content when people press their buttons, and the pictures of pages.

// longestCaption is the longest text below a picture, in UTF-16 units.
const longestCaption = 1024

// pressedPage returns the page on which a button was pressed (c). ok reports whether the person may change its content:
// not if the page answers another person's command, unless the new content is for all people (forAll). A board is not
// a page: it replies to no message. Of a deleted message Telegram sends only the id, by which the page is found.
func (l listener) pressedPage(c callback, forAll bool) (p *page, ok bool) {
	var reply struct {
		ID   int64  `json:"message_id"`
		From person `json:"from"`
	}
	err := json.Unmarshal(c.Message.ReplyTo, &reply)
	to, from := reply.ID, reply.From.ID
	ok = err == nil && to != 0 && to != c.Message.topic() // in a topic every message counts as a reply to its first one
	if ok && !forAll && from != l.me.ID && from != c.From.ID || !ok && isPresent(c.Message.ReplyTo) {
		return nil, false
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	key := [2]int64{c.Message.Chat.ID, c.Message.ID}
	p = l.shown[key]
	switch {
	case !ok:
		return p, p != nil && p.pressNumber != 0 && (p.asker == 0 || p.asker == c.From.ID)
	case p == nil:
		p = &page{message: c.Message.ID, photo: isPresent(c.Message.Photo), to: to, topic: c.Message.topic()}
		l.storePage(key, p)
	}
	if p.asker = 0; !forAll && from != l.me.ID { // all may press if the page replies to the bot's message
		p.asker = from
	}
	return p, true
}

// maxShown is how many entries pages.shown and answers may each have before all are dropped.
const maxShown = 4096

// storePage sets p.shown[key] to shown. key holds the ids of the chat and the message. The caller holds Telegram.mu.
func (p *pages) storePage(key [2]int64, shown *page) {
	if len(p.shown) >= maxShown {
		clear(p.shown)
	}
	p.shown[key] = shown
}

// setReply adds to params that a new message is a reply to replyTo, in topic; 0: no reply, no topic. It returns params.
func setReply(params tg.Params, replyTo, topic int64) tg.Params {
	if replyTo != 0 {
		params["reply_parameters"] = inJSON(map[string]any{"message_id": replyTo, "allow_sending_without_reply": true})
	}
	if topic != 0 {
		params["message_thread_id"] = decimal(topic)
	}
	return params
}

// setReply makes params those of a reply to a.page.to, silent if a is for only one person, and returns them.
func (a *queuedAnswer) setReply(params tg.Params) tg.Params {
	if a.receiver != nil {
		params["disable_notification"] = "true"
	}
	return setReply(params, a.page.to, a.page.topic)
}

// newestContent returns the newest content to show for answer a. ok is false if the page already shows what a later
// press has produced. If another page was stored meanwhile for the message with the pressed button, a gets that page.
func (t *Telegram) newestContent(a *queuedAnswer) (m chat.Message, ok bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if a.page.waiting == a {
		a.page.waiting = nil
	}
	if p := t.shown[[2]int64{a.chat, a.pressed}]; p != nil && p != a.page {
		p.asker, a.page = a.page.asker, p
	}
	return a.m, a.page.pressNumber <= a.pressNumber
}

// shownMessage returns the message that shows the page of answer a (0: none now), and whether it is a picture.
func (t *Telegram) shownMessage(a *queuedAnswer) (message int64, photo bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return a.page.message, a.page.photo
}

// storeShown stores which message now shows the page of answer a, and whether it is a picture (photo). 0: none yet.
func (t *Telegram) storeShown(a *queuedAnswer, message int64, photo bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	p := a.page
	p.message, p.photo, p.pressNumber = message, photo, a.pressNumber
	p.public = a.receiver == nil
	if message != 0 {
		t.storePage([2]int64{a.chat, message}, p)
	}
}

// deliver sends answer a when the chat's budget allows it, and blocks until it is sent. After a retry_after it tries
// again, three times in all. If Telegram refuses the picture, it sends the answer without it. It logs failures.
func (t *Telegram) deliver(ctx context.Context, a *queuedAnswer) {
	for range 3 {
		var below *queuedAnswer
		var m chat.Message
		err := t.budget.writeAnswer(ctx, a.chat, func() (err error) {
			var ok bool
			if m, ok = t.newestContent(a); !ok {
				if a.above == 0 {
					return nil
				}
				return t.remove(ctx, a.chat, a.above) // the picture sent before the text
			}
			below, err = t.show(ctx, a, m)
			return t.translateError(a.chat, err)
		})
		_, later := errors.AsType[chat.Later](err)
		refused, ok := refusalOf(err)
		switch {
		case err == nil:
			t.noteWrite(placeID(a.chat, a.page.topic), nil)
			t.mutes.dropRequest(placeID(a.chat, a.page.topic))
			if below != nil {
				t.deliver(ctx, below)
			} else if a.pressNumber == 0 && a.receiver != nil {
				t.replaceAnswers(ctx, a)
			}
			return
		case ok && refused.MigrateToChatID != 0: // message ids of the old chat are invalid
			t.deliver(ctx, &queuedAnswer{chat: refused.MigrateToChatID, page: &page{topic: a.page.topic}, m: m})
			return
		case later:
			t.mu.Lock()
			behind := a.above == 0 && a.page.waiting != nil // newer content waits for the same page
			t.mu.Unlock()
			if behind {
				return
			}
			continue
		case ok && m.Picture != nil && !errors.Is(err, chat.ErrGone):
			t.mu.Lock()
			a.m = withoutPicture(m)
			t.mu.Unlock()
			continue
		}
		t.noteWrite(placeID(a.chat, a.page.topic), err)
		if !errors.Is(err, chat.ErrAway) && !errors.Is(err, chat.ErrGone) {
			chat.LogFailure(ctx, t.log.Warn, "answer command failed", err)
		}
		return
	}
}

// withoutPicture returns m without its picture. A last line says what only the picture showed.
func withoutPicture(m chat.Message) chat.Message {
	if m.Picture != nil && m.Picture.More != "" {
		m.Lines = append(m.Lines[:len(m.Lines):len(m.Lines)], m.Picture.More)
	}
	m.Picture = nil
	return m
}

// show sends m as a new message, or edits the message with the page of answer a. If the text is too long for a
// picture's caption, show sends only the picture and returns the text as below, for the caller to send; otherwise nil.
func (t *Telegram) show(ctx context.Context, a *queuedAnswer, m chat.Message) (below *queuedAnswer, err error) {
	over, photo := t.shownMessage(a)
	switch pictured := m.Picture != nil && len(m.Picture.PNG) > 0; {
	case !pictured && over != 0 && !photo:
		params := messageParams(a.chat, m)
		params["message_id"] = decimal(over)
		_, err := t.sendOrEdit(ctx, "editMessageText", m, params)
		return nil, t.storeReplaced(ctx, a, over, false, err)
	case !pictured:
		// an ephemeral message has no message id, so it cannot be a page
		if t.ephemeral.Load() && a.receiver != nil && !a.receiver.secret && a.pressNumber == 0 && a.above == 0 &&
			len(m.Buttons) == 0 {
			if whispered, err := t.sendEphemeral(ctx, a, m); whispered {
				return nil, err
			}
		}
		if err := t.deleteShown(ctx, a); err != nil {
			return nil, err
		}
		sent, err := t.postedID(t.sendOrEdit(ctx, "sendMessage", m, a.setReply(messageParams(a.chat, m))))
		if err != nil {
			return nil, err
		}
		t.storeShown(a, sent, false)
		t.mu.Lock()
		defer t.mu.Unlock()
		a.page.above = a.above
		return nil, nil
	}
	caption := messageLines(withoutPicture(m))
	if totalLength(caption) <= longestCaption {
		return nil, t.showCaptioned(ctx, a, m, linesHTML(caption, longestCaption))
	}
	if err := t.deleteShown(ctx, a); err != nil {
		return nil, err
	}
	t.storeShown(a, 0, false) // the text is sent next; the old message is deleted
	alt := linesHTML([]line{{text: clean(m.Picture.Alt)}}, longestCaption)
	params := a.setReply(tg.Params{"chat_id": decimal(a.chat), "caption": alt, "parse_mode": "HTML"})
	above, err := t.postedID(t.upload(ctx, "sendPhoto", params, "photo", m.Picture.PNG))
	m.Picture = nil
	return &queuedAnswer{chat: a.chat, pressed: a.pressed, page: a.page, pressNumber: a.pressNumber, above: above,
		receiver: a.receiver, m: m}, err
}

// postedID returns the id of the message that raw describes, Telegram's response to a request, and stores that id for
// Since. If the request's error err is not nil, postedID returns err.
func (t *Telegram) postedID(raw json.RawMessage, err error) (int64, error) {
	var sent message
	if err == nil {
		err = json.Unmarshal(raw, &sent)
	}
	t.noteMessage(sent)
	return sent.ID, err
}

// showCaptioned sends the picture of m with caption (HTML), or edits the message of answer a's page to show both.
func (t *Telegram) showCaptioned(ctx context.Context, a *queuedAnswer, m chat.Message, caption string) error {
	params := tg.Params{"chat_id": decimal(a.chat)}
	if k := newKeyboard(m.Buttons); len(k.Rows) > 0 {
		params["reply_markup"] = inJSON(k)
	}
	over, _ := t.shownMessage(a)
	var err error
	if over == 0 {
		params["caption"], params["parse_mode"] = caption, "HTML"
		over, err = t.postedID(t.upload(ctx, "sendPhoto", a.setReply(params), "photo", m.Picture.PNG))
	} else {
		params["message_id"] = decimal(over)
		params["media"] = inJSON(map[string]any{"type": "photo", "media": "attach://picture", "caption": caption,
			"parse_mode": "HTML"})
		_, err = t.upload(ctx, "editMessageMedia", params, "picture", m.Picture.PNG)
	}
	return t.storeReplaced(ctx, a, over, true, err)
}

// upload calls a method of the API with params and the picture png as a file, in the form field with the name field.
func (t *Telegram) upload(ctx context.Context, method string, params tg.Params, field string,
	png []byte) (json.RawMessage, error) {
	return t.call(ctx, method, params,
		tg.RequestFile{Name: field, Data: tg.FileBytes{Name: "picture.png", Bytes: png}})
}

// deleteShown deletes the message, if any, that shows the page of answer a: Telegram cannot edit a picture into a text.
// It returns an error if that message is gone, because then another press has replaced it.
func (t *Telegram) deleteShown(ctx context.Context, a *queuedAnswer) error {
	over, _ := t.shownMessage(a)
	if over == 0 {
		return nil
	}
	err := t.remove(ctx, a.chat, over)
	if isRefusal(err, "can't be deleted") {
		err = nil // it is too old to be deleted, and stays
	}
	return t.storeReplaced(ctx, a, 0, false, err)
}

// storeReplaced stores which message now shows the page of answer a (photo: as a picture), and deletes the separate
// picture of its previous content. If err, the error of the caller's request, is not nil, it only returns err.
func (t *Telegram) storeReplaced(ctx context.Context, a *queuedAnswer, message int64, photo bool, err error) error {
	if err != nil {
		return err
	}
	t.storeShown(a, message, photo)
	t.mu.Lock()
	picture := a.page.above
	a.page.above = 0
	t.mu.Unlock()
	if picture == 0 {
		return nil
	}
	if err = t.remove(ctx, a.chat, picture); err != nil {
		t.log.Debug("delete page picture failed", "error", err)
	}
	return nil
}
