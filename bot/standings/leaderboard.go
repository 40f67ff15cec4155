package standings

import (
	"fmt"
	"math/big"
	"slices"
	"strconv"

	"knobel/bot/chat"
	"knobel/games"
	"knobel/store"
)

// leaderboard replies with the leaderboard for l and the buttons of its menu.
func (v *Visit) leaderboard(l query) error {
	s, err := v.look(l)
	if err != nil {
		return err
	}
	head, err := v.headOf(s)
	if err != nil {
		return err
	}
	m := v.Private(head)
	listed := slices.DeleteFunc(slices.Clone(s.all), func(t store.Standing) bool {
		return s.off[t.Player] != (store.Unlisted{})
	})
	list := rank(listed, s.by, s.low, s.least)
	p := page(list, l.page, string(v.Event.User))
	v.writePage(m, s, p)
	v.writeNotes(m, s, list)
	if l.menu == menuMain {
		v.Shows(fmt.Sprint("lb ", l))
		return v.mainButtons(m, s, p)
	}
	return v.menuButtons(m, s)
}

// headOf returns the headline: the ranking, the period and the number of games, or that there are none. Against a
// friend it also names both players.
func (v *Visit) headOf(s result) (games.Line, error) {
	what := v.rankingLabel(s.by, s.unit)
	if s.scope.game != nil {
		what = games.Say("bot.leaders.of", games.Args{"Ranking": what, "Game": v.bot.scopeLabel(s.scope)})
	}
	when, err := v.PeriodLabel(s.when)
	args := games.Args{"What": what, "Period": when, "N": int(s.games)}
	switch {
	case s.friend == "" && s.games == 0:
		return games.Say("bot.leaders.nothing", args), err
	case s.friend == "":
		return games.Say("bot.leaders.head", args), err
	}
	var taken chat.TakenNames // makes the names of the user and the friend differ
	args["First"], args["Second"] = taken.Unlike(v.bot.ShownName(v.Player.Name, v.Lang)), taken.Unlike(s.friendName)
	for _, t := range s.all {
		if t.Player == s.friend {
			args["Second"] = t.Name
		} else {
			args["First"] = t.Name
		}
	}
	if s.games == 0 {
		return games.Say("bot.leaders.nothing-between", args), err
	}
	return games.Say("bot.leaders.between", args), err
}

// writePage adds the rows of p to m, with the user's own row before or after them if it is on another page.
func (v *Visit) writePage(m *chat.Message, s result, p pageOf) {
	grid := chat.Grid{From: len(m.Lines), Head: v.Columns("bot.column.place", "bot.column.player",
		s.by.short(), "bot.column.games")}
	add := func(line string, cells ...string) {
		m.Lines, grid.Rows = append(m.Lines, line), append(grid.Rows, cells)
	}
	row := func(r ranked) {
		place, name := strconv.Itoa(r.place)+".", r.Name
		if r.place == 0 {
			place = "–"
		}
		if v.marks(r) {
			name = v.Say(games.Say("bot.leaders.you", games.Args{"Row": name}))
		}
		add(v.Say(v.rowLine(s, r)), place, name, v.Number(spell(r.value, s.by.shown)), v.Say(s.more(r.Standing)))
	}
	if p.mine != nil && p.above {
		row(*p.mine)
		add("…", "…")
	}
	for _, r := range p.rows {
		row(r)
	}
	if p.mine != nil && !p.above {
		add("…", "…")
		row(*p.mine)
	}
	if grid.To = len(m.Lines); grid.To > grid.From {
		m.Grid(grid)
	}
}

// marks reports whether a row shows "you": it is the user's own row, and no one else sees the message.
func (v *Visit) marks(r ranked) bool { return r.Player == string(v.Event.User) && !v.Overheard() }

// rowLine returns a player's row as text: the place, the name, the value, and the detail that more returns.
func (v *Visit) rowLine(s result, r ranked) games.Line {
	line := games.Say("bot.leaders.row", games.Args{"Place": r.place, "Name": r.Name,
		"Value": v.Number(spell(r.value, s.by.shown)), "More": s.more(r.Standing)})
	if r.place == 0 {
		line.Key = "bot.leaders.unranked"
		delete(line.Args, "Place")
	}
	if v.marks(r) {
		return games.Say("bot.leaders.you", games.Args{"Row": line})
	}
	return line
}

// more returns the detail after a value: the number of games, also the games won unless they are the value or it is
// about scores, and the boxes shut.
func (s result) more(t store.Standing) games.Line {
	switch {
	case s.by.score:
		return games.Say("bot.leaders.games", games.Args{"N": int(t.Scored)})
	case s.by.code == 'w' || s.by.code == 's':
		return games.Say("bot.leaders.games", games.Args{"N": int(t.Games)})
	}
	won := games.Say("bot.leaders.won-of", games.Args{"Won": t.Won, "Games": t.Games})
	if t.Shut == 0 {
		return won
	}
	shut := games.Say("bot.leaders.boxes", games.Args{"N": int(t.Shut)})
	return games.Say("bot.leaders.and-shut", games.Args{"Won": won, "Shut": shut})
}

// writeNotes adds notes below the list: why the user is not on it, the minimum number of games, and the total of the
// players who are not listed.
func (v *Visit) writeNotes(m *chat.Message, s result, list []ranked) {
	note := func(line games.Line) { m.Lines = append(m.Lines, v.Say(line)) }
	me := string(v.Event.User)
	mine := slices.IndexFunc(s.all, func(t store.Standing) bool { return t.Player == me })
	switch {
	case s.hidden && !v.Overheard():
		note(games.Say("bot.leaders.hidden-you", nil))
	case mine >= 0 && s.all[mine].Games < s.least:
		if value, counts := s.by.of(s.all[mine], s.low); counts {
			note(v.rowLine(s, ranked{Standing: s.all[mine], value: value}))
		}
	}
	if s.least > 1 {
		note(games.Say("bot.leaders.at-least", games.Args{"N": int(s.least)}))
	}
	if !s.by.zero || s.friend != "" || s.games == 0 {
		return
	}
	rest := new(big.Rat)
	for _, r := range list {
		rest.Sub(rest, r.value)
	}
	if rest.Sign() != 0 {
		key := "bot.leaders.unlisted"
		if s.houses {
			key = "bot.leaders.unlisted-but-house"
		}
		note(games.Say(key, games.Args{"Amount": spell(rest, s.by.shown)}))
	}
}

// mainButtons adds the buttons below a leaderboard: periods, the other kind of ranking, pages, menus, hide or show.
func (v *Visit) mainButtons(m *chat.Message, s result, p pageOf) error {
	l := s.query
	l.page = 0
	times, err := v.timeButtons(l)
	if err != nil {
		return err
	}
	m.Row(append(times, v.otherKind(l)...)...)
	var pages []chat.Button
	turn := func(key string, to int) {
		there := s.query
		there.page = to
		label := games.Say(key, games.Args{"From": to*maxRanked + 1, "To": (to + 1) * maxRanked})
		pages = append(pages, v.queryButton(label, there))
	}
	if p.number > 0 {
		turn("bot.button.places-before", p.number-1)
	}
	if p.number < p.last {
		turn("bot.button.places-behind", p.number+1)
	}
	m.Row(pages...)
	m.Row(
		v.queryButton(games.Say("bot.button.ranking", nil), l.with(menuRanking)),
		v.queryButton(games.Say("bot.button.period", nil), l.with(menuPeriod)),
		v.queryButton(games.Say("bot.button.game", nil), l.with(menuGame)),
	)
	against, hide := v.queryButton(games.Say("bot.button.against", nil), l.with(menuFriend)),
		v.queryButton(games.Say("bot.button.hide-me", nil), l.with(actHide))
	if s.friend != "" {
		l.against = ""
		against = v.queryButton(games.Say("bot.button.all-again", nil), l)
	}
	if s.hidden {
		hide = v.queryButton(games.Say("bot.button.show-me", nil), l.with(actShow))
	}
	m.Row(against, hide)
	m.Row(v.chartButton(s.unit), v.Button(games.Say("bot.button.stats", nil), "/stats", games.Plain))
	return nil
}

// otherKind returns at most one button: from the pool ranking to one without a pool, or back. It keeps the game of l if
// the game can be played that way, else it takes all games. It returns nil if no game can.
func (v *Visit) otherKind(l query) []chat.Button {
	pool := l.by.code != 'p'
	shapeOf := func(g games.Game) int { // index of the wanted shape, -1 if the game lacks it
		return slices.IndexFunc(v.bot.shapes[g.Name()], func(s games.Shape) bool {
			return (s == games.ShapePool) == pool
		})
	}
	cannot := func(g games.Game) bool { return shapeOf(g) < 0 }
	there := slices.DeleteFunc(slices.Clone(v.bot.gamesOf(l.of)), cannot)
	if len(there) == 0 {
		l.of = ""
		there = slices.DeleteFunc(slices.Clone(v.bot.Games), cannot)
	}
	if len(there) == 0 {
		return nil
	}
	g := there[0]
	shape := v.bot.shapes[g.Name()][shapeOf(g)]
	l.by = rankings[slices.IndexFunc(rankings, func(r ranking) bool { return r.counts(g, shape) })]
	l.unit = v.unitFor(l.by)
	label := games.Say(l.by.short(), nil)
	if !pool && l.of == "" && len(there) == 1 {
		label = v.bot.GameLabel(g)
	}
	return []chat.Button{v.queryButton(label, l)}
}
