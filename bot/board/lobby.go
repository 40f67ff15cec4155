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

// lobby draws a table before its start: its seats, terms, notes and buttons.
func (s *BoardView) lobby() {
	box := s.box()
	s.boxed = box.Holder
	practice := peopleSit(s.Table) && IsPractice(s.Table, s.settings())
	if practice {
		box.Inside = 0
	}
	all := readOnce(s, "house rules", func(int64) ([]store.HouseRules, error) {
		return s.Tx.Chats.AllHouseRules(s.Table.Chat)
	})
	s.kept = Kept(all, s.Table.Game)
	s.Message.Head = s.opening()
	reserved := 0
	first := slices.IndexFunc(s.Table.Seats, func(seat store.Seat) bool {
		return seat.Confirmed && Holder(seat) == box.Holder
	})
	s.people(func(i int) (string, games.StandState) {
		seat := s.Table.Seats[i]
		switch {
		case !seat.Confirmed:
			reserved++
			return s.Say("bot.reserved", nil), games.Waiting
		case ToAgree(s.Table, i):
			return s.Say("bot.agreement.open", nil), games.Waiting
		case i == first: // if a computer player holds the box, only its first seat
			return s.Say("bot.holds-first", nil), games.Waiting
		case seat.House != "":
			return s.Line(s.house(seat.House)), games.Waiting
		}
		return "", games.Waiting
	})
	if reserved > 0 {
		s.Note("bot.reserved-note", games.Args{"Minutes": int(ReservedFor.Minutes())})
	}
	s.agreementNote(box.Inside)
	if StillIn(s.Table) > 1 && OpenerSits(s.Table) && !Minded(s.Table, s.bot.Now()) {
		s.Note("bot.opener-away", games.Args{"Seat": games.Seat(SeatOf(s.Table, chat.User(s.Table.Opener)))})
	}
	if !peopleSit(s.Table) {
		s.Note("bot.nobody-sits", nil)
	} else if least, _ := s.Game.Seats(s.Table.Rules); confirmed(s.Table) < least {
		s.Note("bot.too-few-seats", games.Args{"N": least})
	} else if s.practice() {
		s.Note("bot.alone", games.Args{"Amount": bot.Amount(s.Table.Unit, s.Table.Stake)})
	} else if s.Table.Stake > 0 {
		s.Message.Lines = append(s.Message.Lines, s.stakes(s.Table.Stake*int64(len(s.Table.Seats))+box.Inside))
	}
	if practice && priced(s.Table) && len(s.Table.Seats) > 1 {
		s.Note("bot.practice", nil)
	}
	if box.Inside > 0 && s.Table.Stake > 0 && s.pooled() {
		s.Note("bot.box-gives", games.Args{"Amount": bot.Amount(s.Table.Unit, box.Inside)})
	}
	s.SmallPrint()
	s.terms()
	s.pages()
	if s.Table.Clock.Warned > 0 {
		s.idleNote()
	}
	s.ending()
	s.forHost()
	s.guideLobby()
}

// forHost restricts all buttons except seat and vote buttons to the opener, while the opener decides the terms.
func (s *BoardView) forHost() {
	if !Minded(s.Table, s.bot.Now()) {
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

// opening returns the heading of a lobby.
func (s *BoardView) opening() string {
	args := games.Args{"Opener": s.opener(), "Game": s.bot.TableLabel(s.Game, s.Table.Rules),
		"Amount": bot.Amount(s.Table.Unit, s.Table.Stake)}
	switch {
	case !s.Game.Shape(s.Table.Rules).Staked(), s.practice():
		return s.Say("bot.opens-plain", args)
	case s.Table.Stake == 0:
		return s.Say("bot.opens-friendly", args)
	}
	return s.Say("bot.opens", args)
}

// practice reports whether one person alone could start now. Such a game is practice, without the table's stake.
func (s *BoardView) practice() bool {
	least, _ := s.Game.Seats(s.Table.Rules)
	return s.Table.Stake > 0 && len(s.Table.Seats) == 1 && least < 2 && peopleSit(s.Table) && allConfirmed(s.Table)
}

// opener returns the name of the opener, also if they have no seat.
func (s *BoardView) opener() string {
	if i := SeatOf(s.Table, chat.User(s.Table.Opener)); i >= 0 {
		return s.names[i]
	}
	return s.bot.ShownName(s.host.Name, s.lang)
}

// pages adds the buttons of the lobby's open page: rules, variants, computer players or seats. All pages have the
// buttons to join and to agree.
func (s *BoardView) pages() {
	page, _, _ := strings.Cut(s.Table.Board.Page, "/")
	if slices.Contains([]string{PageRules, pageVariants, pageHouses}, page) {
		s.Message.Row(s.joinButton()...)
	}
	switch page {
	case PageRules, pageVariants:
		s.rules()
	case pageHouses:
		s.houses()
	default:
		s.seats()
	}
}

// seats adds the buttons of the first page: join, leave, start, a computer player, and the way to the rules.
func (s *BoardView) seats() {
	least, most := s.Game.Seats(s.Table.Rules)
	row := s.joinButton()
	people := peopleSit(s.Table)
	if people {
		row = append(row, s.key("leave", "!leave", games.Plain))
	}
	if people && !allConfirmed(s.Table) {
		row = append(row, s.key("free", "!free", games.Plain))
	}
	s.Message.Row(row...)
	if !people {
		return
	}
	row = nil
	if confirmed(s.Table) >= least {
		row = append(row, s.startButton())
	}
	row = append(row, s.houseButton(most)...)
	s.Message.Row(append(row, s.key("rules-page", "!page rules", games.Plain))...)
}

// joinButton returns the button Join if a seat is free, and the one by which seated people agree to changed terms.
func (s *BoardView) joinButton() (row []chat.Button) {
	alone := s.owner != "" && SeatOf(s.Table, chat.User(s.owner)) >= 0 && allConfirmed(s.Table) // others cannot join
	if _, most := s.Game.Seats(s.Table.Rules); !alone && (len(s.Table.Seats) < most || !allConfirmed(s.Table)) {
		row = append(row, s.key("join", "!join", games.Success))
	}
	if missing := ToAgreeAt(s.Table); len(missing) > 0 {
		agree := s.key("agree", "!agree", games.Success)
		agree.For = chat.User(s.Table.Seats[missing[0]].Player)
		row = append(row, agree)
	}
	return row
}

// confirmed returns the number of seats that are taken, not only reserved.
func confirmed(t store.Table) int {
	return len(Where(t, func(_ int, seat store.Seat) bool { return seat.Confirmed }))
}

// allConfirmed reports whether no seat is only reserved.
func allConfirmed(t store.Table) bool { return confirmed(t) == len(t.Seats) }

// houseButton returns the button that adds a computer player or, if the game has several strategies or one is seated,
// the one that opens their page. It is nil if neither is possible.
func (s *BoardView) houseButton(most int) []chat.Button {
	houses := s.Game.Houses()
	seated := len(HousesAt(s.Table)) > 0
	switch {
	case len(houses) == 0 || len(s.Table.Seats) >= most && !seated:
		return nil
	case len(houses) == 1 && !seated:
		return []chat.Button{s.key("house", "!house "+houses[0].Name, games.Plain)}
	}
	page := s.key("house", "!page "+pageHouses, games.Plain)
	if s.viewer == nil || seated {
		return []chat.Button{page}
	}
	page.Label = s.Say("bot.button.houses", nil)
	return []chat.Button{s.addHouse("bot.button.one-house", houses[0].Name), page} // here is room for both
}

// house returns the name of a computer strategy. If perfect play aims at the total instead of winning, the name says
// so.
func (s *BoardView) house(name string) games.Line {
	label := s.bot.HouseLabel(s.Table.Game, name)
	if h, there := PerfectHouse(s.Game); there && h.Name == name && games.AimsAtTotal(s.Game, s.Table.Rules) {
		label = games.Say("bot.plays-for-total", games.Args{"House": label})
	}
	return label
}

// addHouse returns the button that seats a computer player with the strategy house. key is that of its label.
func (s *BoardView) addHouse(key, house string) chat.Button {
	label := games.Say(key, games.Args{"House": s.house(house)})
	return s.button(label, "!house "+house, games.Plain)
}

// houses adds the buttons of the page on which computer players are added and removed.
func (s *BoardView) houses() {
	_, most := s.Game.Seats(s.Table.Rules)
	var row []chat.Button
	if len(s.Table.Seats) < most {
		for _, h := range s.Game.Houses() {
			if h.Solved && Solvable(s.Game, s.Table.Rules, len(s.Table.Seats)+1) != nil {
				continue
			}
			row = append(row, s.addHouse("bot.button.add-house", h.Name))
		}
	}
	s.Message.Row(row...)
	row = nil
	if len(HousesAt(s.Table)) > 0 {
		row = append(row, s.key("remove-house", "!unhouse", games.Plain))
	}
	s.Message.Row(append(row, s.key("back", "!page", games.Primary))...)
}

// variantName returns the name of the table's house rules or variant, or a phrase for rules of no name.
func (s *BoardView) variantName() games.Line {
	if i := slices.IndexFunc(s.kept, func(h store.HouseRules) bool { return h.ID == s.Table.HouseRules }); i >= 0 {
		return NameLabel(s.kept[i])
	}
	if name := s.variant(); name != "" {
		return s.bot.VariantLabel(s.Game, name)
	}
	return games.Say("bot.own-rules", nil)
}

// variant returns the name of the variant that the table's rules make, or "".
func (s *BoardView) variant() string {
	return cmp.Or(games.VariantOf(s.Game, s.Table.Rules), games.CalledOf(s.Game, s.Table.Rules))
}

// variantButtons returns a button for every variant, then for the chat's house rules.
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

// value returns the value of an option at the table.
func (s *BoardView) value(o games.Option) string {
	if value, set := s.Table.Rules[o.Name]; set {
		return value
	}
	return o.Default()
}

// valueButtons returns a button for every value of an option that the other rules allow. A new settlement also drops
// the options that conflict with it.
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
				bot.Chosen(value == s.value(o))))
		}
	}
	return row
}

// guideLobby explains the lobby if the game is new to the chat or the opener has not finished any game.
func (s *BoardView) guideLobby() {
	if s.Table.Board.Page != PageGame || !peopleSit(s.Table) {
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
	if s.viewer != nil && Minded(s.Table, s.bot.Now()) && !s.hosts() {
		key, args = "bot.first.lobby-guest", games.Args{"Seat": games.Seat(opener)}
		if s.any(func(_ int, seat store.Seat) bool { return seat.Confirmed }) {
			key = "bot.first.lobby-seated"
		}
	}
	s.Message.Guide = s.Say(key, args)
}
