package standings

import (
	"cmp"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"knobel/bot"
	"knobel/bot/chat"
	"knobel/games"
	"knobel/store"
)

// Board holds a leaderboard as data for a page.
type Board struct {
	Periods []Selected `json:"periods"`
	Kinds   []Selected `json:"kinds"`
	Unit    string     `json:"unit"` // the head of the column of amounts
	Head    string     `json:"head"` // the ranked value, the period, the number of games
	Rows    []Row      `json:"rows"`
	Note    string     `json:"note"`  // that nothing was played; else notes on the rows
	Menus   string     `json:"menus"` // the press that opens the leaderboard with all its menus
}

// Selected is a period or a ranking that can be chosen: Key is its value in the query.
type Selected struct {
	Key    string `json:"key"`
	Label  string `json:"label"`
	Chosen bool   `json:"chosen"`
}

// Row is the row of a player. Won and Amount are in words: "4/7" games won, "+38".
type Row struct {
	Place  int    `json:"place"`
	Name   string `json:"name"`
	Won    string `json:"won"`
	Amount string `json:"amount"`
	Me     bool   `json:"me,omitempty"`
	// Title is the text of the mark of the champion, for screen readers; "": the player is not the champion.
	Title string `json:"title,omitempty"`
}

// BoardData returns the leaderboard that asked selects: its "period" is evening, month, season or all, its "kind" is
// the name of a ranking of all games, or a game or variant. Without them it returns one that has results.
func (v *Visit) BoardData(asked url.Values) (*Board, error) {
	board := &Board{Periods: []Selected{}, Kinds: []Selected{}, Rows: []Row{}}
	q := query{least: 1}
	var err error
	if board.Periods, q.when, err = v.offeredPeriods(asked.Get("period")); err != nil {
		return nil, err
	}
	if board.Kinds, err = v.selectKind(&q, asked.Get("kind")); err != nil {
		return nil, err
	}
	if q.by.units {
		if q.unit, err = v.usualUnit(q); err != nil {
			return nil, err
		}
	}
	s, err := v.readResult(q)
	if err != nil {
		return nil, err
	}
	head, err := v.headline(s)
	if err != nil {
		return nil, err
	}
	board.Head, board.Menus, board.Unit = v.Say(head), q.press(), bot.Capital(v.Say(games.Say(q.by.short(), nil)))
	if q.by.units {
		board.Unit = bot.Capital(v.Say(bot.UnitName(s.unit)))
	}
	list := s.ranked()
	p := selectPage(list, 0, string(v.Event.User))
	if p.mine != nil {
		p.rows = append(slices.Clone(p.rows), *p.mine)
	}
	for _, r := range p.rows {
		title := ""
		if r.Player == s.champion {
			title = v.Say(games.Say("bot.season.title-read", nil))
		}
		board.Rows = append(board.Rows, Row{Place: r.place, Name: r.Name, Won: fmt.Sprintf("%d/%d", r.Won, r.Games),
			Title: title, Amount: v.Number(valueText(r.value, s.by.shown)), Me: v.bot.IsOwn(v.Event, r.Player)})
	}
	if board.Note = board.Head; s.games > 0 {
		var notes chat.Message
		v.writeNotes(&notes, s, list)
		board.Note = strings.Join(notes.Lines, " ")
	}
	return board, nil
}

// offeredPeriods returns the periods that a page offers, and the chosen one. key "" chooses the first with results.
func (v *Visit) offeredPeriods(key string) (offered []Selected, chosen Period, err error) {
	names := []string{"evening", "month", "all"}
	seasons, err := v.Seasons()
	if err != nil {
		return nil, chosen, err
	}
	if len(seasons) > 0 {
		names = slices.Insert(names, 2, "season")
	}
	var periods []Period
	for _, name := range names {
		p, err := v.PeriodOf(name)
		if err != nil {
			return nil, chosen, err
		}
		label, err := v.PeriodLabel(p)
		if err != nil {
			return nil, chosen, err
		}
		if name == "evening" {
			label = games.Say("bot.data.tonight", nil)
		}
		periods = append(periods, p)
		offered = append(offered, Selected{Key: name, Label: bot.Capital(v.Say(label))})
	}
	i := slices.Index(names, key)
	if key == "" {
		i, err = v.firstPlayed(periods)
	} else if i < 0 {
		err = bot.NoSuchWord(key, names)
	}
	if err != nil {
		return nil, chosen, err
	}
	offered[i].Chosen = true
	return offered, periods[i], nil
}

// firstPlayed returns the index of the first of periods in which a game ended: the present evening or month. If there
// is none, or a season runs after that, it returns the next index.
func (v *Visit) firstPlayed(periods []Period) (int, error) {
	for i, p := range periods {
		if p.kind == season || p.kind == allTime {
			return i, nil
		}
		_, err := v.Tx.Chats.EveningAfter(v.Chat.ID, store.DayOf(p.first)-1)
		if !errors.Is(err, store.ErrNotFound) {
			return i, err
		}
	}
	return len(periods) - 1, nil
}

// kindsOfAll are the rankings of all games together that a page offers if they have results.
var kindsOfAll = []string{"pool", "difference", "settled", "won"}

// selectKind sets the ranking and the games of q to those that key names: a ranking of all games, a game or a variant.
// It returns all kinds that have results.
func (v *Visit) selectKind(q *query, key string) (kinds []Selected, err error) {
	i := slices.IndexFunc(rankings, func(r ranking) bool { return r.name == key && slices.Contains(kindsOfAll, key) })
	switch {
	case i >= 0:
		q.by = rankings[i]
	case key != "":
		if _, err := v.bot.parseScope(key); err != nil {
			return nil, err
		}
		q.of = key
		fallthrough
	default:
		if q.by, err = v.rankingOf("", *q, ""); err != nil {
			return nil, err
		}
	}
	key = cmp.Or(q.of, q.by.name)
	kinds = []Selected{}
	for _, r := range rankings {
		counting, err := v.countingResults(r, scope{}, Period{kind: allTime})
		if err != nil {
			return nil, err
		}
		if len(counting) > 0 && slices.Contains(kindsOfAll, r.name) {
			kinds = append(kinds, Selected{r.name, v.Say(games.Say(r.short(), nil)), r.name == key})
		}
	}
	played, err := v.playedOpenings()
	for _, o := range played {
		of := cmp.Or(o.Variant, o.Game.Name())
		kinds = append(kinds, Selected{of, v.Say(o.Label), of == key})
	}
	return kinds, err
}

// playedOpenings returns the games, and the variants with their own names, that were played in the chat.
func (v *Visit) playedOpenings() ([]bot.Opening, error) {
	all, err := v.Totals()
	if err != nil {
		return nil, err
	}
	played := map[string]bool{}
	for _, one := range all {
		g, err := v.bot.Game(one.Game)
		if err != nil {
			continue // no longer installed
		}
		rules, err := SpelledRules(one.Rules)
		if err != nil {
			return nil, err
		}
		played[one.Game+" "+games.CalledOf(g, rules)] = true
	}
	return slices.DeleteFunc(v.bot.OpeningsOf(v.bot.Games, v.Lang), func(o bot.Opening) bool {
		return !played[o.Game.Name()+" "+o.Variant]
	}), nil
}
