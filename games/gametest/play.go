package gametest

import (
	"bytes"
	"fmt"
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"knobel/games"
	"knobel/games/dice"
	"knobel/games/money"
)

// player plays one match and checks it after every step.
type player struct {
	t      *testing.T
	game   games.Game
	rules  games.Rules
	seats  int
	random *rand.Rand
	dice   dice.Fair
	moves  []games.Move // the moves played so far and not undone
	movers []games.Seat // the seat of each move
	words  words
	sum    games.Tally // the tallies of the moves, including undone ones, if the game is Tallied
}

// playMatch plays a match and checks it: random moves first, then computer players. seed makes it repeatable.
func playMatch(t *testing.T, g games.Game, rules games.Rules, seats int, seed uint64, words words) {
	t.Helper()
	p := &player{
		t: t, game: g, rules: rules, seats: seats, words: words, sum: games.Tally{},
		random: rand.New(rand.NewPCG(seed, uint64(seats))),
		dice:   dice.Fair{Seed: dice.SeriesSeed(int64(seed), seats), Table: "test", Entropies: []string{"house"}},
	}
	for i, line := range g.Explain(rules) {
		words.checkLine(t, fmt.Sprintf("sentence %d of the rules %v", i+1, rules), line)
	}
	p.checkTaught()
	before := maps.Clone(rules)
	m, err := g.New(rules, seats)
	if err != nil {
		t.Fatalf("%d seats under %v: %v", seats, rules, err)
	}
	m = p.playAnything(m)
	m = p.playHouses(m)
	p.checkResult(m)
	p.checkGarbage(m)
	p.checkTally()
	if !maps.Equal(before, rules) {
		p.fatalf("the match has changed its rules to %v", rules)
	}
}

// fatalf fails the test with the rules and the last moves.
func (p *player) fatalf(format string, args ...any) {
	p.t.Helper()
	last := p.moves[max(0, len(p.moves)-12):]
	p.t.Fatalf("rules %v, %d seats, after %d moves, the last %q: %s", p.rules, p.seats, len(p.moves), last,
		fmt.Sprintf(format, args...))
}

// playAnything plays up to anyMoves random moves from m, undoes some of them, and returns the resulting match.
func (p *player) playAnything(m games.Match) games.Match {
	view := m.View()
	for range anyMoves {
		p.checkPosition(m, view)
		turn := m.Turn()
		if len(turn) == 0 {
			return m
		}
		seat := turn[p.random.IntN(len(turn))]
		moves := m.Moves(seat)
		next, after := p.step(m, view, seat, moves[p.random.IntN(len(moves))])
		if len(after.Undo) > 0 && p.random.IntN(3) == 0 {
			next = p.undoLast(m)
			after = next.View()
		}
		m, view = next, after
	}
	return m
}

// playHouses plays m to its end with computer players, checks some of the positions, and returns the match.
func (p *player) playHouses(m games.Match) games.Match {
	houses := unsolvedHouses(p.game)
	if len(houses) == 0 {
		p.fatalf("the game has no house strategies")
	}
	for i := range houseMoves {
		turn := m.Turn()
		if len(turn) == 0 {
			return m
		}
		if i%50 == 0 {
			p.checkPosition(m, m.View())
		}
		h := houses[(int(turn[0])+p.seats)%len(houses)]
		move := h.Choose(m, turn[0], p.random)
		next, _, err := games.Play(m, turn[0], move, &p.dice)
		if err != nil {
			p.fatalf("house %s chooses %q: %v", h.Name, move, err)
		}
		p.moves, p.movers = append(p.moves, move), append(p.movers, turn[0])
		p.addTally(m, next, turn[0], move)
		m = next
	}
	p.fatalf("houses do not bring the match to its end")
	return m
}

// step plays a move of seat on m, whose view is view, and returns the next match and its view. It checks that the move
// changes no other match and has the same effect after a restart.
func (p *player) step(m games.Match, view games.View, seat games.Seat, move games.Move) (games.Match, games.View) {
	p.t.Helper()
	before := p.save(m)
	reloaded := p.load(before)
	p.playAside(m)
	sameDice := p.dice
	first := sameDice.Next
	next, events, err := games.Play(m, seat, move, &p.dice)
	if err != nil {
		p.fatalf("seat %d plays %q: %v", seat, move, err)
	}
	after := p.save(next)
	p.playAside(m)
	other, otherEvents, err := games.Play(reloaded, seat, move, &sameDice)
	if err != nil {
		p.fatalf("seat %d plays %q after a restart: %v", seat, move, err)
	}
	switch {
	case !bytes.Equal(before, p.save(m)) || !reflect.DeepEqual(view, m.View()):
		p.fatalf("%q has changed the match that it was played on", move)
	case !bytes.Equal(after, p.save(next)):
		p.fatalf("after %q, another move on the match before has changed this one", move)
	case !bytes.Equal(after, p.save(other)):
		p.fatalf("%q leads to %s, after a restart to %s", move, after, p.save(other))
	case !reflect.DeepEqual(events, otherEvents) || sameDice.Next != p.dice.Next:
		p.fatalf("%q tells %v, after a restart %v", move, events, otherEvents)
	}
	for i, e := range events {
		p.words.checkLine(p.t, fmt.Sprintf("event of %q", move), games.Line(e))
		p.words.checkYou(p.t, games.Line(e))
		if i == 0 { // the bot shows the first event to the mover
			p.words.checkLine(p.t, fmt.Sprintf("what %q did, said to the mover", move), e.You())
		}
	}
	shown, threw := next.View(), p.dice.Next != first
	p.words.checkLog(p.t, games.Played{Before: m, After: next, Old: view, New: shown, Seat: seat, Move: move,
		Events: events, Threw: threw})
	p.checkTurned(next, seat)
	p.checkOutgrown(next)
	p.moves, p.movers = append(p.moves, move), append(p.movers, seat)
	p.addTally(m, next, seat, move)
	p.checkUndo(next, shown, threw)
	if threw {
		p.checkDeadEnd(next, shown, seat, events)
	}
	return next, shown
}

// checkOutgrown checks, if m is a games.Outgrown, that loading and saving the result of SavedBefore does not change it.
func (p *player) checkOutgrown(m games.Match) {
	p.t.Helper()
	older, ok := m.(games.Outgrown)
	if !ok {
		return
	}
	before, err := older.SavedBefore()
	if err != nil {
		p.fatalf("SavedBefore: %v", err)
	}
	if again := p.save(p.load(before)); !bytes.Equal(before, again) {
		p.fatalf("%s, as it was saved before, is loaded as %s", before, again)
	}
}

// playAside plays some other move on m with other dice and discards the result.
func (p *player) playAside(m games.Match) {
	turn := m.Turn()
	seat := turn[p.random.IntN(len(turn))]
	moves := m.Moves(seat)
	otherDice := p.dice
	if _, _, err := games.Play(m, seat, moves[p.random.IntN(len(moves))], &otherDice); err != nil {
		p.fatalf("a legal move is refused: %v", err)
	}
}

// save returns the saved state of a match; an error fails the test.
func (p *player) save(m games.Match) []byte {
	p.t.Helper()
	state, err := m.Save()
	if err != nil {
		p.fatalf("Save: %v", err)
	}
	return state
}

// load returns the match saved as state; an error fails the test.
func (p *player) load(state []byte) games.Match {
	p.t.Helper()
	m, err := p.game.Load(p.rules, state)
	if err != nil {
		p.fatalf("Load(%s): %v", state, err)
	}
	return m
}

// checkPosition checks view, the view of m, and the results of all other methods of m.
func (p *player) checkPosition(m games.Match, view games.View) {
	p.t.Helper()
	turn := m.Turn()
	result, over := m.Result()
	if over != (len(turn) == 0) {
		p.fatalf("the turn is with %v, and yet over is %v with the result %v", turn, over, result)
	}
	if !slices.IsSorted(turn) || len(slices.Compact(slices.Clone(turn))) != len(turn) {
		p.fatalf("the turn is with %v", turn)
	}
	var othersMoves []games.Move // one move of each seat to move
	for _, s := range turn {
		othersMoves = append(othersMoves, m.Moves(s)[0])
	}
	for s := games.Nobody; int(s) <= p.seats; s++ {
		p.checkMoves(m, s, slices.Contains(turn, s), othersMoves)
	}
	p.checkView(m, view)
	p.checkFlow(m)
	state := p.save(m)
	again := p.load(state)
	if !bytes.Equal(state, p.save(again)) || !reflect.DeepEqual(view, again.View()) ||
		!slices.Equal(turn, again.Turn()) {
		p.fatalf("%s is loaded as %s", state, p.save(again))
	}
	for _, h := range unsolvedHouses(p.game) {
		for _, s := range turn {
			if move := h.Choose(m, s, p.random); !slices.Contains(m.Moves(s), move) {
				p.fatalf("house %s chooses %q at seat %d, legal are %q", h.Name, move, s, m.Moves(s))
			}
		}
	}
	p.checkRefused(m, "no such move", turn)
	if !bytes.Equal(state, p.save(m)) {
		p.fatalf("looking at the match has changed it from %s to %s", state, p.save(m))
	}
}

// unsolvedHouses returns the computer players that do not use perfect play.
func unsolvedHouses(g games.Game) []games.House {
	return slices.DeleteFunc(slices.Clone(g.Houses()), func(h games.House) bool { return h.Solved })
}

// checkMoves checks the moves of seat s. If toMove is false, it has none and may not play othersMoves.
func (p *player) checkMoves(m games.Match, s games.Seat, toMove bool, othersMoves []games.Move) {
	p.t.Helper()
	moves := m.Moves(s)
	if toMove != (len(moves) > 0) {
		p.fatalf("seat %d is to move: %v, its moves are %q", s, toMove, moves)
	}
	if toMove && (s < 0 || int(s) >= p.seats) {
		p.fatalf("seat %d is to move", s)
	}
	seen := map[games.Move]bool{}
	for _, move := range moves {
		if seen[move] {
			p.fatalf("seat %d has the move %q twice", s, move)
		}
		seen[move] = true
		if len(move) == 0 || len(move) > 24 {
			p.fatalf("the move %q has %d bytes", move, len(move))
		}
		p.words.checkLine(p.t, fmt.Sprintf("the move %q", move), games.SayMove(m, s, move))
		for i := range len(move) {
			if move[i] < ' ' || move[i] > '~' {
				p.fatalf("the move %q is not printable ASCII", move)
			}
		}
	}
	if !toMove {
		p.checkRefused(m, "throw 2", []games.Seat{s})
		for _, move := range othersMoves {
			p.checkRefused(m, move, []games.Seat{s})
		}
	}
}

// checkRefused checks that Play refuses move for each of seats.
func (p *player) checkRefused(m games.Match, move games.Move, seats []games.Seat) {
	p.t.Helper()
	for _, s := range seats {
		otherDice := p.dice
		_, events, err := games.Play(m, s, move, &otherDice)
		r, ok := games.Refused(err)
		if !ok || len(events) > 0 || otherDice.Next != p.dice.Next {
			p.fatalf("seat %d may play %q: %v", s, move, err)
		}
		p.words.checkLine(p.t, "refusal", r.Line)
	}
}

// checkResult checks that m is over and that its places and winners are consistent.
func (p *player) checkResult(m games.Match) {
	p.t.Helper()
	p.checkPosition(m, m.View())
	result, _ := m.Result()
	if len(result.Rows) != p.seats {
		p.fatalf("the result has %d rows", len(result.Rows))
	}
	var first []games.Seat
	for s, row := range result.Rows {
		better := 0
		for _, other := range result.Rows {
			if other.Place < row.Place {
				better++
			}
		}
		if row.Place != better+1 {
			p.fatalf("seat %d has place %d behind %d others: %+v", s, row.Place, better, result.Rows)
		}
		if row.Place == 1 {
			first = append(first, games.Seat(s))
		}
	}
	if p.game.Shape(p.rules) == games.ShapePool && !slices.Equal(first, result.Winners) {
		p.fatalf("seats %v share the pool, the first place is shared by %v", result.Winners, first)
	}
	p.checkShape(result)
	p.checkLed(m, result)
	for _, s := range result.Doubles {
		if s < 0 || int(s) >= p.seats {
			p.fatalf("a second stake is owed to seat %d", s)
		}
	}
}

// checkLed checks that the view shows no winner that has left the game for good or played alone.
func (p *player) checkLed(m games.Match, result games.Result) {
	p.t.Helper()
	if stands := m.View().Stands; p.seats == 1 && stands[0].State == games.Won {
		p.fatalf("a seat that plays alone is said to have won")
	}
	led, ok := m.(games.Led)
	if !ok {
		return
	}
	if !reflect.DeepEqual(m.View(), led.ViewWithout(nil)) {
		p.fatalf("where no seat is out it is another view")
	}
	if len(result.Winners) > 0 && m.View().Won.Key == "" {
		p.fatalf("no seat is said to have won")
	}
	if without := led.ViewWithout(result.Winners); without.Won.Key != "" && len(result.Winners) > 0 {
		p.fatalf("without seats %v it says %v", result.Winners, without.Won)
	}
}

// checkShape checks that the result fits the settlement, and that payments without a pool can be computed.
func (p *player) checkShape(result games.Result) {
	p.t.Helper()
	shape := p.game.Shape(p.rules)
	if want := shapeUnder(p.game, p.rules); shape != want {
		p.fatalf("the match is settled by %q, not by %q", shape, want)
	}
	if shape != games.ShapePool && len(result.Winners)+len(result.Doubles) > 0 {
		p.fatalf("without a pool, settled by %q, somebody wins one: %+v", shape, result)
	}
	if shape != games.ShapeDifference && result.Point != 0 {
		p.fatalf("settled by %q, a point of difference is worth %d", shape, result.Point)
	}
	if !shape.Owed() {
		return
	}
	if _, err := money.Owe(shape, money.MaxStake, result, nil); err != nil {
		p.fatalf("%v", err)
	}
}

// shapeUnder returns the required shape of a match: that of the option Settle, or else the game's only one.
func shapeUnder(g games.Game, rules games.Rules) games.Shape {
	if settle, said := rules[games.Settle]; said {
		return games.Shape(settle)
	}
	return g.Shape(nil)
}
