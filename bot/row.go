package bot

import (
	"cmp"
	"slices"
	"strings"

	"knobel/bot/chat"
	"knobel/games"
)

// row reads the options of a row that was chosen, which the platform has apart.
func (r *reading) row(called string, options map[string]string) error {
	row, there := r.c.row(called)
	if !there {
		return r.noSuchOption(r.c, called)
	}
	r.c = row
	for name, value := range options {
		if value = strings.TrimSpace(chat.Shorten(value, MaxText)); value == "" {
			continue
		}
		if err := r.option(name, value); err != nil {
			return err
		}
	}
	for _, o := range row.Options[:min(row.Needs, len(row.Options))] {
		if _, given := r.given[o.Name]; !given {
			return games.Refuse(row.How, nil)
		}
	}
	return nil
}

// row is one of the rows that people can ask for.
func (c Command) row(name string) (Command, bool) {
	i := slices.IndexFunc(c.Subs, func(s Command) bool { return s.Word != "" && s.Name == name })
	if i < 0 {
		return c, false
	}
	row := c.Subs[i]
	row.Ordered, row.How = true, cmp.Or(row.How, c.How)
	return row, true
}
