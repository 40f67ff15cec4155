package telegram

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"regexp"
	"slices"
	"strings"
	"time"

	tg "github.com/go-telegram-bot-api/telegram-bot-api/v5"

	"knobel/bot/chat"
	"knobel/games"
)

// Guest mode and inline mode: people mention the bot in chats of which it is no member. It may answer with one message,
// which it edits from then on. Only a press on that message names its chat, by the chat_instance.

// inlinePrefix begins the place and the reference of an inline message, instancePrefix a chat known by its instance.
const inlinePrefix, instancePrefix = name + ":inline/", name + ":instance/"

// opaqueID matches the ids of inline messages and instances of chats that the bot accepts.
var opaqueID = regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`)

// inlineOf returns the id of the inline message that place is; false: it is none.
func inlineOf(place chat.Place) (id string, ok bool) {
	id, ok = strings.CutPrefix(string(place), inlinePrefix)
	return id, ok && opaqueID.MatchString(id)
}

// instanceID returns the chat.Chat for the chat_instance of a press, "" if that is empty or invalid.
func instanceID(instance string) chat.Chat {
	if !opaqueID.MatchString(instance) {
		return ""
	}
	return chat.Chat(instancePrefix + instance)
}

// opaqueKey returns a number for the id of an inline message or a query, as the key of its queue and its limits, which
// are those of a group. It is below all numbers of chats.
func opaqueKey(id string) int64 {
	sum := fnv.New64a()
	_, _ = sum.Write([]byte(id))
	return -1<<62 - int64(sum.Sum64()>>2)
}

// limitsOf returns the keys under which the limits and the writes of place's chat are counted.
func limitsOf(place chat.Place) (key int64, counted string, err error) {
	if id, ok := inlineOf(place); ok {
		return opaqueKey(id), id, nil
	}
	key, _, err = parsePlace(place)
	return key, decimal(key), err
}

// inlineParams returns the parameters with which a request edits the inline message id to m.
func (t *Telegram) inlineParams(id string, m chat.Message) tg.Params {
	params := t.boardParams(0, m)
	delete(params, "chat_id")
	params["inline_message_id"] = id
	return params
}

// editInline draws board m in the inline message id. It returns chat.ErrAway if Telegram no longer knows that.
func (t *Telegram) editInline(ctx context.Context, id string, m chat.Message) error {
	_, err := t.write(ctx, opaqueKey(id), "editMessageText", t.inlineParams(id, m))
	if errors.Is(err, chat.ErrGone) {
		return fmt.Errorf("%w: inline message is gone", chat.ErrAway)
	}
	return err
}

// coverBoard shows m in the inline message id, in place of a board, when its limits allow that. It logs failures.
func (t *Telegram) coverBoard(ctx context.Context, id string, m chat.Message) {
	m = withoutPicture(m)
	for range 3 {
		err := t.budget.writeAnswer(ctx, opaqueKey(id), func() error {
			_, err := t.sendOrEdit(ctx, "editMessageText", m, t.inlineParams(id, m))
			return t.translateError(opaqueKey(id), err)
		})
		if _, later := errors.AsType[chat.Later](err); later {
			continue
		}
		if !errors.Is(err, chat.ErrGone) {
			chat.LogFailure(ctx, t.log.Warn, "answer in inline message failed", err)
		}
		return
	}
}

// answerInMessage returns the text that answers a press on an inline message, and whether it is shown in a window. A
// longer answer, or one with more buttons than the one that leads back, is shown in place of the board, unless a game
// is being played there.
func (l listener) answerInMessage(ctx context.Context, c callback, reply chat.Reply) (text string, window bool) {
	m := cmp.Or(reply.Page, reply.Private)
	switch {
	case m == nil:
		return clean(reply.Toast), false
	case m.File != nil:
		text = clean(l.sendFile(ctx, conversation{}, c.From.ID, reply))
		return text, text != clean(reply.Toast)
	}
	text = alertText(*m)
	whole := fitsWindow(*m, text)
	plain := len(slices.Concat(m.Buttons...)) < 2 && m != reply.Page && !reply.Public
	switch {
	case reply.Secret, whole && (plain || reply.Short != ""):
		return text, true
	case reply.Short != "":
		return clean(reply.Short), false
	}
	l.working.Go(func() { l.coverBoard(ctx, c.Inline, *m) })
	if reply.Refused {
		return clean(reply.Toast), false
	}
	return "", false
}

// guestEvent returns an event of actor in a chat of which the bot is no member, without the chat and the place.
func (l listener) guestEvent(actor person) chat.Event {
	return chat.Event{User: userID(actor.ID), Name: actor.displayName(), Locale: actor.Language,
		Traits: l.guestTraits()}
}

// guestTraits returns the traits of chats in which the bot is a guest: all people there are equals.
func (t *Telegram) guestTraits() chat.Traits {
	return chat.Traits{Sparing: true, Guest: true, Aloud: true, Equals: true, Invite: t.invitation(),
		NoThread: games.Say("bot.thread.nowhere", nil)}
}

// invitation returns the link by which people add the bot to a group, "" if the bot's name is not known yet.
func (t *Telegram) invitation() string {
	called := t.username.Load()
	if called == nil {
		return ""
	}
	return "https://t.me/" + *called + "?startgroup=" + hello
}

// inlinePress returns the event for the press c, in update updateID, on an inline message. ok is false if its ids are
// invalid.
func (l listener) inlinePress(updateID int64, c callback) (ev chat.Event, ok bool) {
	ev = l.guestEvent(c.From)
	ev.ID, ev.Press, ev.Chat = eventID(l.me.ID, updateID), c.Data, instanceID(c.Instance)
	ev.Place, ev.On = chat.Place(inlinePrefix+c.Inline), chat.Ref(inlinePrefix+c.Inline)
	ev.Alias = ev.Chat
	ev.Confide = func(ctx context.Context, m chat.Message) bool { return l.sendPrivately(ctx, c.From.ID, m) }
	return ev, ev.Chat != "" && opaqueID.MatchString(c.Inline)
}

// Mentions and inline queries. Both are answered at once, without the core's database.

const (
	// guestTime is how long Telegram waits for the answer to a mention or an inline query.
	guestTime = 3 * time.Second
	// twiceFor is how long a mention is remembered: where the bot is a member, Telegram may also send it as a message.
	twiceFor = time.Minute
	// longestTitle is the longest title of a result.
	longestTitle = 64
)

// mention identifies a message that mentions the bot, and whether it came to it as a guest.
type mention struct {
	chat, message, from, date int64
	guest                     bool
}

// isFirst reports whether m, a mention, was not received the other way before: as a message or as a guest's mention.
func (t *Telegram) isFirst(m message, guest bool) bool {
	way := mention{m.Chat.ID, m.ID, m.From.ID, m.Date, guest}
	other := way
	other.guest = !guest
	t.mu.Lock()
	defer t.mu.Unlock()
	now := t.options.Clock.Now()
	if t.mentions.Has(other, now) {
		return false
	}
	t.mentions.Add(way, now, twiceFor)
	return true
}

// article is a result: a message that people can send, or that answers a mention.
type article struct {
	Type    string         `json:"type"`
	ID      string         `json:"id"`
	Title   string         `json:"title"`
	About   string         `json:"description,omitempty"`
	Content map[string]any `json:"input_message_content"`
	Keys    *keyboard      `json:"reply_markup,omitempty"`
}

// newArticle returns the result id with the message m. Its title is title or, without one, the head of m.
func newArticle(id, title, about string, m chat.Message) article {
	a := article{Type: "article", ID: id, About: clip(clean(about), longestLine), Content: map[string]any{
		"message_text": messageHTML(m), "parse_mode": "HTML",
		"link_preview_options": map[string]bool{"is_disabled": true}}}
	for _, a.Title = range []string{title, m.Head, "Knobel"} {
		if a.Title = strings.TrimSpace(clip(clean(a.Title), longestTitle)); a.Title != "" {
			break
		}
	}
	if k := newKeyboard(m.Buttons); len(k.Rows) > 0 { // without buttons it could never be edited
		a.Keys = &k
	}
	return a
}

// answerMention answers m, a message that mentions the bot where it is no member, once.
func (l listener) answerMention(ctx context.Context, m message) {
	if m.GuestQuery == "" || !l.isFirst(m, true) {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, guestTime)
	defer cancel()
	ev := l.guestEvent(m.From)
	name := `@` + regexp.QuoteMeta(l.me.Username) + `\b`
	// The words that count are behind the bot's name. If there are none, all count.
	counts := regexp.MustCompile(`(?is)(/\w+)?` + name + `.*[\pL\pN].*|/\w+` + name).FindString(m.Text)
	named := regexp.MustCompile(`(?i)` + name + `[!?.,:;]*`)
	ev.Text = strings.Join(strings.Fields(named.ReplaceAllString(cmp.Or(counts, m.Text), "")), " ")
	err := l.execute(ctx, "answerGuestQuery", tg.Params{"guest_query_id": m.GuestQuery,
		"result": inJSON(newArticle("1", "", "", l.core.Brief(ev)))})
	chat.LogFailure(ctx, l.log.Warn, "answer guest failed", err)
}

// inlineQuery is what a person types behind the bot's name, before a message is sent.
type inlineQuery struct {
	ID   string `json:"id"`
	From person `json:"from"`
	Text string `json:"query"`
}

// answerInline answers q with an invitation to each game whose name fits the typed text; without a text, to all games.
func (l listener) answerInline(ctx context.Context, q inlineQuery) {
	ctx, cancel := context.WithTimeout(ctx, guestTime)
	defer cancel()
	ev := l.guestEvent(q.From)
	results := []article{}
	language := l.languageOf(q.From)
	for _, c := range l.openings(language) {
		rest, fits := fitting(c, c.Opens[language].Game, strings.Fields(strings.TrimPrefix(q.Text, "/")))
		if !fits {
			continue
		}
		ev.Text = strings.TrimSpace(c.Name + " " + rest)
		card := c.Opens[language]
		results = append(results, newArticle(c.Name, card.Game, card.About, l.core.Brief(ev)))
	}
	if len(results) == 0 {
		ev.Text = strings.TrimSpace(q.Text)
		results = append(results, newArticle("1", "", "", l.core.Brief(ev)))
	}
	err := l.execute(ctx, "answerInlineQuery", tg.Params{"inline_query_id": q.ID, "is_personal": "true",
		"results": inJSON(results)})
	chat.LogFailure(ctx, l.log.Warn, "answer inline query failed", err)
}

// languageOf returns the code of the bot's language for a person's client.
func (l listener) languageOf(p person) string {
	all := l.core.Languages()
	i := slices.IndexFunc(all, func(known chat.Language) bool {
		return strings.HasPrefix(strings.ToLower(p.Language), known.Code)
	})
	return all[max(i, 0)].Code
}

// openings returns the commands that open games, in the order of lists in a language.
func (l listener) openings(language string) []chat.Command {
	all := slices.DeleteFunc(slices.Clone(l.core.Commands()), func(c chat.Command) bool { return c.Opens == nil })
	slices.SortStableFunc(all, func(a, b chat.Command) int {
		return cmp.Compare(a.Opens[language].Place, b.Opens[language].Place)
	})
	return all
}

// fitting reports whether typed, words, is the beginning of a name of the game that c opens, or such a name with
// options, which it returns. title is the game's name for people.
func fitting(c chat.Command, title string, typed []string) (options string, fits bool) {
	whole := strings.ToLower(strings.Join(typed, " "))
	for _, called := range append([]string{c.Name, strings.ToLower(title)}, c.Aliases...) {
		if strings.HasPrefix(called, whole) {
			return "", true
		}
		if n := len(strings.Fields(called)); len(typed) > n && strings.HasPrefix(whole, called+" ") {
			return strings.Join(typed[n:], " "), true
		}
	}
	return "", false
}
