package table

import (
	"maps"
	"slices"
	"strings"

	"knobel/bot"
	"knobel/bot/chat"
	"knobel/games"
	"knobel/store"
)

// Lobbies that the bot opens by itself, at a time that people have agreed on.

// Gathering is a lobby that the bot opens by itself, with seats reserved for people.
type Gathering struct {
	Place chat.Place
	// Terms are the game and its options, as a person types them behind /play.
	Terms string
	// Players are the ids of the people with a reserved seat, in the order of the seats. Those for which the game has
	// no seat are left out.
	Players []string
	// Opener is the id of the person who has asked for the table in advance.
	Opener string
	// Occasion is stored with the table; it is not empty. See store.Origin.
	Occasion string
	// Unstaked means that the game is played for no stake, whatever Terms say.
	Unstaked bool
}

// ReadTerms reads the game and its options as a person types them behind /play, and returns the same in a form that any
// language reads, with the name of the game. It refuses those that cannot be played in this chat. If typed names no
// game, terms are "".
func (b *Tables) ReadTerms(v *bot.Visit, typed string) (terms string, called games.Line, err error) {
	c, w, t, err := b.readTerms(b.Visit(v), typed)
	if err != nil || c.Game == nil {
		return "", called, err
	}
	said := []string{c.Name}
	for _, name := range slices.Sorted(maps.Keys(w)) {
		said = append(said, name+"="+w[name].Text)
	}
	return strings.Join(said, " "), b.TableLabel(c.Game, t.Rules), nil
}

// readTerms returns the command of the game that typed names, its options, and a table with these and without seats.
func (b *Tables) readTerms(v *Visit, typed string) (c bot.Command, w bot.Args, t store.Table, err error) {
	c, w, err = bot.ReadGame(v.Visit, typed)
	if err != nil || c.Game == nil {
		return c, w, t, err
	}
	delete(w, "thread")
	o := bot.Opening{Game: c.Game, Variant: c.Variant, Command: c.Name}
	t, err = v.newTable(c.Game, withVariant(o, maps.Clone(w)))
	t.Seats = nil
	return c, w, t, err
}

// Gather opens the lobby g, without an event, and returns its number. If another table that must stay is in the way, it
// returns an *InTheWay.
func (b *Tables) Gather(visit *bot.Visit, g Gathering) (id int64, err error) {
	v := b.Visit(visit)
	if v.Player, err = v.Tx.Chats.Player(g.Opener); err != nil {
		return 0, err
	}
	v.Event.Chat, v.Event.Place, v.Event.User = chat.Chat(v.Chat.ID), g.Place, chat.User(g.Opener)
	old, blocked, err := v.closeReplaceable() // before Pages is set: the opener has not chosen this game now
	v.Event.Pages = b.Traits(g.Place).Pages
	if err == nil && blocked {
		err = &InTheWay{old}
	}
	if err != nil {
		return 0, err
	}
	c, _, t, err := b.readTerms(v, g.Terms)
	if err != nil {
		return 0, err
	}
	if c.Game == nil {
		return 0, games.Refuse("bot.no-such-button", nil)
	}
	_, most := c.Game.Seats(t.Rules)
	for _, player := range g.Players[:min(len(g.Players), most)] {
		p, err := v.Tx.Chats.Player(player)
		if err != nil {
			return 0, err
		}
		s := store.Seat{Player: player, Name: p.Name}
		if err := v.drawWord(&s); err != nil {
			return 0, err
		}
		s.Worded = 0 // the player gets a new luck word when they agree to the terms
		t.Seats = append(t.Seats, s)
	}
	if t.Occasion = g.Occasion; g.Unstaked {
		t.Stake = 0
	}
	if err := checkFinal(t); err != nil {
		return 0, err
	}
	return v.openTable(t)
}

// InTheWay is the error of Gather if a table is in its place that must stay.
type InTheWay struct{ Table store.Table }

// Error says that a table is in the way.
func (*InTheWay) Error() string { return "a table is in the way" }
