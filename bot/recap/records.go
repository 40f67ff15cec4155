package recap

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"knobel/bot"
	"knobel/bot/chat"
	"knobel/bot/standings"
	"knobel/games"
	"knobel/store"
)

// Records that fell, the season, and further parts of a recap.

// leastRow is the shortest row of wins that is called a record.
const leastRow = 3

// addRecords adds the records that fell: scores, one line, and the longest row of wins. A record is better than
// everything before, by anyone; the first game of a kind sets none.
func (r *recap) addRecords() error {
	scores, err := r.scoreRecords()
	if err != nil {
		return err
	}
	r.add(scores...)
	row, err := r.rowRecord()
	r.add(row)
	return err
}

// mark is the best score in games of one kind, and the listed people who reached it.
type mark struct {
	label  games.Line
	low    bool // the lowest score is the best
	score  int64
	names  []string
	scored bool
}

// reach adds the best score that standing holds, by a person called name; "": a person who is not listed.
func (m *mark) reach(standing store.Standing, name string) {
	score := standing.High
	if m.low {
		score = standing.Low
	}
	switch {
	case standing.Scored == 0 || m.scored && score != m.score && (score < m.score) != m.low:
		return
	case !m.scored || score != m.score:
		m.score, m.scored, m.names = score, true, nil
	}
	if name != "" && !slices.Contains(m.names, name) {
		m.names = append(m.names, name)
	}
}

// scoreRecords returns a sentence for each kind of games with a new best score, at most maxPurses.
func (r *recap) scoreRecords() (said []games.Line, err error) {
	before, err := r.Tx.Scores.Standings(store.Wanted{Chat: r.Chat.ID, Period: store.Evenings(0, r.first-1)})
	if err != nil {
		return nil, err
	}
	old, _, err := r.marks(before)
	if err != nil {
		return nil, err
	}
	now, order, err := r.marks(r.rows)
	for _, id := range order {
		m, was := now[id], old[id]
		beaten := was != nil && was.scored && m.scored && m.score != was.score && (m.score < was.score) == m.low
		if !beaten || len(m.names) == 0 || len(said) == maxPurses {
			continue
		}
		slices.Sort(m.names)
		said = append(said, games.Say("bot.recap.record", games.Args{"Names": m.names, "Game": m.label,
			"N": int(m.score), "Old": bot.PlainNumber(was.score)}))
	}
	return said, err
}

// marks returns the best scores in rows by kind of games, and the kinds in their order.
func (r *recap) marks(rows []store.Standing) (all map[string]*mark, order []string, err error) {
	all = map[string]*mark{}
	for _, one := range rows {
		id, label, low, err := r.Scoring(one)
		if err != nil {
			return nil, nil, err
		}
		if id == "" {
			continue
		}
		if all[id] == nil {
			all[id] = &mark{label: label, low: low}
			order = append(order, id)
		}
		all[id].reach(one, r.names[one.Player])
	}
	return all, order, nil
}

// rowRecord returns a sentence about the longest row of wins, if it was reached in the span and is longer than all
// before.
func (r *recap) rowRecord() (games.Line, error) {
	placings, err := r.Tx.Scores.Placings(r.Chat.ID)
	if err != nil {
		return games.Line{}, err
	}
	before, most := 0, leastRow-1
	var names []string
	rows := map[string]int{}
	for _, p := range placings {
		if rows[p.Player]++; !p.Won {
			rows[p.Player] = 0
		}
		switch n := rows[p.Player]; {
		case p.Evening < r.first:
			before = max(before, n)
		case p.Evening > r.last:
		case n > most:
			most, names = n, []string{r.names[p.Player]}
		case n == most && most >= leastRow:
			names = append(names, r.names[p.Player])
		}
	}
	names = slices.DeleteFunc(names, func(name string) bool { return name == "" })
	slices.Sort(names)
	if names = slices.Compact(names); most <= before || len(names) == 0 {
		return games.Line{}, nil
	}
	return games.Say("bot.recap.row", games.Args{"Names": names, "N": most}), nil
}

// addSeason adds how the season of the last evening of the span stands and, for one evening, its new champion.
func (r *recap) addSeason() error {
	if !r.month {
		if err := r.addChampion(); err != nil {
			return err
		}
	}
	if _, err := r.Tx.Chats.EveningAfter(r.Chat.ID, r.last); !errors.Is(err, store.ErrNotFound) {
		return err // an older evening, since when the season has gone on
	}
	seasons, err := r.Seasons()
	if err != nil {
		return err
	}
	for _, of := range seasons { // the newest first
		began, err := r.EveningIn(r.Chat.ID, of.Started)
		if err != nil {
			return err
		}
		if began <= r.last {
			return r.addStanding(of)
		}
	}
	return nil
}

// addStanding adds the first people of a season, and its last evening if that is known.
func (r *recap) addStanding(of store.Season) error {
	what, leaders, err := r.Leaders(standings.SeasonPeriod(of), maxLeading)
	if err != nil || len(leaders) == 0 {
		return err
	}
	var top []string
	for _, l := range leaders {
		top = append(top, fmt.Sprint(l.Place, ". ", l.Name, " ", l.Value))
	}
	args := games.Args{"Name": chat.Isolate(of.Name), "What": what, "Top": strings.Join(top, ", ")}
	last, ends := standings.LastEvening(of)
	if !ends {
		r.add(games.Say("bot.recap.season", args))
		return nil
	}
	args["Day"], err = r.DayLabel(last)
	r.add(games.Say("bot.recap.season-until", args))
	return err
}

// addChampion adds the champion of a season that was won on the evening.
func (r *recap) addChampion() error {
	of, ok, err := r.bot.NewChampion(r.Tx, r.Chat.ID, r.first)
	if err != nil || !ok || store.Forgotten(of.Champion) > 0 {
		return err
	}
	line, err := r.bot.ChampionLine(r.Tx, of, r.Lang)
	r.add(line)
	return err
}

// countEvenings returns the number of evenings of the span on which a game was finished.
func (r *recap) countEvenings() (n int, err error) {
	day := r.first - 1
	for {
		day, err = r.Tx.Chats.EveningAfter(r.Chat.ID, day)
		switch {
		case errors.Is(err, store.ErrNotFound) || err == nil && day > r.last:
			return n, nil
		case err != nil:
			return 0, err
		}
		n++
	}
}

// puzzleButton returns the button that opens the puzzle of the game at a table.
func (r *recap) puzzleButton(table int64) chat.Button {
	return r.Button(games.Say("bot.button.recap-puzzle", nil), fmt.Sprint("/puzzle of ", table), games.Plain)
}
