package review

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"

	"knobel/bot"
	"knobel/bot/board"
	"knobel/games"
	"knobel/games/record"
	"knobel/games/review"
	"knobel/store"
)

// The best roll and the costliest decision of several games, and the players with the most luck and the best play.

// Highlights are sentences about several games; a sentence with an empty key is left out, because no review says it.
type Highlights struct {
	Roll, Decision, Luck, Play games.Line
	// Puzzle is one of the games whose costliest decision can be a puzzle, because no one has read it; 0: none.
	Puzzle int64
	// Told is the review with the decision, for MarkRead; its Table is 0 if there is none.
	Told store.Review
}

// Highlights returns the highlights of the games at tables, about the people in names, by id.
func (b *Reviews) Highlights(v *bot.Visit, tables []int64, names map[string]string) (Highlights, error) {
	f := &finder{visit: b.Visit(v), names: names, people: map[string]*reviewedPlayer{}}
	for _, id := range tables {
		if err := f.look(id); err != nil {
			return Highlights{}, fmt.Errorf("highlights of table %d: %w", id, err)
		}
	}
	h := Highlights{Roll: f.roll.line, Decision: f.decision.line, Told: f.decision.review}
	h.Luck, h.Play = f.verdicts()
	var err error
	h.Puzzle, err = f.puzzleAmong(tables)
	return h, err
}

// finder looks for the highlights of several games.
type finder struct {
	*visit
	names    map[string]string
	roll     foundRoll
	decision struct {
		weight float64 // as in weightOf
		review store.Review
		line   games.Line
	}
	people map[string]*reviewedPlayer // by id
	kind   string                     // how the values of all games so far are displayed, mixedKinds if differently
	last   reviewed                   // the last game that was added
}

// foundRoll is a roll. One that led to shutting the box is better than all others: the fewer dice, the better.
type foundRoll struct {
	shut   int     // the number of dice with which the box was shut, 0: it was not
	weight float64 // the luck, as in weightOf
	line   games.Line
}

// reviewedPlayer holds the luck and mistakes of a player over several games: in the displayed unit and by weightOf.
type reviewedPlayer struct {
	name            string
	games           float64
	luck, relLuck   float64
	costs, relCosts float64
}

// mixedKinds is the kind of values that are displayed in different units.
const mixedKinds = "mixed"

// weightOf returns a value in the measure of rev, divided by the least value that is shown, so that games compare.
func (rev reviewed) weightOf(value float64) float64 {
	return value / review.Least(games.Measure(rev.r.Measure), len(rev.t.Seats))
}

// kindOfValues returns a text that is equal for reviews whose values are displayed in the same unit.
func (rev reviewed) kindOfValues() string {
	switch {
	case !rev.isInShares():
		return "points"
	case rev.t.Stake == 0:
		return "percent"
	}
	return "unit " + rev.t.Unit
}

// look adds the game at a table.
func (f *finder) look(id int64) error {
	t, err := f.Tx.Tables.Table(id)
	if err != nil {
		return err
	}
	g, err := f.bot.Game(t.Game)
	if err != nil {
		return nil // the game is no longer installed
	}
	rev, known, err := reviewOf(f.Tx, t, g)
	if err != nil {
		return err
	}
	if known {
		f.addSeats(rev)
	}
	if _, boxed := g.(games.Boxed); t.Ending.MovesDropped || !known && !boxed {
		return nil
	}
	moves, err := f.MovesOf(t)
	if err == nil && known {
		err = rev.checkSteps(moves)
	}
	if err != nil {
		return err
	}
	match, err := g.New(t.Rules, len(t.Seats))
	if err != nil {
		return err
	}
	steps, err := record.Steps(match, board.Facts(moves))
	if err != nil {
		return err
	}
	rolled := 0
	for i, step := range steps {
		if n := len(step.Move.Dice); n > 0 {
			rolled = n
		}
		seat := t.Seats[step.Move.Seat]
		if name := f.names[seat.Player]; name != "" && !step.Move.Auto && seat.Since == 0 {
			f.addMove(rev, known, i, step, rolled, name)
		}
	}
	return nil
}

// addMove adds the move with the index i of a person called name, who rolled that many dice last.
func (f *finder) addMove(rev reviewed, known bool, i int, step record.Step, rolled int, name string) {
	move := step.Move
	roll := foundRoll{}
	if known && len(move.Dice) > 0 {
		luck := rev.steps.Moves[i].Expect[move.Seat] - rev.steps.Moves[i].Worth
		roll.weight = rev.weightOf(luck)
		roll.line = games.Say("bot.recap.roll", games.Args{"Name": name, "Dice": facesOf(step),
			"Amount": f.costOf(rev, luck)})
	}
	if boxed, ok := rev.g.(games.Boxed); ok {
		if how, ended := games.EndedTurn(step.After, move.Seat); ended && boxed.Shuts(how) {
			roll.shut = rolled
			roll.line = games.Say("bot.recap.shut", games.Args{"Name": name, "N": rolled})
		}
	}
	if roll.better(f.roll) {
		f.roll = roll
	}
	if !known || rev.steps.Moves[i].Cost == 0 {
		return
	}
	made := rev.steps.Moves[i]
	if weight := rev.weightOf(made.Cost); weight > f.decision.weight {
		f.decision.weight, f.decision.review = weight, rev.r
		f.decision.line = games.Say("bot.recap.decision", games.Args{"Name": name,
			"Made": games.SayMove(step.Before, move.Seat, move.Move),
			"Best": games.SayMove(step.Before, move.Seat, made.Best), "Cost": f.costOf(rev, made.Cost)})
	}
}

// better reports whether r is a better roll than other.
func (r foundRoll) better(other foundRoll) bool {
	if (r.shut > 0) != (other.shut > 0) {
		return r.shut > 0
	}
	return r.shut < other.shut || r.shut == other.shut && r.weight > other.weight
}

// facesOf returns the faces of all dice that lie on the table after the roll of step, "5 5 2".
func facesOf(step record.Step) string {
	lying := step.After.View().Dice
	faces := step.Move.Dice
	if len(lying) > 0 {
		faces = nil
	}
	for _, die := range lying {
		faces = append(faces, die.Face)
	}
	said := ""
	for i, face := range faces {
		if i > 0 {
			said += " "
		}
		said += fmt.Sprint(face)
	}
	return said
}

// addSeats adds the luck and the mistakes of the people in a reviewed game.
func (f *finder) addSeats(rev reviewed) {
	f.last = rev
	if kind := rev.kindOfValues(); f.kind == "" {
		f.kind = kind
	} else if f.kind != kind {
		f.kind = mixedKinds
	}
	for i, s := range rev.r.Seats {
		name := f.names[rev.t.Seats[i].Player]
		if name == "" || s.Chosen == 0 {
			continue
		}
		p := f.people[rev.t.Seats[i].Player]
		if p == nil {
			p = &reviewedPlayer{name: name}
			f.people[rev.t.Seats[i].Player] = p
		}
		p.games++
		p.luck += s.Dice * rev.displayFactor()
		p.relLuck += rev.weightOf(s.Dice)
		p.costs -= s.Decisions * rev.displayFactor()
		p.relCosts -= rev.weightOf(s.Decisions)
	}
}

// verdicts returns the sentences about the luckiest and the best players. With games whose values are displayed in
// different units it compares weights and says no amounts. Mistakes are an average by game, among those who played at
// least half as many games as anyone.
func (f *finder) verdicts() (luck, play games.Line) {
	all := slices.SortedFunc(maps.Values(f.people), func(a, b *reviewedPlayer) int {
		return cmp.Compare(a.name, b.name)
	})
	if len(all) < 2 {
		return luck, play
	}
	luckOf := func(p *reviewedPlayer) float64 { return p.luck }
	costOf := func(p *reviewedPlayer) float64 { return p.costs / p.games }
	amount := func(value float64) games.Line { return f.costOf(f.last, value/f.last.displayFactor()) }
	luckKey, playKey := "bot.recap.luck", "bot.recap.play"
	if f.kind == mixedKinds {
		luckOf = func(p *reviewedPlayer) float64 { return p.relLuck }
		costOf = func(p *reviewedPlayer) float64 { return p.relCosts / p.games }
		luckKey, playKey = "bot.recap.luck-only", "bot.recap.play-only"
	}
	if names, value := extremeOf(all, luckOf); value > roundingError {
		luck = games.Say(luckKey, games.Args{"Names": names, "Amount": amount(value)})
	}
	most := slices.MaxFunc(all, func(a, b *reviewedPlayer) int { return cmp.Compare(a.games, b.games) }).games
	often := slices.DeleteFunc(all, func(p *reviewedPlayer) bool { return 2*p.games < most })
	names, value := extremeOf(often, func(p *reviewedPlayer) float64 { return -costOf(p) })
	switch {
	case len(names) == len(often) && len(often) > 1: // all played alike
	case -value < roundingError:
		play = games.Say("bot.recap.play-flawless", games.Args{"Names": names})
	default:
		play = games.Say(playKey, games.Args{"Names": names, "Amount": amount(-value)})
	}
	return luck, play
}

// extremeOf returns the names of the players with the greatest value, and that value.
func extremeOf(all []*reviewedPlayer, valueOf func(*reviewedPlayer) float64) (names []string, value float64) {
	value = math.Inf(-1)
	for _, p := range all {
		switch v := valueOf(p); {
		case v > value+roundingError:
			names, value = []string{p.name}, v
		case v > value-roundingError:
			names = append(names, p.name)
		}
	}
	return names, value
}

// MarkRead stores that the decision in told, the Told of Highlights, was read: by all people in the place, or by one.
// No puzzle asks for a decision that all have read.
func MarkRead(tx *store.Tx, told store.Review, all bool) error {
	return storeRead(tx, told, map[bool]int{true: askedByAll, false: askedByOne}[all])
}

// puzzleAmong returns the table among tables with the costliest decision that can be a puzzle, 0 if there is none.
func (f *finder) puzzleAmong(tables []int64) (int64, error) {
	all, err := f.Tx.Reviews.PuzzleReviews(f.Chat.ID, f.At-maxGameAge.Milliseconds(), maxConsidered)
	for _, r := range all {
		asked, err := askedOf(r)
		if err != nil {
			return 0, err
		}
		if r.Table != f.decision.review.Table && asked < askedByAll && slices.Contains(tables, r.Table) {
			return r.Table, nil
		}
	}
	return 0, err
}
