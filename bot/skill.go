package bot

import (
	"cmp"
	"math"
	"slices"

	"knobel/games"
	"knobel/store"
)

// /skill: what the decisions of everybody cost, with how sure that is, and the
// books as they would stand with average dice. Shut the Box is nearly all luck
// among people who play with sense, so differences that chance could have made
// are called that, and nobody is rated.

const (
	// leastDecisions is how many decisions somebody must have made to be
	// compared with others.
	leastDecisions = 30
	// doubt is how often one would call chance skill, if all were alike.
	doubt = 0.05
	// mostPairs is how many differences are told that are more than chance.
	mostPairs = 4
	// mostSkilled is how many people stand in one list.
	mostSkilled = 12
	// mostUnreviewed is how many games from before there were reviews one look
	// at the skills has reviewed.
	mostUnreviewed = 200
)

// skilled is what the games of one kind say about somebody.
type skilled struct {
	player string
	name   string
	n      float64 // decisions
	costs  float64
	square float64 // the sum of the squares of the costs
}

// mean is what a decision cost on average.
func (s skilled) mean() float64 { return s.costs / s.n }

// deviation is the standard error of the mean.
func (s skilled) deviation() float64 {
	if s.n < 2 {
		return math.Inf(1)
	}
	variance := max(s.square-s.costs*s.costs/s.n, 0) / (s.n - 1)
	return math.Sqrt(variance / s.n)
}

// better says whether a decides better than b by more than chance makes likely,
// where so many pairs are looked at.
func (s skilled) better(b skilled, pairs int) bool {
	apart := math.Sqrt2 * math.Erfinv(1-doubt/float64(max(pairs, 1)))
	return b.mean()-s.mean() > apart*math.Hypot(s.deviation(), b.deviation())
}

// skillCommand shows the skills of the chat's people in a period.
func (v *visit) skillCommand(w wishes) error {
	when, err := v.periodOf(w["period"])
	if err != nil {
		return err
	}
	if _, err := v.wantReviews(mostUnreviewed); err != nil {
		return err
	}
	return v.afterwards(func() error { return v.skills(when) })
}

// skills answers /skill.
func (v *visit) skills(when period) error {
	label, err := v.periodLabel(when)
	if err != nil {
		return err
	}
	sums, err := v.tx.Skills(v.chat.ID, when.stretch())
	if err != nil {
		return err
	}
	names, err := v.skilledNames(sums)
	if err != nil {
		return err
	}
	head := games.Say("bot.skill.head", games.Args{"Period": label})
	if len(names) == 0 {
		head = games.Say("bot.skill.nobody", games.Args{"Period": label})
	}
	m := v.private(head)
	if err := v.writeSkills(m, sums, names); err != nil {
		return err
	}
	v.writeAverages(m, sums, names)
	pending, err := v.tx.Reviewing(v.chat.ID, 0, v.at+1)
	if err != nil {
		return err
	}
	if pending > 0 {
		v.reviews = true
		m.Lines = append(m.Lines, v.say(games.Say("bot.skill.pending", games.Args{"N": pending})))
	}
	var periods []Button
	for _, p := range periodOption().choices {
		if p.value != "season" {
			periods = append(periods, v.button(games.Say("bot.text", games.Args{"Text": capital(v.say(p.label))}), "/skill "+p.value, games.Plain))
		}
	}
	m.row(periods...)
	return nil
}

// skilledNames is how everybody is called who may be listed, by player.
func (v *visit) skilledNames(sums []store.Skill) (map[string]string, error) {
	unlisted, err := v.tx.Unlisted(v.chat.ID)
	if err != nil {
		return nil, err
	}
	names := map[string]string{}
	var taken []string
	for _, k := range sums {
		if _, off := unlisted[k.Player]; off || names[k.Player] != "" {
			continue
		}
		player, err := v.tx.Player(k.Player)
		if err != nil {
			return nil, err
		}
		names[k.Player] = unlike(taken, v.bot.shownName(player.Name, v.lang))
		taken = append(taken, names[k.Player])
	}
	return names, nil
}

// kindOf is what can be compared: decisions of one game, counted alike.
type kindOf struct{ game, measure string }

// writeSkills lists for each kind of game what decisions cost, and says which
// differences are more than chance.
func (v *visit) writeSkills(m *Message, sums []store.Skill, names map[string]string) error {
	lists := map[kindOf][]skilled{}
	var kinds []kindOf
	for _, k := range sums {
		kind := kindOf{k.Game, k.Measure}
		if names[k.Player] == "" || k.Seat.Chosen == 0 {
			continue
		}
		if lists[kind] == nil {
			kinds = append(kinds, kind)
		}
		list := lists[kind]
		i := slices.IndexFunc(list, func(s skilled) bool { return s.player == k.Player })
		if i < 0 {
			i = len(list)
			list = append(list, skilled{player: k.Player, name: names[k.Player]})
		}
		list[i].n += float64(k.Seat.Chosen)
		list[i].costs += float64(k.Seat.Costs) / billion
		list[i].square += float64(k.Seat.Squares) / billion
		lists[kind] = list
	}
	for _, kind := range kinds {
		g, err := v.bot.game(kind.game)
		if err != nil {
			return err
		}
		key, by := "bot.skill.costs-points", 1.0
		if kind.measure == string(games.Share) {
			key, by = "bot.skill.costs-percent", 100
		}
		m.Lines = append(m.Lines, v.say(games.Say(key, games.Args{"Game": v.bot.gameLabel(g)})))
		v.writeList(m, lists[kind], by)
	}
	return nil
}

// writeList lists people by what their decisions cost, least first.
func (v *visit) writeList(m *Message, list []skilled, by float64) {
	slices.SortStableFunc(list, func(a, b skilled) int { return cmp.Compare(a.mean(), b.mean()) })
	for _, s := range list[:min(len(list), mostSkilled)] {
		key := "bot.skill.row"
		args := games.Args{"Name": s.name, "Mean": v.fraction(by*s.mean(), false), "N": int(s.n)}
		if s.n < 2 {
			key = "bot.skill.once"
		} else {
			args["Error"] = v.fraction(by*s.deviation(), false)
		}
		m.Lines = append(m.Lines, v.say(games.Say(key, args)))
	}
	for _, line := range judged(list) {
		m.Lines = append(m.Lines, v.say(line))
	}
}

// judged says which differences between people are more than chance makes
// likely, in plain words. Of many comparisons some would come out by chance
// alone, so each has to be the clearer the more there are.
func judged(list []skilled) []games.Line {
	list = slices.DeleteFunc(slices.Clone(list), func(s skilled) bool { return s.n < leastDecisions })
	pairs := len(list) * (len(list) - 1) / 2
	if pairs == 0 {
		return []games.Line{games.Say("bot.skill.too-few", games.Args{"N": leastDecisions})}
	}
	var said []games.Line
	more := 0
	for i, a := range list {
		for _, b := range list[i+1:] {
			if !a.better(b, pairs) {
				continue
			}
			if more++; more <= mostPairs {
				said = append(said, games.Say("bot.skill.better", games.Args{"Better": a.name, "Worse": b.name}))
			}
		}
	}
	switch {
	case more == 0:
		return []games.Line{games.Say("bot.skill.chance", nil)}
	case more > mostPairs:
		said = append(said, games.Say("bot.skill.more-pairs", games.Args{"N": more - mostPairs}))
	}
	if more < pairs {
		said = append(said, games.Say("bot.skill.others-chance", nil))
	}
	return said
}

// averaged is what somebody has won in one unit, and what that would have been
// with average dice.
type averaged struct {
	unit         string // "" of points
	name         string
	real, evened float64
}

// writeAverages sets the books beside what they would be if all dice, everybody's,
// had brought what they bring on average.
func (v *visit) writeAverages(m *Message, sums []store.Skill, names map[string]string) {
	var all []averaged
	for _, k := range sums {
		a := averaged{name: names[k.Player]}
		by := 1.0 / billion
		switch {
		case a.name == "" || k.Measure == string(games.Par) || k.Measure == string(games.Share) && k.Stake == 0:
			continue // nothing is booked for these
		case k.Measure == string(games.Share):
			a.unit = cmp.Or(k.Unit, v.unit())
			by *= float64(k.Stake)
		}
		a.real = by * float64(k.Seat.Result)
		a.evened = a.real - by*float64(k.Seat.Dice+k.Seat.OthersDice)
		i := slices.IndexFunc(all, func(b averaged) bool { return b.name == a.name && b.unit == a.unit })
		if i < 0 {
			all = append(all, a)
			continue
		}
		all[i].real, all[i].evened = all[i].real+a.real, all[i].evened+a.evened
	}
	slices.SortStableFunc(all, func(a, b averaged) int {
		return cmp.Or(cmp.Compare(a.unit, b.unit), cmp.Compare(b.real, a.real))
	})
	for i, a := range all {
		if i == 0 || all[i-1].unit != a.unit {
			unit := games.Say("bot.review.in-points", nil)
			if a.unit != "" {
				unit = inUnit(a.unit)
			}
			m.Lines = append(m.Lines, v.say(games.Say("bot.skill.books", games.Args{"Unit": unit})))
		}
		m.Lines = append(m.Lines, v.say(games.Say("bot.skill.book", games.Args{
			"Name": a.name, "Real": v.fraction(a.real, true), "Evened": v.fraction(a.evened, true),
		})))
	}
	if len(all) > 0 {
		m.Lines = append(m.Lines, v.say(games.Say("bot.skill.meaning", nil)))
	}
}
