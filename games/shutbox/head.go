package shutbox

import "knobel/games"

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
