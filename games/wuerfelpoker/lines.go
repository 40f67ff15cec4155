package wuerfelpoker

import (
	"strconv"
	"strings"

	"knobel/games"
)

// say makes a line of this game.
func say(key string, args games.Args) games.Line {
	return games.Say("wuerfelpoker."+key, args)
}

// signed spells points that are won or lost: "+6", "−2", "0".
func signed(points int) string {
	if points > 0 {
		return "+" + strconv.Itoa(points)
	}
	return spell(points)
}

// spell spells points, with a minus as people write it.
func spell(points int) string {
	if points < 0 {
		return "−" + strconv.Itoa(-points)
	}
	return strconv.Itoa(points)
}

// thrown says what has been kept and thrown, and how many throws are left.
func (m match) thrown() games.Line {
	var kept, faces []string
	for position, face := range m.hand {
		if m.kept.has(position) {
			kept = append(kept, strconv.Itoa(int(face)))
		} else {
			faces = append(faces, strconv.Itoa(int(face)))
		}
	}
	args := games.Args{"Seat": games.Seat(m.turn), "Faces": strings.Join(faces, " ")}
	left := [...]string{"", "two-left", "one-left", "none-left"}[m.throws]
	switch {
	case m.throws == 1:
		return say("threw."+left, args)
	case len(kept) == 0:
		return say("threw-again."+left, args)
	}
	args["Kept"] = strings.Join(kept, " ")
	return say("kept."+left, args)
}

// turnEnded says how the turn before ended: what was written, and what the
// school brought when it is whole now. It is empty when none has ended.
func (m match) turnEnded() []games.Line {
	if m.ended.kind == nothing {
		return nil
	}
	seat, w := m.before(), m.ended.row
	s := &m.sheets[seat]
	args := games.Args{"Seat": games.Seat(seat)}
	if m.ended.kind == missed {
		return []games.Line{say("missed", args)}
	}
	args["Row"] = w.name()
	if m.ended.kind == struckOut {
		return []games.Line{say("struck", args)}
	}
	points := m.rules.cellPoints(s, w)
	if w.school() {
		args["Points"] = signed(points)
		return append([]games.Line{say("wrote", args)}, m.schoolEnded(seat)...)
	}
	args["Points"] = spell(points)
	switch {
	case w == poker:
		return []games.Line{say("wrote-poker", args)}
	case s[w].mark == writtenFirst && m.rules.doubles(w):
		return []games.Line{say("wrote-doubled", args)}
	}
	return []games.Line{say("wrote", args)}
}

// schoolEnded says what a school has brought, once it is whole.
func (m match) schoolEnded(seat int) []games.Line {
	s := &m.sheets[seat]
	bonus, booked := m.rules.bonus(s)
	if !booked {
		return nil
	}
	args := games.Args{"Seat": games.Seat(seat), "Sum": signed(m.rules.school(s)), "Bonus": signed(bonus)}
	switch {
	case bonus > 0:
		return []games.Line{say("school-won", args)}
	case bonus < 0:
		return []games.Line{say("school-lost", args)}
	}
	return []games.Line{say("school-whole", args)}
}

// first are the seats on the first place, once the match is over.
func (m match) first() (first []games.Seat) {
	result, _ := m.Result()
	for seat, row := range result.Rows {
		if row.Place == 1 {
			first = append(first, games.Seat(seat))
		}
	}
	return first
}

// won says who has won, once the match is over.
func (m match) won() games.Line {
	first := m.first()
	if len(first) == 0 {
		return games.Line{}
	}
	points := spell(m.totals()[first[0]])
	switch {
	case len(m.sheets) == 1:
		return say("finished", games.Args{"Seat": first[0], "Points": points})
	case len(first) == 1:
		return say("won", games.Args{"Seat": first[0], "Points": points})
	}
	var names games.List
	for _, seat := range first {
		names = append(names, say("seat", games.Args{"Seat": seat}))
	}
	return say("won-together", games.Args{"Seats": names, "Points": points})
}
