package telegram

// Answers for one person in groups, where all people read them. Each replaces that person's last one in the same topic.
// Confirmations are reactions. Answers without buttons may be ephemeral messages, seen only by that person.

import (
	"cmp"
	"context"
	"net/http"
	"slices"

	"knobel/bot/chat"
)

// receiver is the only person in a group that an answer is for.
type receiver struct {
	user   int64
	press  string // the id of the answered button press, "": none
	secret bool   // the answer may not be an ephemeral message
}

// receiverOf returns user as the only receiver of reply in the chat origin; nil: reply is meant for all people there.
func receiverOf(origin conversation, user person, reply chat.Reply) *receiver {
	if origin.Type == "private" || reply.Public || reply.Stays && (reply.Private != nil || reply.Page != nil) {
		return nil
	}
	return &receiver{user: user.ID, secret: reply.Secret}
}

// replyReceiver returns the only receiver of reply, the answer to command m; nil: it is meant for all people there.
func (m message) replyReceiver(reply chat.Reply) *receiver {
	only := receiverOf(m.Chat, m.From, reply)
	if only != nil && m.SenderChat != nil { // an anonymous admin has no user id
		only.secret = true
	}
	return only
}

// answers holds the last answers for each person in groups, by chat, topic and person, in memory: after a restart,
// earlier answers stay in the chat.
type answers map[[3]int64][]*page

// add stores latest, an answer, under key (chat, topic, person) and returns the answers to delete: the person's earlier
// ones, or if latest replies to one of them, only those after that one. Answers are sent concurrently: if one with a
// newer message is stored already, it stays stored, and latest is among those to delete.
func (a answers) add(key [3]int64, latest *page) (replaced []*page) {
	if len(a) >= maxShown {
		clear(a)
	}
	all := slices.DeleteFunc(a[key], func(p *page) bool { return p.public })
	kept := slices.IndexFunc(all, func(p *page) bool { return p.message == latest.to }) + 1
	a[key], replaced = all[:kept:kept], all[kept:]
	if latest.message != 0 {
		newest := slices.SortedFunc(slices.Values(append(replaced, latest)), func(p, q *page) int {
			return cmp.Compare(p.message, q.message)
		})
		last := len(newest) - 1
		a[key], replaced = append(a[key], newest[last]), newest[:last]
	}
	return replaced
}

// replaceAnswers stores answer a, which was sent, and deletes the messages of the answers that it replaces.
func (t *Telegram) replaceAnswers(ctx context.Context, a *queuedAnswer) {
	t.mu.Lock()
	var gone []int64
	for _, p := range t.answers.add([3]int64{a.chat, a.page.topic, a.receiver.user}, a.page) {
		for _, m := range []int64{p.message, p.above} {
			if m != 0 { // p.message is 0 while only the page's picture is sent, not its text
				gone = append(gone, m)
			}
		}
		delete(t.shown, [2]int64{a.chat, p.message})
	}
	t.mu.Unlock()
	for _, m := range gone {
		err := t.budget.takeOverall(ctx)
		if err == nil {
			err = t.remove(ctx, a.chat, m)
		}
		if err != nil {
			t.log.Debug("delete replaced answer failed", "error", err)
		}
	}
}

// doneReaction is the reaction that confirms a command.
const doneReaction = "👍"

// confirm acknowledges the command in m in the background: by a reaction if possible, else by reply.Toast.
func (t *Telegram) confirm(ctx context.Context, m message, reply chat.Reply) {
	sendText := func() { t.sendAnswer(ctx, m, chat.Message{Head: reply.Toast}, m.replyReceiver(reply)) }
	if t.lacks.reactions.Load() || t.reactionsOff.Has(m.Chat.ID, t.options.Clock.Now()) {
		sendText()
		return
	}
	t.working.Go(func() {
		err := t.budget.takeOverall(ctx)
		if err == nil {
			params := messageKey(m.Chat.ID, m.ID)
			params["reaction"] = inJSON([]any{map[string]any{"type": "emoji", "emoji": doneReaction}})
			err = t.execute(ctx, "setMessageReaction", params)
		}
		switch {
		case err == nil:
			t.mutes.dropRequest(placeID(m.Chat.ID, m.topic()))
			return
		case isUnknownMethod(err):
			t.lacks.reactions.Store(true)
		case isRefusal(err, "reaction"):
			t.reactionsOff.Add(m.Chat.ID, t.options.Clock.Now(), reactionsOffFor)
		}
		_ = t.translateError(m.Chat.ID, err) // to store a retry_after
		sendText()
	})
}

// isUnknownMethod reports whether err says that the server does not know the method of a request.
func isUnknownMethod(err error) bool {
	refused, ok := refusalOf(err)
	return ok && (refused.Code == http.StatusNotFound || refused.Code == http.StatusNotImplemented)
}

// Ephemeral messages (Bot API 10.2, changed in 10.3), which only one person in a group sees. The operator must enable
// them, because an older server shows an ordinary message to all people instead.

// sendEphemeral sends m to the receiver of answer a as an ephemeral message. It returns false if Telegram refuses that:
// the caller can send an ordinary message. If an older server shows m to all people, sendEphemeral deletes that
// message, turns ephemeral messages off until a restart, and returns chat.Later: the caller sends m again.
func (t *Telegram) sendEphemeral(ctx context.Context, a *queuedAnswer, m chat.Message) (bool, error) {
	var sent struct {
		ID     int64 `json:"message_id"`
		Unseen int64 `json:"ephemeral_message_id"`
	}
	// The parameters of both versions, 10.2 and 10.3, are sent: servers ignore parameters that they do not know.
	params := a.setReply(messageParams(a.chat, m))
	options := map[string]any{"receiver_user_id": a.receiver.user}
	params["receiver_user_id"] = decimal(a.receiver.user)
	if press := a.receiver.press; press != "" {
		options["callback_query_id"], params["callback_query_id"] = press, press
	}
	params["ephemeral_message_parameters"] = inJSON(options)
	err := t.callInto(ctx, "sendMessage", params, &sent)
	if refused, ok := refusalOf(err); ok && refused.Code == 400 && refused.MigrateToChatID == 0 {
		return false, nil // an ordinary message may work, or its error shows the reason
	}
	if err != nil || sent.Unseen != 0 {
		return true, err
	}
	t.ephemeral.Store(false)
	t.log.Warn("telegram rejected ephemeral messages; sending ordinary ones")
	if t.options.NoEphemeral != nil {
		t.options.NoEphemeral()
	}
	if err = t.remove(ctx, a.chat, sent.ID); err != nil {
		t.log.Warn("delete public answer failed", "error", err)
	}
	return true, chat.Later{} // sent again as an ordinary message once the budget allows
}
