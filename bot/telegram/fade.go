package telegram

// Answers that concern one person alone: in groups they are taken away after a while, with the
// commands that asked for them, where the bot may delete these. Receipts are reactions.

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	tg "github.com/go-telegram-bot-api/telegram-bot-api/v5"

	"knobel/bot/chat"
)

const (
	// leastShown is how long an answer stands at least, and reading how long a character of it: who
	// reads slowly reads a long page to its end.
	leastShown = time.Minute
	reading    = time.Second / 15
	// atOnceGone is how many messages a request deletes, at most.
	atOnceGone = 100
)

// done is the reaction to a command that was carried out.
const done = "👍"

// fade is how an answer is taken away.
type fade struct {
	command  int64  // the message that asked for it, which goes with it; 0: none does
	receiver int64  // who alone may see it, 0: all may
	press    string // the press that it answers, "": none
}

// fades is how a reply to somebody's command is taken away; nil: it stays.
func (m message) fades(r chat.Reply) *fade {
	if !r.Fades {
		return nil
	}
	f := &fade{command: m.ID}
	if !r.Secret && m.SenderChat == nil { // nothing secret depends on such messages
		f.receiver = m.From.ID
	}
	return f
}

// fades is how a reply to a press is taken away; nil: it stays.
func (c callback) fades(r chat.Reply) *fade {
	if !r.Fades {
		return nil
	}
	f := &fade{press: c.ID}
	if !r.Secret {
		f.receiver = c.From.ID
	}
	return f
}

// shownFor is how long a text stands before it is taken away.
func shownFor(m chat.Message) time.Duration {
	return max(leastShown, time.Duration(total(lines(m)))*reading)
}

// faded has an answer that was written taken away after a while. A page that was turned goes later
// than it was to; one that all are to read from now on stays.
func (t *Telegram) faded(ctx context.Context, l *letter, m chat.Message) {
	core, ctx := t.hears(), context.WithoutCancel(ctx) // it stands in the chat
	if core != nil && l.whispered && l.fade.command != 0 {
		err := core.Fade(ctx, chatID(l.chat), chat.Fading{Command: refID(l.chat, l.fade.command)}, whisperLife)
		if err != nil {
			t.log.Error("the deletion of a command cannot be stored", "error", err)
		}
	}
	if core == nil || l.sent == 0 || l.fade == nil && l.from == 0 {
		return
	}
	now, was := chat.Fading{Answer: refID(l.chat, l.sent)}, refID(l.chat, l.place)
	if l.above != 0 {
		now.Above = refID(l.chat, l.above)
	}
	var err error
	switch {
	case l.fade == nil:
		err = core.Stay(ctx, was)
	case l.from != 0:
		err = core.Refade(ctx, was, now, shownFor(m))
	default:
		if l.fade.command != 0 {
			now.Command = refID(l.chat, l.fade.command)
		}
		err = core.Fade(ctx, chatID(l.chat), now, shownFor(m))
	}
	if err != nil {
		t.log.Error("the deletion of an answer cannot be stored", "error", err)
	}
}

// looked sees to a page whose button has been answered without turning it: it goes at once where it
// has done its work, and else stands for another while.
func (t *Telegram) looked(ctx context.Context, c callback, r chat.Reply) {
	core := t.hears()
	if core == nil || c.Message == nil || c.Message.Chat.Type == "private" {
		return
	}
	if _, isPage := c.publicPage(); !isPage {
		return
	}
	after := leastShown
	if r.Receipt && !r.Refused {
		after = 0
	}
	ref := refID(c.Message.Chat.ID, c.Message.ID)
	err := core.Refade(context.WithoutCancel(ctx), ref, chat.Fading{Answer: ref}, after) // the press is answered
	if err != nil {
		t.log.Error("the deletion of a page cannot be put off", "error", err)
	}
}

// hears returns the core while there is one.
func (t *Telegram) hears() core {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.listens
}

// talked has an answer stay that somebody has replied to.
func (l listener) talked(ctx context.Context, m message) {
	var to struct {
		ID int64 `json:"message_id"`
	}
	if m.Chat.Type == "private" || !present(m.ReplyTo) || json.Unmarshal(m.ReplyTo, &to) != nil || to.ID == 0 ||
		to.ID == m.topic() {
		return
	}
	err := l.core.Stay(ctx, refID(m.Chat.ID, to.ID))
	chat.LogFailure(ctx, l.log.Error, "the deletion of an answer with a reply cannot be called off", err)
}

// receipt reacts to a command that was carried out, or says so where the chat or the server takes no
// reactions.
func (t *Telegram) receipt(ctx context.Context, m message, r chat.Reply) {
	say := func() { t.send(ctx, m, chat.Message{Head: r.Toast}, m.fades(r)) }
	if t.lacking.has("setMessageReaction") || t.unliked.has(m.Chat.ID, t.clock.Now()) {
		say()
		return
	}
	t.working.Go(func() {
		err := t.budget.whole(ctx)
		if err == nil {
			err = t.once(ctx, "setMessageReaction", tg.Params{
				"chat_id": decimal(m.Chat.ID), "message_id": decimal(m.ID),
				"reaction": inJSON([]any{map[string]any{"type": "emoji", "emoji": done}}),
			})
		}
		switch {
		case err == nil:
			t.mutes.answered(placeID(m.Chat.ID, m.topic()))
			return
		case unknown(err):
			t.lacking.add("setMessageReaction")
		case says(err, "reaction"):
			t.unliked.add(m.Chat.ID, t.clock.Now())
		}
		_ = t.judge(m.Chat.ID, err) // it may ask to wait
		say()
	})
}

// unknown reports whether the server does not know a method.
func unknown(err error) bool {
	refused, ok := refusalOf(err)
	return ok && (refused.Code == http.StatusNotFound || refused.Code == http.StatusNotImplemented)
}

// Fade deletes answers of a chat with their commands. Where the bot may not delete a command, its answer stays, too.
func (t *Telegram) Fade(ctx context.Context, group chat.Chat, all []chat.Fading) error {
	id, err := parseChat(group)
	if err != nil {
		return err
	}
	var gone []int64
	add := func(ref chat.Ref) {
		if in, message, err := parseRef(ref); err == nil && in == id {
			gone = append(gone, message)
		}
	}
	commands, err := true, error(nil)
	if slices.ContainsFunc(all, func(f chat.Fading) bool { return f.Command != "" }) {
		if commands, err = t.deletes(ctx, id); err != nil {
			return err
		}
	}
	for _, f := range all {
		if f.Command == "" || commands {
			add(f.Answer)
			add(f.Above)
			add(f.Command)
		}
	}
	slices.Sort(gone)
	for some := range slices.Chunk(slices.Compact(gone), atOnceGone) {
		if err := t.erase(ctx, id, some); err != nil {
			return err
		}
	}
	return nil
}

// erase deletes messages: all by one request, or each by its own where the server knows no better,
// or where one of them cannot be deleted.
func (t *Telegram) erase(ctx context.Context, group int64, messages []int64) error {
	if len(messages) > 1 && !t.lacking.has("deleteMessages") {
		err := t.delete(ctx, group, "deleteMessages", "message_ids", inJSON(messages))
		switch {
		case err == nil:
			return nil
		case unknown(err):
			t.lacking.add("deleteMessages")
		case !says(err, "message"):
			return err
		}
	}
	for _, m := range messages {
		err := t.delete(ctx, group, "deleteMessage", "message_id", decimal(m))
		if err != nil && !says(err, "message to delete not found", "can't be deleted", "message_id_invalid",
			"message identifier") {
			return err
		}
	}
	return nil
}

func (t *Telegram) delete(ctx context.Context, group int64, method, name, value string) error {
	if err := t.budget.whole(ctx); err != nil {
		return err
	}
	return t.judge(group, t.once(ctx, method, tg.Params{"chat_id": decimal(group), name: value}))
}

// deletes reports whether the bot may delete the messages of others in a chat; where Telegram refuses to say, it
// may not. Until the bot knows who it is, nobody can be asked.
func (t *Telegram) deletes(ctx context.Context, group int64) (bool, error) {
	if may, known := t.rights.get(group, t.clock.Now()); known {
		return may, nil
	}
	t.mu.Lock()
	self := t.self
	t.mu.Unlock()
	if self == 0 {
		return false, chat.Later{After: soon}
	}
	ctx, cancel := context.WithTimeout(ctx, answerTime)
	defer cancel()
	raw, err := t.client.call(ctx, "getChatMember", tg.Params{"chat_id": decimal(group), "user_id": decimal(self)})
	var s standing
	if err == nil {
		err = json.Unmarshal(raw, &s)
	}
	if _, refused := refusalOf(err); refused {
		t.log.Debug("whether commands may be deleted is not known", "error", err)
		return false, nil
	}
	if err != nil {
		return false, err
	}
	may := s.Status == "administrator" && s.CanDelete
	t.rights.put(group, may, t.clock.Now())
	return may, nil
}

// Ephemeral messages (Bot API 10.2, reshaped in 10.3), which one person alone sees in a group, are sent
// only where the operator has switched them on: an older server sends an ordinary message instead.

// ParseEphemeral reads whether answers are sent as ephemeral messages: "on" or "off"; "" is off.
func ParseEphemeral(said string) (bool, error) {
	switch strings.ToLower(said) {
	case "on":
		return true, nil
	case "off", "":
		return false, nil
	}
	return false, fmt.Errorf("%q is neither on nor off", said)
}

// unseen are the parameters by which a message is for one person alone: those of 10.3 and, beside
// them, those of 10.2, of which servers pass over what they do not know.
func (f *fade) unseen(params tg.Params) tg.Params {
	who := map[string]any{"receiver_user_id": f.receiver}
	params["receiver_user_id"] = decimal(f.receiver)
	if f.press != "" {
		who["callback_query_id"], params["callback_query_id"] = f.press, f.press
	}
	params["ephemeral_message_parameters"] = inJSON(who)
	return params
}

// whispers reports whether a letter is sent for one person alone. Pages are not, since their
// messages cannot be found again by a number.
func (t *Telegram) whispers(l *letter, m chat.Message) bool {
	return t.ephemeral.Load() && l.fade != nil && l.fade.receiver != 0 && l.from == 0 && l.above == 0 &&
		len(m.Buttons) == 0
}

// whisper sends a text that one person alone sees, and reports whether it is one: it is not where
// Telegram refuses, or knows no such messages. What it has sent for all to see then is deleted at
// once, and no other is tried before the next start.
func (t *Telegram) whisper(ctx context.Context, l *letter, m chat.Message) (bool, error) {
	late, cancel := context.WithTimeout(ctx, callTime)
	defer cancel()
	raw, err := t.client.call(late, "sendMessage", l.fade.unseen(l.addressed(written(l.chat, m))))
	if refused, ok := refusalOf(err); ok && refused.Code == 400 && refused.MigrateToChatID == 0 {
		return false, nil // it may be written for all to see, or tells why not
	}
	var sent struct {
		ID     int64 `json:"message_id"`
		Unseen int64 `json:"ephemeral_message_id"`
	}
	if err == nil {
		err = json.Unmarshal(raw, &sent)
	}
	if err != nil || sent.Unseen != 0 {
		l.whispered = err == nil
		return true, err
	}
	t.ephemeral.Store(false)
	t.log.Warn("telegram knows no ephemeral messages: answers are deleted after a while instead, until the next start")
	if t.noEphemeral != nil {
		t.noEphemeral()
	}
	err = t.once(ctx, "deleteMessage", tg.Params{"chat_id": decimal(l.chat), "message_id": decimal(sent.ID)})
	if err != nil {
		t.log.Warn("an answer for one person stays", "error", err)
	}
	return true, chat.Later{} // once more, for all to see, as soon as the chat's budget allows
}

// whisperLife is how long a command stands whose answer nobody else sees.
const whisperLife = 5 * time.Second
