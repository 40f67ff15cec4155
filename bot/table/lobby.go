package table

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"knobel/bot"
	"knobel/bot/board"
	"knobel/bot/chat"
	"knobel/games"
	"knobel/games/dice"
	"knobel/store"
)

// join gives the person a seat, or confirms that they take the one reserved for them. If they already sit, it stores
// that they agree to the changed terms. It refuses if the pressed board shows other terms than the present ones.
func (v *Visit) join(t *store.Table, _ string) error {
	if err := v.Returned(v.Event.User); err != nil {
		return err
	}
	mine := board.SeatOf(*t, v.Event.User)
	if mine >= 0 && t.Seats[mine].Confirmed && !board.MustAgree(*t, mine) {
		return games.Refuse("bot.sits", nil)
	}
	if shown, err := v.showsTerms(*t); err != nil {
		return err
	} else if !shown {
		return games.Refuse("bot.agreement.changed", nil)
	}
	if mine >= 0 {
		s := &t.Seats[mine]
		switch {
		case s.Confirmed:
			v.Toast("bot.agreement.agreed", nil)
		case t.Occasion != "":
			v.Toast("bot.joined", nil)
		default:
			v.Toast("bot.confirmed", nil)
		}
		s.Confirmed, s.Name = true, v.Player.Name
		if err := v.setAgreed(t, mine); err != nil {
			return err
		}
		if len(board.SeatsToAgree(*t)) == 0 {
			t.Altered = "" // all have agreed to the changes
		}
		return v.save(t)
	}
	if _, final := board.FinalOf(*t); final {
		return games.Refuse("bot.final.finalists", nil)
	}
	g, err := v.bot.Game(t.Game)
	if err != nil {
		return err
	}
	_, most := g.Seats(t.Rules)
	if err := v.seatNewcomer(t, most); err != nil {
		return err
	}
	if v.Toast("bot.joined", nil); bot.InMessage(v.Event) {
		v.Toast("bot.guest.joined", nil) // no command can be typed here
	}
	return v.save(t)
}

// leave frees the person's seat.
func (v *Visit) leave(t *store.Table, _ string) error {
	i := board.SeatOf(*t, v.Event.User)
	if i < 0 {
		return games.Refuse("bot.not-seated", nil)
	}
	v.Toast("bot.left", nil)
	if _, final := board.FinalOf(*t); final {
		return reserveAgain(v, t, i)
	}
	return v.FreeSeat(t, i)
}

// FreeSeat frees a seat in the lobby. If the remaining votes now suffice to end the table, it ends the table.
func (v *Visit) FreeSeat(t *store.Table, seat int) error {
	t.Seats = slices.Delete(t.Seats, seat, seat+1)
	if v.bot.VotesSuffice(*t) {
		return v.Abandon(t)
	}
	return v.save(t)
}

// begin starts the match. It refuses if the person may not start it or a person has not agreed to the terms.
func (v *Visit) begin(t *store.Table, _ string) error {
	if !v.isHost(*t) {
		box, err := v.Tx.Books.BoxHolder(t.Chat, t.Unit)
		if err != nil {
			return err
		}
		if !board.HoldsBox(*t, box.Holder, v.Event.User) {
			return v.hostRefusal(*t)
		}
	}
	if err := errors.Join(v.requireAgreement(t), waitForFinalists(v, *t)); err != nil {
		return err
	}
	return v.start(t)
}

// addHouse gives a seat to a computer player. strategy is the name of its strategy.
func (v *Visit) addHouse(t *store.Table, strategy string) error {
	if _, final := board.FinalOf(*t); final {
		return games.Refuse("bot.final.no-computer", nil)
	}
	g, err := v.bot.Game(t.Game)
	if err != nil {
		return err
	}
	if _, known := findHouse(g, strategy); !known {
		return games.Refuse("bot.no-such-button", nil)
	}
	if _, most := g.Seats(t.Rules); len(t.Seats) >= most {
		return games.Refuse("bot.full", nil)
	}
	t.Seats = append(t.Seats, store.Seat{Name: "house " + strategy, House: strategy, Entropy: dice.HouseEntropy,
		Confirmed: true})
	if err := checkSolvable(g, t.Rules, t.Seats); err != nil {
		return err
	}
	v.openPage(t, board.PageGame) // back to the first page: most people add one computer player and start
	return v.save(t)
}

// removeHouse frees the computer seat that was added last.
func (v *Visit) removeHouse(t *store.Table, _ string) error {
	for i, s := range slices.Backward(t.Seats) {
		if s.House != "" {
			t.Seats = slices.Delete(t.Seats, i, i+1)
			return v.save(t)
		}
	}
	return games.Refuse("bot.no-house", nil)
}

// turnPage opens a page of the lobby's board. On platforms with menus, it shows the rules as menus instead. People who
// may not change the rules get a private answer that explains them.
func (v *Visit) turnPage(t *store.Table, page string) error {
	if !v.isHost(*t) {
		if page == board.PageRules {
			return v.explain(t.Game, t.Rules)
		}
		return v.hostRefusal(*t)
	}
	if at, rules := strings.CutPrefix(page, board.PageRules); rules && v.Event.Menus {
		if t.Board.Page == board.PageGame {
			return v.showRuleMenus(*t, strings.TrimLeft(at, " /"))
		}
		t.Board.Page = board.PageGame // the menus replace the board's own page of rules
		return errors.Join(v.save(t), v.showRuleMenus(*t, ""))
	}
	if v.openPage(t, page) {
		return nil
	}
	return v.save(t)
}

// showRuleMenus answers the host with menus for the rules. selected is a page's number or a menu's name.
func (v *Visit) showRuleMenus(t store.Table, selected string) (err error) {
	v.Reply.Private, err = v.bot.RulesPage(v.Tx, t, v.Lang, selected)
	return err
}

// refuseChoice returns err, the refusal of a choice in the menu name. If the host chose in the menus of a platform, it
// shows the reason as a toast (brief answer) and redraws the menus, which still show the refused value.
func (v *Visit) refuseChoice(t store.Table, name string, err error) error {
	r, refused := games.Refused(err)
	if !refused || !v.Event.Menus || v.Event.On == chat.Ref(t.Board.Message) {
		return err
	}
	v.Toast(r.Key, r.Args)
	v.Reply.Refused = true
	v.Reply.Page, err = v.bot.RulesPage(v.Tx, t, v.Lang, name)
	return err
}

// saveRules stores a lobby's changed rules and shows them on the board or, if menus are used, the menu named choice.
// Boards of browser pages keep the page that is open: a form beside the board may have sent the change.
func (v *Visit) saveRules(t *store.Table, choice string) error {
	switch {
	case v.Event.Pages:
		return v.save(t)
	case !v.Event.Menus:
		v.openPage(t, board.PageRules)
		return v.save(t)
	}
	t.Board.Page = board.PageGame
	err := v.save(t)
	if err != nil || v.Event.On == chat.Ref(t.Board.Message) { // the choice was made on a board, not in the menus
		return err
	}
	return v.showRuleMenus(*t, choice)
}

// setRule sets an option or the variant; rest gives its name and value: "one-die=never", "variant=golf".
func (v *Visit) setRule(t *store.Table, rest string) error {
	name, value, _ := strings.Cut(rest, "=")
	was, wished := *t, bot.Args{name: {Text: value}}
	if name == games.Settle {
		g, err := v.bot.Game(t.Game)
		if err != nil {
			return err
		}
		if rules, err := games.Settled(g, t.Rules, value); err == nil && rules[games.Point] == "" &&
			t.Rules[games.Point] != "" {
			wished[games.Point] = bot.Value{Text: "0"}
		}
	}
	if err := v.changeTerms(t, wished); err != nil {
		return v.refuseChoice(was, name, err)
	}
	return v.saveRules(t, name)
}

// nextStake returns the next of board.Stakes above stake, if larger, else below it. If there is none, it returns stake.
func nextStake(stake int64, larger bool) int64 {
	i, exact := slices.BinarySearch(board.Stakes[:], stake)
	switch {
	case larger && exact:
		i++
	case !larger:
		i--
	}
	if i < 0 || i == len(board.Stakes) {
		return stake
	}
	return board.Stakes[i]
}

// setStake sets the stake. rest is "more" or "less" for the next of board.Stakes, or one of these stakes: "10".
func (v *Visit) setStake(t *store.Table, rest string) error {
	g, err := v.bot.Game(t.Game)
	switch {
	case err != nil || !games.CanBeStaked(g):
		return err
	case !g.Shape(t.Rules).Staked(): // a stale board: its rules had a stake
		return v.refuseChoice(*t, board.ChoiceStake, games.RefuseStake(g))
	}
	switch stake, err := strconv.ParseInt(rest, 10, 64); {
	case err != nil:
		t.Stake = nextStake(t.Stake, rest == "more")
	case slices.Contains(board.Stakes[:], stake):
		t.Stake = stake
	case stake != t.Stake:
		return games.Refuse("bot.no-such-button", nil)
	}
	if err := checkFinal(*t); err != nil {
		return err
	}
	board.ReplaceOut(t)
	return v.saveRules(t, board.ChoiceStake)
}

// agreeNow stores that the person agrees to the terms that the pressed board shows.
func (v *Visit) agreeNow(t *store.Table, _ string) error {
	mine := board.SeatOf(*t, v.Event.User)
	if t.Seats[mine].Confirmed && !board.MustAgree(*t, mine) {
		return games.Refuse("bot.agreement.already", nil)
	}
	return v.join(t, "")
}

// seatNewcomer gives the person a seat: a new one or, if t has limit seats, a reserved one whose time has expired.
func (v *Visit) seatNewcomer(t *store.Table, limit int) error {
	seat := v.newSeat(t.Terms)
	if err := v.drawWord(&seat); err != nil {
		return err
	}
	if len(t.Seats) < limit {
		t.Seats = append(t.Seats, seat)
		return nil
	}
	free := firstReserved(*t)
	if free < 0 {
		return games.Refuse("bot.full", nil)
	}
	if until := t.Opened + board.ReservedFor.Milliseconds(); v.At < until {
		return games.Refuse("bot.full-reserved", games.Args{"N": v.minutesUntil(until)})
	}
	t.Seats[free] = seat
	return nil
}

// firstReserved returns the first seat that is reserved for a person who has not confirmed it, or -1.
func firstReserved(t store.Table) int {
	return slices.IndexFunc(t.Seats, func(s store.Seat) bool { return !s.Confirmed })
}

// rematch opens a lobby with the same seats as the old table t: the person's own is confirmed, those of other people
// are reserved for them. Only the first press on Rematch opens a lobby; later presses take a seat in that lobby.
func (v *Visit) rematch(t *store.Table, _ string) error {
	if t.Rematch != 0 {
		return v.joinRematch(t.Rematch)
	}
	mine := board.SeatOf(*t, v.Event.User)
	if mine < 0 {
		return games.Refuse("bot.not-seated", nil)
	}
	active, blocked, err := v.closeReplaceable()
	switch {
	case err != nil:
		return err
	case blocked && active.State == store.Lobby:
		return v.answerWithLobby(active, "")
	case blocked:
		return v.refuseForTable(active)
	}
	v.Names = v.bot.NamesAt(*t, v.Lang)
	next := store.Table{Game: t.Game, Rules: t.Rules, Stake: t.Stake, HouseRules: t.HouseRules,
		Clock: store.Clock{TurnLimit: t.Clock.TurnLimit,
			Absent: t.Clock.Absent}}
	if next.Language, err = v.bot.TableLanguage(v.Tx, store.Chat{}, *t); err != nil {
		return err
	}
	now, err := v.Renamed(*t)
	if err != nil {
		return err
	}
	for i, s := range now.Seats {
		if store.Forgotten(s.Player) > 0 {
			continue
		}
		kept := store.Seat{Player: s.Player, Name: s.Name, House: s.House, Entropy: s.Entropy, Confirmed: s.Confirmed}
		if s.House == "" {
			if err := v.drawWord(&kept); err != nil {
				return err
			}
			kept.Confirmed = i == mine
			if !kept.Confirmed {
				kept.Worded = 0 // 0: the player gets a new luck word when they agree to the terms
			}
		}
		next.Seats = append(next.Seats, kept)
	}
	next.Unit = v.Unit()
	if shown, err := v.showsTerms(next); err != nil {
		return err
	} else if !shown { // the pressed board, of an older game, has other terms
		next.Seats[board.SeatOf(next, v.Event.User)].Agreed = store.Unseen
	}
	box, err := v.Tx.Books.Box(t.Chat, next.Unit)
	if err != nil {
		return fmt.Errorf("box: %w", err)
	}
	moveHolderFirst(next.Seats, box.Holder)
	id, err := v.openTable(next)
	if err != nil {
		return err
	}
	t.Rematch = id
	return v.save(t)
}

// joinRematch handles a later press on Rematch: the person takes their reserved seat or a free one in the rematch id.
// If that game is over too, its own rematch is opened or joined.
func (v *Visit) joinRematch(id int64) error {
	next, err := v.load(id)
	if err != nil {
		return err
	}
	switch next.State {
	case store.Over, store.Abandoned:
		return v.rematch(&next, "")
	case store.Playing:
		return Gone(next)
	}
	if i := board.SeatOf(next, v.Event.User); i >= 0 && next.Seats[i].Confirmed {
		return games.Refuse("bot.sits", nil)
	}
	if shown, err := v.showsTerms(next); err != nil || !shown {
		v.Toast("bot.agreement.changed", nil)
		v.Reply.Refused = true
		return errors.Join(err, v.repostBoard(next))
	}
	return v.join(&next, "")
}

// freeReserved frees the seats of a lobby that are only reserved.
func (v *Visit) freeReserved(t *store.Table, _ string) error {
	if _, final := board.FinalOf(*t); final {
		return games.Refuse("bot.final.own-seat", nil)
	}
	if firstReserved(*t) < 0 {
		return games.Refuse("bot.none-reserved", nil)
	}
	t.Seats = slices.DeleteFunc(t.Seats, func(s store.Seat) bool { return !s.Confirmed })
	v.Toast("bot.freed", nil)
	return v.save(t)
}
