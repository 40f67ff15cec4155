package board

// Boards for one browser: in its language, with the page open there, and with the buttons for its people. Leaving out
// buttons is only a convenience: each press is checked when it arrives.

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

// mine returns the viewer's seats, none on the board that all share.
func (s *BoardView) mine() []int {
	return Where(s.Table, func(_ int, seat store.Seat) bool {
		return s.viewer != nil && seat.Player != "" && slices.Contains(s.viewer.People, chat.User(seat.Player))
	})
}

// any reports whether is returns true for one of the viewer's seats.
func (s *BoardView) any(is func(i int, seat store.Seat) bool) bool {
	return slices.ContainsFunc(s.mine(), func(i int) bool { return is(i, s.Table.Seats[i]) })
}

// looksToMove reports whether it is the viewer's turn.
func (s *BoardView) looksToMove() bool {
	return s.any(func(i int, _ store.Seat) bool { return slices.Contains(s.turn, games.Seat(i)) })
}

// forViewer removes the buttons, dice presses and lessons that are not for the viewer. It offers the end of the game to
// those who may ask for it.
func (s *BoardView) forViewer() {
	m := &s.Message
	moves := s.looksToMove()
	if m.Guide != "" && s.Table.State == store.Playing && !moves {
		m.Guide = "" // the lesson is for the mover
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
	if s.Table.State == store.Playing && !s.asked() && !Voted(s.Table) && slices.ContainsFunc(s.viewer.People, ends) {
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
		return name != "hint" || s.looksToMove()
	}
	verb, rest, ok := p.Verb()
	if !ok {
		return s.looksToMove()
	}
	switch verb {
	case "join":
		return s.viewer.Unseated || s.any(func(_ int, seat store.Seat) bool { return !seat.Confirmed })
	case "agree":
		return s.any(func(i int, _ store.Seat) bool { return ToAgree(s.Table, i) })
	case "leave":
		return s.any(func(_ int, seat store.Seat) bool { return seat.Confirmed })
	case "start":
		return s.hosts() || HoldsBox(s.Table, s.boxed, s.viewer.People...)
	case "free", "house", "unhouse", "page", "set", "stake":
		return s.hosts()
	case "pick", "play", "more":
		return s.looksToMove()
	case "show":
		return s.looksToMove() || rest == PageSheet && s.large
	case "undo":
		return s.any(func(i int, _ store.Seat) bool { return slices.Contains(s.undo, games.Seat(i)) })
	case "back":
		return s.any(func(_ int, seat store.Seat) bool { return seat.Absence == store.Gone })
	case "stay":
		return s.any(func(_ int, seat store.Seat) bool { return seat.Offered })
	case "take":
		return s.mayTake(rest)
	case "hand":
		return s.mayHand(rest)
	case "vote":
		return s.any(func(_ int, seat store.Seat) bool { return HasVote(seat) && (rest != "yes" || !seat.Ends) })
	case "keep", "end":
		return len(s.mine()) > 0 || slices.Contains(s.viewer.People, chat.User(s.Table.Opener)) ||
			verb == "end" && s.asked()
	case "rematch":
		return len(s.mine()) > 0
	}
	return false
}

// hosts reports whether the viewer may decide the terms.
func (s *BoardView) hosts() bool { return Hosts(s.Table, s.bot.Now(), s.viewer.People...) }

// asked reports whether the board asks the viewer about the end of the table.
func (s *BoardView) asked() bool {
	return s.Table.Board.Page == PageEnd || s.Table.Board.Page == PageOffer
}

// mayTake reports whether the viewer may ask for the offered seat, or withdraw their request. People at one browser
// cannot take seats from each other.
func (s *BoardView) mayTake(rest string) bool {
	seat, ok := OfferedSeat(s.Table, rest)
	if !ok {
		return false
	}
	if taker := Taker(s.Table, seat); taker != "" && s.bot.Asks(s.Table, seat) {
		return slices.Contains(s.viewer.People, taker)
	}
	return s.viewer.Unseated && !slices.ContainsFunc(s.viewer.People, func(user chat.User) bool {
		owner := chat.User(s.Table.Seats[seat].Player)
		return user == owner || s.bot.Same(user, owner)
	})
}

// mayHand reports whether the viewer may agree to a handover of a seat: a person at the table whose agreement is
// missing or, if an admin has to agree, any person without a seat, since the press checks for an admin.
func (s *BoardView) mayHand(rest string) bool {
	_, number, _ := strings.Cut(rest, " ")
	seat, ok := OfferedSeat(s.Table, number)
	if !ok {
		return false
	}
	seats, admin := s.bot.StillAsked(s.Table, seat)
	return s.any(func(i int, _ store.Seat) bool { return slices.Contains(seats, i) }) ||
		admin && s.viewer.Unseated && !slices.Contains(s.viewer.People, Taker(s.Table, seat))
}

// altered adds a line for each change of the terms. box is the amount that the box gives to the pool.
func (s *BoardView) altered(box int64) {
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
		if strings.HasPrefix(word, alteredHouse) && s.Table.Stake > 0 && s.pooled() {
			word += "-pool"
			args["Amount"] = bot.Amount(s.Table.Unit, s.Table.Stake*int64(len(s.Table.Seats))+box)
		}
		if word == alteredRule {
			i := slices.IndexFunc(s.Game.Options(), func(o games.Option) bool { return o.Name == name })
			if i < 0 {
				continue
			}
			o := s.Game.Options()[i]
			args["Option"], args["Value"] = s.bot.OptionLabel(s.Game, o), bot.SayValue(o, s.value(o))
		}
		if key := alteredKeys[word]; key != "" {
			s.Note(key, args)
		}
	}
}

// agreementNote adds the changes of the terms, and a line on the people who have yet to agree: to a viewer among them,
// how to agree; to others, their names.
func (s *BoardView) agreementNote(box int64) {
	missing := Named(s.names, ToAgreeAt(s.Table))
	own := s.any(func(i int, _ store.Seat) bool { return ToAgree(s.Table, i) })
	s.altered(box)
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

// startButton returns the button Start, with the names of people who have yet to agree in its label. The viewer is not
// named, because starting counts as agreeing. On the board that all share, the opener is left out too while they decide
// the terms.
func (s *BoardView) startButton() chat.Button {
	own := s.mine()
	if s.viewer == nil && Minded(s.Table, s.bot.Now()) {
		own = append(own, SeatOf(s.Table, chat.User(s.Table.Opener)))
	}
	missing := slices.DeleteFunc(ToAgreeAt(s.Table), func(i int) bool { return slices.Contains(own, i) })
	if len(missing) == 0 {
		return s.key("start", "!start", games.Primary)
	}
	args := games.Args{"Names": Named(s.names, missing)}
	return s.button(games.Say("bot.button.start-waits", args), "!start", games.Plain)
}

// The pages of a board. The page of an option is PageRules, a slash and the option's name.
const (
	PageGame     = ""
	PageRules    = "rules"
	pageVariants = "variants"
	pageHouses   = "houses"
	PageOffer    = "offer"  // the game with a button that asks for its end
	PageEnd      = "end"    // the game with the question whether to end it
	PageWaited   = "waited" // a table ended early; names the people it waited for
	PageWrite    = "write"  // moves other than picking dice, or one part of them by its number after a slash
	PageStrike   = "strike" // moves that give something up, if the game separates them
	PageSheet    = "sheet"  // the game with its whole sheet

	PageGivenUp  = "given up" // a lobby closed in favor of another table
	PageRestored = "restored" // a table ended because a backup was restored
)

// WritePage returns the page with one part of the moves, numbered from 1 as in games.View.Groups. 0 is the page with
// all moves.
func WritePage(group int) string {
	if group == 0 {
		return PageWrite
	}
	return PageWrite + "/" + strconv.Itoa(group)
}

// Writes reports whether a page shows moves of a match, and the number of the part that it shows; 0: no part of them.
func Writes(page string) (group int, ok bool) {
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
	// IdleGrace is how long no idle table is closed after an outage of the bot, when people could not keep theirs.
	IdleGrace = 10 * time.Minute
	// IdleWarning is the time between the announcement that an idle table will be closed and its end.
	IdleWarning = 24 * time.Hour
)

// The default and the largest number of days after which an idle table is closed.
const (
	UsualIdle = 7
	MaxIdle   = 365
)

// IdleDays returns the number of days without a change after which a table is closed; 0: never.
func IdleDays(set bot.Settings) int {
	days, err := strconv.Atoi(set["idle"])
	if err != nil {
		return UsualIdle
	}
	return days
}
