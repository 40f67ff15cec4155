package board

// Boards for one browser: in its language, with the page that is open there, and with the buttons that its people may
// press. Other buttons are left out only for convenience: each press is checked when it arrives.

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"knobel/bot"
	"knobel/bot/chat"
	"knobel/games"
	"knobel/store"
)

// viewerSeats returns the seats of the viewer's people. On the shared board it returns none.
func (s *BoardView) viewerSeats() []int {
	return SeatsWhere(s.Table, func(_ int, seat store.Seat) bool {
		return s.viewer != nil && seat.Player != "" && slices.Contains(s.viewer.People, chat.User(seat.Player))
	})
}

// anySeat reports whether match returns true for at least one of the viewer's seats.
func (s *BoardView) anySeat(match func(i int, seat store.Seat) bool) bool {
	return slices.ContainsFunc(s.viewerSeats(), func(i int) bool { return match(i, s.Table.Seats[i]) })
}

// isOwn reports whether a seat is the viewer's only seat. If people share a browser, it is false for all seats.
func (s *BoardView) isOwn(seat games.Seat) bool {
	return slices.Equal(s.viewerSeats(), []int{int(seat)})
}

// forMover returns the view of the viewer whose turn it is: the heading begins with the last line about them. With
// steps, which show how the turn before ended, the tiles are those of the next turn.
func (s *BoardView) forMover(view games.View, steps bool) games.View {
	for i, l := range slices.Backward(view.Head) {
		if seat, ok := l.Args["Seat"].(games.Seat); ok && s.isOwn(seat) {
			view.Head = slices.Concat(view.Head[i:i+1], view.Head[:i], view.Head[i+1:])
			break
		}
	}
	if !steps {
		return view
	}
	var next []games.TileRow
	for _, row := range view.Tiles {
		if len(row.Dice) > 0 && !slices.Contains(s.viewerSeats(), int(row.Owner)) {
			row = games.TileRow{Owner: games.Nobody, Tiles: row.Next}
		}
		if len(row.Tiles) > 0 || row.Owner != games.Nobody {
			next = append(next, row)
		}
	}
	view.Tiles = next
	return view
}

// isViewersTurn reports whether a seat of the viewer has the turn.
func (s *BoardView) isViewersTurn() bool {
	return s.anySeat(func(i int, _ store.Seat) bool { return slices.Contains(s.turn, games.Seat(i)) })
}

// limitToViewer removes parts that are not for the viewer: buttons, presses on dice, and the lesson of another player.
// It also lets the page offer to end the game if one of the viewer's people may ask for that.
func (s *BoardView) limitToViewer() {
	m := &s.Message
	moves := s.isViewersTurn()
	if m.Guide != "" && s.Table.State == store.Playing && !moves {
		m.Guide = "" // the lesson is only for the mover
	}
	for i := range m.Dice {
		if !moves {
			m.Dice[i].Press = ""
		}
	}
	rows := m.Buttons
	m.Buttons = nil
	for _, row := range rows {
		m.Row(slices.DeleteFunc(slices.Clone(row), func(b chat.Button) bool { return !s.isFor(b) })...)
	}
	ends := func(user chat.User) bool { return OffersEnd(s.Table, user) }
	if s.Table.State == store.Playing && !s.asksToEnd() && !HasEndVote(s.Table) &&
		slices.ContainsFunc(s.viewer.People, ends) {
		m.Ends = s.press("!end")
	}
}

// isFor reports whether the viewer may press a button.
func (s *BoardView) isFor(b chat.Button) bool {
	p, ok := chat.ParsePress(b.Press)
	if !ok {
		return b.Link != ""
	}
	if name, _, ok := p.Command(); ok {
		return name != "hint" || s.isViewersTurn()
	}
	verb, rest, ok := p.Verb()
	if !ok {
		return s.isViewersTurn()
	}
	switch verb {
	case "join":
		return s.viewer.Unseated || s.anySeat(func(_ int, seat store.Seat) bool { return !seat.Confirmed })
	case "agree":
		return s.anySeat(func(i int, _ store.Seat) bool { return MustAgree(s.Table, i) })
	case "leave":
		return s.anySeat(func(_ int, seat store.Seat) bool { return seat.Confirmed })
	case "start":
		return s.isHost() || HoldsBox(s.Table, s.boxHolder, s.viewer.People...)
	case "free", "house", "unhouse", "page", "set", "stake":
		return s.isHost()
	case "pick", "play", "more":
		return s.isViewersTurn()
	case "show":
		return s.isViewersTurn() || rest == PageSheet && s.large
	case "undo":
		return s.anySeat(func(i int, _ store.Seat) bool { return slices.Contains(s.undo, games.Seat(i)) })
	case "back":
		return s.anySeat(func(_ int, seat store.Seat) bool { return seat.Absence == store.Gone })
	case "stay":
		return s.anySeat(func(_ int, seat store.Seat) bool { return seat.Offered })
	case "take":
		return s.mayTake(rest)
	case "hand":
		return s.mayHandOver(rest)
	case "vote":
		return s.anySeat(func(_ int, seat store.Seat) bool { return HasVote(seat) && (rest != "yes" || !seat.Ends) })
	case "keep", "end":
		return len(s.viewerSeats()) > 0 || slices.Contains(s.viewer.People, chat.User(s.Table.Opener)) ||
			verb == "end" && s.asksToEnd()
	case "rematch":
		return len(s.viewerSeats()) > 0
	}
	return false
}

// isHost reports whether the viewer may decide the terms of a lobby.
func (s *BoardView) isHost() bool { return Hosts(s.Table, s.bot.Now(), s.viewer.People...) }

// asksToEnd reports whether the board shows the question whether to end the table, or the button that asks it.
func (s *BoardView) asksToEnd() bool {
	return s.Table.Board.Page == PageEnd || s.Table.Board.Page == PageOffer
}

// mayTake reports whether the viewer may press the button that asks for the offered seat with this number, or withdraws
// the viewer's request for it. People at one browser cannot take seats from each other.
func (s *BoardView) mayTake(number string) bool {
	seat, ok := OfferedSeat(s.Table, number)
	if !ok {
		return false
	}
	if taker := Taker(s.Table, seat); taker != "" && s.bot.NeedsAgreement(s.Table, seat) {
		return slices.Contains(s.viewer.People, taker)
	}
	return s.viewer.Unseated && !slices.ContainsFunc(s.viewer.People, func(user chat.User) bool {
		owner := chat.User(s.Table.Seats[seat].Player)
		return user == owner || s.bot.Same(user, owner)
	})
}

// mayHandOver reports whether the viewer may press a button that agrees to a handover. rest is the button's TakerMark
// and the seat's number. A person whose agreement is missing may. If an admin must agree, all people without a seat
// may, since the press checks who is an admin.
func (s *BoardView) mayHandOver(rest string) bool {
	_, number, _ := strings.Cut(rest, " ")
	seat, ok := OfferedSeat(s.Table, number)
	if !ok {
		return false
	}
	seats, admin := s.bot.StillAsked(s.Table, seat)
	return s.anySeat(func(i int, _ store.Seat) bool { return slices.Contains(seats, i) }) ||
		admin && s.viewer.Unseated && !slices.Contains(s.viewer.People, Taker(s.Table, seat))
}

// addAlterations adds a line for each change of the terms, on a viewer's page below the heading. box is the amount that
// the jackpot adds to the pool.
func (s *BoardView) addAlterations(box int64) {
	for entry := range strings.FieldsSeq(s.Table.Altered) {
		by, word, _ := strings.Cut(entry, ":")
		seat, err := strconv.Atoi(by)
		if err != nil {
			continue
		}
		word, name, _ := strings.Cut(word, "/")
		args := games.Args{"Seat": games.Seat(seat), "Variant": s.variantName(),
			"Then": AbsenceLabel(s.Table.Clock.Absent),
			"Time": LimitLabel(AgreedTurnLimit(s.Table)), "Amount": bot.Amount(s.Table.Unit, s.Table.Stake)}
		if strings.HasPrefix(word, alteredHouse) && s.Table.Stake > 0 && s.hasPool() {
			word += "-pool"
			args["Amount"] = bot.Amount(s.Table.Unit, s.Table.Stake*int64(len(s.Table.Seats))+box)
		}
		if word == alteredRule {
			i := slices.IndexFunc(s.Game.Options(), func(o games.Option) bool { return o.Name == name })
			if i < 0 {
				continue
			}
			o := s.Game.Options()[i]
			args["Option"], args["Value"] = s.optionLabel(o), bot.SayValue(o, s.ruleValue(o))
		}
		switch key := alteredKeys[word]; {
		case key == "":
		case s.viewer != nil: // a page has a place for it beside the heading
			s.tell(s.Say(key, args))
		default:
			s.Note(key, args)
		}
	}
}

// addAgreement adds a line for each change of the terms. If people must still agree, another line names them, but tells
// a viewer who is one of them how to agree. box is the amount that the jackpot adds to the pool.
func (s *BoardView) addAgreement(box int64) {
	missing := NamesOf(s.names, SeatsToAgree(s.Table))
	own := s.anySeat(func(i int, _ store.Seat) bool { return MustAgree(s.Table, i) })
	s.addAlterations(box)
	if missing != nil && s.Table.Altered == "" {
		s.Note("bot.altered.since", nil)
	}
	switch args := (games.Args{"Names": missing}); {
	case missing == nil:
	case own:
		s.Note("bot.agreement.note", nil)
	case s.viewer == nil:
		s.Note("bot.agreement.note-all", args)
	default:
		s.Note("bot.agreement.waits", args)
	}
}

// startButton returns the button Start. Its label names the people who must still agree, but not the viewer, whose
// press counts as agreeing. On the shared board it also omits the opener while they decide the terms.
func (s *BoardView) startButton() chat.Button {
	own := s.viewerSeats()
	if s.viewer == nil && OpenerDecides(s.Table, s.bot.Now()) {
		own = append(own, SeatOf(s.Table, chat.User(s.Table.Opener)))
	}
	missing := slices.DeleteFunc(SeatsToAgree(s.Table), func(i int) bool { return slices.Contains(own, i) })
	if len(missing) == 0 {
		return s.namedButton("start", "!start", games.Primary)
	}
	args := games.Args{"Names": NamesOf(s.names, missing)}
	return s.button(games.Say("bot.button.start-waits", args), "!start", games.Plain)
}

// The pages of a board, as stored. The page with the values of an option is PageRules, a slash and the option's name.
const (
	PageGame     = ""
	PageRules    = "rules"
	pageVariants = "variants"
	pageHouses   = "houses"
	PageOffer    = "offer"  // the game with a button that opens PageEnd
	PageEnd      = "end"    // the game with the question whether to end it
	PageWaited   = "waited" // a table ended early; the board names the people it waited for
	PageWrite    = "write"  // moves other than picking dice: all, or the group whose number follows a slash
	PageStrike   = "strike" // moves that give something up, if the game shows them on a separate page
	PageSheet    = "sheet"  // the game with its score sheet

	PageGivenUp  = "given up" // a lobby closed in favor of another table
	PageRestored = "restored" // a table ended because a backup was restored
)

// WritePage returns the page with the moves of a group, numbered from 1 as in games.View.Groups; 0: of all groups.
func WritePage(group int) string {
	if group == 0 {
		return PageWrite
	}
	return PageWrite + "/" + strconv.Itoa(group)
}

// ParseWritePage returns the group of moves that page shows; 0: no single group. ok: it is PageStrike or a WritePage.
func ParseWritePage(page string) (group int, ok bool) {
	if page == PageStrike {
		return 0, true
	}
	page, number, parted := strings.Cut(page, "/")
	if parted {
		group, _ = strconv.Atoi(number)
		parted = group <= 0
	}
	return group, page == PageWrite && !parted
}

const (
	// IdleSweep is the interval between searches for idle tables.
	IdleSweep = time.Hour
	// IdleGrace is the time after an outage of the bot in which no idle table is closed: people could not keep it open.
	IdleGrace = 10 * time.Minute
	// IdleWarning is the time from the warning that an idle table will be closed until it is closed.
	IdleWarning = 24 * time.Hour
)

// The default and the largest number of days after which an idle table is closed.
const (
	UsualIdle = 7
	MaxIdle   = 365
)

// IdleDays returns after how many days without a change a table is closed; 0: never.
func IdleDays(set bot.Settings) int {
	days, err := strconv.Atoi(set["idle"])
	if err != nil {
		return UsualIdle
	}
	return days
}
