package store

// Which totals of a chat are not what its results add up to, in a memory that does not grow with the chat: SQLite would
// keep all results in it to add them up.

import (
	"cmp"
	"hash/maphash"
	"slices"
)

// total says which row of a chat's totals, with the texts as they are stored.
type total struct {
	kind                      string
	period                    int64
	game, rules, unit, player string
}

// compare puts totals in the order in which they are told: seasons first.
func (t total) compare(o total) int {
	return cmp.Or(-cmp.Compare(t.kind, o.kind), cmp.Compare(t.period, o.period), cmp.Compare(t.game, o.game),
		cmp.Compare(t.rules, o.rules), cmp.Compare(t.unit, o.unit), cmp.Compare(t.player, o.player))
}

// The two sides of a total: its row, and its results.
const (
	ofRow = iota
	ofResults
)

// bothSides reads the rows of the totals of a chat, and for each what its results have for it.
const bothSides = `
	SELECT 0, ` + sideColumns + ` FROM totals WHERE chat = $1
	UNION ALL
	SELECT 1, ` + sideColumns + ` FROM counted_results WHERE chat = $1`

const sideColumns = `kind, period, game, rules, unit, player,
	games, parts, won, turns, shut, scored, points, points_over, pool, shares, settled,
	COALESCE(low, 0), CASE WHEN low IS NULL THEN 0 ELSE 1 END,
	COALESCE(high, 0), CASE WHEN high IS NULL THEN 0 ELSE 1 END`

// counts are the numbers of one row.
type counts struct {
	added           [11]int64 // those that are added up
	low, high       int64
	hasLow, hasHigh bool
}

// sides is what is known of a total.
type sides struct {
	off       [11]int64 // what the row says less what the results add up to
	low, high [2]int64  // of either side
	known     [2]uint8  // what is known of either side
}

// What is known of a side.
const (
	isThere uint8 = 1 << iota
	hasLow
	hasHigh
)

// add adds a row to a side.
func (s *sides) add(side int, c *counts) {
	for i, n := range c.added {
		if side == ofResults {
			n = -n
		}
		s.off[i] += n
	}
	s.known[side] |= isThere
	if c.hasLow && (s.known[side]&hasLow == 0 || c.low < s.low[side]) {
		s.low[side] = c.low
		s.known[side] |= hasLow
	}
	if c.hasHigh && (s.known[side]&hasHigh == 0 || c.high > s.high[side]) {
		s.high[side] = c.high
		s.known[side] |= hasHigh
	}
}

// alike reports whether the row is what the results add up to.
func (s *sides) alike() bool {
	return s.off == [11]int64{} && s.low[0] == s.low[1] && s.high[0] == s.high[1] && s.known[0] == s.known[1]
}

// comparedAtOnce is how many totals are in the memory at once, some 200 bytes each. A chat that has more is read once
// for each part.
const comparedAtOnce = 100_000

// part is some of the totals: those whose hash is a number modulo another.
type part struct{ number, of uint64 }

// comparing is the totals of a part.
type comparing struct {
	part
	seed  maphash.Seed
	found map[numbered]sides
	texts texts
}

// numbered is a total with a number for each text: texts are few.
type numbered struct {
	period                          int64
	kind, game, rules, unit, player int32
}

// texts gives numbers to texts.
type texts struct {
	all     []string
	numbers map[string]int32
}

func (t *texts) number(text string) int32 {
	n, known := t.numbers[text]
	if !known {
		n = int32(len(t.all))
		t.all = append(t.all, text)
		t.numbers[text] = n
	}
	return n
}

// holds reports whether a total is of the part.
func (c *comparing) holds(t total) bool { return maphash.Comparable(c.seed, t)%c.of == c.number }

// add adds a row to a side of a total.
func (c *comparing) add(side int, t total, n *counts) {
	number := c.texts.number
	key := numbered{t.period, number(t.kind), number(t.game), number(t.rules), number(t.unit), number(t.player)}
	s := c.found[key]
	s.add(side, n)
	c.found[key] = s
}

// named is the total of a key.
func (c *comparing) named(key numbered) total {
	texts := c.texts.all
	return total{texts[key.kind], key.period, texts[key.game], texts[key.rules], texts[key.unit], texts[key.player]}
}

// halve leaves the half of the totals, and returns the part that the others are.
func (c *comparing) halve() (others part) {
	others = part{c.number + c.of, 2 * c.of}
	c.of *= 2
	for key := range c.found {
		if !c.holds(c.named(key)) {
			delete(c.found, key)
		}
	}
	return others
}

// begin makes room for the totals of a part.
func (c *comparing) begin(p part) {
	c.part = p
	clear(c.found)
	clear(c.texts.numbers)
	c.texts.all = c.texts.all[:0]
}

// unlikeTotals returns the totals of a chat that are not what its results add up to, in order. It has at most so many
// in the memory at once.
func (tx *Tx) unlikeTotals(chat string, atOnce int) (wrong []total, err error) {
	c := comparing{seed: maphash.MakeSeed(), found: map[numbered]sides{}, texts: texts{numbers: map[string]int32{}}}
	for left := []part{{0, 1}}; len(left) > 0; {
		c.begin(left[len(left)-1])
		left = left[:len(left)-1]
		err := tx.bothSides(chat, func(side int, t total, n *counts) {
			if !c.holds(t) {
				return
			}
			c.add(side, t, n)
			for len(c.found) > atOnce {
				left = append(left, c.halve())
			}
		})
		if err != nil {
			return nil, err
		}
		for key, s := range c.found {
			if !s.alike() {
				wrong = append(wrong, c.named(key))
			}
		}
	}
	slices.SortFunc(wrong, total.compare)
	return wrong, nil
}

// bothSides calls each for what bothSides reads of a chat.
func (tx *Tx) bothSides(chat string, each func(side int, t total, n *counts)) error {
	var side int
	var t total
	var n counts
	into := []any{&side, &t.kind, &t.period, &t.game, &t.rules, &t.unit, &t.player}
	for i := range n.added {
		into = append(into, &n.added[i])
	}
	into = append(into, &n.low, &n.hasLow, &n.high, &n.hasHigh)
	return tx.list(bothSides, []any{sealedID(chat)}, func(scan func(...any) error) error {
		if err := scan(into...); err != nil {
			return err
		}
		each(side, t, &n)
		return nil
	})
}
