package telegram

// Answers for one person in groups, where all people read them: each replaces that person's last one in the same place.
// Confirmations are reactions, and answers without buttons may be ephemeral messages.

import (
	"cmp"
	"context"
	"net/http"
	"slices"

	"knobel/bot/chat"
)

// receiver is the one person in a group that an answer is for.
type receiver struct {
	user   int64
	press  string // the answered button press, "": none
	secret bool   // never an ephemeral message
}

// receiverOf returns the person who if reply r in the chat in is for that person only; nil: it is for all in the chat.
func receiverOf(in conversation, who person, r chat.Reply) *receiver {
	if in.Type == "private" || r.Public || r.Stays && (r.Private != nil || r.Page != nil) {
		return nil
	}
	return &receiver{user: who.ID, secret: r.Secret}
}

// receiver returns the person that reply r to the command m is for; nil: it is for all in the chat.
func (m message) receiver(r chat.Reply) *receiver {
	to := receiverOf(m.Chat, m.From, r)
	if to != nil && m.SenderChat != nil { // an anonymous admin has no number
		to.secret = true
	}
	return to
}

// answers holds the last answers for one person each, by chat, topic and person. It is in memory only: after a restart,
// older answers stay in the chat.
type answers map[[3]int64][]*page

// add stores sent as an answer under at and returns the pages that it replaces, for deletion: all of the person's, or
// those after the page whose button it answers. Commands run concurrently: if the answer to a later one is stored
// already, that one stays, and sent itself is returned.
func (a answers) add(at [3]int64, sent *page) (replaced []*page) {
	if len(a) >= maxShown {
		clear(a)
	}
	all := slices.DeleteFunc(a[at], func(p *page) bool { return p.public })
	stand := slices.IndexFunc(all, func(p *page) bool { return p.message == sent.to }) + 1
	a[at], replaced = all[:stand:stand], all[stand:]
	if sent.message != 0 {
		newest := slices.SortedFunc(slices.Values(append(replaced, sent)), func(p, q *page) int {
			return cmp.Compare(p.message, q.message)
		})
		last := len(newest) - 1
		a[at], replaced = append(a[at], newest[last]), newest[:last]
	}
	return replaced
}

// replace stores the sent answer l and deletes the messages of those that it replaces.
func (t *Telegram) replace(ctx context.Context, l *letter) {
	t.mu.Lock()
	var gone []int64
	for _, p := range t.answers.add([3]int64{l.chat, l.page.topic, l.receiver.user}, l.page) {
		for _, m := range []int64{p.message, p.above} {
			if m != 0 { // a page between its picture and its text has no message yet
				gone = append(gone, m)
			}
		}
		delete(t.shown, [2]int64{l.chat, p.message})
	}
	t.mu.Unlock()
	for _, m := range gone {
		err := t.budget.whole(ctx)
		if err == nil {
			err = t.remove(ctx, l.chat, m)
		}
		if err != nil {
			t.log.Debug("delete replaced answer failed", "error", err)
		}
	}
}

// done is the reaction that confirms a successful command.
const done = "👍"

// receipt confirms the successful command in m by a reaction, in the background; if the chat or the server takes no
// reactions, by a text.
func (t *Telegram) receipt(ctx context.Context, m message, r chat.Reply) {
	say := func() { t.send(ctx, m, chat.Message{Head: r.Toast}, m.receiver(r)) }
	if t.lacks.reactions.Load() || t.unliked.Has(m.Chat.ID, t.options.Clock.Now()) {
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
			t.lacks.reactions.Store(true)
		case says(err, "reaction"):
			t.unliked.Add(m.Chat.ID, t.options.Clock.Now(), unlikedFor)
		}
		_ = t.translate(m.Chat.ID, err) // stores a retry_after
		say()
	})
}

// unknown reports whether err is the refusal of a method that the server does not have.
func unknown(err error) bool {
	refused, ok := refusalOf(err)
	return ok && (refused.Code == http.StatusNotFound || refused.Code == http.StatusNotImplemented)
}

// Ephemeral messages (Bot API 10.2, changed in 10.3), which only one person in a group sees, are sent only if the
// operator has enabled them: an older server sends an ordinary message instead.

// whisper sends m as an ephemeral message to the letter's receiver. It returns false if Telegram refuses that, so that
// an ordinary message can be tried. An older server sends m to all in the chat: then that message is deleted, no other
// ephemeral one is tried before a restart, and the error is chat.Later, so that m is sent again.
func (t *Telegram) whisper(ctx context.Context, l *letter, m chat.Message) (bool, error) {
	var sent struct {
		ID     int64 `json:"message_id"`
		Unseen int64 `json:"ephemeral_message_id"`
	}
	// The parameters of Bot API 10.3 and of 10.2 are both sent: servers ignore unknown ones.
	params := l.addressed(written(l.chat, m))
	who := map[string]any{"receiver_user_id": l.receiver.user}
	params["receiver_user_id"] = decimal(l.receiver.user)
	if press := l.receiver.press; press != "" {
		who["callback_query_id"], params["callback_query_id"] = press, press
	}
	params["ephemeral_message_parameters"] = inJSON(who)
	err := t.ask(ctx, "sendMessage", params, &sent)
	if refused, ok := refusalOf(err); ok && refused.Code == 400 && refused.MigrateToChatID == 0 {
		return false, nil // an ordinary message may work, or its error shows the reason
	}
	if err != nil || sent.Unseen != 0 {
		return true, err
	}
	t.ephemeral.Store(false)
	t.log.Warn("telegram rejected ephemeral messages; sending ordinary ones until restart")
	if t.options.NoEphemeral != nil {
		t.options.NoEphemeral()
	}
	if err = t.remove(ctx, l.chat, sent.ID); err != nil {
		t.log.Warn("delete private answer failed", "error", err)
	}
	return true, chat.Later{} // sent again as an ordinary message once the budget allows
}
