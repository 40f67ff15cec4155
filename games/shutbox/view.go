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
func (m *classic) ViewWithout(list []games.Seat) games.View {
	out := seatsOf(list)
	v := m.said(out, m.head(out), m.notes(), m.won)
	v.Tiles = m.rows(out)
	if len(m.found) > 0 {
		v.Dice = games.LieAs(m.faces, m.r.sides)
	}
	for seat := range m.seats {
		v.Stands = append(v.Stands, m.stand(games.Seat(seat)))
	}
	// A choice was made without dice; a throw, whatever came of it, cannot be taken back.
	if !m.over && slices.Contains([]string{didClose, didBox, didDeclare}, m.news.What) {
		v.Undo = []games.Seat{m.news.Seat}
	}
	switch {
	case m.over:
	case len(m.found) == 0:
		v.Buttons = [][]games.Button{m.throwButtons()}
	case len(m.found) <= maxButtons:
		v.Buttons = [][]games.Button{m.setButtons()}
	default:
		v.Pick = m.pick()
	}
	return v
}

// rows returns the box: as the last turn left it until the next one has thrown, then that of the
// mover. At the end it is the winner's, or none.
func (m *classic) rows(out seatSet) []games.TileRow {
	ended := m.news.What != "" && m.news.What != didClose
	switch {
	case m.over && !m.wonBy(m.news.Seat, out):
		return nil
	case m.over:
		return []games.TileRow{m.ended(m.open)}
	case ended && m.news.Left != "":
		left, _ := parseSet(m.news.Left)
		return []games.TileRow{m.ended(left)}
	case m.news.What == didBox:
		return []games.TileRow{m.ended(0)}
	}
	return []games.TileRow{m.r.row(games.Nobody, m.open)}
}

// ended returns the box as the last turn left it, and its last throw.
func (m *classic) ended(open tiles) games.TileRow {
	row := m.r.row(m.news.Seat, open)
	row.Dice = games.LieAs(m.faces, m.r.sides)
	return row
}

// row returns a box with some tiles open.
func (r *rules) row(owner games.Seat, open tiles) games.TileRow {
	row := games.TileRow{Owner: owner}
	for _, n := range r.tiles.list() {
		row.Tiles = append(row.Tiles, games.Tile{Number: n, Open: open.has(n)})
	}
	return row
}

// throwButtons returns the buttons before a throw: all dice, one die, declare.
func (m *classic) throwButtons() []games.Button {
	counts := m.r.counts(m.open)
	var row []games.Button
	for _, count := range counts {
		label := say("button.throw", nil)
		if len(counts) > 1 || count < m.r.dice {
			label = say("button.dice-"+strconv.Itoa(count), nil)
		}
		row = append(row, games.Button{Label: label, Move: throwMove(count)})
	}
	row[0].Style = games.Primary
	if m.mayDeclare() {
		row = append(row, games.Button{Label: say("button.declare", nil), Move: "declare", Style: games.Success})
	}
	return row
}

// setButtons returns the sets to close, the fewest tiles first.
func (m *classic) setButtons() []games.Button {
	row := make([]games.Button, len(m.found))
	for i, set := range m.found {
		row[i] = games.Button{Label: say("button.set", games.Args{"Tiles": set.falling()}), Move: setMove("shut", set),
			Tiles: set.list()}
		if set == m.open {
			row[i].Style = games.Success
		}
	}
	if row[0].Style == games.Plain {
		row[0].Style = games.Primary
	}
	return row
}

// pick offers the tiles that occur in any of very many sets.
func (m *classic) pick() *games.Pick {
	var useful tiles
	for _, set := range m.found {
		useful |= set
	}
	sum := total(m.faces)
	p := &games.Pick{Kind: "tiles", Items: useful.list()}
	if !slices.ContainsFunc(m.found, func(set tiles) bool { return set.sum() != sum }) {
		p.Goal, p.Guide = sum, say("guide.pick", games.Args{"Total": sum})
	}
	for _, set := range m.found {
		choice := games.Choice{Move: setMove("shut", set), Style: games.Primary,
			Label: say("button.shut", games.Args{"Tiles": set.falling()})}
		for _, n := range set.list() {
			i, _ := slices.BinarySearch(p.Items, n)
			choice.Items = append(choice.Items, i)
		}
		p.Choices = append(p.Choices, choice)
	}
	return p
}

// stand returns how a seat stands: in a match of one round its score, in longer
// ones its total beside what it has in this round.
func (m *classic) stand(s games.Seat) games.Stand {
	score := m.scores[s]
	args := games.Args{"Total": m.totals[s], "Score": score, "Open": m.r.points(m.open)}
	switch {
	case m.over:
		return m.lastStand(s, args)
	case !m.playing.has(s) && m.outs[s] > 0:
		return games.Stand{State: games.Out, Line: say("stand.out", args)}
	case !m.playing.has(s):
		return games.Stand{State: games.Done, Line: m.totalOf(s, args)}
	case s == m.turn && m.total():
		return games.Stand{State: games.ToMove, Line: say("stand.total-open", args)}
	case s == m.turn:
		return games.Stand{State: games.ToMove, Line: say("stand.open", args)}
	case score == pending && m.total():
		return games.Stand{State: games.Waiting, Line: m.totalOf(s, args)}
	case score == pending:
		return games.Stand{State: games.Waiting}
	case m.total():
		return games.Stand{State: games.Done, Line: say("stand.total-score", args)}
	}
	return games.Stand{State: games.Done, Line: say("stand.score", args)}
}

// total reports whether seats have a score apart from that of this round.
func (m *classic) total() bool { return m.round > 1 || m.rollOff > 0 }

// lastStand returns how a seat stands when all is over.
func (m *classic) lastStand(s games.Seat, args games.Args) games.Stand {
	stand := games.Stand{State: games.Done, Line: m.totalOf(s, args)}
	switch {
	case m.winners().has(s) && m.seats > 1:
		stand.State = games.Won
	case m.outs[s] > 0:
		stand.State = games.Out
	}
	return stand
}

// totalOf returns the score that is written down, or that there is none.
func (m *classic) totalOf(s games.Seat, args games.Args) games.Line {
	if m.kept.has(s) {
		return say("stand.none", nil)
	}
	return say("stand.total", args)
}

// notes name the round and the limit, and a roll-off.
func (m *classic) notes() []games.Line {
	if m.over {
		return nil
	}
	if m.rollOff > 0 {
		return []games.Line{say("note.roll-off", games.Args{"Seats": names(m.playing)})}
	}
	args := games.Args{"Round": m.round, "Limit": m.r.limit}
	switch m.r.match {
	case rounds:
		return []games.Line{say("note.rounds", args)}
	case knockout:
		return []games.Line{say("note.knockout", args)}
	case until:
		return []games.Line{say("note.until", args)}
	}
	return nil
}

// names lists seats by their names.
func names(set seatSet) games.List {
	var list games.List
	for _, s := range set.list() {
		list = append(list, say("seat", games.Args{"Seat": s}))
	}
	return list
}

// head says what the last move did and what comes next, a dead end before who is next; out
// are those who can win nothing.
func (m *classic) head(out seatSet) []games.Line {
	switch {
	case m.over && m.toldByWinner(out):
		return nil // the board shows it
	case m.over, len(m.found) > 0, m.news.What == didClose:
		return []games.Line{m.tell(out)}
	case m.news.What == "":
		return []games.Line{say("head.starts", games.Args{"Seat": m.turn})}
	}
	args := games.Args{"Seat": m.turn}
	if holder := m.holder(out); holder != games.Nobody {
		args["N"] = m.scores[holder]
		return []games.Line{m.deadEnd(), say("head.next-beat", args)}
	}
	return []games.Line{m.deadEnd(), say("head.next", args)}
}

// toldByWinner reports whether the end of the last turn needs no sentence: the winner's tiles and
// dice show it, or the box is shut.
func (m *classic) toldByWinner(out seatSet) bool {
	shut := m.news.What == didBox && m.won().Key == "shutbox.head.box"
	return m.wonBy(m.news.Seat, out) && (shut || m.news.What == didStick || m.news.What == didDeclare)
}

// deadEnd says in short how the last turn ended, whose throw lies beside it.
func (m *classic) deadEnd() games.Line {
	args := games.Args{"Seat": m.news.Seat, "Score": m.news.Score}
	key := "dead." + m.news.What
	switch m.news.What {
	case didBox, didDeclare:
		return m.tell(0)
	case didMiss:
		args["Tile"] = m.r.first
	case didStick:
		key = m.unfit(args)
	}
	if m.summed() {
		return say(key+"-more", args)
	}
	return say(key, args)
}

// unfit returns the key of a throw that nothing fits, with its arguments.
func (m *classic) unfit(args games.Args) string {
	switch {
	case m.r.close == oneTile && len(m.faces) > 1:
		args["Faces"] = games.Faces(m.faces)
		return "dead.stuck-faces"
	case len(m.faces) == 2 && (m.r.close == sumOrDifference || m.r.close == sumOrTile) && m.faces[0] != m.faces[1]:
		args["Total"], args["Difference"] = total(m.faces), max(m.faces[0]-m.faces[1], m.faces[1]-m.faces[0])
		return "dead.stuck-or"
	}
	args["Total"] = total(m.faces)
	return "dead.stuck"
}

// summed reports whether the score of a turn is added to others.
func (m *classic) summed() bool { return m.r.match != single && m.rollOff == 0 }

// holder returns the first seat with the score to beat, or Nobody: where totals
// decide, no score of a round is to beat, and none of those who can win nothing.
func (m *classic) holder(out seatSet) games.Seat {
	if m.summed() {
		return games.Nobody
	}
	in := m.playing &^ out
	best := m.lowest(in)
	for _, seat := range in.list() {
		if m.scores[seat] == best {
			return seat
		}
	}
	return games.Nobody
}

// tell says what the last move did.
func (m *classic) tell(out seatSet) games.Line {
	if len(m.found) > 0 {
		return m.choice()
	}
	args := games.Args{"Seat": m.news.Seat}
	switch m.news.What {
	case didClose, didBox:
		set, _ := parseSet(m.news.Tiles)
		args["Tiles"] = set.falling()
	case didMiss:
		args["Tile"] = m.r.first
	default:
		args["N"] = m.news.Score
	}
	if len(m.faces) > 0 {
		args["Faces"], args["Total"] = games.Faces(m.faces), total(m.faces)
	}
	key := "head." + m.news.What
	if m.news.What == didClose {
		key += m.against(out, args)
	}
	return say(key, args)
}

// against adds to what a seat has closed what it has open and, if there is one, the score to beat; it returns the end
// of the key that says so.
func (m *classic) against(out seatSet, args games.Args) string {
	open := m.r.points(m.open)
	args["Open"] = open
	holder := m.holder(out)
	if holder == games.Nobody {
		return ""
	}
	args["Best"] = m.scores[holder]
	if open < m.scores[holder] {
		return "-ahead"
	}
	return "-beat"
}

// choice says what the throw asks to close.
func (m *classic) choice() games.Line {
	sum := total(m.faces)
	args := games.Args{"Seat": m.turn, "Faces": games.Faces(m.faces), "Total": sum}
	first := m.throws == 1 && m.r.first != 0
	if first {
		args["Tile"] = m.r.first
	}
	key := "head.close"
	for _, set := range m.found {
		if set.sum() != sum && len(m.faces) == 2 {
			key = "head.close-or"
			args["Difference"] = max(m.faces[0]-m.faces[1], m.faces[1]-m.faces[0])
		}
	}
	switch {
	case m.r.close == oneTile:
		key = "head.close-one"
	case first:
		key = "head.close-first"
	}
	return say(key, args)
}

// won says who has won.
func (m *classic) won() games.Line {
	winners := m.winners()
	first := winners.list()[0]
	args := games.Args{"Seat": first, "Seats": names(winners), "N": m.totals[first]}
	switch {
	case m.news.What == didBox && m.r.match == single && m.rollOff == 0 && winners == 1<<m.news.Seat:
		return say("head.box", games.Args{"Seat": first})
	case m.seats == 1:
		return say("head.ended", args)
	case winners.count() > 1:
		return say("head.shared", args)
	}
	return say("head.won", args)
}

// roundEvents tell what the end of a round, or of a roll-off, has led to: before is the sheet as it stood. A winner who
// has shut the box has been told by that.
func (m *classic) roundEvents(before *sheet) []games.Event {
	var events []games.Event
	for _, seat := range (before.in() &^ m.in()).list() {
		events = append(events, games.Event(say("event.out", games.Args{"Seat": seat, "N": m.totals[seat]})))
	}
	switch {
	case m.over:
		if won := m.won(); won.Key != "shutbox.head.box" {
			events = append(events, games.Event(won))
		}
	case m.rollOff > before.rollOff:
		events = append(events, games.Event(say("note.roll-off", games.Args{"Seats": names(m.playing)})))
	default:
		events = append(events, games.Event(say("event.round", games.Args{"Round": m.round})))
	}
	return events
}
