package board

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"knobel/bot"
	"knobel/bot/chat"
	"knobel/games"
	"knobel/store"
)

// drawLobby draws a table before its start: its seats, terms, notes and buttons.
func (s *BoardView) drawLobby() {
	box := s.chatBox()
	s.boxHolder = box.Holder
	practice := hasPeople(s.Table) && IsPractice(s.Table, s.settings())
	if practice {
		box.Inside = 0
	}
	all := readOnce(s, "house rules", func(int64) ([]store.HouseRules, error) {
		return s.Tx.Chats.AllHouseRules(s.Table.Chat)
	})
	s.kept = Kept(all, s.Table.Game)
	s.Message.Head = s.lobbyHeading()
	s.addOccasion()
	s.sayFinal()
	reserved := 0
	first := slices.IndexFunc(s.Table.Seats, func(seat store.Seat) bool {
		return seat.Confirmed && Holder(seat) == box.Holder
	})
	s.addSeats(func(i int) (string, games.StandState) {
		seat := s.Table.Seats[i]
		switch {
		case !seat.Confirmed:
			reserved++
			return s.Say("bot.reserved", nil), games.Waiting
		case MustAgree(s.Table, i):
			return s.Say("bot.agreement.open", nil), games.Waiting
		case i == first: // a strategy that holds the box can have several seats: only the first is marked
			return s.Say("bot.holds-first", nil), games.Waiting
		case seat.House != "":
			return s.Line(s.houseName(seat.House)), games.Waiting
		}
		return "", games.Waiting
	})
	_, final := FinalOf(s.Table)
	if reserved > 0 && !final { // at a final the seats stay reserved
		s.Note("bot.reserved-note", games.Args{"Minutes": int(ReservedFor.Minutes())})
	}
	s.addAgreement(box.Inside)
	if CountPeople(s.Table) > 1 && OpenerSits(s.Table) && !OpenerDecides(s.Table, s.bot.Now()) {
		s.Note("bot.opener-away", games.Args{"Seat": games.Seat(SeatOf(s.Table, chat.User(s.Table.Opener)))})
	}
	if !hasPeople(s.Table) {
		if reserved == 0 && !final {
			s.Note("bot.nobody-sits", nil)
		}
	} else if least, _ := s.Game.Seats(s.Table.Rules); countConfirmed(s.Table) < least {
		s.Note("bot.too-few-seats", games.Args{"N": least})
	} else if s.isPracticeAlone() {
		s.Note("bot.alone", games.Args{"Amount": bot.Amount(s.Table.Unit, s.Table.Stake)})
	} else if told := s.hasPool() && strings.Contains(s.Table.Altered, ":"+alteredHouse); s.Table.Stake > 0 && !told {
		s.Message.Lines = append(s.Message.Lines, s.stakesLine(s.Table.Stake*int64(len(s.Table.Seats))+box.Inside))
	}
	if practice && hasPrice(s.Table) && len(s.Table.Seats) > 1 {
		s.Note("bot.practice", nil)
	}
	if box.Inside > 0 && s.Table.Stake > 0 && s.hasPool() {
		s.Note("bot.box-gives", games.Args{"Amount": bot.Amount(s.Table.Unit, box.Inside)})
	}
	s.SmallPrint()
	s.addTerms()
	s.addPage()
	if s.Table.Clock.Warned > 0 {
		s.addIdleNote()
	}
	s.addEndQuestion()
	s.limitToOpener()
	s.guideLobby()
}

// limitToOpener reserves all buttons, except those for seats and votes, for the opener while they decide the terms.
func (s *BoardView) limitToOpener() {
	if !OpenerDecides(s.Table, s.bot.Now()) {
		return
	}
	own := []string{s.press("!join"), s.press("!agree"), s.press("!leave"), s.press("!vote yes"), s.press("!vote no")}
	for _, row := range s.Message.Buttons {
		for i := range row {
			if !slices.Contains(own, row[i].Press) {
				row[i].For = chat.User(s.Table.Opener)
			}
		}
	}
}

// lobbyHeading returns the heading of a lobby.
func (s *BoardView) lobbyHeading() string {
	args := games.Args{"Opener": s.openerName(), "Game": s.bot.TableLabel(s.Game, s.Table.Rules),
		"Amount": bot.Amount(s.Table.Unit, s.Table.Stake)}
	keys := [...]string{"bot.opens-plain", "bot.opens-friendly", "bot.opens"}
	if OccasionOf(s.Table).Kind == AtEvening {
		keys = [...]string{"bot.evening.opens-plain", "bot.evening.opens-friendly", "bot.evening.opens"}
	}
	of, final := s.seasonOfFinal()
	switch {
	case final:
		args["Season"] = chat.Isolate(of.Name)
		return s.Say("bot.final.opens", args)
	case !s.Game.Shape(s.Table.Rules).Staked(), s.isPracticeAlone():
		return s.Say(keys[0], args)
	case s.Table.Stake == 0:
		return s.Say(keys[1], args)
	}
	return s.Say(keys[2], args)
}

// isPracticeAlone reports whether the game could start now with a single person. It would be practice, without a stake.
func (s *BoardView) isPracticeAlone() bool {
	least, _ := s.Game.Seats(s.Table.Rules)
	return s.Table.Stake > 0 && len(s.Table.Seats) == 1 && least < 2 && hasPeople(s.Table) && allConfirmed(s.Table)
}

// openerName returns the name of the person who opened the table, who need not have a seat.
func (s *BoardView) openerName() string {
	if i := SeatOf(s.Table, chat.User(s.Table.Opener)); i >= 0 {
		return s.names[i]
	}
	opener := readOnce(s, "opener", func(int64) (store.Player, error) { return s.Tx.Chats.Player(s.Table.Opener) })
	return s.bot.ShownName(opener.Name, s.lang)
}

// addPage adds the buttons of the lobby's open page: rules, variants, computer players or seats. All pages have the
// buttons to join and to agree.
func (s *BoardView) addPage() {
	page, _, _ := strings.Cut(s.Table.Board.Page, "/")
	if slices.Contains([]string{PageRules, pageVariants, pageHouses}, page) {
		s.Message.Row(s.joinButtons()...)
	}
	switch page {
	case PageRules, pageVariants:
		s.drawRules()
	case pageHouses:
		s.addHousePage()
	default:
		s.addSeatButtons()
	}
}

// addSeatButtons adds the buttons of the first page: join, leave, start, add a computer player, and open the rules.
func (s *BoardView) addSeatButtons() {
	least, most := s.Game.Seats(s.Table.Rules)
	row := s.joinButtons()
	people := hasPeople(s.Table)
	if people {
		row = append(row, s.namedButton("leave", "!leave", games.Plain))
	}
	if _, final := FinalOf(s.Table); people && !final && !allConfirmed(s.Table) {
		row = append(row, s.namedButton("free", "!free", games.Plain))
	}
	s.Message.Row(row...)
	if !people {
		return
	}
	row = nil
	if countConfirmed(s.Table) >= least {
		row = append(row, s.startButton())
	}
	row = append(row, s.houseButtons(most)...)
	s.Message.Row(append(row, s.namedButton("rules-page", "!page rules", games.Plain))...)
}

// joinButtons returns the button Join, if a seat is free, and the button Agree, if a person has to agree to new terms.
func (s *BoardView) joinButtons() (row []chat.Button) {
	alone := s.owner != "" && SeatOf(s.Table, chat.User(s.owner)) >= 0 && allConfirmed(s.Table) // they are alone
	if _, most := s.Game.Seats(s.Table.Rules); !alone && (len(s.Table.Seats) < most || !allConfirmed(s.Table)) {
		row = append(row, s.namedButton("join", "!join", games.Success))
	}
	if missing := SeatsToAgree(s.Table); len(missing) > 0 {
		agree := s.namedButton("agree", "!agree", games.Success)
		agree.For = chat.User(s.Table.Seats[missing[0]].Player)
		row = append(row, agree)
	}
	return row
}

// countConfirmed returns the number of seats that are taken, not only reserved.
func countConfirmed(t store.Table) int {
	return len(SeatsWhere(t, func(_ int, seat store.Seat) bool { return seat.Confirmed }))
}

// allConfirmed reports whether no seat is only reserved.
func allConfirmed(t store.Table) bool { return countConfirmed(t) == len(t.Seats) }

// houseButtons returns the button that adds a computer player or, if the game has several strategies or a computer
// player is seated, the button for their page; nil if neither is possible. most is the largest number of seats.
func (s *BoardView) houseButtons(most int) []chat.Button {
	houses := s.Game.Houses()
	seated := len(HousesAt(s.Table)) > 0
	_, final := FinalOf(s.Table)
	switch {
	case final || len(houses) == 0 || len(s.Table.Seats) >= most && !seated:
		return nil
	case len(houses) == 1 && !seated:
		return []chat.Button{s.namedButton("house", "!house "+houses[0].Name, games.Plain)}
	}
	page := s.namedButton("house", "!page "+pageHouses, games.Plain)
	if s.viewer == nil || seated {
		return []chat.Button{page}
	}
	page.Label = s.Say("bot.button.houses", nil)
	return []chat.Button{s.addHouseButton("bot.button.one-house", houses[0].Name), page} // a viewer's page has room
}

// houseName returns the name of a computer strategy, with a note if perfect play aims at points instead of at winning.
func (s *BoardView) houseName(name string) games.Line {
	label := s.bot.HouseLabel(s.Table.Game, name)
	if h, there := PerfectHouse(s.Game); there && h.Name == name && games.AimsAtTotal(s.Game, s.Table.Rules) {
		label = games.Say("bot.plays-for-total", games.Args{"House": label})
	}
	return label
}

// addHouseButton returns a button that adds a computer player. house is its strategy, and key the key of the label.
func (s *BoardView) addHouseButton(key, house string) chat.Button {
	label := games.Say(key, games.Args{"House": s.houseName(house)})
	return s.button(label, "!house "+house, games.Plain)
}

// addHousePage adds the buttons of the page on which computer players are added and removed.
func (s *BoardView) addHousePage() {
	_, most := s.Game.Seats(s.Table.Rules)
	var row []chat.Button
	if len(s.Table.Seats) < most {
		for _, h := range s.Game.Houses() {
			if h.Solved && Solvable(s.Game, s.Table.Rules, len(s.Table.Seats)+1) != nil {
				continue
			}
			row = append(row, s.addHouseButton("bot.button.add-house", h.Name))
		}
	}
	s.Message.Row(row...)
	row = nil
	if len(HousesAt(s.Table)) > 0 {
		row = append(row, s.namedButton("remove-house", "!unhouse", games.Plain))
	}
	s.Message.Row(append(row, s.namedButton("back", "!page", games.Primary))...)
}

// variantName returns the name of the table's house rules or variant, or the phrase “own rules” if they have no name.
func (s *BoardView) variantName() games.Line {
	if i := slices.IndexFunc(s.kept, func(h store.HouseRules) bool { return h.ID == s.Table.HouseRules }); i >= 0 {
		return NameLabel(s.kept[i])
	}
	if name := s.variant(); name != "" {
		return s.bot.VariantLabel(s.Game, name)
	}
	return games.Say("bot.own-rules", nil)
}

// variant returns the name of the variant to which the table's rules are equal, or "".
func (s *BoardView) variant() string {
	return cmp.Or(games.VariantOf(s.Game, s.Table.Rules), games.CalledOf(s.Game, s.Table.Rules))
}

// variantButtons returns a button for every variant, then one for each of the chat's house rules (saved presets).
func (s *BoardView) variantButtons() (row []chat.Button) {
	now := s.variant()
	for _, v := range s.Game.Variants() {
		row = append(row, s.button(s.bot.VariantLabel(s.Game, v.Name), "!set variant="+v.Name,
			bot.Chosen(v.Name == now && s.Table.HouseRules == 0)))
	}
	for _, h := range s.kept[:min(len(s.kept), MaxOpened)] {
		row = append(row, s.button(NameLabel(h), fmt.Sprint("!set house=", h.ID),
			bot.Chosen(h.ID == s.Table.HouseRules)))
	}
	return row
}

// optionLabel returns the name of an option at this table.
func (s *BoardView) optionLabel(o games.Option) games.Line {
	return s.bot.OptionLabel(s.Game, games.CalledOf(s.Game, s.Table.Rules), o)
}

// ruleValue returns the value that the rules of the table give to an option, or else the option's default.
func (s *BoardView) ruleValue(o games.Option) string {
	if value, set := s.Table.Rules[o.Name]; set {
		return value
	}
	return o.Default()
}

// valueButtons returns a button for every value of an option that the other rules allow. A settlement (how points are
// paid) is offered even if other options conflict with it, since its press drops these options.
func (s *BoardView) valueButtons(o games.Option) (row []chat.Button) {
	for _, value := range o.Values {
		rules := games.Rules{}
		maps.Copy(rules, s.Table.Rules)
		rules[o.Name] = value
		_, err := s.Game.Check(rules)
		if o.Name == games.Settle {
			_, err = games.Settled(s.Game, s.Table.Rules, value)
		}
		if err == nil {
			row = append(row, s.button(bot.SayValue(o, value), "!set "+o.Name+"="+value,
				bot.Chosen(value == s.ruleValue(o))))
		}
	}
	return row
}

// guideLobby explains the lobby if the chat has never finished this game, or the opener has never finished any game.
func (s *BoardView) guideLobby() {
	if s.Table.Board.Page != PageGame || !hasPeople(s.Table) {
		return
	}
	first := readOnce(s, "first game", func(int64) (bool, error) {
		return s.Tx.Scores.FirstGame(s.Table.Chat, s.Table.Game, s.Table.Opener)
	})
	if !first {
		return
	}
	key := "bot.first.lobby"
	if s.owner != "" {
		key = "bot.first.lobby-alone"
	}
	var args games.Args
	opener := SeatOf(s.Table, chat.User(s.Table.Opener))
	if s.viewer != nil && OpenerDecides(s.Table, s.bot.Now()) && !s.isHost() {
		key, args = "bot.first.lobby-guest", games.Args{"Seat": games.Seat(opener)}
		if s.anySeat(func(_ int, seat store.Seat) bool { return seat.Confirmed }) {
			key = "bot.first.lobby-seated"
		}
	}
	s.Message.Guide = s.Say(key, args)
}
