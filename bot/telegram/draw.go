package telegram

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	tg "github.com/go-telegram-bot-api/telegram-bot-api/v5"

	"knobel/bot/chat"
)

// Boards and calls (pings): posting, editing and deleting them within the chat's budget, and the messages below a
// board.

// Ready blocks until the budget of place's chat has room for a board or a call, and grants that write; need ranks those
// that wait. All topics of a group share one budget.
func (t *Telegram) Ready(ctx context.Context, place chat.Place, need chat.Need) error {
	chat, _, err := parsePlace(place)
	if err != nil {
		return err
	}
	defer t.tally.Wait(decimal(chat))()
	return t.budget.ready(ctx, chat, need)
}

// Post sends board m as a new message in place's topic and returns its reference.
func (t *Telegram) Post(ctx context.Context, place chat.Place, m chat.Message) (chat.Ref, error) {
	group, topic, err := parsePlace(place)
	if err != nil {
		return "", err
	}
	params := addressed(written(group, m), 0, topic)
	if m.Silent {
		params["disable_notification"] = "true"
	}
	raw, err := t.write(ctx, group, "sendMessage", params)
	t.noteWrite(place, err)
	if err != nil {
		return "", err
	}
	t.mutes.answered(place)
	return t.sent(group, raw)
}

// sent returns the reference of the message in raw, Telegram's response. If raw is unreadable, the error is
// chat.ErrUnsure.
func (t *Telegram) sent(group int64, raw json.RawMessage) (chat.Ref, error) {
	id, err := t.posted(raw, nil)
	if err != nil {
		return "", fmt.Errorf("telegram sendMessage: %w: %w", chat.ErrUnsure, err)
	}
	return refID(group, id), nil
}

// Edit redraws board m in the message ref. It returns chat.ErrGone if that cannot be edited any more.
func (t *Telegram) Edit(ctx context.Context, place chat.Place, ref chat.Ref, m chat.Message) error {
	chat, message, err := t.messageIn(place, ref)
	if err != nil {
		return err
	}
	params := written(chat, m)
	params["message_id"] = decimal(message)
	_, err = t.write(ctx, chat, "editMessageText", params)
	t.noteWrite(place, err)
	return err
}

// Retire deletes the message ref, a board or a call, or removes its buttons if Telegram does not delete it any more,
// two days after it was sent. A message that is gone already is no error.
func (t *Telegram) Retire(ctx context.Context, place chat.Place, ref chat.Ref) error {
	group, message, err := t.messageIn(place, ref)
	if errors.Is(err, chat.ErrGone) {
		return nil
	}
	if err != nil {
		return err
	}
	if err = t.remove(ctx, group, message); says(err, "can't be deleted") {
		_, err = t.write(ctx, group, "editMessageReplyMarkup", at(group, message))
	} else {
		err = t.translate(group, err)
	}
	if errors.Is(err, chat.ErrGone) {
		return nil
	}
	return err
}

// messageIn returns the numbers of place's group and of the message ref in it. A message of another chat, such as the
// group before its migration, counts as deleted: the error is chat.ErrGone.
func (t *Telegram) messageIn(place chat.Place, ref chat.Ref) (group, message int64, err error) {
	group, _, err = parsePlace(place)
	if err != nil {
		return 0, 0, err
	}
	in, message, err := parseRef(ref)
	if err != nil {
		return 0, 0, err
	}
	if in != group {
		return 0, 0, chat.ErrGone
	}
	return group, message, nil
}

// write sends or edits a board in chat within its budget, once the button presses there are answered.
func (t *Telegram) write(ctx context.Context, chat int64, method string, params tg.Params) (json.RawMessage, error) {
	t.presses.answered(ctx, chat)
	return t.transmit(ctx, chat, method, params)
}

// transmit sends or edits a message within the group's budget and returns Telegram's response. The error is
// chat.ErrUnsure if the message may have arrived.
func (t *Telegram) transmit(ctx context.Context, group int64, method string, params tg.Params) (raw json.RawMessage,
	err error) {
	err = t.budget.board(ctx, group, func() (err error) {
		raw, err = t.call(ctx, method, params)
		refused, ok := refusalOf(err)
		return t.translate(group, chat.Unheard(err, ok && refused.Code < http.StatusInternalServerError))
	})
	return raw, err
}

// translate converts err, a refusal by Telegram of a request in group, to an error of package chat: ErrGone (the
// message), ErrAway (the chat or topic) or Later (a rate limit or a migration). It stores a retry_after and starts a
// migration. A message that need not be modified is no error; other errors are returned as they are.
func (t *Telegram) translate(group int64, err error) error {
	refused, ok := refusalOf(err)
	switch {
	case err == nil || says(err, "message is not modified"):
		return nil
	case !ok:
		return err
	case refused.RetryAfter > 0:
		wait := time.Duration(refused.RetryAfter) * time.Second
		t.budget.rest(group, wait)
		t.log.Warn("telegram rate limit hit", "seconds", refused.RetryAfter)
		return fmt.Errorf("%w: %w", chat.Later{After: wait}, err)
	case refused.MigrateToChatID != 0:
		return fmt.Errorf("%w: %w", t.followMigration(group, refused.MigrateToChatID), err)
	case says(err, "message to edit not found", "message can't be edited", "message_id_invalid",
		"message to delete not found", "there is no text in the message to edit"):
		return fmt.Errorf("%w: %w", chat.ErrGone, err)
	case refused.Code == http.StatusForbidden, len(missingBy(err).Permissions) > 0,
		says(err, "chat not found", "thread not found", "topic_deleted", "peer_id_invalid"):
		return fmt.Errorf("%w: %w", chat.ErrAway, err)
	}
	return err
}

// followMigration moves the chat to its new id in the background. It returns chat.Later, so that the refused request is
// repeated with the table's new place, or another error if Run does not run.
func (t *Telegram) followMigration(from, to int64) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.core == nil {
		return errors.New("the chat has moved to a new id; it is followed once the bot listens")
	}
	t.working.Go(func() {
		ctx, cancel := context.WithTimeout(context.Background(), callTime)
		defer cancel()
		t.migrate(ctx, from, to)
	})
	return chat.Later{After: 500 * time.Millisecond}
}

// Since returns how many messages are below the board ref, at most limit, by their ids and without a request.
func (t *Telegram) Since(_ context.Context, place chat.Place, ref chat.Ref, limit int) (int, error) {
	group, message, err := t.messageIn(place, ref)
	if err != nil {
		return 0, err
	}
	t.talk.mu.Lock()
	defer t.talk.mu.Unlock()
	if !t.talk.forums[group] {
		return int(min(max(t.talk.newest[group]-message, 0), int64(limit))), nil
	}
	n := 0
	for _, id := range t.talk.met[place] {
		if id > message {
			n++
		}
	}
	return min(n, limit), nil
}

// Call posts ping s in place's topic and returns its reference: a mention of the person s.To, or the offer of seats
// s.Offer. It is a reply to the board s.Board, so that one tap leads there.
func (t *Telegram) Call(ctx context.Context, place chat.Place, s chat.Ping) (chat.Ref, error) {
	group, topic, err := parsePlace(place)
	if err != nil {
		return "", err
	}
	plain := func(text string) string { return markup.Replace(uncalled(clip(clean(text), longestLine))) }
	text, buttons := "", [][]chat.Button{{s.Off}}
	if s.Offer != nil {
		var lines []string
		for _, said := range append([]string{s.Offer.Head}, s.Offer.Told...) {
			lines = append(lines, plain(said))
		}
		text, buttons = strings.Join(lines, "\n"), s.Offer.Buttons
	} else { // mentioned by number, which works without a user name
		number, ok := strings.CutPrefix(string(s.To), name+":")
		if id, err := strconv.ParseInt(number, 10, 64); !ok || err != nil || id <= 0 {
			return "", fmt.Errorf("%q is nobody on telegram", s.To)
		}
		called := cmp.Or(strings.TrimSpace(clip(clean(s.Name), longestName)), number)
		text = plain(s.Before) + `<a href="tg://user?id=` + number + `">` + plain(called) + "</a>" + plain(s.After)
	}
	_, board, _ := t.messageIn(place, s.Board) // 0: not a reply
	params := addressed(texted(group, text, buttons), board, topic)
	if s.Offer != nil {
		params["disable_notification"] = "true"
	}
	raw, err := t.transmit(ctx, group, "sendMessage", params)
	if err != nil {
		return "", err
	}
	t.tally.Count(decimal(group), chat.Called, t.options.Clock.Now())
	return t.sent(group, raw)
}

// Counting the messages below a board by message ids: those of a supergroup are consecutive, including those
// that the bot may not read. The newest known id tells how many are below an older one.
//
// All topics of a forum share these ids, so only messages that the bot has seen are counted there. In simple groups
// and private chats ids say nothing about the chat.

// talk holds the newest message ids, in memory only.
type talk struct {
	mu     sync.Mutex
	newest map[int64]int64        // by supergroup
	met    map[chat.Place][]int64 // in forums, by topic, the newest last
	forums map[int64]bool
}

const (
	// maxTalks is the number of stored chats or topics at which all are dropped.
	maxTalks = 4096
	// maxMet is the number of message ids stored for a topic: more than a chat can ask for.
	maxMet = 64
)

// noteMessage stores the id of message m of a supergroup, in forums by topic. It ignores other chats.
func (t *Telegram) noteMessage(m message) {
	if m.Chat.ID > -1_000_000_000_000 || m.ID == 0 { // only supergroups have lower ids
		return
	}
	known := &t.talk
	known.mu.Lock()
	defer known.mu.Unlock()
	if len(known.newest) >= maxTalks || len(known.met) >= maxTalks {
		known.newest, known.met, known.forums = nil, nil, nil
	}
	if known.newest == nil {
		known.newest, known.met, known.forums = map[int64]int64{}, map[chat.Place][]int64{}, map[int64]bool{}
	}
	known.newest[m.Chat.ID] = max(known.newest[m.Chat.ID], m.ID)
	if !m.Chat.Forum && m.topic() == 0 {
		return
	}
	known.forums[m.Chat.ID] = true
	place := placeID(m.Chat.ID, m.topic())
	if all := known.met[place]; !slices.Contains(all, m.ID) {
		known.met[place] = append(all[max(0, len(all)-maxMet+1):len(all):len(all)], m.ID)
	}
}
