package shutbox

import "knobel/games"

// head says what the last move did and what comes next; out are those who can
// win nothing.
func (m *classic) head(out seatSet) []games.Line {
	told := m.tell(out)
	switch {
	case m.over && m.winners()&out != 0:
		return told // who takes the pool does not follow from the dice
	case m.over:
		return append(told, m.ending()...)
	case len(m.found) > 0 || m.news.What == didClose:
		return told
	}
	args := games.Args{"Seat": m.turn}
	if holder := m.holder(out); holder != games.Nobody {
		args["Best"], args["Holder"] = m.scores[holder], holder
		return append(told, say("head.next-beat", args))
	}
	return append(told, say("head.next", args))
}

// holder is the first seat with the score to beat, or Nobody: where totals
// decide, no score of a round is to beat, and none of those who can win nothing.
func (m *classic) holder(out seatSet) games.Seat {
	if m.r.match != single && m.rollOff == 0 {
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

// tell says what the last move did; at the very beginning there was none.
func (m *classic) tell(out seatSet) []games.Line {
	if len(m.found) > 0 {
		return []games.Line{m.choice()}
	}
	args := games.Args{"Seat": m.news.Seat}
	switch m.news.What {
	case "":
		return nil
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
		args["N"] = m.r.points(m.open)
	}
	if holder := m.holder(out); m.news.What == didClose && holder != games.Nobody {
		key += "-beat"
		args["Best"], args["Holder"] = m.scores[holder], holder
	}
	return []games.Line{say(key, args)}
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

// ending says who has won.
func (m *classic) ending() []games.Line {
	winners := m.winners()
	first := winners.list()[0]
	args := games.Args{"Seat": first, "Seats": names(winners), "N": m.totals[first]}
	switch {
	case m.news.What == didBox && m.r.match == single && m.rollOff == 0 && winners == 1<<m.news.Seat:
		return nil // it has been said: the box is shut
	case m.seats == 1:
		return []games.Line{say("head.ended", args)}
	case winners.count() > 1:
		return []games.Line{say("head.shared", args)}
	}
	return []games.Line{say("head.won", args)}
}

// roundEvents tell what the end of a round, or of a roll-off, has led to:
// before is the sheet as it stood.
func (m *classic) roundEvents(before *sheet) []games.Event {
	var events []games.Event
	for _, seat := range (before.in() &^ m.in()).list() {
		events = append(events, games.Event(say("event.out", games.Args{"Seat": seat, "N": m.totals[seat]})))
	}
	switch {
	case m.over:
		for _, line := range m.ending() {
			events = append(events, games.Event(line))
		}
	case m.rollOff > before.rollOff:
		events = append(events, games.Event(say("note.roll-off", games.Args{"Seats": names(m.playing)})))
	default:
		events = append(events, games.Event(say("event.round", games.Args{"Round": m.round})))
	}
	return events
}
