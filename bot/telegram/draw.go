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

// Boards and pings: posting, editing and deleting within a chat's budget; counting the messages below a board.

// Ready blocks until the budget of place's chat allows a board or a ping, and grants that write. need is its urgency.
// All topics of a group have one budget.
func (t *Telegram) Ready(ctx context.Context, place chat.Place, need chat.Need) error {
	key, counted, err := limitsOf(place)
	if err != nil {
		return err
	}
	defer t.tally.Wait(counted)()
	return t.budget.ready(ctx, key, need)
}

// Post sends m as a new message to place's topic and returns its reference. In an inline message it edits that. If a
// response was lost, a second try sends a second message.
func (t *Telegram) Post(ctx context.Context, place chat.Place, m chat.Message) (chat.Ref, error) {
	if id, ok := inlineOf(place); ok {
		return chat.Ref(place), t.editInline(ctx, id, m)
	}
	group, topic, err := parsePlace(place)
	if err != nil {
		return "", err
	}
	raw, err := t.postNew(ctx, group, topic, m)
	t.noteWrite(place, err)
	if err != nil {
		return "", err
	}
	t.mutes.dropRequest(place)
	return t.sentRef(group, raw)
}

// sentRef returns the reference of the message that raw describes, Telegram's response to a send in group. If raw is
// unreadable, the error wraps chat.ErrUnsure.
func (t *Telegram) sentRef(group int64, raw json.RawMessage) (chat.Ref, error) {
	id, err := t.postedID(raw, nil)
	if err != nil {
		return "", fmt.Errorf("telegram sendMessage: %w: %w", chat.ErrUnsure, err)
	}
	return refID(group, id), nil
}

// Edit redraws m in the message ref. It returns chat.ErrGone if Telegram no longer allows that.
func (t *Telegram) Edit(ctx context.Context, place chat.Place, ref chat.Ref, m chat.Message) error {
	if id, ok := inlineOf(place); ok {
		return t.editInline(ctx, id, m)
	}
	chat, message, err := t.messageIn(place, ref)
	if err != nil {
		return err
	}
	err = t.editPosted(ctx, chat, message, m)
	t.noteWrite(place, err)
	return err
}

// Retire deletes the message ref, which is a board or a ping. Telegram refuses that for messages older than two days:
// then Retire removes the buttons. A message that no longer exists is not an error. An inline message stays.
func (t *Telegram) Retire(ctx context.Context, place chat.Place, ref chat.Ref) error {
	if _, ok := inlineOf(place); ok {
		return nil
	}
	group, message, err := t.messageIn(place, ref)
	if errors.Is(err, chat.ErrGone) {
		return nil
	}
	if err != nil {
		return err
	}
	if err = t.remove(ctx, group, message); isRefusal(err, "can't be deleted") {
		_, err = t.write(ctx, group, "editMessageReplyMarkup", messageKey(group, message))
	} else {
		err = t.translateError(group, err)
	}
	if errors.Is(err, chat.ErrGone) {
		return nil
	}
	return err
}

// messageIn returns the Telegram ids of place's chat and of the message ref. If ref is a message in another chat, such
// as the same group before it became a supergroup, the error is chat.ErrGone.
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

// write waits until the button presses in chat are answered, and then sends or edits a board there like transmit.
func (t *Telegram) write(ctx context.Context, chat int64, method string, params tg.Params,
	files ...tg.RequestFile) (json.RawMessage, error) {
	t.presses.waitAnswered(ctx, chat)
	return t.transmit(ctx, chat, method, params, files...)
}

// transmit sends or edits a board or ping in group when the budget allows it, and returns Telegram's response. If the
// message may or may not have arrived, the error wraps chat.ErrUnsure.
func (t *Telegram) transmit(ctx context.Context, group int64, method string, params tg.Params,
	files ...tg.RequestFile) (raw json.RawMessage, err error) {
	err = t.budget.writeBoard(ctx, group, func() (err error) {
		raw, err = t.call(ctx, method, params, files...)
		refused, ok := refusalOf(err)
		return t.translateError(group, chat.Unheard(err, ok && refused.Code < http.StatusInternalServerError))
	})
	return raw, err
}

// translateError converts err, Telegram's refusal of a request in group, to an error of package chat: ErrGone (no such
// message), ErrAway (no such chat or topic) or Later (rate limit, or a group that became a supergroup). It stores a
// retry_after and the group's new id. It returns nil if an edit changes nothing, and other errors as they are.
func (t *Telegram) translateError(group int64, err error) error {
	refused, ok := refusalOf(err)
	switch {
	case err == nil || isRefusal(err, "message is not modified"):
		return nil
	case !ok:
		return err
	case refused.RetryAfter > 0:
		wait := time.Duration(refused.RetryAfter) * time.Second
		t.budget.setPause(group, wait)
		t.log.Warn("telegram rate limit hit", "retry_in", wait)
		return fmt.Errorf("%w: %w", chat.Later{After: wait}, err)
	case refused.MigrateToChatID != 0:
		return fmt.Errorf("%w: %w", t.followMigration(group, refused.MigrateToChatID), err)
	case isRefusal(err, "message to edit not found", "message can't be edited", "message_id_invalid",
		"message to delete not found", "message to pin not found", "message to unpin not found", noText, noCaption):
		return fmt.Errorf("%w: %w", chat.ErrGone, err)
	case refused.Code == http.StatusForbidden, len(missingByError(err).Permissions) > 0,
		isRefusal(err, "chat_admin_required", "chat not found", "thread not found", "topic_deleted", "peer_id_invalid"):
		return fmt.Errorf("%w: %w", chat.ErrAway, err)
	}
	return err
}

// followMigration calls migrate in the background. It returns chat.Later, so that the core makes the refused request
// again in the new chat; another error if Run is not active.
func (t *Telegram) followMigration(oldID, newID int64) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.core == nil {
		return errors.New("the chat has a new id; its data moves once the bot runs")
	}
	t.working.Go(func() {
		ctx, cancel := context.WithTimeout(context.Background(), callTime)
		defer cancel()
		t.migrate(ctx, oldID, newID)
	})
	return chat.Later{After: 500 * time.Millisecond}
}

// Since returns how many messages are below the board ref, at most limit. It makes no request, but counts by the
// message ids that the bot has seen.
func (t *Telegram) Since(_ context.Context, place chat.Place, ref chat.Ref, limit int) (int, error) {
	if _, ok := inlineOf(place); ok {
		return 0, nil
	}
	group, message, err := t.messageIn(place, ref)
	if err != nil {
		return 0, err
	}
	t.seen.mu.Lock()
	defer t.seen.mu.Unlock()
	if !t.seen.forums[group] {
		return int(min(max(t.seen.newest[group]-message, 0), int64(limit))), nil
	}
	n := 0
	for _, id := range t.seen.byTopic[place] {
		if id > message {
			n++
		}
	}
	return min(n, limit), nil
}

// Call posts ping in place's topic and returns its reference. It mentions the person ping.To, or offers the seats in
// ping.Offer. If the board ping.Board is in the same chat, the ping is a reply, so that one tap leads to the board.
func (t *Telegram) Call(ctx context.Context, place chat.Place, ping chat.Ping) (chat.Ref, error) {
	if _, ok := inlineOf(place); ok {
		return "", chat.ErrAway
	}
	group, topic, err := parsePlace(place)
	if err != nil {
		return "", err
	}
	plain := func(text string) string { return escaper.Replace(noMentions(clip(clean(text), longestLine))) }
	text, buttons := "", [][]chat.Button{{ping.Off}}
	if ping.Offer != nil {
		var lines []string
		for _, said := range append([]string{ping.Offer.Head}, ping.Offer.Told...) {
			lines = append(lines, plain(said))
		}
		text, buttons = strings.Join(lines, "\n"), ping.Offer.Buttons
	} else { // a mention by user id, which works without a user name
		userNumber, ok := strings.CutPrefix(string(ping.To), name+":")
		if id, err := strconv.ParseInt(userNumber, 10, 64); !ok || err != nil || id <= 0 {
			return "", fmt.Errorf("%q is not a Telegram user", ping.To)
		}
		label := cmp.Or(strings.TrimSpace(clip(clean(ping.Name), longestName)), userNumber)
		text = plain(ping.Before) + `<a href="tg://user?id=` + userNumber + `">` + plain(label) + "</a>" +
			plain(ping.After)
	}
	_, board, _ := t.messageIn(place, ping.Board) // 0: not a reply
	params := setReply(textParams(group, text, buttons), board, topic)
	if ping.Offer != nil {
		params["disable_notification"] = "true"
	}
	raw, err := t.transmit(ctx, group, "sendMessage", params)
	if err != nil {
		return "", err
	}
	t.tally.Count(decimal(group), chat.Called, t.options.Clock.Now())
	return t.sentRef(group, raw)
}

// Counting the messages below a board. A supergroup numbers its messages without gaps, including those that the bot may
// not read: so the newest known id shows how many are below an older message.
//
// All topics of a forum have one numbering, so there only messages that the bot has seen are counted. In simple groups
// and private chats the ids mean nothing.

// seenMessages holds the newest message ids that the bot has seen, in memory.
type seenMessages struct {
	mu      sync.Mutex
	newest  map[int64]int64        // by supergroup
	byTopic map[chat.Place][]int64 // in forums, by topic, the newest last
	forums  map[int64]bool         // by supergroup
}

const (
	// maxSeen is how many supergroups or topics are stored before all are dropped.
	maxSeen = 4096
	// maxTopicIDs is how many message ids are stored for a topic: more than Since is ever asked for.
	maxTopicIDs = 64
)

// noteMessage stores the id of message m for Since, if m is in a supergroup. In a forum it stores it by topic, too.
func (t *Telegram) noteMessage(m message) {
	if m.Chat.ID > -1_000_000_000_000 || m.ID == 0 { // only supergroups have lower ids
		return
	}
	known := &t.seen
	known.mu.Lock()
	defer known.mu.Unlock()
	if len(known.newest) >= maxSeen || len(known.byTopic) >= maxSeen {
		known.newest, known.byTopic, known.forums = nil, nil, nil
	}
	if known.newest == nil {
		known.newest, known.byTopic, known.forums = map[int64]int64{}, map[chat.Place][]int64{}, map[int64]bool{}
	}
	known.newest[m.Chat.ID] = max(known.newest[m.Chat.ID], m.ID)
	if !m.Chat.Forum && m.topic() == 0 {
		return
	}
	known.forums[m.Chat.ID] = true
	place := placeID(m.Chat.ID, m.topic())
	if all := known.byTopic[place]; !slices.Contains(all, m.ID) {
		known.byTopic[place] = append(all[max(0, len(all)-maxTopicIDs+1):len(all):len(all)], m.ID)
	}
}
