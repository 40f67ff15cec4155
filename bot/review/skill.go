package review

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"knobel/bot"
	"knobel/bot/chat"
	"knobel/bot/standings"
	"knobel/games"
	"knobel/store"
)

// Command /skill, a page of /stats: the cost of each player's decisions with its uncertainty, and the winnings with
// average dice. Shut the Box is nearly all luck among sensible players, so it marks differences that chance can explain
// and does not rate players.

const (
	leastDecisions = 30   // minimum decisions of a player for comparisons
	doubt          = 0.05 // probability of any false claim if all players are equal
	maxPairs       = 4    // claims about two players that are shown
	maxSkilled     = 12   // players in one list
	maxKinds       = 6    // kinds of games that are shown
	maxUnreviewed  = 200  // games without a review for which one request asks for reviews
)

// skilled is the sum over a player's games of one kind.
type skilled struct {
	player string
	name   string
	n      float64 // number of decisions
	costs  float64
	square float64 // sum of the squared costs
}

// mean returns the average cost of a decision.
func (s skilled) mean() float64 { return s.costs / s.n }

// deviation returns the standard error of the mean, +Inf for fewer than two decisions.
func (s skilled) deviation() float64 {
	if s.n < 2 {
		return math.Inf(1)
	}
	variance := max(s.square-s.costs*s.costs/s.n, 0) / (s.n - 1)
	return math.Sqrt(variance / s.n)
}

// skillCommand shows the luck and mistakes of the chat's players in a period. It first requests missing reviews.
func (v *visit) skillCommand(w bot.Args) error {
	when, err := v.PeriodOf(w.Text("period"))
	if err == nil && w.Text("period") == "" {
		when, err = v.UsualPeriod()
	}
	if err != nil {
		return err
	}
	if _, err := v.wantReviews(maxUnreviewed); err != nil {
		return err
	}
	return v.Later(func() error { return v.skills(when) })
}

// skills replies to /skill for the period when.
func (v *visit) skills(when standings.Period) error {
	label, err := v.PeriodLabel(when)
	if err != nil {
		return err
	}
	sums, err := v.Tx.Reviews.Skills(v.Chat.ID, when.Stored())
	if err != nil {
		return err
	}
	sums = slices.DeleteFunc(sums, func(k store.Skill) bool {
		_, err := v.bot.Game(k.Game)
		return err != nil // the game is no longer installed
	})
	names, err := v.skilledNames(sums)
	if err != nil {
		return err
	}
	head := games.Say("bot.skill.head", games.Args{"Period": label})
	if len(names) == 0 {
		head = games.Say("bot.skill.nobody", games.Args{"Period": label})
	}
	m := v.Private(head)
	if err := v.writeSkills(m, sums, names); err != nil {
		return err
	}
	if err := v.writeAverages(m, sums, names); err != nil {
		return err
	}
	pending, err := v.Tx.Reviews.Reviewing(v.Chat.ID, 0, v.At+1)
	if err != nil {
		return err
	}
	if pending > 0 {
		v.Wake(v.bot.wake)
		m.Lines = append(m.Lines, v.Say(games.Say("bot.skill.pending", games.Args{"N": pending})))
	}
	seasons, err := v.Seasons()
	if err != nil {
		return err
	}
	var periods []chat.Button
	for _, p := range v.bot.PeriodOption().Choices {
		if p.Value != "season" || len(seasons) > 0 {
			periods = append(periods, v.Button(games.Say("bot.text",
				games.Args{"Text": standings.Capital(v.Say(p.Label))}), "/skill "+p.Value, games.Plain))
		}
	}
	m.Row(periods...)
	m.Row(v.Button(games.Say("bot.button.stats", nil), "/stats", games.Plain))
	return nil
}

// skilledNames returns the names of the listed players in sums, by player id.
func (v *visit) skilledNames(sums []store.Skill) (map[string]string, error) {
	unlisted, err := v.Tx.Chats.Unlisted(v.Chat.ID)
	if err != nil {
		return nil, err
	}
	shown := map[string]string{}
	var taken chat.TakenNames
	for _, k := range sums {
		if _, off := unlisted[k.Player]; off || shown[k.Player] != "" {
			continue
		}
		player, err := v.Tx.Chats.Player(k.Player)
		if err != nil {
			return nil, err
		}
		shown[k.Player] = taken.Unlike(v.bot.ShownName(player.Name, v.Lang))
	}
	return shown, nil
}

// kindOf identifies games whose decisions are comparable: same rules, same measure, and alike alone or with others.
type kindOf struct {
	game, version, measure string
	alone                  bool
}

// compared holds the players' sums for one kind of games.
type compared struct {
	kindOf
	label games.Line
	n     float64 // decisions of all players
	list  []skilled
}

// kindAt returns the kind of games that k sums up, and its label.
func (v *visit) kindAt(k store.Skill) (kind kindOf, label games.Line, err error) {
	g, err := v.bot.Game(k.Game)
	if err != nil {
		return kind, label, err
	}
	rules, err := standings.SpelledRules(k.Rules)
	if err != nil {
		return kind, label, err
	}
	delete(rules, games.Hints)
	kind = kindOf{k.Game, games.VersionOf(k.Game, rules), k.Measure, k.Alone}
	label = v.bot.GameLabel(g)
	if len(g.Variants()) > 1 || games.VariantOf(g, rules) == "" || rules[games.Settle] != "" {
		label = v.bot.FullLabel("bot.leaders.variant", g, rules)
	}
	if k.Alone {
		label = games.Say("bot.skill.alone", games.Args{"Game": label})
	}
	return kind, label, nil
}

// writeSkills adds a list of the cost of decisions for each kind of game, those with the most decisions first, and
// lines about the differences that chance does not explain.
func (v *visit) writeSkills(m *chat.Message, sums []store.Skill, names map[string]string) error {
	var all []compared
	for _, k := range sums {
		if names[k.Player] == "" || k.Seat.Chosen == 0 {
			continue
		}
		kind, label, err := v.kindAt(k)
		if err != nil {
			return err
		}
		c := entry(&all, func(c compared) bool { return c.kindOf == kind }, compared{kindOf: kind, label: label})
		s := entry(&c.list, func(s skilled) bool { return s.player == k.Player },
			skilled{player: k.Player, name: names[k.Player]})
		c.n += float64(k.Seat.Chosen)
		s.n += float64(k.Seat.Chosen)
		s.costs += k.Seat.Costs
		s.square += k.Seat.Squares
	}
	slices.SortStableFunc(all, func(a, b compared) int { return cmp.Compare(b.n, a.n) })
	for _, c := range all[:min(len(all), maxKinds)] {
		key, by := "bot.skill.costs-points", 1.0
		if c.measure == string(games.Share) {
			key, by = "bot.skill.costs-percent", 100
		}
		v.writeList(m, v.Say(games.Say(key, games.Args{"Game": c.label})), c.list, by)
	}
	if more := len(all) - maxKinds; more > 0 {
		m.Lines = append(m.Lines, v.Say(games.Say("bot.skill.more-kinds", games.Args{"N": more})))
	}
	return nil
}

// entry returns the element of all for which is holds, or appends added and returns that.
func entry[T any](all *[]T, is func(T) bool, added T) *T {
	i := slices.IndexFunc(*all, is)
	if i < 0 {
		i = len(*all)
		*all = append(*all, added)
	}
	return &(*all)[i]
}

// writeList adds a list of players by mean cost of a decision times by, lowest first, below a caption.
func (v *visit) writeList(m *chat.Message, caption string, list []skilled, by float64) {
	grid := chat.Grid{From: len(m.Lines), Caption: caption, Head: v.Columns("bot.column.player",
		"bot.column.cost", "bot.column.deviation", "bot.column.decisions")}
	m.Lines = append(m.Lines, caption)
	slices.SortStableFunc(list, func(a, b skilled) int { return cmp.Compare(a.mean(), b.mean()) })
	for _, s := range list[:min(len(list), maxSkilled)] {
		key := "bot.skill.row"
		args := games.Args{"Name": s.name, "Mean": v.Fraction(by*s.mean(), false), "N": int(s.n)}
		mean, deviation := v.Say(v.Fraction(by*s.mean(), false)), ""
		if s.n < 2 {
			key = "bot.skill.once"
		} else {
			args["Error"] = v.Fraction(by*s.deviation(), false)
			deviation = "± " + v.Say(v.Fraction(by*s.deviation(), false))
		}
		m.Lines = append(m.Lines, v.Say(games.Say(key, args)))
		grid.Rows = append(grid.Rows, []string{s.name, mean, deviation, fmt.Sprint(int(s.n))})
	}
	grid.To = len(m.Lines)
	m.Grid(grid)
	for _, line := range judged(list) {
		m.Lines = append(m.Lines, v.Say(line))
	}
}

// judged returns lines about the differences between players that chance does not explain. The more pairs are compared,
// the larger a difference has to be, because some of many are large by chance (Bonferroni correction).
func judged(list []skilled) []games.Line {
	list = slices.DeleteFunc(slices.Clone(list), func(s skilled) bool { return s.n < leastDecisions })
	pairs := len(list) * (len(list) - 1) / 2
	if pairs == 0 {
		return []games.Line{games.Say("bot.skill.too-few", games.Args{"N": leastDecisions})}
	}
	var said []games.Line
	more := 0
	apart := math.Sqrt2 * math.Erfinv(1-doubt/float64(pairs))
	for i, a := range list {
		for _, b := range list[i+1:] {
			if b.mean()-a.mean() <= apart*math.Hypot(a.deviation(), b.deviation()) {
				continue
			}
			if more++; more <= maxPairs {
				said = append(said, games.Say("bot.skill.better", games.Args{"Better": a.name, "Worse": b.name}))
			}
		}
	}
	switch {
	case more == 0:
		return []games.Line{games.Say("bot.skill.chance", nil)}
	case more > maxPairs:
		said = append(said, games.Say("bot.skill.more-pairs", games.Args{"N": more - maxPairs}))
	}
	if more < pairs {
		said = append(said, games.Say("bot.skill.others-chance", nil))
	}
	return said
}

// averaged is a player's winnings in one unit: real, and evened as they would be with average dice.
type averaged struct {
	in           games.Line // label of the unit
	kind         string     // key of the unit
	name         string
	games        int64
	real, evened float64
}

// writeAverages adds each player's winnings, real and with average dice for all: in units of pools, and in points by
// rules. It leaves out practice games, which win nothing.
func (v *visit) writeAverages(m *chat.Message, sums []store.Skill, names map[string]string) error {
	var all []averaged
	for _, k := range sums {
		a, by, counts, err := v.wonOf(k)
		if err != nil {
			return err
		}
		if a.name = names[k.Player]; a.name == "" || !counts {
			continue
		}
		sum := entry(&all, func(b averaged) bool { return b.name == a.name && b.kind == a.kind }, a)
		won := by * k.Seat.Result
		sum.games += k.Tables
		sum.real += won
		sum.evened += won - by*(k.Seat.Dice+k.Seat.OthersDice)
	}
	slices.SortStableFunc(all, func(a, b averaged) int {
		return cmp.Or(cmp.Compare(a.kind, b.kind), cmp.Compare(b.real, a.real))
	})
	kinds := 0
	for i, a := range all {
		if i == 0 || all[i-1].kind != a.kind {
			if kinds++; kinds > maxKinds {
				break
			}
			caption := v.Say(games.Say("bot.skill.won", games.Args{"Unit": a.in}))
			m.Grids = append(m.Grids, chat.Grid{From: len(m.Lines), Caption: caption, Head: v.Columns(
				"bot.column.player", "bot.column.result", "bot.column.evened", "bot.column.games")})
			m.Lines = append(m.Lines, caption)
		}
		m.Lines = append(m.Lines, v.Say(games.Say("bot.skill.winner", games.Args{
			"Name": a.name, "Real": v.Fraction(a.real, true), "Evened": v.Fraction(a.evened, true), "N": int(a.games),
		})))
		grid := &m.Grids[len(m.Grids)-1]
		grid.To = len(m.Lines)
		grid.Rows = append(grid.Rows, []string{a.name, v.Say(v.Fraction(a.real, true)),
			v.Say(v.Fraction(a.evened, true)), fmt.Sprint(a.games)})
	}
	if len(all) > 0 {
		m.Lines = append(m.Lines, v.Say(games.Say("bot.skill.meaning", nil)))
	}
	return nil
}

// wonOf returns the unit of the winnings that k sums up and the factor by from its values to that unit. counts is false
// if its games win nothing.
func (v *visit) wonOf(k store.Skill) (a averaged, by float64, counts bool, err error) {
	switch {
	case k.Alone:
		return a, 0, false, nil
	case k.Measure == string(games.Share) && k.Stake > 0:
		unit := cmp.Or(k.Unit, v.Unit())
		return averaged{in: inUnit(unit), kind: "unit " + unit}, float64(k.Stake), true, nil
	case k.Measure != string(games.Difference):
		return a, 0, false, nil
	}
	g, err := v.bot.Game(k.Game)
	if err != nil {
		return a, 0, false, err
	}
	rules, err := standings.SpelledRules(k.Rules)
	if err != nil || g.Shape(rules) != games.ShapeDifference || games.AimsAtTotal(g, rules) {
		return a, 0, false, err // there is a pool, or the settlement uses other points
	}
	kind, label, err := v.kindAt(k)
	in := games.Say("bot.skill.in-points", games.Args{"Game": label})
	return averaged{in: in, kind: "points " + kind.game + " " + kind.version}, 1, true, err
}
