package zehntausend

import (
	"slices"
	"strconv"
	"strings"

	"knobel/games"
)

// The view of a match.

var (
	_ games.Led    = match{}
	_ games.Saying = match{}
)

// View returns the public view of the match.
func (m match) View() games.View { return m.ViewWithout(nil) }

// ViewWithout returns the view when the seats in departed have left the game for good and cannot win.
func (m match) ViewWithout(departed []games.Seat) games.View {
	v := games.View{Won: m.wonLine(departed), Head: m.head(), Dice: games.LieAs(m.Dice, sides),
		Stands: m.stands(departed), Notes: m.notes(),
		Race: &games.Race{Target: m.rules.target, Points: m.Totals, Turn: m.Points}}
	ended := games.Seat(m.Ended.Seat)
	result, over := m.Result()
	alone := slices.Equal(result.Winners, []games.Seat{ended}) && !slices.Contains(departed, ended)
	if len(m.Ended.Dice) > 0 && (alone || !over) {
		v.Tiles = []games.TileRow{{Owner: ended, Dice: games.LieAs(m.Ended.Dice, sides)}}
	}
	switch {
	case m.isOver():
		return v
	case len(m.Dice) > 0:
		v.Pick = m.pick()
	default:
		v.Buttons = [][]games.Button{{{Label: say("button.throw", nil), Move: "throw", Style: games.Primary}}}
	}
	if m.Ended.Kind == stopped {
		v.Undo = []games.Seat{games.Seat(m.Ended.Seat)}
	}
	return v
}

// enough is how many points a turn needs for the board to suggest banking and the computer player "careful" to bank.
const enough = 300

// pick returns a Pick of the dice to set aside, initially as many as possible. Each choice banks, or throws the others.
func (m match) pick() *games.Pick {
	p := &games.Pick{Kind: "dice", Items: m.Dice, Done: say("button.throw", nil), Unfit: say("unfit", nil)}
	for _, o := range m.options() {
		items := o.set.Positions()
		if len(items) > len(p.Picked) {
			p.Picked = items
		}
		keep := games.Choice{Items: items, Move: o.move("keep", len(m.Dice)), Points: o.points}
		keep.Label = say("button.keep", games.Args{"N": m.rules.nextDice(len(m.Dice), len(items))})
		bank := games.Choice{Items: items, Move: o.move("bank", len(m.Dice)), Points: o.points}
		bank.Label = say("button.bank", games.Args{"Points": m.Points + o.points})
		if o.bank && m.Points+o.points >= enough {
			bank.Style = games.Primary
		} else {
			keep.Style = games.Primary
		}
		p.Choices = append(p.Choices, keep)
		if o.bank {
			p.Choices = append(p.Choices, bank)
		}
	}
	return p
}

// stands returns the states and totals of the seats; seats in departed have left and cannot win.
func (m match) stands(departed []games.Seat) []games.Stand {
	stands := make([]games.Stand, len(m.Totals))
	isWaiting := func(seat int) bool { return seat >= m.Next }
	if m.isRollOff() {
		playing, thrown := m.rollOffSeats()
		isWaiting = func(seat int) bool { return slices.Contains(playing[len(thrown):], seat) }
	}
	for seat, total := range m.Totals {
		stands[seat] = games.Stand{State: games.Done, Line: say("total", games.Args{"Points": total})}
		if !m.isOver() && isWaiting(seat) {
			stands[seat].State = games.Waiting
		}
	}
	if !m.isOver() {
		seat := m.seat()
		stands[seat].State = games.ToMove
		if m.Points > 0 {
			stands[seat].Line = say("total-and", games.Args{"Points": m.Totals[seat], "More": m.Points})
		}
	}
	result, _ := m.Result()
	for _, seat := range result.Winners {
		if len(result.Rows) > 1 && !slices.Contains(departed, seat) {
			stands[seat].State = games.Won
		}
	}
	return stands
}

// say returns the line of this game with the message key "zehntausend." + key.
func say(key string, args games.Args) games.Line { return games.Say("zehntausend."+key, args) }

// throwLine returns the line on the thrown dice and on the points set aside before in the turn.
func (m match) throwLine() games.Line {
	args := games.Args{"Seat": games.Seat(m.seat()), "Faces": games.Faces(m.Dice), "Points": m.Points}
	switch {
	case m.Points == 0:
		return say("threw", args)
	case len(m.Dice) == m.rules.dice:
		return say("threw-all", args)
	}
	return say("threw-on", args)
}

// turnEndLines returns the lines on how the previous turn ended, and on the points that it cost in addition. prefix
// begins the key for a turn that scored nothing: "dead-" if the board shows the last throw next to the lines, else "".
func (m match) turnEndLines(prefix string) []games.Line {
	args := games.Args{"Seat": games.Seat(m.Ended.Seat), "Points": m.Ended.Points, "Faces": games.Faces(m.Ended.Dice)}
	switch {
	case m.Ended.Kind == nothing:
		return nil
	case m.Ended.Kind == stopped:
		return []games.Line{say("banked", args)}
	}
	lines := []games.Line{say(prefix+"nothing", args)}
	if m.Ended.Points > 0 {
		lines[0] = say(prefix+"lost", args)
	}
	if cost := m.cost(); cost > 0 {
		lines = append(lines, say("cost", games.Args{"Seat": args["Seat"], "Points": cost}))
	}
	return lines
}

// head returns the lines on the last move and, between turns, on who throws next.
func (m match) head() []games.Line {
	if m.isOver() {
		return m.turnEndLines("")
	}
	seat := games.Args{"Seat": games.Seat(m.seat())}
	switch {
	case len(m.Dice) > 0:
		return []games.Line{m.throwLine()}
	case m.Ended.Kind == nothing:
		return []games.Line{say("opens", seat)}
	}
	return append(m.turnEndLines("dead-"), say("to-throw", seat))
}

// wonLine returns the line that names the winners. It is empty if the match is not over or a winner is in departed.
func (m match) wonLine(departed []games.Seat) games.Line {
	result, over := m.Result()
	if !over || slices.ContainsFunc(result.Winners, func(s games.Seat) bool { return slices.Contains(departed, s) }) {
		return games.Line{}
	}
	first := result.Winners[0]
	args := games.Args{"Seat": first, "Points": result.Rows[first].Score}
	switch {
	case len(result.Rows) == 1:
		return say("finished", args)
	case len(result.Winners) == 1:
		return say("won", args)
	}
	var names games.List
	for _, seat := range result.Winners {
		names = append(names, say("seat", games.Args{"Seat": seat}))
	}
	return say("won-together", games.Args{"Seats": names, "Points": args["Points"]})
}

// notes returns the lines on the round and the target, and on the least amount to bank.
func (m match) notes() []games.Line {
	if m.isOver() {
		return nil
	}
	args := games.Args{"Round": m.Round + 1, "Target": m.rules.target}
	notes := []games.Line{say("note.round", args)}
	switch {
	case m.isRollOff():
		playing, _ := m.rollOffSeats()
		var seats games.List
		for _, seat := range playing {
			seats = append(seats, say("seat", games.Args{"Seat": games.Seat(seat)}))
		}
		notes[0] = say("note.roll-off", games.Args{"Seats": seats})
	case m.isLastRound() && m.rules.onceMore:
		notes[0] = say("note.once-more", nil)
	case m.isLastRound():
		notes[0] = say("note.last", args)
	}
	seat := m.seat()
	if m.rules.nothings > 0 && !m.isRollOff() && m.Losing[seat].Nothings == mostNothings-1 {
		cost := games.Args{"Seat": games.Seat(seat), "Points": m.rules.nothings}
		return append(notes, say("note.nothings", cost))
	}
	if least := m.rules.minimum(m.hasBanked(seat)); least > step {
		notes = append(notes, say("note.least", games.Args{"Seat": games.Seat(seat), "Points": least}))
	}
	return notes
}

// SayMove returns the description of a legal move.
func (m match) SayMove(_ games.Seat, move games.Move) games.Line {
	verb, spelled, _ := strings.Cut(string(move), " ")
	if verb == "throw" {
		return say("move.throw", nil)
	}
	aside, _ := games.ParseDiceSet(spelled, len(m.Dice))
	var faces []string
	for _, position := range aside.Positions() {
		faces = append(faces, strconv.Itoa(m.Dice[position]))
	}
	slices.Sort(faces)
	args := games.Args{"Dice": strings.Join(faces, " ")}
	if verb == "keep" {
		args["N"] = m.rules.nextDice(len(m.Dice), len(faces))
		return say("move.keep", args)
	}
	args["Points"] = m.Points + m.rules.throwPoints(countsOf(m.Dice, aside))
	return say("move.bank", args)
}

// TurnEnded returns the seat whose turn ended last, and the points that it banked or lost. ended is false if no turn
// has ended since the last throw.
func (m match) TurnEnded() (s games.Seat, outcome games.Line, ended bool) {
	seat := games.Seat(m.Ended.Seat)
	switch m.Ended.Kind {
	case stopped:
		return seat, say("turn.banked", games.Args{"Points": m.Ended.Points}), true
	case lost:
		if cost := m.cost(); cost > 0 {
			return seat, say("turn.cost", games.Args{"Points": cost}), true
		}
		return seat, say("turn.lost", nil), true
	}
	return games.Nobody, games.Line{}, false
}

// Explain returns the rules as sentences with examples, nil if Check refuses them.
func (g Game) Explain(rules games.Rules) []games.Line {
	canonical, err := g.Check(rules)
	if err != nil {
		return nil
	}
	r := parseRules(canonical)
	var lines []games.Line
	add := func(when bool, key string, args games.Args) {
		if when {
			lines = append(lines, say("explain."+key, args))
		}
	}
	points := func(n int) games.Args { return games.Args{"Points": n} }
	twos := func(n int) int { return r.throwPoints(counts{2: n}) }
	dice, target := games.Args{"N": r.dice}, games.Args{"Target": r.target}
	add(true, "goal", target)
	add(true, "turn", dice)
	add(true, "count", games.Args{"Ones": r.ones})
	add(true, "more."+r.more, games.Args{"Four": twos(4), "Five": twos(5), "Six": twos(6)})
	add(true, "throw", nil)
	add(r.dice == maxDice && r.straight > 0, "straight", points(r.straight))
	add(r.dice == maxDice && r.pairs > 0, "pairs", points(r.pairs))
	add(r.dice == maxDice && r.triplets > 0, "triplets", points(r.triplets))
	add(true, "nothing", nil)
	add(r.nothings > 0, "nothings", points(r.nothings))
	add(r.hotMay, "hot.may", dice)
	add(!r.hotMay, "hot.must", games.Args{"N": r.dice, "Target": r.target})
	add(r.minimum(false) > r.least, "entry", points(r.minimum(false)))
	add(r.least > step, "least", points(r.least))
	add(r.onceMore, "last."+onceMore, target)
	add(!r.onceMore, "last."+toRoundsEnd, target)
	add(r.rollOff, "ties."+rollOff, nil)
	add(!r.rollOff, "ties."+share, nil)
	add(true, "pool", nil)
	return lines
}
