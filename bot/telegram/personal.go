package telegram

// Answers for one person in groups, where all read them: the next one for that person in the same place replaces the
// last. Receipts are reactions, and answers without buttons may be ephemeral messages.

import (
	"context"
	"net/http"
	"slices"

	tg "github.com/go-telegram-bot-api/telegram-bot-api/v5"

	"knobel/bot/chat"
)

// receiver is the one person in a group that an answer is for.
type receiver struct {
	user   int64
	press  string // the press that it answers, "": none
	secret bool   // it is never sent as an ephemeral message
}

// receiverOf returns the person that a reply is for; nil: all in the chat.
func receiverOf(in conversation, who person, r chat.Reply) *receiver {
	if in.Type == "private" || r.Public || r.Stays && (r.Private != nil || r.Page != nil) {
		return nil
	}
	return &receiver{user: who.ID, secret: r.Secret}
}

// receiver returns the person that a reply to a command is for; nil: all in the chat.
func (m message) receiver(r chat.Reply) *receiver {
	to := receiverOf(m.Chat, m.From, r)
	if to != nil && m.SenderChat != nil { // an anonymous administrator has no number of their own
		to.secret = true
	}
	return to
}

// receiver returns the person that a reply to a press is for; nil: all in the chat.
func (c callback) receiver(r chat.Reply) *receiver {
	to := receiverOf(c.Message.Chat, c.From, r)
	if to != nil {
		to.press = c.ID
	}
	return to
}

// answers holds the messages of the last answers for one person, by chat, topic and person. They are forgotten with the
// process, and then stay in the chat.
type answers map[[3]int64][]int64

// add notes an answer below a message and returns the messages that it replaces: all of the person's, or those behind
// the page whose button it answers.
func (a answers) add(at [3]int64, below, sent int64) (replaced []int64) {
	if len(a) >= maxAbove {
		clear(a)
	}
	stand := slices.Index(a[at], below) + 1
	replaced = a[at][stand:]
	a[at] = a[at][:stand:stand]
	if sent != 0 {
		a[at] = append(a[at], sent)
	}
	return replaced
}

// turn notes that a page has become another message; 0: one that is for all and stays.
func (a answers) turn(chat, was, is int64) {
	for at, all := range a {
		switch i := slices.Index(all, was); {
		case at[0] != chat || i < 0:
		case is == 0:
			a[at] = slices.Delete(slices.Clone(all), i, i+1)
		default:
			all[i] = is
		}
	}
}

// replace notes an answer that was sent, and deletes the one that it replaces.
func (t *Telegram) replace(ctx context.Context, l *letter) {
	t.mu.Lock()
	var replaced []int64
	switch {
	case l.from != 0 && l.receiver == nil:
		t.answers.turn(l.chat, l.sent, 0)
	case l.from == 0 && l.receiver != nil:
		replaced = t.answers.add([3]int64{l.chat, l.topic, l.receiver.user}, l.to, l.sent)
	}
	for _, m := range replaced {
		if picture := t.above.pop(l.chat, m); picture != 0 {
			replaced = append(replaced, picture)
		}
	}
	t.mu.Unlock()
	for _, m := range replaced {
		err := t.budget.whole(ctx)
		if err == nil {
			err = t.remove(ctx, l.chat, m)
		}
		if err != nil {
			t.log.Debug("delete replaced answer failed", "error", err)
		}
	}
}

// done is the reaction to a command that was carried out.
const done = "👍"

// receipt reacts to a command that was carried out, or says so where the chat or the server takes no
// reactions.
func (t *Telegram) receipt(ctx context.Context, m message, r chat.Reply) {
	say := func() { t.send(ctx, m, chat.Message{Head: r.Toast}, m.receiver(r)) }
	if t.lacking.has("setMessageReaction") || t.unliked.Has(m.Chat.ID, t.clock.Now()) {
		say()
		return
	}
	t.working.Go(func() {
		err := t.budget.whole(ctx)
		if err == nil {
			params := at(m.Chat.ID, m.ID)
			params["reaction"] = inJSON([]any{map[string]any{"type": "emoji", "emoji": done}})
			err = t.once(ctx, "setMessageReaction", params)
		}
		switch {
		case err == nil:
			t.mutes.answered(placeID(m.Chat.ID, m.topic()))
			return
		case unknown(err):
			t.lacking.add("setMessageReaction")
		case says(err, "reaction"):
			t.unliked.Add(m.Chat.ID, t.clock.Now(), unlikedFor)
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

// Ephemeral messages (Bot API 10.2, reshaped in 10.3), which one person alone sees in a group, are sent
// only where the operator has switched them on: an older server sends an ordinary message instead.

// unseen adds the parameters by which only the receiver sees a message: those of 10.3 and, beside them, those of 10.2.
// Servers pass over what they do not know.
func (to *receiver) unseen(params tg.Params) tg.Params {
	who := map[string]any{"receiver_user_id": to.user}
	params["receiver_user_id"] = decimal(to.user)
	if to.press != "" {
		who["callback_query_id"], params["callback_query_id"] = to.press, to.press
	}
	params["ephemeral_message_parameters"] = inJSON(who)
	return params
}

// whispers reports whether a letter is sent as an ephemeral message. Pages are not, since their messages cannot be
// found again by a number.
func (t *Telegram) whispers(l *letter, m chat.Message) bool {
	return t.ephemeral.Load() && l.receiver != nil && !l.receiver.secret && l.from == 0 && l.above == 0 &&
		len(m.Buttons) == 0
}

// whisper sends a text that one person alone sees, and reports whether it is one: it is not where
// Telegram refuses, or knows no such messages. What it has sent for all to see then is deleted at
// once, and no other is tried before the next start.
func (t *Telegram) whisper(ctx context.Context, l *letter, m chat.Message) (bool, error) {
	var sent struct {
		ID     int64 `json:"message_id"`
		Unseen int64 `json:"ephemeral_message_id"`
	}
	err := t.client.ask(ctx, "sendMessage", l.receiver.unseen(l.addressed(written(l.chat, m))), &sent)
	if refused, ok := refusalOf(err); ok && refused.Code == 400 && refused.MigrateToChatID == 0 {
		return false, nil // it may be written for all to see, or tells why not
	}
	if err != nil || sent.Unseen != 0 {
		return true, err
	}
	t.ephemeral.Store(false)
	t.log.Warn("telegram knows no ephemeral messages: answers are ordinary ones until the next start")
	if t.noEphemeral != nil {
		t.noEphemeral()
	}
	if err = t.remove(ctx, l.chat, sent.ID); err != nil {
		t.log.Warn("an answer for one person stays", "error", err)
	}
	return true, chat.Later{} // once more, for all to see, as soon as the chat's budget allows
}
