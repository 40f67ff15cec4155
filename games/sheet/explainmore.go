package sheet

import "knobel/games"

// The rules of sheets with several columns, or with points by a final map, in sentences.

// explainColumns says in which order the rows are filled, by columns.
func (p *plan) explainColumns() []games.Line {
	switch places := p.rows[0].count; {
	case len(p.columns) == 1 && places > 1:
		return []games.Line{p.say("explain.places", games.Args{"Places": places})}
	case len(p.columns) == 1:
		return []games.Line{p.say("explain.order-free", nil)}
	}
	lines := []games.Line{p.say("explain.columns", games.Args{"N": len(p.columns)})}
	ordered := false
	for _, c := range p.columns {
		ordered = ordered || c.Order != AnyRow
	}
	if !ordered {
		return append(lines, p.say("explain.order-free", nil))
	}
	for _, c := range p.columns {
		lines = append(lines, p.say("explain."+[...]string{"any", "down", "up", "called"}[c.Order],
			games.Args{"Sign": p.word("sign." + c.Name), "Column": p.word("column." + c.Name)}))
	}
	return lines
}

// explainTimes says which rows are multiplied by which.
func (p *plan) explainTimes() (lines []games.Line) {
	key := "explain.times"
	if len(p.columns) > 1 {
		key = "explain.times-column"
	}
	for _, s := range p.paper.Sections {
		if s.Times != "" {
			lines = append(lines, p.say(key, games.Args{"First": p.word("row." + s.Rows[0].Name),
				"Second": p.word("row." + s.Rows[1].Name), "Times": p.word("row." + s.Times)}))
		}
	}
	return lines
}

// explainFinal says what points a full sheet gives.
func (p *plan) explainFinal() []games.Line {
	f := p.paper.Final
	if f == nil {
		return nil
	}
	word := func(row string) games.Word { return p.word("row." + row) }
	var sums games.List
	for _, s := range f.Sums {
		args := games.Args{"Row": word(s.Row), "From": s.From, "Points": spell(s.Points)}
		sums = append(sums, p.say("final.sum", args))
	}
	lines := []games.Line{p.say("explain.final", nil), p.say("explain.final-sums", games.Args{"Sums": sums})}
	for _, clean := range f.Clean {
		lines = append(lines, p.say("explain.final-clean", games.Args{"Row": word(clean.Row), "N": clean.Points}))
	}
	lines = append(lines, p.say("explain.final-each", games.Args{"Row": word(f.Each.Row), "N": f.Each.Points}))
	return append(lines, p.say("explain.final-total", games.Args{"Below": f.Totals[1].From,
		"Least": spell(f.Totals[0].Points), "Steps": p.sayPoints(f.Totals[1:])}))
}
