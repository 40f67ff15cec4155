package table

import (
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

// join gives the person a seat, or the one that is reserved for them, or has
// them agree to what has changed since they sat down.
func (v *Visit) join(t *store.Table, _ string) error {
	if err := v.Returned(v.Event.User); err != nil {
		return err
	}
	mine := board.SeatOf(*t, v.Event.User)
	if mine >= 0 && t.Seats[mine].Confirmed && !board.ToAgree(*t, mine) {
		return games.Refuse("bot.sits", nil)
	}
	if shown, err := v.shown(*t); err != nil {
		return err
	} else if !shown {
		return games.Refuse("bot.agreement.changed", nil)
	}
	if mine >= 0 {
		s := &t.Seats[mine]
		if s.Confirmed {
			v.Toast("bot.agreement.agreed", nil)
		} else {
			v.Toast("bot.confirmed", nil)
		}
		s.Confirmed, s.Name = true, v.Player.Name
		v.agrees(t, mine)
		return v.save(t)
	}
	g, err := v.bot.Game(t.Game)
	if err != nil {
		return err
	}
	_, most := g.Seats(t.Rules)
	if err := v.newcomer(t, most); err != nil {
		return err
	}
	v.Toast("bot.joined", nil)
	return v.save(t)
}

// leave frees the person's seat.
func (v *Visit) leave(t *store.Table, _ string) error {
	i := board.SeatOf(*t, v.Event.User)
	if i < 0 {
		return games.Refuse("bot.not-seated", nil)
	}
	v.Toast("bot.left", nil)
	return v.GetUp(t, i)
}

// GetUp frees a seat in the lobby. Where enough of the others would have the
// table closed, it is.
func (v *Visit) GetUp(t *store.Table, seat int) error {
	t.Seats = slices.Delete(t.Seats, seat, seat+1)
	if v.bot.Enough(*t) {
		return v.Abandon(t)
	}
	return v.save(t)
}

// begin starts the match.
func (v *Visit) begin(t *store.Table, _ string) error {
	if !v.hosts(*t) {
		holds, err := v.holdsBox(*t)
		if err != nil {
			return err
		}
		if !holds {
			return v.onlyHost(*t)
		}
	}
	if err := v.allAgree(t); err != nil {
		return err
	}
	return v.start(t)
}

// hosts reports whether the person decides what is played: the opener, or
// anybody seated when the opener has left.
func (v *Visit) hosts(t store.Table) bool {
	mine := board.SeatOf(t, v.Event.User)
	if mine < 0 || !t.Seats[mine].Confirmed {
		return false
	}
	return t.Opener == string(v.Event.User) || !board.OpenerSits(t)
}

// holdsBox reports whether the person sits at the table and holds the box: they
// may start as well.
func (v *Visit) holdsBox(t store.Table) (bool, error) {
	mine := board.SeatOf(t, v.Event.User)
	if mine < 0 || !t.Seats[mine].Confirmed {
		return false, nil
	}
	box, err := v.Tx.Box(t.Chat, t.Unit)
	return box.Holder == string(v.Event.User), err
}

// onlyHost refuses what is the host's to do.
func (v *Visit) onlyHost(t store.Table) error {
	if board.SeatOf(t, v.Event.User) < 0 {
		return notSeated(t)
	}
	if i := board.SeatOf(t, chat.User(t.Opener)); i >= 0 {
		return games.Refuse("bot.host-decides", games.Args{"Seat": games.Seat(i)})
	}
	return games.Refuse("bot.confirm-first", nil)
}

// addHouse gives a seat to a house strategy.
func (v *Visit) addHouse(t *store.Table, strategy string) error {
	if !v.hosts(*t) {
		return v.onlyHost(*t)
	}
	g, err := v.bot.Game(t.Game)
	if err != nil {
		return err
	}
	if _, known := houseNamed(g, strategy); !known {
		return games.Refuse("bot.no-such-button", nil)
	}
	if _, most := g.Seats(t.Rules); len(t.Seats) >= most {
		return games.Refuse("bot.full", nil)
	}
	t.Seats = append(t.Seats, store.Seat{Name: "house " + strategy, House: strategy, Entropy: dice.HouseEntropy, Confirmed: true})
	if err := checkSolved(g, t.Rules, t.Seats); err != nil {
		return err
	}
	t.Page = board.PageGame // one is what most want, and then to start
	return v.save(t)
}

// removeHouse frees the house seat that came last.
func (v *Visit) removeHouse(t *store.Table, _ string) error {
	if !v.hosts(*t) {
		return v.onlyHost(*t)
	}
	for i, s := range slices.Backward(t.Seats) {
		if s.House != "" {
			t.Seats = slices.Delete(t.Seats, i, i+1)
			return v.save(t)
		}
	}
	return games.Refuse("bot.no-house", nil)
}

// turnPage shows another page of the lobby. Who is not the host reads the
// rules alone.
func (v *Visit) turnPage(t *store.Table, page string) error {
	if !v.hosts(*t) {
		if page == board.PageRules {
			return v.explain(t.Game, t.Rules)
		}
		return v.onlyHost(*t)
	}
	t.Page = page
	return v.save(t)
}

// setRule changes an option, "one-die=never", or takes a variant,
// "variant=golf".
func (v *Visit) setRule(t *store.Table, rest string) error {
	if !v.hosts(*t) {
		return v.onlyHost(*t)
	}
	name, value, _ := strings.Cut(rest, "=")
	if err := v.change(t, bot.Args{name: value}); err != nil {
		return err
	}
	t.Page = board.PageRules
	return v.save(t)
}

// stakes are what the buttons for more and less step through.
var stakes = []int64{0, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 100_000, money.MaxStake}

// stakeBeside is the next smaller or larger stake of the buttons.
func stakeBeside(stake int64, more bool) int64 {
	i, exact := slices.BinarySearch(stakes, stake)
	switch {
	case more && exact:
		i++
	case !more:
		i--
	}
	return stakes[max(0, min(i, len(stakes)-1))]
}

// setStake takes the stake one step up ("more") or down ("less").
func (v *Visit) setStake(t *store.Table, rest string) error {
	if !v.hosts(*t) {
		return v.onlyHost(*t)
	}
	if g, err := v.bot.Game(t.Game); err != nil || !g.Pool() {
		return err
	}
	t.Stake = stakeBeside(t.Stake, rest == "more")
	board.Stakeless(t)
	return v.save(t)
}
