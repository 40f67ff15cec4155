package bot

// The people of a chat: names, languages, membership and rights, as their platform reports them.

import (
	"context"
	"strings"
	"time"

	"knobel/bot/chat"
	"knobel/bot/words"
	"knobel/games"
	"knobel/store"
)

// meet stores changes of the chat and of the person, and sets v.Lang, the language of the answer.
func (v *Visit) meet() error {
	now := v.Chat
	if v.Event.Shared != "" {
		now.Locale = v.bot.Words.Match(v.Event.Shared)
	}
	if now.News == store.NotTold { // a new chat has no news to read
		now.News = edition
	}
	if now != v.Chat {
		v.Chat = now
		if err := v.Tx.Chats.SaveChat(now); err != nil {
			return err
		}
	}
	v.Lang = v.bot.languageOf(v.Event, v.Chat.Language)
	if err := v.meetPlayer(); err != nil || !v.Event.Own || v.Chat.Owner == string(v.Event.User) {
		return err
	}
	v.Chat.Owner = string(v.Event.User) // the chat is the person's own conversation with the bot
	return v.Tx.Chats.SaveChat(v.Chat)
}

// meetPlayer stores the name and the language of the person if they have changed. After a new name the Renamed hooks
// run. A name that looks like the computer player's, or like a forgotten person's, in any language, is put in quotation
// marks.
func (v *Visit) meetPlayer() error {
	now := v.Player
	now.ID = string(v.Event.User)
	now.Name = chat.CleanName(v.Event.Name)
	whole := chat.Skeleton(now.Name)
	bare := strings.TrimRight(whole, " .0123456789")
	if numberedOnly, taken := v.bot.reserved[bare]; taken && (!numberedOnly || bare != whole) {
		now.Name = "“" + chat.Shorten(now.Name, chat.MaxName-2) + "”"
	}
	if lang := v.bot.Words.Match(v.Event.Locale); lang != "" {
		now.Language = lang
	} else if now.Language != "" && v.Event.Locale == "" {
		v.Lang = now.Language
	}
	if now == v.Player {
		return nil
	}
	was := v.Player.Name
	v.Player = now
	if err := v.Tx.Chats.SavePlayer(now); err != nil || now.Name == was {
		return err
	}
	return v.take(func(f Feature) Hook { return f.Renamed })
}

// comings stores which known people have joined or left the chat, and runs the Left hooks.
func (v *Visit) comings() error {
	for _, player := range v.Event.Left {
		known, err := v.Tx.Chats.Player(string(player))
		if err != nil {
			return err
		}
		if known.Name == "" && known.Language == "" {
			continue
		}
		if err := v.Tx.Chats.Leave(string(v.Event.Chat), string(player), true); err != nil {
			return err
		}
		for _, f := range v.bot.features {
			if f.Left == nil {
				continue
			}
			if err := f.Left(v, string(player), string(v.Event.Chat)); err != nil {
				return err
			}
		}
	}
	for _, player := range v.Event.Joined {
		if err := v.Returned(player); err != nil {
			return err
		}
	}
	return nil
}

// Forgets marks the event as one that erases the person, so that Met does not store them again.
func (v *Visit) Forgets() { v.work.forgets = true }

// Met stores that the person has acted in the chat. Call it after all reads of the chat.
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

// Lacks returns a message about the permissions in ev.Missing. An adapter that cannot answer in the place sends it
// elsewhere to the author of the command.
func (b *Bot) Lacks(ev chat.Event) chat.Message {
	lang := b.languageOf(ev, "")
	line := ev.Missing.Line("bot.missing-there")
	line.Args["Command"] = chat.Repeated(ev.Command, chat.MaxName)
	return chat.Message{Lang: lang, Head: b.Words.Say(lang, line, words.Context{}), Accent: -1}
}

// lacks adds the bot's missing permissions to the reply: as the private answer if a command asks for a board, as the
// toast if a pressed button's board cannot be redrawn.
func (v *Visit) lacks() {
	missing := v.Event.Missing
	if v.Event.Command != "" {
		if v.Reply.Private == nil {
			v.Private(missing.Line("bot.missing"))
		}
		return
	}
	if v.Event.Carries || v.Reply.Private != nil {
		return // the answer to the press draws it
	}
	said := v.Say(games.Say("bot.missing-briefly", games.Args{"Permissions": missing.Permissions}))
	if v.Reply.Toast != "" {
		said = v.Reply.Toast + " " + said
	}
	v.Reply.Toast = chat.Shorten(said, maxToast)
}

// The right to change a chat, as its platform reports it, cached for a short time.

// The time for which a platform's answer is cached. A cached yes is used for display only: a change asks the platform
// again. A no is cached for less time than it takes to become an admin and try again, yet long enough that repeated
// presses cause few questions to the platform, which cost its budget.
const (
	adminFor    = 3 * time.Minute
	notAdminFor = 3 * time.Second
)

// maxAnswers is the largest number of cached answers. Once it is reached, all are dropped.
const maxAnswers = 1000

// known returns the cached answer if it is valid at a time in Unix milliseconds, or nil if the platform must be asked.
func (a *admins) known(ev chat.Event, at int64) *bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	answer, there := a.answers[[2]string{string(ev.Chat), string(ev.User)}]
	if !there || answer.until <= at {
		return nil
	}
	return &answer.admin
}

// learn caches an answer of the platform; at is its time in Unix milliseconds.
func (a *admins) learn(ev chat.Event, admin bool, at int64) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.answers == nil || len(a.answers) >= maxAnswers {
		a.answers = map[[2]string]adminAnswer{}
	}
	believed := notAdminFor
	if admin {
		believed = adminFor
	}
	a.answers[[2]string{string(ev.Chat), string(ev.User)}] = adminAnswer{admin, at + believed.Milliseconds()}
}

// IsAdmin reports whether the platform lets the person change the chat. weighs means that a change depends on it: then
// a cached yes does not count, since the person may no longer be an admin. The error may be a question; see Ask.
func (v *Visit) IsAdmin(weighs bool) (bool, error) {
	_, asked := v.work.answers["admin"]
	if known := v.bot.admins.known(v.Event, v.At); known != nil && !asked && !(*known && weighs) {
		return *known, nil
	}
	answer, err := v.Ask("admin", func(ctx context.Context, _ *Core, ev chat.Event) (any, error) {
		admin := ev.Admin != nil && ev.Admin(ctx)
		v.bot.admins.learn(v.Event, admin, v.bot.Now())
		return admin, nil
	})
	if err != nil {
		return false, err
	}
	return answer.(bool), nil
}

// AdminsOnly returns nil if the person may change the chat, or else the refusal with this key, which names the admins.
// In a room with a host, the refusal names the host instead.
func (v *Visit) AdminsOnly(key string) error { return v.AdminsOr(key, "bot.host-only") }

// AdminsOr is AdminsOnly with two keys: the refusal is host in a room with a host, else admins.
func (v *Visit) AdminsOr(admins, host string) error {
	admin, err := v.IsAdmin(true)
	if err != nil || admin {
		return err
	}
	return games.Refuse(v.OrHost(admins, host), nil)
}

// OrHost returns one of two keys of sentences: host, about the host, in a room that has one, else admins, about admins.
func (v *Visit) OrHost(admins, host string) string {
	if v.Event.Hosted {
		return host
	}
	return admins
}

// OrEquals returns the key equals in a chat that all people may change, else a key as OrHost does.
func (v *Visit) OrEquals(admins, host, equals string) string {
	if v.Event.Equals {
		return equals
	}
	return v.OrHost(admins, host)
}
