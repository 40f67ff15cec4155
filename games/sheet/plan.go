package sheet

import (
	"slices"
	"sync"

	"knobel/games"
)

// plan is a paper made ready to play by: its rows and places numbered.
type plan struct {
	set          *rules
	paper        Paper
	rows         []row
	columns      []Column
	all          games.DiceSet     // all dice
	places       int               // of a page, which are the turns of a seat
	again        int               // the row of paper.Again, -1 without one
	first, lower rowSet            // the rows of the first section, and those below the rows of faces
	own          [sides + 1]rowSet // the row of each face
	wide         int               // how many columns a seat has on the sheet
	extremes     func() []extreme  // by row
}

// row is a row with its place among the others.
type row struct {
	Row
	section int
	first   int  // its first place within a column
	count   int  // its places within a column
	with    int  // the row that must hold points, -1 without one
	face    int  // of a row that counts one face, else 0
	lower   bool // it stands below the rows of faces
}

// newPlan numbers the rows and places of a paper.
func newPlan(set *rules, paper Paper) *plan {
	p := &plan{set: set, paper: paper, columns: paper.Columns, all: 1<<paper.Dice - 1}
	if len(p.columns) == 0 {
		p.columns = []Column{{}}
	}
	within := 0
	for s, section := range paper.Sections {
		for _, r := range section.Rows {
			one := row{Row: r, section: s, first: within, count: max(r.Places, 1), lower: r.Points.Face == 0}
			one.face = r.Points.Face
			within += one.count
			if s == 0 {
				p.first |= 1 << len(p.rows)
			}
			if one.lower {
				p.lower |= 1 << len(p.rows)
			} else if p.own[one.face] == 0 {
				p.own[one.face] = 1 << len(p.rows)
			}
			p.rows = append(p.rows, one)
		}
	}
	for r := range p.rows {
		p.rows[r].with = p.rowNamed(p.rows[r].Need.With)
	}
	p.places = within * len(p.columns)
	p.again, p.wide = p.rowNamed(paper.Again.Row), len(p.columns)
	for _, r := range p.rows {
		p.wide = max(p.wide, r.count)
	}
	p.extremes = sync.OnceValue(func() (all []extreme) {
		for r := range p.rows {
			all = append(all, p.extremeOf(r))
		}
		return all
	})
	return p
}

// rowNamed finds a row by its name, -1 where there is none.
func (p *plan) rowNamed(name string) int {
	return slices.IndexFunc(p.rows, func(r row) bool { return r.Name == name })
}

// spot is a row of a column.
type spot struct{ column, row int }

// place returns the first place of a spot on a page.
func (p *plan) place(s spot) int { return s.column*(p.places/len(p.columns)) + p.rows[s.row].first }

// name spells a spot as in moves: the row, behind its column where there are several.
func (p *plan) name(s spot) string {
	if len(p.columns) == 1 {
		return p.rows[s.row].Name
	}
	return p.columns[s.column].Name + " " + p.rows[s.row].Name
}

// spotNamed returns the spot that name spells so, and false where there is none.
func (p *plan) spotNamed(name string) (spot, bool) {
	for column := range p.columns {
		for r := range p.rows {
			if s := (spot{column, r}); p.name(s) == name {
				return s, true
			}
		}
	}
	return spot{}, false
}

// strikes reports whether a row can be struck at all: not one that needs nothing.
func (r *row) strikes() bool { return !r.Need.any() }

// doubles reports whether the row counts double right after the first throw.
func (r *row) doubles() bool { return r.Points.Doubled != Single }

// signed reports whether the row's points are gains or losses.
func (r *row) signed() bool { return r.Points.Count == OverThree }

// signed reports whether the sum of a section is of gains and losses.
func (s Section) signed() bool {
	return slices.ContainsFunc(s.Rows, func(r Row) bool { return r.Points.Count == OverThree })
}
