package bot

// The people of a chat: names, languages, membership and rights, as their platform reports them.

import (
	"cmp"
	"context"
	"strings"
	"time"

	"knobel/bot/chat"
	"knobel/games"
	"knobel/store"
)

// saveChatAndPlayer stores the changes of the chat and the person, and sets v.Lang, the answer's language.
func (v *Visit) saveChatAndPlayer() error {
	updated := v.Chat
	if v.Event.Shared != "" {
		updated.Locale = v.bot.Words.Match(v.Event.Shared)
	}
	if updated.News == store.NotTold { // a new chat has no news to read
		updated.News = edition
	}
	if updated != v.Chat {
		v.Chat = updated
		if err := v.Tx.Chats.SaveChat(updated); err != nil {
			return err
		}
	}
	v.Lang = v.bot.languageOf(v.Event, v.Chat.Language)
	if err := v.savePlayer(); err != nil || !v.Event.Own || v.Chat.Owner == string(v.Event.User) {
		return err
	}
	v.Chat.Owner = string(v.Event.User) // the chat is the person's own conversation with the bot
	return v.Tx.Chats.SaveChat(v.Chat)
}

// savePlayer stores the person's name and language if they have changed. After a new name the Renamed hooks run. A name
// that looks like the computer player's or a forgotten person's, in any language, gets quotation marks.
func (v *Visit) savePlayer() error {
	updated := v.Player
	updated.Name = chat.OneLine(v.Event.Name, chat.MaxName)
	whole := chat.Skeleton(updated.Name)
	bare := strings.TrimRight(whole, " .0123456789")
	if numberedOnly, taken := v.bot.reserved[bare]; taken && (!numberedOnly || bare != whole) {
		updated.Name = "“" + chat.Shorten(updated.Name, chat.MaxName-2) + "”"
	}
	if lang := v.bot.Words.Match(v.Event.Locale); lang != "" {
		updated.Language = lang
	} else if updated.Language != "" && v.Event.Locale == "" {
		v.Lang = updated.Language
	}
	if updated == v.Player {
		return nil
	}
	oldName := v.Player.Name
	v.Player = updated
	if err := v.Tx.Chats.SavePlayer(updated); err != nil || updated.Name == oldName {
		return err
	}
	return v.runHooks(func(f Feature) Hook { return f.Renamed })
}

// saveMembers stores which known people have joined or left the chat, and runs the Left hooks.
func (v *Visit) saveMembers() error {
	for _, player := range v.Event.Left {
		known, err := v.Tx.Chats.Player(string(player))
		if err != nil {
			return err
		}
		if known.Name == "" && known.Language == "" {
			continue
		}
		if err := v.Tx.Chats.Leave(string(v.Event.Chat), known.Person, true); err != nil {
			return err
		}
		for _, f := range v.bot.features {
			if f.Left == nil {
				continue
			}
			if err := f.Left(v, known.Person, string(v.Event.Chat)); err != nil {
				return err
			}
		}
	}
	for _, player := range v.Event.Joined {
		known, err := v.Tx.Chats.Player(string(player))
		if err := cmp.Or(err, v.Returned(chat.User(known.Person))); err != nil {
			return err
		}
	}
	return nil
}

// Forgets marks the event as one that erases the person, so that Met does not store them again.
func (v *Visit) Forgets() { v.work.forgets = true }

// Met stores that the person has acted in the chat. It is a no-op after Forgets. Call it after all reads of the chat.
func (v *Visit) Met() error {
	if v.Event.User == "" || v.work.forgets {
		return nil
	}
	return v.Tx.Chats.Meet(string(v.Event.Chat), string(v.Event.User), v.At)
}

// Returned stores that a person is in the chat again. It is a no-op unless they had left.
func (v *Visit) Returned(player chat.User) error {
	unlisted, err := v.Tx.Chats.UnlistedOf(string(v.Event.Chat), string(player))
	if err != nil || !unlisted.Gone {
		return err
	}
	return v.Tx.Chats.Leave(string(v.Event.Chat), string(player), false)
}

// Messages about missing permissions.

// addMissingPermissions adds the bot's missing permissions to the reply: as the private answer if a command asks for a
// board, as the toast if a pressed button's board cannot be redrawn.
func (v *Visit) addMissingPermissions() {
	missing := v.Event.Missing
	if v.Event.Command != "" {
		if v.Reply.Private == nil {
			v.Private(missing.Line("bot.missing"))
		}
		return
	}
	if v.Event.Carries || v.Reply.Private != nil {
		return // the answer to the press draws the board
	}
	toast := v.Say(games.Say("bot.missing-briefly", games.Args{"Permissions": missing.Permissions}))
	if v.Reply.Toast != "" {
		toast = v.Reply.Toast + " " + toast
	}
	v.Reply.Toast = chat.Shorten(toast, maxToast)
}

// The right to change a chat, as its platform reports it, cached for a short time.

// How long a platform's answer to "may this person change this chat?" is cached. A cached yes is for display only:
// before a change the platform is asked again. A no expires before a person can become an admin and try again, but
// lasts long enough to save requests if presses are repeated.
const (
	adminFor    = 3 * time.Minute
	notAdminFor = 3 * time.Second
)

// maxAnswers is the largest number of cached answers. Once it is reached, all are dropped.
const maxAnswers = 1000

// cachedAnswer returns the answer for ev's chat and person that is valid at now (Unix ms), or nil if there is none.
func (a *admins) cachedAnswer(ev chat.Event, now int64) *bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	answer, known := a.answers[[2]string{string(ev.Chat), string(ev.User)}]
	if !known || answer.until <= now {
		return nil
	}
	return &answer.admin
}

// cacheAnswer caches the platform's answer for the chat and person of ev, given at the time now (Unix ms).
func (a *admins) cacheAnswer(ev chat.Event, admin bool, now int64) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.answers == nil || len(a.answers) >= maxAnswers {
		a.answers = map[[2]string]adminAnswer{}
	}
	validity := notAdminFor
	if admin {
		validity = adminFor
	}
	a.answers[[2]string{string(ev.Chat), string(ev.User)}] = adminAnswer{admin, now + validity.Milliseconds()}
}

// IsAdmin reports whether the platform lets the person change the chat. forChange means that a change depends on it:
// then a cached yes does not count, since the person may no longer be an admin. The error may be a question (see Ask).
func (v *Visit) IsAdmin(forChange bool) (bool, error) {
	_, asked := v.work.answers["admin"]
	if known := v.bot.admins.cachedAnswer(v.Event, v.At); known != nil && !asked && !(*known && forChange) {
		return *known, nil
	}
	answer, err := v.Ask("admin", func(ctx context.Context, _ *Core, ev chat.Event) (any, error) {
		admin := ev.Admin != nil && ev.Admin(ctx)
		v.bot.admins.cacheAnswer(v.Event, admin, v.bot.Now())
		return admin, nil
	})
	admin, _ := answer.(bool)
	return admin, err
}

// AdminsOnly returns nil if the person may change the chat, else the refusal with this key, which names the admins. In
// a browser room with a host, the refusal names the host instead.
func (v *Visit) AdminsOnly(key string) error { return v.AdminsOr(key, "bot.host-only") }

// AdminsOr is AdminsOnly with two keys of refusals: hostKey in a browser room with a host, adminsKey elsewhere.
func (v *Visit) AdminsOr(adminsKey, hostKey string) error {
	admin, err := v.IsAdmin(true)
	if err != nil || admin {
		return err
	}
	if InMessage(v.Event) && v.Event.Chat == v.Event.Alias {
		adminsKey = "bot.guest.admins" // where the bot is no member, no one is an admin
	}
	return games.Refuse(v.OrHost(adminsKey, hostKey), nil)
}

// OrHost returns hostKey in a browser room with a host, else adminsKey.
func (v *Visit) OrHost(adminsKey, hostKey string) string {
	if v.Event.Hosted {
		return hostKey
	}
	return adminsKey
}

// OrEquals returns equalsKey in a chat that all its people may change, else a key as OrHost does.
func (v *Visit) OrEquals(adminsKey, hostKey, equalsKey string) string {
	if v.Event.Equals {
		return equalsKey
	}
	return v.OrHost(adminsKey, hostKey)
}
