package table

import (
	"slices"

	"knobel/bot"
	"knobel/bot/board"
	"knobel/games"
	"knobel/store"
)

// gameCommand opens a table, or shows the one that is here already. A lobby in which nobody else sits is closed for it,
// but for one of the same game at which the person sits.
func (v *Visit) gameCommand(g games.Game, w bot.Args) error {
	apart := w.Flag("thread")
	delete(w, "thread")
	if apart {
		t, err := v.wished(g, w)
		if err != nil {
			return err
		}
		return v.openThread(t)
	}
	old, err := v.GoesOn()
	_, none := games.Refused(err)
	switch {
	case err != nil && !none:
		return err
	case err == nil && (old.Game == g.Name() && board.SeatOf(old, v.Event.User) >= 0 || !v.MakesRoom(old)):
		return v.again(old, g, w)
	}
	t, wrong := v.wished(g, w)
	if wrong != nil {
		return wrong
	}
	if err == nil {
		if _, err := v.close(&old, board.PageGame); err != nil {
			return err
		}
	}
	_, err = v.open(t)
	return err
}

// MakesRoom reports whether a table is a lobby in which nobody sits but the person, and house players: another game
// that they ask for takes its place. Where a seat is kept for somebody, others may yet come.
func (v *Visit) MakesRoom(t store.Table) bool {
	return t.State == store.Lobby && !slices.ContainsFunc(t.Seats, func(s store.Seat) bool {
		return s.House == "" && (!s.Confirmed || s.Player != string(v.Event.User))
	})
}

// tableHere refuses another table where one is, whose board is brought to the bottom, and says what to do.
func (v *Visit) tableHere(t store.Table) error {
	key := "bot.table-here"
	switch mine := board.SeatOf(t, v.Event.User); {
	case mine >= 0 && t.Seats[mine].Confirmed:
		key = "bot.table-here-yours"
	case t.State == store.Lobby:
		g, err := v.bot.Game(t.Game)
		if err != nil {
			return err
		}
		if _, most := g.Seats(t.Rules); mine >= 0 || len(t.Seats) < most {
			key = "bot.table-here-join"
		}
	}
	v.Toast(key, nil)
	v.Reply.Refused = true
	return v.show(t)
}

// wished returns a new table as the person asks for it, with them in a seat.
func (v *Visit) wished(g games.Game, w bot.Args) (t store.Table, err error) {
	rules, house, err := v.chosen(g, w, nil)
	if err != nil {
		return t, err
	}
	seat, err := v.seat(0)
	if err != nil {
		return t, err
	}
	t = store.Table{Game: g.Name(), Rules: rules, HouseRules: house, Seats: []store.Seat{seat},
		TurnLimit: store.DefaultLimit, Stake: stakeBy(g, rules, w, usualStake)}
	err = v.bot.Agree(&t, g, w)
	return t, err
}

// again brings the table that is here already to the bottom. In the lobby the host changes it by
// giving options; otherwise people who may end it, or have a vote, are offered that.
func (v *Visit) again(t store.Table, g games.Game, w bot.Args) error {
	if t.State == store.Lobby && len(w) > 0 && t.Game == g.Name() && v.hosts(t) {
		if err := v.change(&t, w); err != nil {
			return err
		}
		if err := v.save(&t); err != nil {
			return err
		}
		v.Receipt("bot.changed", nil)
		return v.show(t)
	}
	may, _, err := v.mayEnd(t, false)
	if err != nil {
		return err
	}
	mine := board.SeatOf(t, v.Event.User)
	if (may || mine >= 0 && board.HasVote(t.Seats[mine])) && t.Page == board.PageGame {
		v.turns(&t, board.PageOffer)
	}
	if err := v.Redraw(&t); err != nil {
		return err
	}
	return v.tableHere(t)
}

// change gives a table in the lobby other rules or another stake.
func (v *Visit) change(t *store.Table, w bot.Args) error {
	g, err := v.bot.Game(t.Game)
	if err != nil {
		return err
	}
	var rules games.Rules
	var house int64
	if w.Text("variant")+w.Text("house") != "" {
		rules, house, err = v.chosen(g, w, t.Rules)
	} else if rules, err = optioned(g, w, func(given games.Rules) (games.Rules, error) {
		return g.Check(merged(t.Rules, given))
	}); err == nil {
		house, err = v.stillNamed(*t, rules)
	}
	if err != nil {
		return err
	}
	if _, most := g.Seats(rules); len(t.Seats) > most {
		return games.Refuse("bot.too-many-seats", games.Args{"N": most})
	}
	if err := checkSolved(g, rules, t.Seats); err != nil {
		return err
	}
	before := t.Stake
	if !g.Shape(t.Rules).Staked() {
		before = usualStake
	}
	t.Stake = stakeBy(g, rules, w, before)
	t.Rules, t.HouseRules = rules, house
	return v.bot.Agree(t, g, w)
}
