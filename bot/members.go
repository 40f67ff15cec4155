package bot

// Who does something, and who is in a chat, according to its platform.

import (
	"fmt"

	"knobel/bot/chat"
	"knobel/store"
)

// meet reads the chat and the person, and stores their changes.
func (v *Visit) meet() (err error) {
	if v.Chat, err = v.Tx.Chats.Chat(string(v.Event.Chat)); err != nil {
		return fmt.Errorf("chat: %w", err)
	}
	now := v.Chat
	if v.Event.Shared != "" {
		now.Locale = v.bot.Words.Match(v.Event.Shared)
	}
	if now.News == store.NotTold { // a chat that the bot has just met has no news
		now.News = edition
	}
	if now != v.Chat {
		v.Chat = now
		if err := v.Tx.Chats.SaveChat(now); err != nil {
			return err
		}
	}
	v.Lang = v.bot.languageOf(v.Event, v.Chat.Language)
	if v.Player, err = v.Tx.Chats.Player(string(v.Event.User)); err != nil {
		return fmt.Errorf("player: %w", err)
	}
	if err := v.meetPlayer(); err != nil || !v.Event.Own || v.Chat.Owner == string(v.Event.User) {
		return err
	}
	v.Chat.Owner = string(v.Event.User) // the chat is the person's own conversation with the bot
	return v.Tx.Chats.SaveChat(v.Chat)
}

// meetPlayer stores the name and the language of the person if they have changed. The hooks for a new name run then.
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

// renamed stores the new name of a known person.
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

// comings stores which known people have joined or left the chat.
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

// Forgets marks the event as one that erases the person: nothing of them is stored after it.
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
