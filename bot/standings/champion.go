package standings

import (
	"errors"
	"slices"

	"knobel/bot/chat"
	"knobel/games"
	"knobel/store"
)

// The champions of seasons, as people read of them.

// champion returns the id of the person with the chat's latest title, "" if there is none.
func (v *Visit) champion() (string, error) {
	seasons, err := v.Seasons()
	i := slices.IndexFunc(seasons, func(s store.Season) bool { return s.Champion != "" })
	if i < 0 {
		return "", err
	}
	return seasons[i].Champion, nil
}

// ChampionLine returns the sentence that a person is the champion of a season: by its final, or as the first of the
// standing because no one came to a final.
func (b *Standings) ChampionLine(tx *store.Tx, of store.Season, lang string) (games.Line, error) {
	player, err := tx.Chats.Player(of.Champion)
	args := games.Args{"Name": b.ShownName(player.Name, lang), "Season": chat.Isolate(of.Name), "Table": of.FinalTable}
	switch {
	case of.FinalTable != 0:
		return games.Say("bot.season.champion-final", args), err
	case of.Final == 0:
		return games.Say("bot.season.champion", args), err
	}
	return games.Say("bot.season.champion-first", args), err
}

// NewChampion returns the season whose champion the recap of an evening names: the season that was won on that evening
// or, if no game was finished then, before it and after the evening with games before it. ok is false if there is none,
// or if the champion is hidden from lists. ChampionLine has the sentence.
func (b *Standings) NewChampion(tx *store.Tx, chat string, evening store.Day) (of store.Season, ok bool, err error) {
	seasons, err := tx.Chats.Seasons(chat)
	before, err2 := tx.Chats.EveningBefore(chat, evening)
	off, err3 := tx.Chats.Unlisted(chat)
	if errors.Is(err2, store.ErrNotFound) {
		before, err2 = 0, nil
	}
	if err := errors.Join(err, err2, err3); err != nil {
		return of, false, err
	}
	i := slices.IndexFunc(seasons, func(s store.Season) bool {
		return s.Champion != "" && s.Crowned > before && s.Crowned <= evening && !off[s.Champion].Hidden
	})
	if i < 0 {
		return of, false, nil
	}
	return seasons[i], true, nil
}

// titleLine returns the sentence on the champion of a season; ok is false if there is none, or a hidden one.
func (v *Visit) titleLine(of store.Season) (line games.Line, ok bool, err error) {
	if of.Champion == "" {
		return line, false, nil
	}
	off, err := v.Tx.Chats.UnlistedOf(of.Chat, of.Champion)
	if err != nil || off.Hidden {
		return line, false, err
	}
	line, err = v.bot.ChampionLine(v.Tx, of, v.Lang)
	return line, err == nil, err
}

// offerFirstTable adds to m a button for the champion of the season before the present one, seasons[0], as long as no
// game was finished in the present one: it opens the first table.
func (v *Visit) offerFirstTable(m *chat.Message, seasons []store.Season) error {
	if len(seasons) < 2 || seasons[1].Champion != string(v.Event.User) {
		return nil
	}
	if _, played, err := v.favourite(seasons[0]); err != nil || played {
		return err
	}
	o, ok, err := v.favourite(seasons[1])
	if err == nil && ok {
		b := v.Button(games.Say("bot.button.first-table", nil), "/"+o.Command, games.Primary)
		b.For = v.Event.User
		m.Row(b)
	}
	return err
}
