package telegram

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"

	tg "github.com/go-telegram-bot-api/telegram-bot-api/v5"

	"knobel/bot/chat"
)

// Posts with pictures, people that a post calls, and pins.

var _ chat.Pinner = (*Telegram)(nil)

// Refusals of edits: the message is a picture with a caption, or a text.
const (
	noText    = "there is no text in the message to edit"
	noCaption = "there is no caption in the message to edit"
)

// hasPicture reports whether m has a picture.
func hasPicture(m chat.Message) bool { return m.Picture != nil && len(m.Picture.PNG) > 0 }

// captionOf returns the lines of m as a caption below its picture. fits reports whether they fit, with extra units.
func captionOf(m chat.Message, extra int) (lines []line, fits bool) {
	lines = messageLines(withoutPicture(m))
	return lines, totalLength(lines)+extra <= longestCaption
}

// captionParams returns params with text in HTML as the caption of a picture.
func captionParams(params tg.Params, text string) tg.Params {
	params["caption"] = text
	delete(params, "text")
	delete(params, "link_preview_options")
	return params
}

// postNew sends m as a new message to a topic of group and returns Telegram's response. A text that is too long for a
// caption comes first, and its picture as a silent reply. If Telegram refuses the picture, m is sent without it.
func (t *Telegram) postNew(ctx context.Context, group, topic int64, m chat.Message) (raw []byte, err error) {
	calls, called := mentions(m)
	params := setReply(t.boardParams(group, m), 0, topic)
	if calls != "" {
		params["text"] = linesHTML(messageLines(m), longestText-called) + calls
	}
	if m.Silent && calls == "" {
		params["disable_notification"] = "true"
	}
	if !hasPicture(m) {
		return t.write(ctx, group, "sendMessage", params)
	}
	caption, fits := captionOf(m, called)
	if fits {
		params = captionParams(params, linesHTML(caption, longestCaption)+calls)
		raw, err = t.write(ctx, group, "sendPhoto", params, photo(m.Picture.PNG))
		_, later := errors.AsType[chat.Later](err)
		if refused, ok := refusalOf(err); ok && !later && refused.Code < http.StatusInternalServerError {
			return t.postNew(ctx, group, topic, withoutPicture(m))
		}
		return raw, err
	}
	if raw, err = t.write(ctx, group, "sendMessage", params); err != nil {
		return raw, err
	}
	text, err := t.postedID(raw, nil)
	if err != nil {
		return raw, nil // the caller reports it
	}
	alt := linesHTML([]line{{text: clean(m.Picture.Alt)}}, longestCaption)
	params = setReply(tg.Params{"chat_id": decimal(group), "caption": alt, "parse_mode": "HTML",
		"disable_notification": "true"}, text, topic)
	_, failed := t.write(ctx, group, "sendPhoto", params, photo(m.Picture.PNG))
	chat.LogFailure(ctx, t.log.Warn, "send picture of message failed", failed)
	return raw, nil
}

// photo returns the picture png as the file of sendPhoto.
func photo(png []byte) tg.RequestFile {
	return tg.RequestFile{Name: "photo", Data: tg.FileBytes{Name: "picture.png", Bytes: png}}
}

// editPosted edits the message with this id in group to m: its text or, if it is a picture, its caption.
func (t *Telegram) editPosted(ctx context.Context, group, message int64, m chat.Message) error {
	text := t.boardParams(group, m)
	text["message_id"] = decimal(message)
	if m.Table != 0 {
		_, err := t.write(ctx, group, "editMessageText", text)
		return err
	}
	lines, fits := captionOf(m, 0)
	caption := captionParams(maps.Clone(text), linesHTML(lines, longestCaption))
	err := error(nil)
	for _, asCaption := range []bool{hasPicture(m) && fits, !hasPicture(m) || !fits} {
		if asCaption {
			_, err = t.write(ctx, group, "editMessageCaption", caption)
		} else {
			_, err = t.write(ctx, group, "editMessageText", text)
		}
		if !isRefusal(err, noText, noCaption) {
			break
		}
	}
	return err
}

// mentions returns a line in HTML that notifies the people in m.Call, with their names on m, and its visible length.
// Without such people it returns "".
func mentions(m chat.Message) (html string, visible int) {
	for _, user := range m.Call {
		number, ok := strings.CutPrefix(string(user), name+":")
		if id, err := strconv.ParseInt(number, 10, 64); !ok || err != nil || id <= 0 {
			continue
		}
		label := number
		if i := slices.IndexFunc(m.People, func(p chat.Person) bool { return p.User == user }); i >= 0 {
			label = cmp.Or(strings.TrimSpace(clip(clean(m.People[i].Name), longestName)), number)
		}
		separator := ", "
		if html == "" {
			separator = "\n"
		}
		html += separator + `<a href="tg://user?id=` + number + `">` + escaper.Replace(noMentions(label)) + "</a>"
		visible += length(separator + noMentions(label))
	}
	return html, visible
}

// Pin pins the message ref in its chat without a sound.
func (t *Telegram) Pin(ctx context.Context, place chat.Place, ref chat.Ref) error {
	return t.setPinned(ctx, place, ref, "pinChatMessage", tg.Params{"disable_notification": "true"})
}

// Unpin removes the pin of the message ref. A message that is gone or not pinned is not an error.
func (t *Telegram) Unpin(ctx context.Context, place chat.Place, ref chat.Ref) error {
	err := t.setPinned(ctx, place, ref, "unpinChatMessage", tg.Params{})
	if errors.Is(err, chat.ErrGone) {
		return nil
	}
	return err
}

// setPinned calls method, which pins or unpins the message ref, with params.
func (t *Telegram) setPinned(ctx context.Context, place chat.Place, ref chat.Ref, method string,
	params tg.Params) error {
	if _, ok := inlineOf(place); ok {
		return chat.ErrAway
	}
	group, message, err := t.messageIn(place, ref)
	if err != nil {
		return err
	}
	params["chat_id"], params["message_id"] = decimal(group), decimal(message)
	_, err = t.call(ctx, method, params)
	return t.translateError(group, err)
}
