package shutbox

import (
	"slices"
	"strconv"

	"knobel/games"
)

// maxButtons is the largest number of sets that get a button each. If there are more, tiles are selected one by one.
const maxButtons = 25

// say returns the line of this game with the message key "shutbox." + key.
func say(key string, args games.Args) games.Line { return games.Say("shutbox."+key, args) }

// View returns the view of the match for players.
func (m *classic) View() games.View { return m.ViewWithout(nil) }

// ViewWithout returns the view of the match if the seats in gone have left the game for good and cannot win.
func (m *classic) ViewWithout(gone []games.Seat) games.View {
	v := m.newView(gone, m.headLines(gone), nil, m.wonLine)
	if !m.Over {
		v.Notes = m.roundNotes("note")
	}
	v.Tiles = m.tileRows(gone)
	if len(m.found) > 0 {
		v.Dice = games.LieAs(m.Faces, m.rules.sides)
	}
	for seat := range m.Seats {
		v.Stands = append(v.Stands, m.seatStand(games.Seat(seat)))
	}
	// Only moves without a throw can be undone: to close tiles and to declare victory.
	if !m.Over && slices.Contains([]string{didClose, didBox, didDeclare}, m.News.What) {
		v.Undo = []games.Seat{m.News.Seat}
	}
	switch {
	case m.Over:
	case len(m.found) == 0:
		counts := m.rules.diceCounts(m.open)
		row := throwButtons(counts, len(counts) > 1 || counts[0] < m.rules.dice)
		if m.mayDeclare() {
			row = append(row, games.Button{Label: say("button.declare", nil), Move: "declare", Style: games.Success})
		}
		v.Buttons = [][]games.Button{row}
	case len(m.found) <= maxButtons:
		row := setButtons("button.set", "shut", m.found, 0)
		row[0].Style = games.Primary
		if i := slices.Index(m.found, m.open); i >= 0 {
			row[i].Style = games.Success // it shuts the box
		}
		v.Buttons = [][]games.Button{row}
	default:
		v.Pick = m.tilePick()
	}
	return v
}

// tileRows returns the row of tiles to show. After the end of a turn, until the next seat throws, it is the row that
// the turn left, with its last throw. At the end of the match it is the winner's row if a single winner moved last,
// else there is none. The seats in gone cannot win.
func (m *classic) tileRows(gone []games.Seat) []games.TileRow {
	open, ended := m.open, m.Over
	switch {
	case m.Over && !m.isSoleWinner(m.News.Seat, gone):
		return nil
	case !m.Over && (m.News.Left != "" || m.News.What == didBox):
		open, _ = parseSet(m.News.Left)
		ended = true
	}
	row := m.rules.tileRow(games.Nobody, open)
	if ended {
		row.Next = m.rules.tileRow(games.Nobody, m.open).Tiles
		row.Owner, row.Dice = m.News.Seat, games.LieAs(m.Faces, m.rules.sides)
	}
	return []games.TileRow{row}
}

// tileRow returns a row of all tiles of r; the tiles in open are open. owner is the row's seat, Nobody if all share it.
func (r *rules) tileRow(owner games.Seat, open tiles) games.TileRow {
	row := games.TileRow{Owner: owner}
	for _, n := range r.tiles.list() {
		row.Tiles = append(row.Tiles, games.Tile{Number: n, Open: open.has(n)})
	}
	return row
}

// throwButtons returns a button for each number of dice in counts. If counted is true, the labels show that number.
func throwButtons(counts []int, counted bool) []games.Button {
	var row []games.Button
	for _, count := range counts {
		label := say("button.throw", nil)
		if counted {
			label = say("button.dice-"+strconv.Itoa(count), nil)
		}
		row = append(row, games.Button{Label: label, Move: throwMove(count)})
	}
	row[0].Style = games.Primary
	return row
}

// setButtons returns a button for each set in found. label is the message key of the labels, verb the verb of the moves
// (see setMove), and row the index in View.Tiles of the row of the sets.
func setButtons(label, verb string, found []tiles, row int) []games.Button {
	buttons := make([]games.Button, len(found))
	for i, set := range found {
		buttons[i] = games.Button{Label: say(label, games.Args{"Tiles": set.descending()}), Move: setMove(verb, set),
			Tiles: set.list(), Row: row}
	}
	return buttons
}

// tilePick returns a Pick (a choice tile by tile) among the sets m.found, for throws with too many sets for buttons.
func (m *classic) tilePick() *games.Pick {
	var useful tiles
	for _, set := range m.found {
		useful |= set
	}
	p, sum := newPick("button.shut", "shut", useful, m.found, 0), total(m.Faces)
	if !slices.ContainsFunc(m.found, func(set tiles) bool { return set.sum() != sum }) {
		p.Goal, p.Guide = sum, say("guide.pick", games.Args{"Total": sum})
	}
	return p
}

// newPick returns a Pick (a choice tile by tile) that offers the tiles items and accepts the sets found. label is the
// message key of its button, verb the verb of the moves, and row the index in View.Tiles of the row of the tiles.
func newPick(label, verb string, items tiles, found []tiles, row int) *games.Pick {
	p := &games.Pick{Kind: "tiles", Items: items.list(), Row: row}
	for _, set := range found {
		choice := games.Choice{Move: setMove(verb, set), Style: games.Primary,
			Label: say(label, games.Args{"Tiles": set.descending()})}
		for _, n := range set.list() {
			choice.Items = append(choice.Items, slices.Index(p.Items, n))
		}
		p.Choices = append(p.Choices, choice)
	}
	return p
}

// seatStand returns the text beside seat s on the board: its score or, in a longer match, its total and its score.
func (m *classic) seatStand(s games.Seat) games.Stand {
	stand := games.Stand{State: m.state(s, m.Mover)}
	args := games.Args{"Total": m.Totals[s], "Open": m.rules.points(m.open)}
	total, key := say("stand.total", args), "stand."
	if slices.Contains(m.Kept, s) {
		total = say("stand.none", nil)
	}
	several := m.Round > 1 || m.RollOff > 0 // s has a total from earlier rounds
	if several {
		key = "stand.total-"
	}
	switch {
	case m.Over || stand.State == games.Done:
		stand.Line = total
	case stand.State == games.Out:
		stand.Line = say("stand.out", args)
	case stand.State == games.ToMove:
		stand.Line = say(key+"open", args)
	case m.Scores[s] != pending:
		args["Score"] = m.Scores[s]
		stand = games.Stand{State: games.Done, Line: say(key+"score", args)}
	case several:
		stand.Line = total
	}
	return stand
}

// roundNotes returns a line about the round and the limit, or about the roll-off; prefix begins its message key. It
// returns nil in a match of one round.
func (s *sheet) roundNotes(prefix string) []games.Line {
	switch {
	case s.RollOff > 0:
		args := games.Args{"RollOff": s.RollOff, "Seats": seatNames(s.Playing)}
		return []games.Line{say(prefix+".roll-off", args)}
	case s.rules.match == single:
		return nil
	}
	return []games.Line{say(prefix+"."+s.rules.match, games.Args{"Round": s.Round, "Limit": s.rules.limit})}
}

// seatNames returns the names of seats as a list for a line.
func seatNames(seats []games.Seat) games.List {
	var list games.List
	for _, s := range seats {
		list = append(list, say("seat", games.Args{"Seat": s}))
	}
	return list
}

// headLines returns the sentences about the latest move and the next one, if needed. The seats in gone cannot win.
func (m *classic) headLines(gone []games.Seat) []games.Line {
	switch {
	case m.Over && m.winnerShowsEnd(gone):
		return nil // the board shows how the match ended
	case m.Over, len(m.found) > 0, m.News.What == didClose:
		return []games.Line{m.moveLine(gone)}
	case m.News.What == "":
		return []games.Line{say("head.starts", games.Args{"Seat": m.Mover})}
	}
	args := games.Args{"Seat": m.Mover}
	if holder := m.leader(gone); holder != games.Nobody {
		args["N"] = m.Scores[holder]
		return []games.Line{m.turnEndLine(), say("head.next-beat", args)}
	}
	return []games.Line{m.turnEndLine(), say("head.next", args)}
}

// winnerShowsEnd reports whether the end of the match needs no sentence, because the winner's tiles and dice or the
// line View.Won show how it ended. The seats in gone cannot win.
func (m *classic) winnerShowsEnd(gone []games.Seat) bool {
	shut := m.News.What == didBox && m.wonLine().Key == "shutbox.head.box"
	return m.isSoleWinner(m.News.Seat, gone) && (shut || m.News.What == didStick || m.News.What == didDeclare)
}

// turnEndLine returns a short line on how the previous turn ended. It leaves out parts that the board shows.
func (m *classic) turnEndLine() games.Line {
	args := games.Args{"Seat": m.News.Seat, "Score": m.News.Score}
	key := "dead." + m.News.What
	switch m.News.What {
	case didBox, didDeclare:
		return m.moveLine(nil)
	case didMiss:
		args["Tile"] = m.rules.first
	case didStick:
		apart := difference(m.Faces)
		args["Faces"], args["Total"], args["Difference"] = games.Faces(m.Faces), total(m.Faces), apart
		switch {
		case m.rules.close == oneTile && len(m.Faces) > 1:
			key += "-faces"
		case apart > 0 && (m.rules.close == sumOrDifference || m.rules.close == sumOrTile):
			key += "-or"
		}
	}
	if m.addsToTotal() {
		key += "-more"
	}
	return say(key, args)
}

// addsToTotal reports whether the scores of turns are added to totals: not in a match of one round, not in a roll-off.
func (m *classic) addsToTotal() bool { return m.rules.match != single && m.RollOff == 0 }

// leader returns the first seat with the score to beat in this round, without the seats in gone. It returns Nobody if
// no seat has a score yet, or if totals decide the match.
func (m *classic) leader(gone []games.Seat) games.Seat {
	if m.addsToTotal() {
		return games.Nobody
	}
	in := without(m.Playing, gone)
	best := m.lowestScore(in)
	if i := slices.IndexFunc(in, func(seat games.Seat) bool { return m.Scores[seat] == best }); i >= 0 {
		return in[i]
	}
	return games.Nobody
}

// moveLine returns the line that describes the latest move. No score of the seats in gone counts as the score to beat.
func (m *classic) moveLine(gone []games.Seat) games.Line {
	if len(m.found) > 0 {
		return m.choiceLine()
	}
	args := games.Args{"Seat": m.News.Seat}
	switch m.News.What {
	case didClose, didBox:
		set, _ := parseSet(m.News.Tiles)
		args["Tiles"] = set.descending()
	case didMiss:
		args["Tile"] = m.rules.first
	default:
		args["N"] = m.News.Score
	}
	if len(m.Faces) > 0 {
		args["Faces"], args["Total"] = games.Faces(m.Faces), total(m.Faces)
	}
	key := "head." + m.News.What
	if m.News.What == didClose { // the points still open and, if there is one, the score to beat
		open := m.rules.points(m.open)
		args["Open"] = open
		if holder := m.leader(gone); holder != games.Nobody {
			args["Best"] = m.Scores[holder]
			key += "-beat"
			if open < m.Scores[holder] {
				key = "head.closed-ahead"
			}
		}
	}
	return say(key, args)
}

// choiceLine returns the line that asks the mover to close tiles for the latest throw.
func (m *classic) choiceLine() games.Line {
	sum := total(m.Faces)
	args := games.Args{"Seat": m.Mover, "Faces": games.Faces(m.Faces), "Total": sum}
	first := m.Throws == 1 && m.rules.first != 0
	if first {
		args["Tile"] = m.rules.first
	}
	key := "head.close"
	for _, set := range m.found {
		if set.sum() != sum && len(m.Faces) == 2 {
			key = "head.close-or"
			args["Difference"] = difference(m.Faces)
		}
	}
	switch {
	case m.rules.close == oneTile:
		key = "head.close-one"
	case first:
		key = "head.close-first"
	}
	return say(key, args)
}

// wonLine returns the line that names the winners or, in a match of one seat, its end.
func (m *classic) wonLine() games.Line {
	won := m.winnersLine("head")
	switch only := slices.Equal(m.winners(), []games.Seat{m.News.Seat}); {
	case only && m.News.What == didBox && m.rules.match == single && m.RollOff == 0:
		return say("head.box", games.Args{"Seat": m.News.Seat})
	case m.Seats == 1:
		return say("head.ended", won.Args)
	}
	return won
}

// winnersLine returns the line that names the winners; prefix begins its message key.
func (s *sheet) winnersLine(prefix string) games.Line {
	winners := s.winners()
	args := games.Args{"Seat": winners[0], "Seats": seatNames(winners), "N": s.Totals[winners[0]]}
	if len(winners) > 1 {
		return say(prefix+".shared", args)
	}
	return say(prefix+".won", args)
}

// roundEvents returns the events of the end of a round or roll-off; old is the sheet before the end. There is no event
// for a winner who has just shut the box, because the event of the move names that winner.
func (m *classic) roundEvents(old *sheet) []games.Event {
	var events []games.Event
	for _, seat := range without(old.remaining(), m.remaining()) {
		events = append(events, games.Event(say("event.out", games.Args{"Seat": seat, "N": m.Totals[seat]})))
	}
	switch {
	case m.Over:
		if won := m.wonLine(); won.Key != "shutbox.head.box" {
			events = append(events, games.Event(won))
		}
	case m.RollOff > old.RollOff:
		events = append(events, games.Event(say("note.roll-off", games.Args{"Seats": seatNames(m.Playing)})))
	default:
		events = append(events, games.Event(say("event.round", games.Args{"Round": m.Round})))
	}
	return events
}
