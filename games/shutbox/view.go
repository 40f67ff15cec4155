package shutbox

import (
	"slices"
	"strconv"

	"knobel/games"
)

// The view of a classic match.

// maxButtons is how many sets have a button each; beyond that, tiles are picked one by one.
const maxButtons = 25

// say makes a line of this game.
func say(key string, args games.Args) games.Line { return games.Say("shutbox."+key, args) }

// View returns the public view.
func (m *classic) View() games.View { return m.ViewWithout(nil) }

// ViewWithout returns the view when some seats can no longer win.
func (m *classic) ViewWithout(out []games.Seat) games.View {
	v := m.said(out, m.head(out), nil, m.won)
	if !m.Over {
		v.Notes = m.notes("note")
	}
	v.Tiles = m.rows(out)
	if len(m.found) > 0 {
		v.Dice = games.LieAs(m.Faces, m.rules.sides)
	}
	for seat := range m.Seats {
		v.Stands = append(v.Stands, m.stand(games.Seat(seat)))
	}
	// A choice was made without dice; a throw, whatever came of it, cannot be taken back.
	if !m.Over && slices.Contains([]string{didClose, didBox, didDeclare}, m.News.What) {
		v.Undo = []games.Seat{m.News.Seat}
	}
	switch {
	case m.Over:
	case len(m.found) == 0:
		counts := m.rules.counts(m.open)
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
		v.Pick = m.pick()
	}
	return v
}

// rows returns the box: as the last turn left it, with its last throw, until the next one has thrown, then that of the
// mover. At the end it is the winner's, or none.
func (m *classic) rows(out []games.Seat) []games.TileRow {
	open, ended := m.open, m.Over
	switch {
	case m.Over && !m.wonBy(m.News.Seat, out):
		return nil
	case !m.Over && (m.News.Left != "" || m.News.What == didBox):
		open, _ = parseSet(m.News.Left)
		ended = true
	}
	row := m.rules.row(games.Nobody, open)
	if ended {
		row.Owner, row.Dice = m.News.Seat, games.LieAs(m.Faces, m.rules.sides)
	}
	return []games.TileRow{row}
}

// row returns a box with some tiles open.
func (r *rules) row(owner games.Seat, open tiles) games.TileRow {
	row := games.TileRow{Owner: owner}
	for _, n := range r.tiles.list() {
		row.Tiles = append(row.Tiles, games.Tile{Number: n, Open: open.has(n)})
	}
	return row
}

// throwButtons returns a button for each number of dice that may be thrown; if counted, its label names that number.
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

// setButtons returns a button for each of some sets of tiles; row is where the tiles stand in the view.
func setButtons(label, verb string, found []tiles, row int) []games.Button {
	buttons := make([]games.Button, len(found))
	for i, set := range found {
		buttons[i] = games.Button{Label: say(label, games.Args{"Tiles": set.falling()}), Move: setMove(verb, set),
			Tiles: set.list(), Row: row}
	}
	return buttons
}

// pick offers the tiles that occur in any of very many sets.
func (m *classic) pick() *games.Pick {
	var useful tiles
	for _, set := range m.found {
		useful |= set
	}
	p, sum := pick("button.shut", "shut", useful, m.found, 0), total(m.Faces)
	if !slices.ContainsFunc(m.found, func(set tiles) bool { return set.sum() != sum }) {
		p.Goal, p.Guide = sum, say("guide.pick", games.Args{"Total": sum})
	}
	return p
}

// pick offers tiles one by one, of which some sets can be picked; row is where they stand in the view.
func pick(label, verb string, items tiles, found []tiles, row int) *games.Pick {
	p := &games.Pick{Kind: "tiles", Items: items.list(), Row: row}
	for _, set := range found {
		choice := games.Choice{Move: setMove(verb, set), Style: games.Primary,
			Label: say(label, games.Args{"Tiles": set.falling()})}
		for _, n := range set.list() {
			choice.Items = append(choice.Items, slices.Index(p.Items, n))
		}
		p.Choices = append(p.Choices, choice)
	}
	return p
}

// stand returns how a seat stands: in a match of one round its score, in longer
// ones its total beside what it has in this round.
func (m *classic) stand(s games.Seat) games.Stand {
	stand := games.Stand{State: m.state(s, m.Mover)}
	args := games.Args{"Total": m.Totals[s], "Open": m.rules.points(m.open)}
	total, key := say("stand.total", args), "stand."
	if slices.Contains(m.Kept, s) {
		total = say("stand.none", nil)
	}
	several := m.Round > 1 || m.RollOff > 0 // it has a score apart from that of this round
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

// notes name the round and the limit, or the roll-off, in the words of a kind of match.
func (s *sheet) notes(kind string) []games.Line {
	switch {
	case s.RollOff > 0:
		args := games.Args{"RollOff": s.RollOff, "Seats": names(s.Playing)}
		return []games.Line{say(kind+".roll-off", args)}
	case s.rules.match == single:
		return nil
	}
	return []games.Line{say(kind+"."+s.rules.match, games.Args{"Round": s.Round, "Limit": s.rules.limit})}
}

// names lists seats by their names.
func names(seats []games.Seat) games.List {
	var list games.List
	for _, s := range seats {
		list = append(list, say("seat", games.Args{"Seat": s}))
	}
	return list
}

// head says what the last move did and what comes next, a dead end before who is next; out
// are those who can win nothing.
func (m *classic) head(out []games.Seat) []games.Line {
	switch {
	case m.Over && m.toldByWinner(out):
		return nil // the board shows it
	case m.Over, len(m.found) > 0, m.News.What == didClose:
		return []games.Line{m.tell(out)}
	case m.News.What == "":
		return []games.Line{say("head.starts", games.Args{"Seat": m.Mover})}
	}
	args := games.Args{"Seat": m.Mover}
	if holder := m.holder(out); holder != games.Nobody {
		args["N"] = m.Scores[holder]
		return []games.Line{m.deadEnd(), say("head.next-beat", args)}
	}
	return []games.Line{m.deadEnd(), say("head.next", args)}
}

// toldByWinner reports whether the end of the last turn needs no sentence: the winner's tiles and
// dice show it, or the box is shut.
func (m *classic) toldByWinner(out []games.Seat) bool {
	shut := m.News.What == didBox && m.won().Key == "shutbox.head.box"
	return m.wonBy(m.News.Seat, out) && (shut || m.News.What == didStick || m.News.What == didDeclare)
}

// deadEnd says in short how the last turn ended, whose throw lies beside it.
func (m *classic) deadEnd() games.Line {
	args := games.Args{"Seat": m.News.Seat, "Score": m.News.Score}
	key := "dead." + m.News.What
	switch m.News.What {
	case didBox, didDeclare:
		return m.tell(nil)
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
	if m.summed() {
		key += "-more"
	}
	return say(key, args)
}

// summed reports whether the score of a turn is added to others.
func (m *classic) summed() bool { return m.rules.match != single && m.RollOff == 0 }

// holder returns the first seat with the score to beat, or Nobody: where totals
// decide, no score of a round is to beat, and none of those who can win nothing.
func (m *classic) holder(out []games.Seat) games.Seat {
	if m.summed() {
		return games.Nobody
	}
	in := without(m.Playing, out)
	best := m.lowest(in)
	if i := slices.IndexFunc(in, func(seat games.Seat) bool { return m.Scores[seat] == best }); i >= 0 {
		return in[i]
	}
	return games.Nobody
}

// tell says what the last move did.
func (m *classic) tell(out []games.Seat) games.Line {
	if len(m.found) > 0 {
		return m.choice()
	}
	args := games.Args{"Seat": m.News.Seat}
	switch m.News.What {
	case didClose, didBox:
		set, _ := parseSet(m.News.Tiles)
		args["Tiles"] = set.falling()
	case didMiss:
		args["Tile"] = m.rules.first
	default:
		args["N"] = m.News.Score
	}
	if len(m.Faces) > 0 {
		args["Faces"], args["Total"] = games.Faces(m.Faces), total(m.Faces)
	}
	key := "head." + m.News.What
	if m.News.What == didClose { // what it has open and, if there is one, the score to beat
		open := m.rules.points(m.open)
		args["Open"] = open
		if holder := m.holder(out); holder != games.Nobody {
			args["Best"] = m.Scores[holder]
			key += "-beat"
			if open < m.Scores[holder] {
				key = "head.closed-ahead"
			}
		}
	}
	return say(key, args)
}

// choice says what the throw asks to close.
func (m *classic) choice() games.Line {
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

// won says who has won.
func (m *classic) won() games.Line {
	won := m.saysWon("head")
	switch only := slices.Equal(m.winners(), []games.Seat{m.News.Seat}); {
	case only && m.News.What == didBox && m.rules.match == single && m.RollOff == 0:
		return say("head.box", games.Args{"Seat": m.News.Seat})
	case m.Seats == 1:
		return say("head.ended", won.Args)
	}
	return won
}

// saysWon says who has won, in the words of a kind of match.
func (s *sheet) saysWon(kind string) games.Line {
	winners := s.winners()
	args := games.Args{"Seat": winners[0], "Seats": names(winners), "N": s.Totals[winners[0]]}
	if len(winners) > 1 {
		return say(kind+".shared", args)
	}
	return say(kind+".won", args)
}

// roundEvents tell what the end of a round, or of a roll-off, has led to: before is the sheet as it stood. A winner who
// has shut the box has been told by that.
func (m *classic) roundEvents(before *sheet) []games.Event {
	var events []games.Event
	for _, seat := range without(before.in(), m.in()) {
		events = append(events, games.Event(say("event.out", games.Args{"Seat": seat, "N": m.Totals[seat]})))
	}
	switch {
	case m.Over:
		if won := m.won(); won.Key != "shutbox.head.box" {
			events = append(events, games.Event(won))
		}
	case m.RollOff > before.RollOff:
		events = append(events, games.Event(say("note.roll-off", games.Args{"Seats": names(m.Playing)})))
	default:
		events = append(events, games.Event(say("event.round", games.Args{"Round": m.Round})))
	}
	return events
}
