package telegram

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	tg "github.com/go-telegram-bot-api/telegram-bot-api/v5"

	"knobel/bot/chat"
	"knobel/games"
)

// Permissions of the bot in chats: requested from Telegram and learned from refusals.

// Consult returns findings about the bot in the chat group: whether it is a member and may write there and in the
// places at, by its rights or else by those of all members. For the chat "" it returns findings for an operator about
// the bot on Telegram.
func (t *Telegram) Consult(ctx context.Context, group chat.Chat, at []chat.Place) ([]chat.Finding, error) {
	if group == "" {
		return t.examine(ctx), nil
	}
	id, err := parseChat(group)
	if err != nil {
		return nil, err
	}
	if id > 0 {
		return []chat.Finding{{Line: games.Say("bot.stands.alone", nil)}}, nil
	}
	me, err := t.me(ctx)
	if err != nil {
		return nil, err
	}
	var stands standing
	var all struct {
		Permissions struct {
			CanSend *bool `json:"can_send_messages"`
		} `json:"permissions"`
	}
	err = t.ask(ctx, "getChatMember", tg.Params{"chat_id": decimal(id), "user_id": decimal(me.ID)}, &stands)
	if err == nil {
		err = t.ask(ctx, "getChat", tg.Params{"chat_id": decimal(id)}, &all)
	}
	if says(err, "chat not found", "bot is not a member", "kicked", "group is deactivated",
		"upgraded to a supergroup") || stands.out() {
		return []chat.Finding{{Line: games.Say("bot.stands.gone", nil), Wrong: true}}, nil
	}
	if err != nil {
		return nil, err
	}
	var found []chat.Finding
	members := all.Permissions.CanSend // nil: unknown
	if stands.silent() || stands.Status == "member" && members != nil && !*members {
		found = append(found, wrongly(toSend))
	}
	for _, place := range at {
		if missing := t.mutes.missing(place); len(missing.Permissions) > 0 && len(found) == 0 {
			found = append(found, wrongly(missing))
		}
	}
	if !slices.ContainsFunc(found, func(f chat.Finding) bool { return f.Wrong }) {
		found = append(found, chat.Finding{Line: games.Say("bot.stands.well", nil)})
	}
	if !me.ReadsAll && stands.Status != "administrator" {
		found = append(found, chat.Finding{Line: games.Say("bot.stands.privacy", nil)})
	}
	return found, nil
}

// OtherAdmin reports whether group has an admin other than besides, bots not counted. A private chat has none.
func (t *Telegram) OtherAdmin(ctx context.Context, group chat.Chat, besides chat.User) (bool, error) {
	id, err := parseChat(group)
	if err != nil || id > 0 {
		return false, err
	}
	var all []tg.ChatMember
	err = t.ask(ctx, "getChatAdministrators", tg.Params{"chat_id": decimal(id)}, &all)
	return slices.ContainsFunc(all, func(m tg.ChatMember) bool {
		return m.User != nil && !m.User.IsBot && userID(m.User.ID) != besides
	}), err
}

// wrongly returns the finding that the bot lacks the missing permissions.
func wrongly(missing chat.MissingPermissions) chat.Finding {
	return chat.Finding{Wrong: true, Line: games.Say("bot.stands.lacks-here", games.Args{
		"Permissions": missing.Permissions, "Where": missing.Where,
	})}
}

// examine returns findings for an operator: whether Telegram can be reached, accepts the token, lets the bot into
// groups, and sends its updates to the poll or to the right webhook.
func (t *Telegram) examine(ctx context.Context) []chat.Finding {
	wrong := func(format string, args ...any) chat.Finding {
		return chat.Finding{Text: fmt.Sprintf(format, args...), Wrong: true}
	}
	var me struct {
		Username      string `json:"username"`
		CanJoinGroups bool   `json:"can_join_groups"`
	}
	err := t.ask(ctx, "getMe", nil, &me)
	if refused, ok := refusalOf(err); ok && refused.Code == 401 {
		return []chat.Finding{wrong("the token is not known there: ask @BotFather for the present one")}
	}
	if err != nil {
		return []chat.Finding{wrong("cannot be reached: %v", err)}
	}
	all := []chat.Finding{{Text: "reached as @" + me.Username}}
	if !me.CanJoinGroups {
		all = append(all, wrong("the bot may not join groups: allow it with @BotFather, /setjoingroups"))
	}
	if t.ephemeral.Load() {
		all = append(all, chat.Finding{Text: "answers without buttons that one person alone needs are sent as " +
			"ephemeral messages"})
	}
	var hook struct {
		URL     string `json:"url"`
		Waiting int    `json:"pending_update_count"`
		Trouble string `json:"last_error_message"`
	}
	if err := t.ask(ctx, "getWebhookInfo", nil, &hook); err != nil {
		return append(all, wrong("does not say where updates go: %v", err))
	}
	switch {
	case t.options.Webhook == "" && hook.URL != "":
		all = append(all, wrong("updates go to a webhook, not to the poll: delete it with the method deleteWebhook"))
	case t.options.Webhook == "":
		all = append(all, chat.Finding{Text: "updates come by polling"})
	case hook.URL == "":
		all = append(all, chat.Finding{Text: "updates are to be delivered to " + t.options.Webhook +
			", which is told to Telegram when serving begins"})
	case hook.URL != t.options.Webhook:
		all = append(all, wrong("updates go to another webhook, %s: it is changed when serving begins", hook.URL))
	case hook.Waiting > 0 && hook.Trouble != "":
		all = append(all, wrong("%d updates could not be delivered to %s: %s", hook.Waiting, hook.URL, hook.Trouble))
	default:
		all = append(all, chat.Finding{Text: "updates are delivered to " + hook.URL})
	}
	return all
}

// Places where the bot may not write, as learned from refusals, and notices to people who asked there.

// maxMute is the number of stored places at which all are dropped; the next refusals store them again.
const maxMute = 4096

// missing returns the permissions that are known to be missing in place.
func (m *mutes) missing(place chat.Place) chat.MissingPermissions {
	m.mu.Lock()
	defer m.mu.Unlock()
	if missing, known := m.known[place]; known {
		return missing
	}
	if missing := m.known[wholeOf(place)]; len(missing.Permissions) > 0 && missing.Where.Key == toSend.Where.Key {
		return missing
	}
	return chat.MissingPermissions{}
}

// wholeOf returns the place of the whole chat, without place's topic: a permission missing there is missing in every
// topic.
func wholeOf(place chat.Place) chat.Place {
	chat, _, err := parsePlace(place)
	if err != nil {
		return place
	}
	return placeID(chat, 0)
}

// ask stores ev, a person's request in its place, until it is answered there or cannot be.
func (m *mutes) ask(ev chat.Event) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(m.asked) >= maxMute {
		clear(m.asked)
	}
	m.asked[ev.Place] = ev
}

// learn stores the permissions that were missing for a write into place; none: the write succeeded. If they were
// missing, it returns and deletes the stored request there; asked reports whether there was one.
func (m *mutes) learn(place chat.Place, missing chat.MissingPermissions) (ev chat.Event, asked bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(missing.Permissions) == 0 {
		delete(m.known, place)
		delete(m.known, wholeOf(place))
		return ev, false
	}
	ev, asked = m.asked[place]
	delete(m.asked, place)
	if len(m.known) >= maxMute {
		clear(m.known)
	}
	m.known[place] = missing
	if missing.Where.Key == toSend.Where.Key {
		m.known[wholeOf(place)] = missing
	}
	return ev, asked
}

// Missing permissions as Telegram's clients call them.
var (
	toSend  = missingOf("bot.telegram.send", "bot.telegram.where")
	toTopic = missingOf("bot.telegram.manage-topics", "bot.telegram.where-closed")
)

func missingOf(permission, where string) chat.MissingPermissions {
	return chat.MissingPermissions{Permissions: games.List{games.Say(permission, nil)}, Where: games.Say(where, nil)}
}

// missingBy returns the permissions that are missing according to err, a refusal by Telegram; none if it does not show
// that.
func missingBy(err error) chat.MissingPermissions {
	switch {
	case says(err, "topic_closed"):
		return toTopic
	case says(err, "not enough rights", "have no rights", "chat_write_forbidden", "chat_restricted"):
		return toSend
	}
	return chat.MissingPermissions{}
}

// answered deletes the stored request of a person in place, because it was answered.
func (m *mutes) answered(place chat.Place) {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.asked, place)
}

// noteWrite stores whether a write into place failed for a missing permission, by its error err, nil for success. If
// so, the person whose request there is unanswered gets the reason in their private chat, in the background.
func (t *Telegram) noteWrite(place chat.Place, err error) {
	missing := missingBy(err)
	if err != nil && len(missing.Permissions) == 0 {
		return
	}
	ev, asked := t.mutes.learn(place, missing)
	alone, err := parseChat(chat.Chat(ev.User)) // the private chat has the person's number
	if !asked || err != nil {
		return
	}
	ev.Missing = missing
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.core == nil {
		return
	}
	core := t.core
	t.working.Go(func() {
		ctx, cancel := context.WithTimeout(context.Background(), callTime)
		defer cancel()
		t.deliver(ctx, &letter{chat: alone, page: &page{}, m: core.Lacks(ev)})
	})
}

// memberChanged handles a change m of the bot's membership or rights in a chat: it updates the known permissions,
// reports a lost chat to the core, and greets a group that the bot was added to. id is the update's number.
func (l listener) memberChanged(ctx context.Context, id int64, m membership) {
	l.mutes.mu.Lock()
	maps.DeleteFunc(l.mutes.known, func(place chat.Place, _ chat.MissingPermissions) bool {
		in, _, err := parsePlace(place)
		return err == nil && in == m.Chat.ID
	})
	l.mutes.mu.Unlock()
	l.unliked.Forget(m.Chat.ID)
	switch {
	case m.Now.out():
		err := l.core.Lost(ctx, chatID(m.Chat.ID), "")
		chat.LogFailure(ctx, l.log.Error, "that a chat was lost cannot be stored", err)
	case m.Now.silent():
		l.mutes.learn(placeID(m.Chat.ID, 0), toSend)
	case m.Was.out() && strings.HasSuffix(m.Chat.Type, "group") && m.From.ID != 0 &&
		l.greetings.Add(m.Chat.ID, l.options.Clock.Now(), greeted):
		l.runCommand(ctx, id, message{Chat: m.Chat, From: m.From, Date: m.Date}, typedCommand{Name: hello})
	}
}
