package recap

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"knobel/bot"
	"knobel/bot/chart"
	"knobel/bot/chat"
	"knobel/games"
	"knobel/games/money"
	"knobel/store"
)

// The limits of a recap, which has at most twelve lines with its heading.
const (
	maxPurses  = 3   // lines of amounts
	maxNamed   = 12  // people in one line
	maxLeading = 3   // people of the season
	maxGames   = 150 // games, the latest ones, among which the best roll is looked for
	maxAlt     = 1024
)

// pictureName is the name of the file with the picture of a recap.
const pictureName = "recap.png"

// recap is the recap of some evenings. It names only listed people: neither hidden nor forgotten ones.
type recap struct {
	*visit
	span
	label  games.Line        // of the evening or the month
	rows   []store.Standing  // the results of all players, listed or not
	names  map[string]string // of listed people, by id
	games  int64
	purses []purse
	told   store.Review // with the decision that the message tells; Table 0: none
	m      *chat.Message
}

// purse is what listed people won and lost in one unit, the highest amount first.
type purse struct {
	label string
	sums  []chart.Sum
}

// read reads the results of s.
func (v *visit) read(s span) (*recap, error) {
	r := &recap{visit: v, span: s, names: map[string]string{}, label: monthLabel(s)}
	var err error
	if !s.month {
		if r.label, err = v.DayLabel(s.first); err != nil {
			return nil, err
		}
	}
	period := store.Evenings(s.first, s.last)
	if r.rows, err = v.Tx.Scores.Standings(store.Wanted{Chat: v.Chat.ID, Period: period}); err != nil {
		return nil, err
	}
	off, err := v.Tx.Chats.Unlisted(v.Chat.ID)
	if err != nil {
		return nil, err
	}
	called := map[string]string{}
	for _, row := range r.rows {
		r.games += row.Parts
		called[row.Player] = row.Name
	}
	r.games /= store.PartsOfGame
	var taken chat.TakenNames
	for _, player := range slices.Sorted(maps.Keys(called)) {
		if off[player] == (store.Unlisted{}) && store.Forgotten(player) == 0 {
			r.names[player] = taken.Unlike(v.bot.ShownName(called[player], v.Lang))
		}
	}
	r.fillPurses()
	return r, nil
}

// fillPurses adds up what listed people won and lost: by unit, the chat's first, then in points above the average. If
// nothing was won or lost, it counts the games won.
func (r *recap) fillPurses() {
	units, points, won := map[string]map[string]int64{}, map[string]int64{}, map[string]int64{}
	for _, row := range r.rows {
		if units[row.Unit] == nil {
			units[row.Unit] = map[string]int64{}
		}
		units[row.Unit][row.Player] += row.Pool + row.Settled
		points[row.Player] += row.Shares
		won[row.Player] += row.Won
	}
	own := r.Unit()
	for _, unit := range slices.SortedFunc(maps.Keys(units), func(a, b string) int {
		return cmp.Or(bot.TrueFirst(a == own, b == own), cmp.Compare(a, b))
	}) {
		r.addPurse(bot.UnitLabel(unit), units[unit], bot.Signed)
	}
	r.addPurse(games.Say("bot.recap.points", nil), points, func(shares int64) games.Number {
		return games.Number(money.Difference{N: shares, D: money.Shares}.String())
	})
	if len(r.purses) == 0 {
		r.addPurse(games.Say("bot.recap.won", nil), won, bot.PlainNumber)
	}
}

// addPurse adds the amounts of listed people by player, unless all amounts are 0.
func (r *recap) addPurse(label games.Line, amounts map[string]int64, spell func(int64) games.Number) {
	p, any := purse{label: bot.Capital(r.Say(label))}, false
	for player, amount := range amounts {
		if name := r.names[player]; name != "" {
			p.sums = append(p.sums, chart.Sum{Name: name, Amount: r.Number(spell(amount)), Value: float64(amount)})
			any = any || amount != 0
		}
	}
	slices.SortFunc(p.sums, func(a, b chart.Sum) int {
		return cmp.Or(cmp.Compare(b.Value, a.Value), cmp.Compare(a.Name, b.Name))
	})
	if any {
		r.purses = append(r.purses, p)
	}
}

// line returns the amounts of p as one line, of at most maxNamed people.
func (r *recap) line(p purse) string {
	var all []string
	for i, sum := range p.sums {
		if i == maxNamed {
			all = append(all, "…")
			break
		}
		all = append(all, sum.Name+" "+sum.Amount)
	}
	return r.Say(games.Say("bot.recap.sums", games.Args{"What": p.label, "Sums": strings.Join(all, ", ")}))
}

// write writes the message of the recap as the private answer.
func (r *recap) write() error {
	head, err := r.head()
	if err != nil {
		return err
	}
	r.m = r.Private(head)
	for i, p := range r.purses {
		if i < maxPurses {
			r.m.Lines = append(r.m.Lines, r.line(p))
		} else {
			r.m.Lines[maxPurses-1] += " " + r.line(p)
		}
	}
	tables, err := r.Tx.Scores.EndedIn(r.Chat.ID, r.first, r.last)
	if err != nil {
		return err
	}
	tables = tables[max(len(tables)-maxGames, 0):]
	best, err := r.bot.Highlights(r.Visit.Visit.Visit, tables, r.names)
	if err != nil {
		return err
	}
	if r.month {
		best.Roll.Key = map[string]string{"bot.recap.roll": "bot.recap.roll-month",
			"bot.recap.shut": "bot.recap.shut-month"}[best.Roll.Key]
	}
	r.add(best.Roll)
	buttons := []chat.Button{r.Button(games.Say("bot.button.settle", nil), "/settle", games.Plain)}
	if !r.month {
		r.add(best.Decision)
		r.add(best.Luck, best.Play)
		r.told = best.Told
		if best.Puzzle != 0 {
			buttons = append(buttons, r.puzzleButton(best.Puzzle))
		}
	}
	if err := r.addRecords(); err != nil {
		return err
	}
	if err := r.addSeason(); err != nil {
		return err
	}
	open := r.Button(games.Say("bot.button.recap-table", nil), "/table", games.Plain)
	// The evening in it tells recaps apart, so that Discord finds one again whose sending was not confirmed.
	open.Press = chat.Press{Turn: int64(r.first), What: "/table"}.String()
	r.m.Row(append(buttons, open)...)
	return nil
}

// head returns the heading: which evening or month it is, and how many games there were.
func (r *recap) head() (games.Line, error) {
	args := games.Args{"When": r.label, "N": int(r.games)}
	if !r.month {
		return games.Say("bot.recap.evening", args), nil
	}
	evenings, err := r.countEvenings()
	args["Evenings"] = games.Say("bot.recap.evenings", games.Args{"N": evenings})
	return games.Say("bot.recap.month", args), err
}

// add adds the sentences that are not empty as one line.
func (r *recap) add(sentences ...games.Line) {
	var said []string
	for _, line := range sentences {
		if line.Key != "" {
			said = append(said, r.Say(line))
		}
	}
	if len(said) > 0 {
		r.m.Lines = append(r.m.Lines, strings.Join(said, " "))
	}
}

// alt describes the picture: it says the same as the message.
func (r *recap) alt() string {
	return chat.Shorten(strings.Join(append([]string{r.m.Head}, r.m.Lines...), " "), maxAlt)
}

// chart returns the picture of the recap: the amounts of all purses as bars.
func (r *recap) chart() chart.Sums {
	picture := chart.Sums{Title: r.m.Head}
	for _, p := range r.purses {
		picture.Groups = append(picture.Groups, chart.Group{Label: p.label, Sums: p.sums[:min(len(p.sums), maxNamed)]})
	}
	return picture
}
