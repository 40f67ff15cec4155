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

// Command /skill, a page of /stats: the mean cost of each player's decisions with its uncertainty, and the winnings
// with average dice. Shut the Box is nearly all luck among sensible players. So the page marks differences that chance
// can explain, and does not rate players.

const (
	leastDecisions = 30   // minimum decisions of a player for comparisons
	falseClaims    = 0.05 // probability of any false claim if all players are equal
	maxPairs       = 4    // shown claims that one player decides better than another
	maxSkilled     = 12   // players in one list
	maxKinds       = 6    // kinds of games that are shown
	maxUnreviewed  = 200  // games for which one command requests missing reviews
)

// playerCosts sums up the costs of a player's decisions over games of one kind.
type playerCosts struct {
	player string
	name   string
	n      float64 // number of decisions
	costs  float64 // sum of the costs
	square float64 // sum of the squared costs
}

// mean returns the average cost of a decision.
func (s playerCosts) mean() float64 { return s.costs / s.n }

// deviation returns the standard error of mean, +Inf for fewer than two decisions.
func (s playerCosts) deviation() float64 {
	if s.n < 2 {
		return math.Inf(1)
	}
	variance := max(s.square-s.costs*s.costs/s.n, 0) / (s.n - 1)
	return math.Sqrt(variance / s.n)
}

// skillCommand shows the luck and mistakes of the chat's players in a period. It first requests missing reviews.
func (v *visit) skillCommand(args bot.Args) error {
	period, err := v.PeriodOf(args.Text("period"))
	if err == nil && args.Text("period") == "" {
		period, err = v.UsualPeriod()
	}
	if err != nil {
		return err
	}
	if _, err := v.requestReviews(maxUnreviewed); err != nil {
		return err
	}
	return v.Later(func() error { return v.showSkills(period) })
}

// showSkills replies to /skill for a period.
func (v *visit) showSkills(period standings.Period) error {
	label, err := v.PeriodLabel(period)
	if err != nil {
		return err
	}
	sums, err := v.Tx.Reviews.Skills(v.Chat.ID, period.Stored())
	if err != nil {
		return err
	}
	sums = slices.DeleteFunc(sums, func(k store.Skill) bool {
		_, err := v.bot.Game(k.Game)
		return err != nil // the game is no longer installed
	})
	names, err := v.playerNames(sums)
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
				games.Args{"Text": bot.Capital(v.Say(p.Label))}), "/skill "+p.Value, games.Plain))
		}
	}
	m.Row(periods...)
	m.Row(v.Button(games.Say("bot.button.stats", nil), "/stats", games.Plain))
	return nil
}

// playerNames returns the names of the players in sums, by id, without players that the chat does not list.
func (v *visit) playerNames(sums []store.Skill) (map[string]string, error) {
	unlisted, err := v.Tx.Chats.Unlisted(v.Chat.ID)
	if err != nil {
		return nil, err
	}
	names := map[string]string{}
	var taken chat.TakenNames
	for _, k := range sums {
		if _, isUnlisted := unlisted[k.Player]; isUnlisted || names[k.Player] != "" {
			continue
		}
		player, err := v.Tx.Chats.Player(k.Player)
		if err != nil {
			return nil, err
		}
		names[k.Player] = taken.Unlike(v.bot.ShownName(player.Name, v.Lang))
	}
	return names, nil
}

// gameKind identifies games whose decisions are comparable: same rules, same measure, and all alone or all with others.
type gameKind struct {
	game, version, measure string
	alone                  bool
}

// kindCosts holds the players' costs for one kind of games.
type kindCosts struct {
	gameKind
	label games.Line
	n     float64 // decisions of all players
	list  []playerCosts
}

// kindOf returns the kind of the games that k sums up, and its label.
func (v *visit) kindOf(k store.Skill) (kind gameKind, label games.Line, err error) {
	g, err := v.bot.Game(k.Game)
	if err != nil {
		return kind, label, err
	}
	rules, err := standings.SpelledRules(k.Rules)
	if err != nil {
		return kind, label, err
	}
	delete(rules, games.Hints)
	kind = gameKind{k.Game, games.VersionOf(k.Game, rules), k.Measure, k.Alone}
	label = v.bot.GameLabel(g)
	if len(g.Variants()) > 1 || games.VariantOf(g, rules) == "" || rules[games.Settle] != "" {
		label = v.bot.FullLabel("bot.leaders.variant", g, rules)
	}
	if k.Alone {
		label = games.Say("bot.skill.alone", games.Args{"Game": label})
	}
	return kind, label, nil
}

// writeSkills adds to m, for each kind of games, a list of the players' costs and lines about the differences that
// chance does not explain. Kinds with the most decisions come first.
func (v *visit) writeSkills(m *chat.Message, sums []store.Skill, names map[string]string) error {
	var all []kindCosts
	for _, k := range sums {
		if names[k.Player] == "" || k.Seat.Chosen == 0 {
			continue
		}
		kind, label, err := v.kindOf(k)
		if err != nil {
			return err
		}
		c := findOrAppend(&all, func(c kindCosts) bool { return c.gameKind == kind },
			kindCosts{gameKind: kind, label: label})
		s := findOrAppend(&c.list, func(s playerCosts) bool { return s.player == k.Player },
			playerCosts{player: k.Player, name: names[k.Player]})
		c.n += float64(k.Seat.Chosen)
		s.n += float64(k.Seat.Chosen)
		s.costs += k.Seat.Costs
		s.square += k.Seat.Squares
	}
	slices.SortStableFunc(all, func(a, b kindCosts) int { return cmp.Compare(b.n, a.n) })
	for _, c := range all[:min(len(all), maxKinds)] {
		key, factor := "bot.skill.costs-points", 1.0
		if c.measure == string(games.Share) {
			key, factor = "bot.skill.costs-percent", 100
		}
		v.writeList(m, v.Say(games.Say(key, games.Args{"Game": c.label})), c.list, factor)
	}
	if more := len(all) - maxKinds; more > 0 {
		m.Lines = append(m.Lines, v.Say(games.Say("bot.skill.more-kinds", games.Args{"N": more})))
	}
	return nil
}

// findOrAppend returns a pointer to the first element for which match is true. If there is none, it appends element.
func findOrAppend[T any](list *[]T, match func(T) bool, element T) *T {
	i := slices.IndexFunc(*list, match)
	if i < 0 {
		i = len(*list)
		*list = append(*list, element)
	}
	return &(*list)[i]
}

// writeList adds to m caption, the players in list with their mean cost times factor, lowest first, and comparisons.
func (v *visit) writeList(m *chat.Message, caption string, list []playerCosts, factor float64) {
	grid := chat.Grid{From: len(m.Lines), Caption: caption, Head: v.Columns("bot.column.player",
		"bot.column.cost", "bot.column.deviation", "bot.column.decisions")}
	m.Lines = append(m.Lines, caption)
	slices.SortStableFunc(list, func(a, b playerCosts) int { return cmp.Compare(a.mean(), b.mean()) })
	for _, s := range list[:min(len(list), maxSkilled)] {
		key := "bot.skill.row"
		args := games.Args{"Name": s.name, "Mean": v.Fraction(factor*s.mean(), false), "N": int(s.n)}
		mean, deviation := v.Say(v.Fraction(factor*s.mean(), false)), ""
		if s.n < 2 {
			key = "bot.skill.once"
		} else {
			args["Error"] = v.Fraction(factor*s.deviation(), false)
			deviation = "± " + v.Say(v.Fraction(factor*s.deviation(), false))
		}
		m.Lines = append(m.Lines, v.Say(games.Say(key, args)))
		grid.Rows = append(grid.Rows, []string{s.name, mean, deviation, fmt.Sprint(int(s.n))})
	}
	grid.To = len(m.Lines)
	m.Grid(grid)
	for _, line := range comparisonLines(list) {
		m.Lines = append(m.Lines, v.Say(line))
	}
}

// comparisonLines returns lines about the differences between players that chance does not explain. The more pairs are
// compared, the larger a difference must be, because some of many are large by chance (Bonferroni correction).
func comparisonLines(list []playerCosts) []games.Line {
	list = slices.DeleteFunc(slices.Clone(list), func(s playerCosts) bool { return s.n < leastDecisions })
	pairs := len(list) * (len(list) - 1) / 2
	if pairs == 0 {
		return []games.Line{games.Say("bot.skill.too-few", games.Args{"N": leastDecisions})}
	}
	var lines []games.Line
	count := 0
	quantile := math.Sqrt2 * math.Erfinv(1-falseClaims/float64(pairs))
	for i, a := range list {
		for _, b := range list[i+1:] {
			if b.mean()-a.mean() <= quantile*math.Hypot(a.deviation(), b.deviation()) {
				continue
			}
			if count++; count <= maxPairs {
				lines = append(lines, games.Say("bot.skill.better", games.Args{"Better": a.name, "Worse": b.name}))
			}
		}
	}
	switch {
	case count == 0:
		return []games.Line{games.Say("bot.skill.chance", nil)}
	case count > maxPairs:
		lines = append(lines, games.Say("bot.skill.more-pairs", games.Args{"N": count - maxPairs}))
	}
	if count < pairs {
		lines = append(lines, games.Say("bot.skill.others-chance", nil))
	}
	return lines
}

// winnings are a player's winnings in one unit: real is the amount won, and evened the amount with average dice.
type winnings struct {
	in           games.Line // label of the unit
	kind         string     // key of the unit
	name         string
	games        int64
	real, evened float64
}

// writeAverages adds to m each player's winnings, real and with average dice for all: in units of stakes, and in points
// for each set of rules. Practice games, which win nothing, are left out.
func (v *visit) writeAverages(m *chat.Message, sums []store.Skill, names map[string]string) error {
	var all []winnings
	for _, k := range sums {
		a, factor, paid, err := v.winningsOf(k)
		if err != nil {
			return err
		}
		if a.name = names[k.Player]; a.name == "" || !paid {
			continue
		}
		sum := findOrAppend(&all, func(b winnings) bool { return b.name == a.name && b.kind == a.kind }, a)
		won := factor * k.Seat.Result
		sum.games += k.Tables
		sum.real += won
		sum.evened += won - factor*(k.Seat.Dice+k.Seat.OthersDice)
	}
	slices.SortStableFunc(all, func(a, b winnings) int {
		return cmp.Or(cmp.Compare(a.kind, b.kind), cmp.Compare(b.real, a.real))
	})
	unitCount := 0
	for i, a := range all {
		if i == 0 || all[i-1].kind != a.kind {
			if unitCount++; unitCount > maxKinds {
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

// winningsOf returns the unit of the winnings that k sums up, as a.in and a.kind (a's other fields are zero), and
// factor, which converts values of k to that unit. paid is false if these games paid nothing that k measures.
func (v *visit) winningsOf(k store.Skill) (a winnings, factor float64, paid bool, err error) {
	switch {
	case k.Alone:
		return a, 0, false, nil
	case k.Measure == string(games.Share) && k.Stake > 0:
		unit := cmp.Or(k.Unit, v.Unit())
		return winnings{in: unitPhrase(unit), kind: "unit " + unit}, float64(k.Stake), true, nil
	case k.Measure != string(games.Difference):
		return a, 0, false, nil
	}
	g, err := v.bot.Game(k.Game)
	if err != nil {
		return a, 0, false, err
	}
	rules, err := standings.SpelledRules(k.Rules)
	if err != nil || g.Shape(rules) != games.ShapeDifference || games.AimsAtTotal(g, rules) {
		return a, 0, false, err // the winnings are a pool, or points other than those in k
	}
	kind, label, err := v.kindOf(k)
	in := games.Say("bot.skill.in-points", games.Args{"Game": label})
	return winnings{in: in, kind: "points " + kind.game + " " + kind.version}, 1, true, err
}
