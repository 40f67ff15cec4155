package bot

// Who does something, and who is in a chat, according to its platform.

import (
	"fmt"

	"knobel/bot/chat"
)

// meet reads the chat and the person, and stores what has changed about them.
func (v *Visit) meet() (err error) {
	if v.Chat, err = v.Tx.Chats.Chat(string(v.Event.Chat)); err != nil {
		return fmt.Errorf("chat: %w", err)
	}
	if err := v.knowLocale(); err != nil {
		return err
	}
	if err := v.knowNews(); err != nil {
		return err
	}
	v.Lang = v.bot.languageOf(v.Event, v.Chat.Language)
	if v.Player, err = v.Tx.Chats.Player(string(v.Event.User)); err != nil {
		return fmt.Errorf("player: %w", err)
	}
	if v.Event.Own && v.Chat.Owner != string(v.Event.User) {
		return v.meetAlone()
	}
	return v.meetPlayer()
}

// knowLocale stores the language that the platform says the chat has, if it has changed.
func (v *Visit) knowLocale() error {
	locale := v.bot.Words.Match(v.Event.Shared)
	if v.Event.Shared == "" || locale == v.Chat.Locale {
		return nil
	}
	v.Chat.Locale = locale
	return v.Tx.Chats.SaveChat(v.Chat)
}

// meetAlone stores that the chat is the person's own conversation with the bot.
func (v *Visit) meetAlone() error {
	if err := v.meetPlayer(); err != nil {
		return err
	}
	v.Chat.Owner = string(v.Event.User)
	return v.Tx.Chats.SaveChat(v.Chat)
}

// meetPlayer stores the name and the language of the person if they have changed. The hooks for a
// new name run then.
func (v *Visit) meetPlayer() error {
	now := v.Player
	now.ID = string(v.Event.User)
	now.Name = v.bot.ownName(v.Event.Name)
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

// renamed stores the new name of a person whom the bot has met. Of others it stores nothing.
func (v *Visit) renamed() (err error) {
	if v.Chat, err = v.Tx.Chats.Chat(string(v.Event.Chat)); err != nil {
		return fmt.Errorf("chat: %w", err)
	}
	if v.Player, err = v.Tx.Chats.Player(string(v.Event.User)); err != nil {
		return fmt.Errorf("player: %w", err)
	}
	if v.Player.Name == "" && v.Player.Language == "" {
		return nil
	}
	return v.meetPlayer()
}

// comings stores which of the people whom the bot has met have joined or left the chat. Of others
// it stores nothing.
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
		err = v.bot.follow(func(f Feature) error {
			if f.Left == nil {
				return nil
			}
			return f.Left(v, string(player), string(v.Event.Chat))
		})
		if err != nil {
			return err
		}
	}
	for _, player := range v.Event.Joined {
		if err := v.Returned(player); err != nil {
			return err
		}
	}
	return nil
}

// Forgets says that the person is forgotten by what they do here: nothing of them is to be stored after it.
func (v *Visit) Forgets() { v.work.forgets = true }

// Met stores that the person has done something in the chat: after all that is read there.
func (v *Visit) Met() error {
	if v.Event.User == "" || v.work.forgets {
		return nil
	}
	return v.Tx.Chats.Meet(string(v.Event.Chat), string(v.Event.User), v.At)
}

// Returned stores that a person who had left the chat is in it again.
func (v *Visit) Returned(player chat.User) error {
	unlisted, err := v.Tx.Chats.UnlistedOf(string(v.Event.Chat), string(player))
	if err != nil || !unlisted.Gone {
		return err
	}
	return v.Tx.Chats.Leave(string(v.Event.Chat), string(player), false)
}
