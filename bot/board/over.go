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
	"knobel/games/money"
	"knobel/store"
)

// drawOver draws a finished game: its result, winnings and box, and the buttons for a rematch and for looking back.
func (s *BoardView) drawOver() {
	if store.Staged(s.Table, s.bot.Now()) > 0 && s.drawStaged() {
		return
	}
	_, m, err := s.bot.Match(s.Table)
	if s.Err = cmp.Or(s.Err, err); err != nil {
		return
	}
	rows := readOnce(s, "results", s.Tx.Tables.Results)
	result, _ := m.Result()
	winners := WithoutOut(s.Table, result).Winners
	view := s.withWinnersTiles(viewOf(s.Table, m), winners)
	s.readPace(m)
	unseen := s.groupTurns(s.unseenMoves())
	if len(unseen) > 0 && view.Won.Key != "" {
		view.Head = nil // the heading describes the last turn, which the lines on unseen turns include
	}
	if s.Table.Ending.Voided {
		s.tell(s.Say("bot.void.board", nil))
	}
	s.drawResult(view, result, rows)
	s.sayFinal()
	s.addPressRolls()
	s.addPlayedFor()
	s.addBoxNotes(winners)
	var row []chat.Button
	if s.Table.Rematch == 0 {
		row = append(row, s.namedButton("rematch", "!rematch", games.Primary))
	}
	if s.viewer != nil && !s.Table.Ending.MovesDropped { // only a browser page replays moves
		row = append(row, s.namedButton("replay", fmt.Sprintf("/history %d first", s.Table.ID), games.Plain))
	}
	reviewed := false
	if s.bot.Result != nil {
		reviewed, err = s.bot.Result(s)
		s.Err = cmp.Or(s.Err, err)
	}
	s.Message.Lines = append(s.unseenLines(unseen, winners, reviewed), s.Message.Lines...)
	if reviewed {
		row = append(row, s.namedButton("review", "/review", games.Plain))
	}
	row = append(row, s.namedButton("dice", "/fair", games.Plain))
	if view.Sheet != nil && (s.Message.Sheet == nil || s.large) {
		row = append(row, s.namedButton("sheet", "!show sheet", games.Plain))
	}
	s.Message.Row(row...)
	if s.viewer == nil {
		ExplainSigns(&s.Message, view.Sheet, s.Line)
	}
	s.SmallPrint()
	if s.traits.Steps {
		s.addSteps()
	}
}

// drawResult draws the result of a game. rows are the stored results by seat; without them it leaves out amounts won.
func (s *BoardView) drawResult(view games.View, result games.Result, rows []store.Result) {
	s.Message.Record = s.Table.ID
	result = WithoutOut(s.Table, result)
	paid := s.Table.Stake > 0 && len(rows) == len(s.Table.Seats)
	s.tellWinners(view.Won, result.Winners, paid)
	if paid && !s.hasPool() {
		s.tellPayers(rows)
	}
	s.tellAll(view.Head)
	if s.Message.Head == "" {
		s.tell(s.Say("games.over", nil)) // there is no stake, and the game has no sentence on its end
	}
	s.drawGame(view)
	s.addNotes(view)
	s.sayPoints(result)
	s.markWinners(result.Winners)
	if !s.Game.Shape(s.Table.Rules).Staked() {
		s.addDifferences(rows)
	}
	for i, row := range rows {
		p := &s.Message.People[i]
		if paid || len(s.Message.People) > 1 {
			p.Amount = s.bot.Words.Number(s.lang, AmountOf(s.Table, row))
		}
		if paid {
			p.Text = strings.TrimSpace(p.Text + " (" + p.Amount + ")")
		}
	}
	if paid {
		s.addForfeits()
	}
	if len(result.Winners) == 1 {
		s.Message.Accent = int(result.Winners[0])
	}
	s.addPlaces(result)
}

// sayPoints says “points” beside the score of each seat whose text is a bare number.
func (s *BoardView) sayPoints(result games.Result) {
	for i, row := range result.Rows {
		for _, score := range []*int{&row.Score, row.Total} {
			if p := &s.Message.People[i]; score != nil && p.Text == s.number(*score) {
				p.Text = s.Say("bot.points", games.Args{"N": *score})
			}
		}
	}
}

// number returns n as text in the board's language.
func (s *BoardView) number(n int) string {
	return s.bot.Words.Number(s.lang, bot.PlainNumber(int64(n)))
}

// addPlaces sets the places of the list of seats. On platforms without pages, which draw a line for each seat, it also
// lists the seats in the order of places.
func (s *BoardView) addPlaces(result games.Result) {
	if len(s.Message.People) < 2 {
		return
	}
	for i := range s.Message.People {
		if i < len(result.Rows) {
			s.Message.People[i].Place = result.Rows[i].Place
		}
	}
	if !s.traits.Pages {
		slices.SortStableFunc(s.Message.People, func(a, b chat.Person) int { return a.Place - b.Place })
	}
}

// AmountOf returns the amount that a seat has won or lost at the table t by its result, with a sign: units of stakes
// or, if there are none, points above the average. It is "" if the game has neither.
func AmountOf(t store.Table, result store.Result) games.Number {
	switch {
	case t.Stake > 0 || result.Settlement != nil:
		return bot.Signed(result.Units())
	case result.Difference.D != 0:
		return games.Number(money.Difference(result.Difference).String())
	}
	return ""
}

// markWinners marks the winners and the seats that are out of the game in the list of seats. If no seat is out, it does
// nothing: the game's own marks are then right.
func (s *BoardView) markWinners(winners []games.Seat) {
	if !AnyOut(s.Table) {
		return
	}
	for i := range s.Message.People {
		switch p := &s.Message.People[i]; {
		case s.Table.Seats[i].Absence == store.Out:
			p.State = games.Out
		case slices.Contains(winners, games.Seat(i)):
			p.State = games.Won
		}
	}
}

// addDifferences adds to each seat the difference of its points to the average. If points are paid (the table has a
// settlement), it also adds the amount. rows are the stored results, one for each seat.
func (s *BoardView) addDifferences(rows []store.Result) {
	if len(rows) != len(s.Message.People) || len(rows) == 1 {
		return
	}
	for i, r := range rows {
		won := s.bot.Words.Number(s.lang, games.Number(money.Difference(r.Difference).String()))
		if r.Settlement != nil {
			n := *r.Settlement
			sign := map[bool]string{n > 0: "+", n < 0: "−"}[true]
			amount := sign + s.Line(bot.Amount(s.Table.Unit, max(n, -n))) // "+20 chips", "−1 chip"
			won = s.Say("bot.worth", games.Args{"Difference": won, "Amount": amount})
		}
		s.Message.People[i].Text = strings.TrimSpace(s.Message.People[i].Text + " (" + won + ")")
	}
	key := "bot.differences"
	if s.traits.Pages { // which show them without brackets
		key = "bot.differences-signed"
	}
	s.Note(key, nil)
}

// takes is the suffix of sentence keys: such a sentence names both the winner and the amount that the winner gets.
const takes = "-takes"

// tellWinners adds line, the game's sentence on its winner. If paid and the stakes are in a pool, it also says how much
// each winner gets: in the same sentence if the game has one with the suffix takes, else in another.
func (s *BoardView) tellWinners(line games.Line, winners []games.Seat, paid bool) {
	args := games.Args{}
	if paid && s.hasPool() && len(winners) > 0 {
		args["Amount"] = bot.Amount(s.Table.Unit, PoolOf(s.Table).Total()/int64(len(winners)))
	}
	switch {
	case line.Key == "":
	case len(args) > 0 && s.bot.Words.Has(line.Key+takes):
		maps.Copy(args, line.Args)
		s.tell(s.Say(line.Key+takes, args))
		return
	default:
		s.tell(s.Line(line))
	}
	switch {
	case len(args) == 0:
	case len(winners) == 1:
		args["Seat"] = winners[0]
		s.tell(s.Say("bot.takes", args))
	default:
		args["Names"] = NamesOf(s.names, winners)
		s.tell(s.Say("bot.share", args))
	}
}

// tellPayers says who pays. If only the last seats pay, a sentence at the top names them; otherwise a line says how the
// seats pay each other. rows are the stored results.
func (s *BoardView) tellPayers(rows []store.Result) {
	var names []string
	for _, r := range rows {
		if r.Units() < 0 {
			names = append(names, s.names[r.Seat])
		}
	}
	if s.Game.Shape(s.Table.Rules) != games.ShapeLastPays || len(names) == 0 {
		s.Message.Lines = append(s.Message.Lines, s.stakesLine(0))
		return
	}
	s.tell(s.Say("bot.owed.pays", games.Args{
		"Names": names, "N": len(names), "Amount": bot.Amount(s.Table.Unit, s.Table.Stake),
	}))
}

// addBoxNotes adds a line on the amount left in the box (jackpot) and a line if a winner is now its holder. For a
// practice game, it adds a line that says so.
func (s *BoardView) addBoxNotes(winners []games.Seat) {
	if s.Table.Practice && hasPrice(s.Table) && len(s.Table.Seats) > 1 {
		s.Note("bot.practice", nil)
	}
	if !AtStake(s.Table) || !s.hasPool() {
		return
	}
	if s.Table.BoxOut > 0 && !s.Table.Ending.Voided {
		s.Note("bot.box-keeps", games.Args{"Amount": bot.Amount(s.Table.Unit, s.Table.BoxOut)})
	}
	box := s.chatBox()
	for _, seat := range winners {
		if Holder(s.Table.Seats[seat]) == box.Holder {
			s.Note("bot.holds", games.Args{"Seat": seat, "N": int(box.Times)})
			return
		}
	}
}

// drawAbandoned draws a table that was ended early, with the reason and the refunds.
func (s *BoardView) drawAbandoned() {
	played := s.Table.Match != nil && AtStake(s.Table) && s.hasPool()
	switch {
	case s.Table.Board.Page == PageGivenUp:
		s.Message.Head = s.Say("bot.given-up", games.Args{"Opener": s.openerName()})
		return
	case played:
		s.Message.Head = s.Say("bot.abandoned-refund", games.Args{"Amount": bot.Amount(s.Table.Unit, s.Table.Stake)})
	case s.Table.Match == nil:
		s.Message.Head = s.Say("bot.abandoned-lobby", games.Args{"Opener": s.openerName()})
		s.sayFinal()
	default:
		s.Message.Head = s.Say("bot.abandoned", nil)
	}
	if s.Table.Board.Page == PageRestored {
		s.Note("bot.restored", nil)
	}
	if played && s.Table.BoxIn > 0 {
		s.Note("bot.box-refunded", games.Args{"Amount": bot.Amount(s.Table.Unit, s.Table.BoxIn)})
	}
	var stands []games.Stand
	if s.Table.Match != nil {
		_, m, err := s.bot.Match(s.Table)
		if s.Err = cmp.Or(s.Err, err); err != nil {
			return
		}
		if s.Table.Board.Page == PageWaited {
			s.Note("bot.abandoned-waited", games.Args{"Names": NamesOf(s.names, m.Turn())})
		}
		if s.Table.Dice.Thrown > 0 {
			stands = viewOf(s.Table, m).Stands
		}
	}
	s.addSeats(func(i int) (string, games.StandState) {
		var told []string
		if i < len(stands) && stands[i].Line.Key != "" {
			told = append(told, s.Line(stands[i].Line))
		}
		if played {
			told = append(told, s.Say("bot.refunded", games.Args{"Amount": bot.Signed(s.Table.Stake)}))
		}
		return strings.Join(told, " · "), games.Out
	})
	var row []chat.Button
	if s.Table.Rematch == 0 && hasPeople(s.Table) {
		row = append(row, s.namedButton("rematch", "!rematch", games.Primary))
	}
	if s.Table.Turn > 0 {
		row = append(row, s.namedButton("dice", "/fair", games.Plain))
	}
	s.Message.Row(row...)
	s.SmallPrint()
}
