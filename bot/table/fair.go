package table

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"knobel/bot"
	"knobel/bot/board"
	"knobel/bot/chat"
	"knobel/games"
	"knobel/games/dice"
	"knobel/games/money"
	"knobel/store"
)

// Commands about a table's rules, its dice, and the unit of its stakes, such as chips.

// rulesCommand explains the rules that the options w name: of a variant, a game, or house rules. If w names none, it
// explains the rules of the table in this chat or thread or, without a table, of the first game.
func (v *Visit) rulesCommand(w bot.Args) error {
	t, err := v.Asked()
	if _, none := games.Refused(err); err != nil && !none {
		return err
	}
	name := w.Text("variant")
	if err == nil && name == "" {
		return v.explain(t.Game, t.Rules)
	}
	for _, g := range v.bot.Games {
		_, has := games.VariantNamed(g, name)
		if name == "" || name == g.Name() || has {
			variant := name
			if !has {
				variant = ""
			}
			rules, err := games.Choose(g, variant, nil)
			if err != nil {
				return err
			}
			return v.explain(g.Name(), rules)
		}
	}
	kept, err := v.KeptRules("")
	if err != nil {
		return err
	}
	found, err := needHouseRules(kept, name)
	if err != nil {
		return err
	}
	return v.explainHouse(found[0], board.NameLabel(found[0]))
}

// explain answers the person privately with the rules of a game, in sentences.
func (v *Visit) explain(game string, rules games.Rules) error {
	g, err := v.bot.Game(game)
	if err != nil {
		return err
	}
	m := v.Private(v.bot.FullLabel("bot.rules", g, rules), g.Explain(rules)...)
	m.Folds = true
	return nil
}

// Asked returns the table that the press or command is about: the table of the board on which the person gave the
// command, else the table of the button, else the table in this chat or thread. It refuses if there is none.
func (v *Visit) Asked() (store.Table, error) {
	if v.Tx == nil { // Core.Brief
		return store.Table{}, games.Refuse("bot.no-table-here", nil)
	}
	if v.Event.Command != "" && v.Event.On != "" {
		t, err := v.Tx.Tables.TableOf(string(v.Event.Place), string(v.Event.On))
		return v.checkFound(t, err, "bot.no-board")
	}
	if v.Pressed().Table != 0 {
		return v.load(v.Pressed().Table)
	}
	return v.Here()
}

// AskedFor returns the table of this chat with the number in w's option "game". Without this option it calls Asked.
func (v *Visit) AskedFor(w bot.Args) (store.Table, error) {
	id, given := w.Amount("game")
	if !given {
		return v.Asked()
	}
	t, err := v.Tx.Tables.Table(id)
	if errors.Is(err, store.ErrNotFound) || err == nil && t.Chat != v.Chat.ID {
		return t, games.Refuse("bot.history.no-game", games.Args{"Table": id})
	}
	v.Names = v.bot.NamesAt(t, v.Lang)
	return t, err
}

// pageWhole is the page of /fair with more: the random numbers of seats, and as many rolls as fit.
const pageWhole = "all"

// fewThrows is how many rolls the first page of /fair shows, maxShown how many dice its page pageWhole shows.
const (
	fewThrows = 10
	maxShown  = 400
)

// explainFair answers what /fair proves, with a button for the dice of the newest game.
func explainFair(v *bot.Visit, _ bot.Args) error {
	v.Private(games.Say("bot.command.fair", nil), games.Say("bot.fair.proves", nil), games.Say("bot.fair.looked", nil)).
		Row(v.Button(games.Say("bot.guest.show", nil), "/fair", games.Plain))
	return nil
}

// fairCommand shows the source of the dice of a table: the seal (hash of the seed), the seed itself once the
// table is over, the words of the people, and the latest rolls.
func (v *Visit) fairCommand(w bot.Args) error {
	t, err := v.AskedFor(w)
	if err != nil {
		return err
	}
	moves, err := v.Tx.Tables.Moves(t.ID)
	if err != nil {
		return fmt.Errorf("moves of table %d: %w", t.ID, err)
	}
	ended := t.State == store.Over || t.State == store.Abandoned
	exact := []chat.Exact{v.exactText(games.Say("bot.fair.seal", games.Args{"Seal": board.GapMark}), t.Dice.Commitment)}
	var lines []games.Line
	if ended {
		exact = append(exact, v.exactText(games.Say("bot.fair.seed", games.Args{"Seed": board.GapMark}),
			fmt.Sprintf("%x", t.Dice.Seed)))
	} else {
		lines = append(lines, games.Say("bot.fair.secret", nil))
	}
	whole, throws := w.Text("page") == pageWhole, fewThrows
	if whole {
		throws = maxShown
	}
	words, more := v.seatEntropies(t, whole)
	exact = append(exact, words...)
	if last := board.LastWord(t); last >= 0 {
		lines = append(lines, games.Say("bot.fair.last", games.Args{"Seat": games.Seat(last)}))
	}
	if thrown := lastRolls(moves, throws); thrown != "" {
		more = more || strings.HasPrefix(thrown, "…")
		lines = append(lines, games.Say("bot.fair.dice", games.Args{"Dice": thrown}))
	} else if ended && !t.Ending.MovesDropped {
		lines = append(lines, games.Say("bot.fair.none", nil))
	}
	if t.Ending.MovesDropped {
		lines = append(lines, games.Say("bot.fair.bare", nil))
	} else if t.State == store.Over { // only finished games have a record
		checked, args := "bot.fair.verify", games.Args{"Scheme": dice.Scheme, "Page": "/fair"}
		if (v.Event.Equals || v.Event.Hosted) && !v.Event.Typed { // a browser page has the link “Check the dice”
			checked = "bot.fair.verify-here"
		}
		lines = append(lines, games.Say(checked, args))
	}
	lines = append(lines, games.Say("bot.fair.proves", nil), games.Say("bot.fair.looked", nil))
	m := v.Private(games.Say("bot.fair.head", games.Args{"Table": t.ID}), lines...)
	m.Exact, m.Folds = exact, true
	switch {
	case whole:
		m.Row(v.Button(games.Say("bot.button.back", nil), fmt.Sprintf("/fair %d", t.ID), games.Plain))
	case more:
		m.Row(v.Button(games.Say("bot.button.fair-all", nil), fmt.Sprintf("/fair %d %s", t.ID, pageWhole), games.Plain))
	}
	if t.State == store.Over && !t.Ending.MovesDropped {
		m.Record = t.ID
	}
	return nil
}

// seatEntropies returns the text that each seat adds to the seed of the dice: a person's word or, only if whole, a
// random number drawn for the seat or the fixed word of a computer player. more: such texts were left out.
func (v *Visit) seatEntropies(t store.Table, whole bool) (all []chat.Exact, more bool) {
	for i, s := range t.Seats {
		if (s.House != "" || dice.Drawn(s.Entropy)) && !whole {
			more = true
			continue
		}
		said := games.Say("bot.fair.luck", games.Args{"Seat": games.Seat(i), "Word": board.GapMark})
		if dice.Drawn(s.Entropy) {
			said.Key = "bot.fair.drawn"
		}
		all = append(all, v.exactText(said, strings.Map(func(r rune) rune {
			if !chat.Shows(r) { // invisible characters could reverse or hide text
				return -1
			}
			return r
		}, s.Entropy)))
	}
	return all, more
}

// exactText returns a sentence with text, which people can copy, in the place of its board.GapMark.
func (v *Visit) exactText(sentence games.Line, text string) chat.Exact {
	before, after, _ := strings.Cut(v.Say(sentence), board.GapMark)
	return chat.Exact{Before: before, Text: text, After: after}
}

// lastRolls returns the latest rolls among moves as text: at most limit rolls and maxShown dice, after "…" if there
// were earlier ones.
func lastRolls(moves []store.Move, limit int) string {
	var throws []string
	left := maxShown
	for _, m := range slices.Backward(moves) {
		if len(m.Dice) == 0 {
			continue
		}
		if left -= len(m.Dice); left < 0 || len(throws) == limit {
			throws = append(throws, "…")
			break
		}
		throws = append(throws, strings.Trim(fmt.Sprint(m.Dice), "[]"))
	}
	slices.Reverse(throws)
	return strings.Join(throws, " · ")
}

// luckCommand stores the word in w, which the person adds to their table's dice seed. It refuses after the start.
func (v *Visit) luckCommand(w bot.Args) error {
	word := w.Text("word")
	if word == "" {
		return games.Refuse("bot.luck-how", nil)
	}
	if err := dice.CheckEntropy(word); err != nil {
		return err
	}
	if strings.ContainsFunc(word, func(r rune) bool { return !chat.Shows(r) }) {
		return games.Refuse("games.luck-control", nil) // it could reverse or hide text
	}
	t, err := v.Here()
	if err != nil {
		return err
	}
	mine := board.SeatOf(t, v.Event.User)
	switch {
	case t.State == store.Playing:
		return games.Refuse("bot.luck-late", nil)
	case t.State != store.Lobby:
		return Gone(t)
	case mine < 0:
		return games.Refuse("bot.luck-sit", nil)
	}
	t.Seats[mine].Entropy, t.Seats[mine].Worded = word, v.At
	v.Receipt("bot.luck", nil)
	return v.save(&t)
}

// unitCommand shows or sets the unit of the chat's stakes, such as chips. It refuses names that look like money.
func (v *Visit) unitCommand(w bot.Args) error {
	said := w.Text("name")
	if said == "" {
		v.Private(games.Say("bot.unit", games.Args{"Unit": bot.Amount(v.Unit(), 10)}))
		return nil
	}
	name, err := money.CleanUnit(said)
	if err != nil {
		return err
	}
	if money.LooksLikeMoney(chat.Unstyled(name)) || money.LooksLikeMoney(chat.Unaccented(name)) {
		return games.Refuse("bot.unit-money", nil)
	}
	if err := v.AdminsOnly("bot.admins-change"); err != nil {
		return err
	}
	v.Chat.Unit = name
	if err := v.Tx.Chats.SaveChat(v.Chat); err != nil {
		return err
	}
	v.Receipt("bot.unit-set", games.Args{"Unit": bot.UnitName(name)})
	v.Tell(games.Say("bot.unit-set", games.Args{"Unit": bot.UnitName(name)}))
	return nil
}
