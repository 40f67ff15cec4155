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

// The bot's permissions in chats: Telegram reports them on request, or by refusing requests.

// Consult returns findings about the bot in the chat group: whether it is a member, and whether it may write in the
// chat and in places, topics of that chat. For the chat "" the findings are for the operator.
func (t *Telegram) Consult(ctx context.Context, group chat.Chat, places []chat.Place) ([]chat.Finding, error) {
	if group == "" {
		return t.examine(ctx), nil
	}
	if strings.HasPrefix(string(group), instancePrefix) {
		return nil, nil
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
	var stands botStanding
	var all struct {
		Permissions struct {
			CanSend *bool `json:"can_send_messages"`
			CanPin  *bool `json:"can_pin_messages"`
		} `json:"permissions"`
	}
	err = t.callInto(ctx, "getChatMember", tg.Params{"chat_id": decimal(id), "user_id": decimal(me.ID)}, &stands)
	if err == nil {
		err = t.callInto(ctx, "getChat", tg.Params{"chat_id": decimal(id)}, &all)
	}
	if isRefusal(err, "chat not found", "bot is not a member", "kicked", "group is deactivated",
		"upgraded to a supergroup") || stands.hasLeft() {
		return []chat.Finding{{Line: games.Say("bot.stands.gone", nil), Wrong: true}}, nil
	}
	if err != nil {
		return nil, err
	}
	var found []chat.Finding
	members := all.Permissions.CanSend // whether members may write; nil: unknown
	if stands.isMuted() || stands.Status == "member" && members != nil && !*members {
		found = append(found, missingFinding(noSend))
	}
	for _, place := range places {
		if missing := t.mutes.missing(place); len(missing.Permissions) > 0 && len(found) == 0 {
			found = append(found, missingFinding(missing))
		}
	}
	if !slices.ContainsFunc(found, func(f chat.Finding) bool { return f.Wrong }) {
		found = append(found, chat.Finding{Line: games.Say("bot.stands.well", nil)})
		pins := stands.CanPin
		if stands.Status == "member" {
			pins = all.Permissions.CanPin
		}
		if pins != nil && !*pins {
			found = append(found, chat.Finding{Line: games.Say("bot.stands.evening.pins",
				games.Args{"Permissions": games.List{games.Say("bot.telegram.pin", nil)}})})
		}
	}
	if !me.ReadsAll && stands.Status != "administrator" {
		found = append(found, chat.Finding{Line: games.Say("bot.stands.privacy", nil)})
	}
	return found, nil
}

// OtherAdmin reports whether group has an admin other than user who is a person, not a bot. A private chat has none.
func (t *Telegram) OtherAdmin(ctx context.Context, group chat.Chat, user chat.User) (bool, error) {
	if strings.HasPrefix(string(group), instancePrefix) {
		return false, nil
	}
	id, err := parseChat(group)
	if err != nil || id > 0 {
		return false, err
	}
	var all []tg.ChatMember
	err = t.callInto(ctx, "getChatAdministrators", tg.Params{"chat_id": decimal(id)}, &all)
	return slices.ContainsFunc(all, func(m tg.ChatMember) bool {
		return m.User != nil && !m.User.IsBot && userID(m.User.ID) != user
	}), err
}

// missingFinding returns a finding that names the missing permissions and where to grant them.
func missingFinding(missing chat.MissingPermissions) chat.Finding {
	return chat.Finding{Wrong: true, Line: games.Say("bot.stands.lacks-here", games.Args{
		"Permissions": missing.Permissions, "Where": missing.Where,
	})}
}

// examine returns findings for the operator: whether Telegram can be reached, accepts the token, lets the bot join
// groups, and sends updates in the way that the bot receives them (polls or its webhook), and which modes are off.
func (t *Telegram) examine(ctx context.Context) []chat.Finding {
	wrong := func(format string, args ...any) chat.Finding {
		return chat.Finding{Text: fmt.Sprintf(format, args...), Wrong: true}
	}
	var me struct {
		Username      string `json:"username"`
		CanJoinGroups bool   `json:"can_join_groups"`
		Guests        bool   `json:"supports_guest_queries"`
		Inlines       bool   `json:"supports_inline_queries"`
		HasMainApp    bool   `json:"has_main_web_app"`
	}
	err := t.callInto(ctx, "getMe", nil, &me)
	if refused, ok := refusalOf(err); ok && refused.Code == 401 {
		return []chat.Finding{wrong("unknown token: ask @BotFather for the current one")}
	}
	if err != nil {
		return []chat.Finding{wrong("unreachable: %v", err)}
	}
	all := []chat.Finding{{Text: "connected as @" + me.Username}}
	if !me.CanJoinGroups {
		all = append(all, wrong("the bot may not join groups: allow it with /setjoingroups at @BotFather"))
	}
	all = append(all, t.examineApp(ctx, me.Username, me.HasMainApp)...)
	if t.ephemeral.Load() {
		all = append(all, chat.Finding{Text: "private answers without buttons are ephemeral messages"})
	}
	var hook struct {
		URL     string `json:"url"`
		Waiting int    `json:"pending_update_count"`
		Trouble string `json:"last_error_message"`
	}
	if err := t.callInto(ctx, "getWebhookInfo", nil, &hook); err != nil {
		return append(all, wrong("read webhook failed: %v", err))
	}
	switch {
	case t.options.Webhook == "" && hook.URL != "":
		all = append(all, wrong("updates go to a webhook, so polling fails: delete it with the method deleteWebhook"))
	case t.options.Webhook == "":
		all = append(all, chat.Finding{Text: "receives updates by polling"})
	case hook.URL == "":
		all = append(all, chat.Finding{Text: "webhook " + t.options.Webhook +
			": knobel serve registers it"})
	case hook.URL != t.options.Webhook:
		all = append(all, wrong("updates go to another webhook, %s: knobel serve changes it", hook.URL))
	case hook.Waiting > 0 && hook.Trouble != "":
		all = append(all, wrong("delivery of %d updates to %s failed: %s", hook.Waiting, hook.URL, hook.Trouble))
	default:
		all = append(all, chat.Finding{Text: "receives updates at " + hook.URL})
	}
	if !me.Guests {
		all = append(all, chat.Finding{Text: "guest mode is off: nobody can play where the bot is no member " +
			"(BotFather, Guest mode)"})
	}
	if !me.Inlines {
		all = append(all, chat.Finding{Text: "inline mode is off: nobody can pick a game while typing a message " +
			"(BotFather, Inline mode)"})
	}
	return all
}

// Where the bot may not write, and how people who wrote a command there learn of it.

// maxMute is how many places are stored before all are dropped. Later refusals store them again.
const maxMute = 4096

// missing returns the permissions that the bot lacks in place, or in the chat of place, as far as it knows.
func (m *mutes) missing(place chat.Place) chat.MissingPermissions {
	m.mu.Lock()
	defer m.mu.Unlock()
	if missing, known := m.lacking[place]; known {
		return missing
	}
	if missing := m.lacking[wholeChat(place)]; len(missing.Permissions) > 0 && missing.Where.Key == noSend.Where.Key {
		return missing
	}
	return chat.MissingPermissions{}
}

// wholeChat returns the place that represents the whole chat of place. If the bot may not send there, it may not send
// in any topic.
func wholeChat(place chat.Place) chat.Place {
	chat, _, err := parsePlace(place)
	if err != nil {
		return place
	}
	return placeID(chat, 0)
}

// storeRequest stores the command ev of a person until it is answered, or its place turns out to forbid answers.
func (m *mutes) storeRequest(ev chat.Event) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(m.requests) >= maxMute {
		clear(m.requests)
	}
	m.requests[ev.Place] = ev
}

// noteMissing stores which permissions the bot lacked when it wrote into place; none: it could write. If it lacked any,
// noteMissing removes the stored command of that place and returns it; found reports whether there was one.
func (m *mutes) noteMissing(place chat.Place, missing chat.MissingPermissions) (ev chat.Event, found bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(missing.Permissions) == 0 {
		delete(m.lacking, place)
		delete(m.lacking, wholeChat(place))
		return ev, false
	}
	ev, found = m.requests[place]
	delete(m.requests, place)
	if len(m.lacking) >= maxMute {
		clear(m.lacking)
	}
	m.lacking[place] = missing
	if missing.Where.Key == noSend.Where.Key {
		m.lacking[wholeChat(place)] = missing
	}
	return ev, found
}

// The permissions that the bot may lack, with the names that Telegram's clients show.
var (
	noSend  = missingOf("bot.telegram.send", "bot.telegram.where")
	noTopic = missingOf("bot.telegram.manage-topics", "bot.telegram.where-closed")
)

// missingOf returns one permission as missing, and where to grant it; both are the keys of texts.
func missingOf(permission, location string) chat.MissingPermissions {
	return chat.MissingPermissions{Permissions: games.List{games.Say(permission, nil)}, Where: games.Say(location, nil)}
}

// missingByError returns the permissions that the bot lacks according to err, Telegram's refusal; empty: it names none.
func missingByError(err error) chat.MissingPermissions {
	switch {
	case isRefusal(err, "topic_closed"):
		return noTopic
	case isRefusal(err, "not enough rights", "have no rights", "chat_write_forbidden", "chat_restricted"):
		return noSend
	}
	return chat.MissingPermissions{}
}

// dropRequest removes the stored command of place, which has been answered.
func (m *mutes) dropRequest(place chat.Place) {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.requests, place)
}

// noteWrite stores whether the bot could write into place: yes if err is nil, no if err shows a missing permission. If
// no, the person whose command there has no answer gets the reason in their private chat, in the background.
func (t *Telegram) noteWrite(place chat.Place, err error) {
	missing := missingByError(err)
	if err != nil && len(missing.Permissions) == 0 {
		return
	}
	ev, found := t.mutes.noteMissing(place, missing)
	privateChat, err := parseChat(chat.Chat(ev.User)) // the private chat has the person's number
	if !found || err != nil {
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
		t.deliver(ctx, &queuedAnswer{chat: privateChat, page: &page{}, m: core.Brief(ev)})
	})
}

// memberChanged handles m, a change of the bot's membership or rights in a chat, from the update updateID. It stores
// whether the bot may write there, informs the core if the bot left, and greets a group to which the bot was added.
func (l listener) memberChanged(ctx context.Context, updateID int64, m membership) {
	l.mutes.mu.Lock()
	maps.DeleteFunc(l.mutes.lacking, func(place chat.Place, _ chat.MissingPermissions) bool {
		in, _, err := parsePlace(place)
		return err == nil && in == m.Chat.ID
	})
	l.mutes.mu.Unlock()
	l.reactionsOff.Forget(m.Chat.ID)
	l.forgetStandings(m.Chat.ID)
	switch {
	case m.Now.hasLeft():
		err := l.core.Lost(ctx, chatID(m.Chat.ID), "")
		chat.LogFailure(ctx, l.log.Error, "store lost chat failed", err)
	case m.Now.isMuted():
		l.mutes.noteMissing(placeID(m.Chat.ID, 0), noSend)
	case m.Was.hasLeft() && strings.HasSuffix(m.Chat.Type, "group") && m.From.ID != 0 &&
		l.greetings.Add(m.Chat.ID, l.options.Clock.Now(), greetedFor):
		l.runCommand(ctx, updateID, message{Chat: m.Chat, From: m.From, Date: m.Date}, typedCommand{Name: hello})
	}
}
