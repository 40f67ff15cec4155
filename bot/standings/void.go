package standings

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"knobel/bot"
	"knobel/bot/board"
	"knobel/bot/chat"
	"knobel/games"
	"knobel/store"
)

// Finished returns the chat's finished game with that number. If there is no such game, the error is a *games.Refusal.
func (v *Visit) Finished(number int64) (store.Table, error) {
	t, err := v.Tx.Tables.Table(number)
	if errors.Is(err, store.ErrNotFound) || err == nil && (t.Chat != v.Chat.ID || t.State != store.Over) {
		return store.Table{}, games.Refuse("bot.history.no-game", games.Args{"Table": number})
	}
	if err != nil {
		return t, fmt.Errorf("table %d: %w", number, err)
	}
	return t, nil
}

// voidable returns the finished game whose number is in w. It refuses a game that is voided already, and one that left
// a remainder in the jackpot for which a later game was played.
func (v *Visit) voidable(w bot.Args) (store.Table, error) {
	number, _ := w.Amount("game")
	t, err := v.Finished(number)
	if err != nil {
		return t, err
	}
	if t.Ending.Voided {
		return t, games.Refuse("bot.void.already", games.Args{"Table": number})
	}
	other, playing, err := v.Tx.Books.TookRemainder(t)
	switch {
	case errors.Is(err, store.ErrNotFound):
		return t, nil
	case err != nil:
		return t, err
	case playing:
		return t, games.Refuse("bot.void.in-play", games.Args{"Table": other})
	}
	return t, games.Refuse("bot.void.taken", games.Args{"Table": other})
}

// askVoid handles /void: it asks the players of a game to agree to void it (remove it from the leaderboard), or shows a
// request again that is open. If the user played in the game, it also stores that the user agrees.
func (v *Visit) askVoid(w bot.Args) error {
	t, err := v.voidable(w)
	if err != nil {
		return err
	}
	if v.Event.Equals {
		if board.SeatOf(t, v.Event.User) < 0 {
			return games.Refuse("bot.void.players-only", nil)
		}
	} else if err := v.AdminsOr("bot.void.admins", "bot.void.hosted"); err != nil {
		return err
	}
	if t.Ending.Voider == "" {
		t.Ending.Voider = string(v.Event.User)
	}
	return v.storeAgreement(t, true)
}

// agreeVoid handles the button with which a player of a game agrees to void it (remove it from the leaderboard).
func (v *Visit) agreeVoid(w bot.Args) error {
	t, open, err := v.openVoid(w)
	if err != nil || !open {
		return err
	}
	return v.storeAgreement(t, string(v.Event.User) == t.Ending.Voider)
}

// openVoid returns the game whose number is in w, and whether a request to void it is open. If no request is open, it
// replaces the message with the outcome, because the request may have been decided through another message.
func (v *Visit) openVoid(w bot.Args) (t store.Table, open bool, err error) {
	t, err = v.voidable(w)
	switch {
	case t.Ending.Voided:
		return t, false, v.showVoid(t, nil)
	case err != nil || t.Ending.Voider != "":
		return t, err == nil, err
	}
	v.Reply.Instead = v.Event.Press != ""
	return t, false, v.Public(func() error {
		v.Private(games.Say("bot.void.no-vote", games.Args{"Table": t.ID}))
		return nil
	})
}

// storeAgreement stores that the user agrees to void t, for the user's own seat and, if speaksForGone returns true, for
// players who have left. Once all players have agreed, it voids t. It then shows the state. It refuses a user who
// agrees for no seat unless allowed is true.
func (v *Visit) storeAgreement(t store.Table, allowed bool) error {
	gone, err := v.Tx.Chats.Unlisted(v.Chat.ID)
	if err != nil {
		return err
	}
	mine := board.SeatOf(t, v.Event.User)
	speaks := false
	if _, left := missingVotes(t, gone); len(left) > 0 {
		if speaks, err = v.speaksForGone(t, gone, mine >= 0); err != nil {
			return err
		}
	}
	for i := range t.Seats {
		s := &t.Seats[i]
		if i == mine || speaks && gone[s.Player].Gone {
			s.Voids, allowed = true, true
		}
	}
	if !allowed {
		return games.Refuse("bot.void.players-only", nil)
	}
	if waits, left := missingVotes(t, gone); len(waits)+len(left) > 0 {
		if err := v.Tx.Tables.SaveTable(t); err != nil {
			return err
		}
		return v.showVoid(t, gone)
	}
	if err := v.Tx.Books.Void(t, v.At); err != nil {
		return err
	}
	if err := v.finalVoided(t); err != nil {
		return err
	}
	if t, err = v.Tx.Tables.Table(t.ID); err == nil {
		err = v.Redraw(&t)
	}
	if err != nil {
		return err
	}
	return v.showVoid(t, gone)
}

// speaksForGone reports whether the user may agree for the players of t who have left the chat (see gone). An admin
// may, but not the one who made the request. If the platform has no other admin, another player of the game may or,
// once all of these have left, the person who made the request. played is true if the user has a seat of t.
func (v *Visit) speaksForGone(t store.Table, gone map[string]store.Unlisted, played bool) (bool, error) {
	asker := func(player string) bool { // also matches another person at the requester's browser
		return player == t.Ending.Voider || v.bot.Same(chat.User(player), chat.User(t.Ending.Voider))
	}
	asked := asker(string(v.Event.User))
	if asked && slices.ContainsFunc(t.Seats, func(s store.Seat) bool {
		return !needsNoVote(s) && !gone[s.Player].Gone && !asker(s.Player)
	}) {
		return false, nil
	}
	if v.Event.Equals {
		return played, nil
	}
	if admin, err := v.IsAdmin(true); err != nil || admin && !asked || !admin && !played {
		return admin, err
	}
	another, err := v.Ask("another admin", func(ctx context.Context, c *bot.Core, ev chat.Event) (any, error) {
		_, on := c.Outbox.PlatformAt(ev.Place)
		if on == nil {
			return false, nil
		}
		return on.OtherAdmin(ctx, ev.Chat, chat.User(t.Ending.Voider))
	})
	return another == false, err
}

// needsNoVote reports whether the player of s need not agree: a computer player, or a person whose data was erased.
func needsNoVote(s store.Seat) bool { return s.Player == "" || store.Forgotten(s.Player) > 0 }

// missingVotes returns the seats that have not agreed to void t: in left if the player left (see gone), else in waits.
func missingVotes(t store.Table, gone map[string]store.Unlisted) (waits, left []int) {
	for i, s := range t.Seats {
		switch {
		case s.Voids || needsNoVote(s):
		case gone[s.Player].Gone:
			left = append(left, i)
		default:
			waits = append(waits, i)
		}
	}
	return waits, left
}

// keepGame handles the button with which a player of a game, or the requester, rejects and ends a request to void it.
func (v *Visit) keepGame(w bot.Args) error {
	t, open, err := v.openVoid(w)
	if err != nil || !open {
		return err
	}
	if board.SeatOf(t, v.Event.User) < 0 && string(v.Event.User) != t.Ending.Voider {
		return games.Refuse("bot.void.players-only", nil)
	}
	t.Ending.Voider = ""
	for i := range t.Seats {
		t.Seats[i].Voids = false
	}
	if err := v.Tx.Tables.SaveTable(t); err != nil {
		return err
	}
	return v.showVoid(t, nil)
}

// showVoid posts for everyone whether t is voided, kept or waiting for players, in place of the message whose button
// was pressed, if any. gone names the players who have left the chat; it may be nil unless players are missing.
func (v *Visit) showVoid(t store.Table, gone map[string]store.Unlisted) error {
	v.Reply.Instead = v.Event.Press != ""
	return v.Public(func() error {
		named, err := v.Renamed(t)
		if err != nil {
			return err
		}
		names := v.bot.NamesAt(named, v.Lang)
		day, err := v.DayLabel(t.Ending.Evening)
		if err != nil {
			return err
		}
		args := games.Args{"Table": t.ID, "Day": day, "Game": games.Say("bot.text", games.Args{"Text": t.Game}),
			"Name": v.bot.ShownName(v.Player.Name, v.Lang)}
		if g, err := v.bot.Game(t.Game); err == nil {
			args["Game"] = v.bot.TableLabel(g, t.Rules)
		}
		switch {
		case t.Ending.Voided:
			v.Private(games.Say("bot.void.done", args))
			return nil
		case t.Ending.Voider == "":
			v.Private(games.Say("bot.void.kept", args))
			return nil
		}
		asker, err := v.Tx.Chats.Player(t.Ending.Voider)
		if err != nil {
			return err
		}
		args["Name"] = v.bot.ShownName(asker.Name, v.Lang)
		m := v.Private(games.Say("bot.void.asks", args))
		waits, left := missingVotes(t, gone)
		for _, of := range []struct {
			key   string
			seats []int
		}{{"bot.void.waits", waits}, {"bot.void.left", left}} {
			var people []string
			for _, i := range of.seats {
				people = append(people, names[i])
			}
			if len(people) > 0 {
				m.Lines = append(m.Lines, v.Say(games.Say(of.key, games.Args{"Names": people})))
			}
		}
		m.Row(v.Button(games.Say("bot.button.void-agree", nil), fmt.Sprint("/void agree ", t.ID), games.Plain),
			v.Button(games.Say("bot.button.void-keep", nil), fmt.Sprint("/void keep ", t.ID), games.Plain))
		return nil
	})
}
