package recap_test

import (
	"cmp"
	"fmt"
	"math/big"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"knobel/bot/bare"
	"knobel/bot/chat"
	"knobel/bot/fakes/needs"
	"knobel/bot/review"
	"knobel/games"
	"knobel/games/record"
	exact "knobel/games/review"
	"knobel/games/shutbox"
	"knobel/store"
)

// group is people in one chat who play random games on several evenings.
type group struct {
	*bare.House
	chance  *rand.Rand
	people  []*bare.Person
	evening map[string]store.Day // on which a game ended, by its table as in records
	solved  map[string]games.Perfect
}

// sentences are parts of the sentences that some recap of the test must say.
var sentences = []string{"New record", "wins in a row", "Roll of", "shut the box", "Decision of", "Most luck"}

// TestFiguresAreWhatTheRecordsSay plays random games on several evenings, hides and forgets people and voids games.
// Each recap must say the amounts, the records, the roll and the decision that follow from the exported records, of no
// one who is not listed, in at most twelve lines; and the amounts of all evenings must add up to the balances.
func TestFiguresAreWhatTheRecordsSay(t *testing.T) {
	groups, said := 10, map[string]int{}
	if needs.IsLong() {
		groups = 60
	}
	for n := range groups {
		h := bare.New(t, shutbox.Game{}, bare.Tally{})
		g := &group{House: h, chance: rand.New(rand.NewPCG(uint64(n), 47)), evening: map[string]store.Day{},
			solved: map[string]games.Perfect{}}
		for i := range 2 + g.chance.IntN(7) {
			g.people = append(g.people, h.Person(fmt.Sprint("P", i)))
			g.people[i].Admin = true
		}
		for range 3 + g.chance.IntN(3) {
			g.plays()
		}
		all := g.records()
		for id := range int64(len(all)) {
			if err := h.Bot.AwaitReview(t.Context(), id+1); err != nil {
				t.Fatal(err)
			}
		}
		off := map[string]bool{}
		if g.chance.IntN(2) == 0 {
			g.people[1].Writes("/leaderboard me=hide")
			off["P1"] = true
		}
		if last := len(g.people) - 1; last > 1 && g.chance.IntN(2) == 0 {
			g.people[last].Forgets()
			off[g.people[last].Name] = true
		}
		g.compare(all, off, said)
		h.Sound()
	}
	for _, what := range sentences {
		if said[what] == 0 {
			t.Errorf("no recap says %q", what)
		}
	}
}

// plays plays a few games after some days, and may void one.
func (g *group) plays() {
	g.Wait(time.Duration(1+g.chance.IntN(9)) * 24 * time.Hour)
	if g.chance.IntN(2) == 0 {
		g.people[0].Writes("/unit " + []string{"chips", "coffees"}[g.chance.IntN(2)])
	}
	for range 1 + g.chance.IntN(4) {
		line := []string{"/shutbox tiles=6 dice=1d6 5", "/shutbox tiles=6 dice=1d6 0", "/shutbox tiles=2-9 5", "/tally",
			"/tally point=1", "/tally point=2", "/tally"}[g.chance.IntN(7)]
		var names []string
		for _, i := range g.chance.Perm(len(g.people))[:1+g.chance.IntN(min(len(g.people), 4))] {
			names = append(names, g.people[i].Name)
		}
		people := g.Gather(line, names...)
		opener := people[0]
		id := opener.Table().ID
		g.Agree(people[1:]...)
		opener.Sends(fmt.Sprintf("1:%d:0:!start", id))
		for opener.Table().State == store.Playing {
			press := fmt.Sprintf("1:%d:%d:say %d", id, opener.Table().Turn, g.chance.IntN(13))
			if m := opener.Board(); len(m.Buttons) > 0 {
				moves := slices.DeleteFunc(slices.Concat(m.Buttons...), func(b chat.Button) bool {
					return !regexp.MustCompile(`:(throw|shut)\b`).MatchString(b.Press)
				})
				press = moves[g.chance.IntN(len(moves))].Press
			}
			if !slices.ContainsFunc(people, func(p *bare.Person) bool { return !p.Sends(press).Refused }) {
				g.T.Fatalf("no one may press %s", press)
			}
		}
		g.evening[fmt.Sprint(id)] = store.DayOf(g.Time())
	}
	if asked := g.people[0].Writes(fmt.Sprint("/void ", 1+g.chance.IntN(2*len(g.evening)))); !asked.Refused &&
		strings.Contains(bare.Show(*asked.Private), "Void it") {
		for _, p := range g.people {
			p.Sends(bare.PressOn(g.T, asked, "Void it"))
		}
	}
}

// records returns the records of all games, by table.
func (g *group) records() (all []record.Record) {
	err := g.Bot.Export(g.T.Context(), review.Wanted{Chat: "test:1"}, func(r record.Record) error {
		all = append(all, r)
		return nil
	})
	if err != nil || len(all) != len(g.evening) {
		g.T.Fatalf("%d records of %d games: %v", len(all), len(g.evening), err)
	}
	return all
}

// counted returns the games among all that count, in the order of tables.
func counted(all []record.Record) []record.Record {
	return slices.DeleteFunc(slices.Clone(all), func(r record.Record) bool { return len(r.Seats) < 2 || r.Voided })
}

// compare compares the recap of every evening with all records. off are the people who are not listed.
func (g *group) compare(all []record.Record, off map[string]bool, said map[string]int) {
	balances := map[string]*big.Rat{} // of listed people, by unit and name
	days := map[store.Day]bool{}
	for _, r := range counted(all) {
		days[g.evening[r.Table]] = true
	}
	for day := range days {
		m := *g.people[0].Writes("/recap " + day.Time().Format(time.DateOnly)).Private
		text := bare.Show(m)
		bare.Proper(g.T, m)
		wanted := g.amounts(all, day, off, balances)
		found, record := 1+len(wanted) <= 1+len(m.Lines), g.recordsOf(all, day, off)
		for _, line := range wanted[:min(len(wanted), len(m.Lines))] {
			found = found && slices.Contains(m.Lines, line)
		}
		roll, decision := g.extremes(all, day, off)
		for _, line := range append(record, roll, decision) {
			found = found && strings.Contains(text, line)
		}
		more := roll == "" && strings.Contains(text, "Roll of") ||
			decision == "" && strings.Contains(text, "Decision of") ||
			strings.Count(text, "New record: ") != len(record)
		if !found || more || 1+len(m.Lines) > 12 {
			g.T.Errorf("day %d, without %v: want\n%s\n%s\n%s\n%s\ngot\n%s", day, off, strings.Join(wanted, "\n"),
				strings.Join(record, "\n"), roll, decision, text)
		}
		for name := range off {
			if regexp.MustCompile(`\b` + name + `\b|gone \d`).MatchString(text + m.Picture.Alt) {
				g.T.Errorf("%s is named in\n%s", name, text)
			}
		}
		if alt := m.Picture.Alt; alt != strings.Join(append([]string{m.Head}, m.Lines...), " ") || len(alt) > 1024 {
			g.T.Errorf("the picture says %q", alt)
		}
		for _, what := range sentences {
			said[what] += strings.Count(text, what)
		}
	}
	for _, unit := range []string{"chips", "coffees"} {
		for account, balance := range g.Stands(unit) {
			name := strings.TrimPrefix(account, "player:test:")
			if sum := balances[unit+" "+name]; sum != nil && sum.Cmp(big.NewRat(balance, 1)) != 0 {
				g.T.Errorf("%s has %d %s in the books, %v in the recaps", name, balance, unit, sum)
			}
		}
	}
}

// amounts returns the lines about amounts that follow from the records of a day, and adds the amounts to balances.
func (g *group) amounts(all []record.Record, day store.Day, off map[string]bool, balances map[string]*big.Rat) (
	lines []string) {
	purses := map[string]map[string]*big.Rat{"won": {}, "points": {}, "chips": {}, "coffees": {}}
	add := func(sums map[string]*big.Rat, key string, amount *big.Rat) {
		if sums[key] == nil {
			sums[key] = new(big.Rat)
		}
		sums[key].Add(sums[key], amount)
	}
	for _, r := range counted(all) {
		for i, row := range r.Result {
			name := r.Seats[i].Name
			if g.evening[r.Table] != day || off[name] {
				continue
			}
			units := row.Pool
			if row.Settlement != nil {
				units += *row.Settlement
			}
			add(purses[r.Unit], name, big.NewRat(units, 1))
			add(balances, r.Unit+" "+name, big.NewRat(units, 1))
			add(purses["won"], name, big.NewRat(map[bool]int64{row.Place == 1: 1}[true], 1))
			if add(purses["points"], name, new(big.Rat)); row.Difference != nil {
				add(purses["points"], name, big.NewRat(row.Difference.N, row.Difference.D))
			}
		}
	}
	order := []string{"chips", "coffees", "points", "won"}
	if strings.Contains(bare.Show(*g.people[0].Writes("/unit").Private), "for coffees") {
		order[0], order[1] = order[1], order[0] // the chat's unit comes first
	}
	for _, purse := range order {
		label := map[string]string{"chips": "Chips", "coffees": "Coffees", "points": "Points above average",
			"won": "Games won"}[purse]
		if line := lineOf(label, purses[purse], purse != "won"); line != "" && (purse != "won" || len(lines) == 0) {
			lines = append(lines, line)
		}
	}
	return lines
}

// lineOf returns the line with amounts by name, the highest first; "" if all are 0.
func lineOf(label string, amounts map[string]*big.Rat, signed bool) string {
	names, zero := []string{}, true
	for name, amount := range amounts {
		names, zero = append(names, name), zero && amount.Sign() == 0
	}
	if zero {
		return ""
	}
	slices.SortFunc(names, func(a, b string) int {
		return cmp.Or(amounts[b].Cmp(amounts[a]), strings.Compare(a, b))
	})
	for i, name := range names {
		amount := amounts[name]
		whole, rest := new(big.Int).QuoRem(new(big.Int).Abs(amount.Num()), amount.Denom(), new(big.Int))
		text := whole.String()
		if rest.Sign() != 0 {
			text = strings.TrimPrefix(fmt.Sprintf("%d %d/%d", whole, rest, amount.Denom()), "0 ")
		}
		switch {
		case amount.Sign() < 0:
			text = "−" + text
		case amount.Sign() > 0 && signed:
			text = "+" + text
		}
		names[i] = name + " " + text
	}
	return label + ": " + strings.Join(names, ", ") + "."
}

// recordsOf returns the texts about the records that fell on a day: better scores than all before, and a longer row of
// at least three wins.
func (g *group) recordsOf(all []record.Record, day store.Day, off map[string]bool) (said []string) {
	type best struct {
		score int
		names []string
	}
	before, now := map[string]*best{}, map[string]*best{}
	longest, row, rows, names := 0, 2, map[string]int{}, []string{}
	for _, r := range counted(all) {
		for i, result := range r.Result {
			name := r.Seats[i].Name
			if rows[name]++; result.Place != 1 {
				rows[name] = 0
			}
			of := now
			switch evening := g.evening[r.Table]; {
			case evening > day:
				continue
			case evening < day:
				of, longest = before, max(longest, rows[name])
			case rows[name] > row:
				row, names = rows[name], []string{name}
			case rows[name] == row:
				names = append(names, name)
			}
			points, scored := result.Points()
			low, kind := r.Game == "shutbox", r.Game+" "+r.Rules["tiles"]
			switch {
			case !scored:
			case of[kind] == nil || points != of[kind].score && (points < of[kind].score) == low:
				of[kind] = &best{points, []string{name}}
			case points == of[kind].score:
				of[kind].names = append(of[kind].names, name)
			}
		}
	}
	for kind, is := range now {
		was := before[kind]
		if was == nil || is.score == was.score || (is.score < was.score) != strings.HasPrefix(kind, "shutbox") {
			continue
		}
		if who := listed(is.names, off); who != "" {
			said = append(said, fmt.Sprintf("New record: %s, %d point%s in ", who, is.score,
				map[bool]string{is.score != 1: "s"}[true]))
		}
	}
	if who := listed(names, off); row > longest && row > 2 && who != "" {
		said = append(said, fmt.Sprintf("New record: %s, %d wins in a row.", who, row))
	}
	return said
}

// listed returns the names that are not in off as a list in words.
func listed(names []string, off map[string]bool) string {
	names = slices.DeleteFunc(slices.Clone(names), func(name string) bool { return off[name] })
	slices.Sort(names)
	names = slices.Compact(names)
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	return strings.Join(names[:len(names)-1], ", ") + " and " + names[len(names)-1]
}

// extremes returns the texts about the best roll and the costliest decision of a day, "" if there are none.
func (g *group) extremes(all []record.Record, day store.Day, off map[string]bool) (roll, decision string) {
	luckiest, costliest, fewest := 0.0, 0.0, 99
	for _, r := range counted(all) {
		if g.evening[r.Table] != day || r.Game != "shutbox" {
			continue
		}
		exactly, err := exact.Of(g.perfect(r), shutbox.Game{}, r)
		if err != nil {
			g.T.Fatal(err)
		}
		open, dice, scale := map[games.Seat]int{}, 0, exact.Scale(exactly.Measure, len(r.Seats), r.Stake)
		for _, move := range exactly.Moves {
			name := r.Seats[move.Seat].Name
			if len(move.Dice) > 0 {
				dice = len(move.Dice)
			} else {
				open[move.Seat] += strings.Count(string(move.Move), "+") + 1
			}
			if off[name] {
				continue
			}
			tiles := map[string]int{"6": 6, "2-9": 8}[r.Rules["tiles"]]
			luck := (move.Expect[move.Seat] - move.Worth[move.Seat]) / exact.Least(exactly.Measure, len(r.Seats))
			switch {
			case open[move.Seat] == tiles && len(move.Dice) == 0 && dice < fewest:
				fewest = dice
				roll = fmt.Sprintf("%s shut the box with %s.", name, []string{"", "one die", "2 dice"}[dice])
			case fewest == 99 && len(move.Dice) > 0 && luck > luckiest:
				luckiest = luck
				roll = fmt.Sprintf("%s by %s, %s", strings.Trim(fmt.Sprint(move.Dice), "[]"), name,
					hundredths(scale*(move.Expect[move.Seat]-move.Worth[move.Seat])))
			}
			if cost := move.Cost / exact.Least(exactly.Measure, len(r.Seats)); cost >= 1 && cost > costliest {
				costliest = cost
				decision = fmt.Sprintf("%s chose “%s” over “%s” and gave away %s", name, inWords(move.Move),
					inWords(move.Best[0]), hundredths(scale*move.Cost))
			}
		}
	}
	return roll, decision
}

// perfect returns the perfect play of a recorded game.
func (g *group) perfect(r record.Record) games.Perfect {
	rules, seats, err := shutbox.Game{}.Alike(r.Rules, len(r.Seats))
	key := fmt.Sprint(rules, seats)
	if err == nil && g.solved[key] == nil {
		g.solved[key], err = shutbox.Game{}.Solve(rules, seats)
	}
	if err != nil {
		g.T.Fatal(err)
	}
	return g.solved[key]
}

// inWords returns a move of Shut the Box in the words of recaps.
func inWords(move games.Move) string {
	return strings.NewReplacer("shut ", "close ", "throw 1", "roll one die", "throw 2", "roll two dice").Replace(
		string(move))
}

// hundredths returns x with two decimals.
func hundredths(x float64) string { return fmt.Sprintf("%.2f ", x) }
