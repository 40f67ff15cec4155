package sheet

import (
	"strconv"

	"knobel/games"
	"knobel/games/money"
)

// The options that all sheets have, and the canonical form of rules.

const (
	settle = games.Settle
	point  = games.Point
)

// allOptions are those of the set and of all sheets, in the order in which they are shown.
func (s *Set) allOptions() []games.Option {
	var all []games.Option
	for _, o := range s.Options {
		all = append(all, games.Fixed(s.Name, o.Name, o.Values...))
	}
	if !s.DifferenceOnly {
		all = append(all, games.Fixed(s.Name, settle, string(games.ShapeDifference), string(games.ShapePool)))
	}
	return append(all, games.Option{Name: point, Values: []string{"0", "1", "5", "10"}, Parse: s.canonicalPoint,
		Say: s.sayPoint}, games.Fixed(s.Name, games.Hints, "no", "yes"))
}

// say makes a line of the set.
func (s *Set) say(key string, args games.Args) games.Line { return games.Say(s.Name+"."+key, args) }

// canonicalPoint reads a whole number of units, without leading zeros.
func (s *Set) canonicalPoint(value string) (string, error) {
	n, err := strconv.ParseUint(value, 10, 32)
	if err != nil || n > money.MaxPoint {
		return "", games.Refuse(s.Name+".refuse.point", games.Args{"Most": money.MaxPoint})
	}
	return strconv.FormatUint(n, 10), nil
}

func (s *Set) sayPoint(value string) games.Line {
	if value == "0" {
		return s.say("option.point.nothing", nil)
	}
	n, _ := strconv.Atoi(value) // a canonical value is a number
	return s.say("option.point.worth", games.Args{"N": n})
}

// check returns rules in their canonical form.
func (s *rules) check(given games.Rules) (games.Rules, error) {
	rules, err := games.CheckOptions(s.options, given)
	if err != nil {
		return nil, err
	}
	for _, d := range s.Demands {
		if rules[d.Option] != d.Value {
			continue
		}
		if value, said := given[d.Other]; said && value != d.Needs {
			return nil, s.together(d, value)
		}
		rules[d.Other] = d.Needs
	}
	for _, d := range s.Renewed {
		if value, said := given[d.Other]; said && rules[d.Option] == d.Value {
			rules[d.Other] = value
		}
	}
	if rules[point] != "" && rules[settle] == string(games.ShapePool) {
		return nil, s.refusePoint(rules)
	}
	return rules, nil
}

// refusePoint refuses a point's worth where a pool is settled: by a value of another option that goes with pools alone,
// or by choice.
func (s *Set) refusePoint(rules games.Rules) error {
	for _, d := range s.Demands {
		if d.Other == settle && rules[d.Option] == d.Value {
			return games.Refuse(s.Name+".refuse.point-demand", games.Args{
				"Option": s.optionWord(d.Option, "name"), "Value": s.optionWord(d.Option, "value."+d.Value),
			})
		}
	}
	return games.Refuse(s.Name+".refuse.point-pool", nil)
}

// together refuses two options that do not go together.
func (s *Set) together(d Demand, value string) error {
	return games.Refuse(s.Name+".refuse.together", games.Args{
		"Option": s.optionWord(d.Option, "name"), "Value": s.optionWord(d.Option, "value."+d.Value),
		"Other": s.optionWord(d.Other, "name"), "Needs": s.optionWord(d.Other, "value."+d.Needs),
		"Given": s.optionWord(d.Other, "value."+value),
	})
}

// optionWord is a word about an option.
func (s *Set) optionWord(option, key string) games.Word {
	return games.Word(s.Name + ".option." + option + "." + key)
}

// chosen fills canonical rules up with defaults.
func (s *rules) chosen(canonical games.Rules) Chosen {
	c := Chosen{}
	for _, o := range s.options {
		c[o.Name] = o.Default()
		if value, given := canonical[o.Name]; given {
			c[o.Name] = value
		}
	}
	return c
}

// paper reads canonical rules.
func (s *rules) paper(canonical games.Rules) Paper {
	c := s.chosen(canonical)
	p := s.Paper(c)
	p.Settle, p.Point = games.ShapeDifference, c.Number(point)
	if c.Is(settle, string(games.ShapePool)) {
		p.Settle = games.ShapePool
	}
	return p
}
