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

// showLeaderboard replies with the leaderboard that q selects, and with its usual buttons or those of the open menu.
func (v *Visit) showLeaderboard(q query) error {
	s, err := v.readResult(q)
	if err != nil {
		return err
	}
	head, err := v.headline(s)
	if err != nil {
		return err
	}
	m := v.Private(head)
	list := s.ranked()
	p := selectPage(list, q.page, string(v.Event.User))
	v.writePage(m, s, p)
	v.writeNotes(m, s, list)
	if q.menu == menuMain {
		v.Shows(fmt.Sprint("lb ", q))
		return v.addMainButtons(m, s, p)
	}
	return v.addMenuButtons(m, s)
}

// ranked returns the rows of the listed players of s, best first.
func (s result) ranked() []ranked {
	listed := slices.DeleteFunc(slices.Clone(s.all), func(t store.Standing) bool {
		return s.off[t.Player] != (store.Unlisted{})
	})
	return rank(listed, s.by, s.low, s.least)
}

// headline returns the headline of the leaderboard s: the ranking, the period and the number of games, or that there
// are no games. In a comparison with a friend it also names the user and the friend.
func (v *Visit) headline(s result) (games.Line, error) {
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

// writePage adds the rows of p to m as lines and as a table. If the user's own row is on another page, it is added
// above or below the rows of p.
func (v *Visit) writePage(m *chat.Message, s result, p boardPage) {
	grid := chat.Grid{From: len(m.Lines), Head: v.Columns("bot.column.place", "bot.column.player",
		s.by.short(), "bot.column.games")}
	add := func(line string, cells ...string) {
		m.Lines, grid.Rows = append(m.Lines, line), append(grid.Rows, cells)
	}
	row := func(r ranked) {
		place, name := strconv.Itoa(r.place)+".", v.nameWithTitle(s, r)
		if r.place == 0 {
			place = "–"
		}
		if v.showsYou(r) {
			name = v.Say(games.Say("bot.leaders.you", games.Args{"Row": name}))
		}
		add(v.Say(v.rowLine(s, r)), place, name, v.Number(valueText(r.value, s.by.shown)), v.Say(s.detail(r.Standing)))
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

// showsYou reports whether the row r is marked as "you": it is the user's own, and only the user sees the message.
func (v *Visit) showsYou(r ranked) bool { return r.Player == string(v.Event.User) && !v.Overheard() }

// nameWithTitle returns the name in the row r, with a mark if the player is the champion.
func (v *Visit) nameWithTitle(s result, r ranked) string {
	if r.Player != s.champion {
		return r.Name
	}
	return v.Say(games.Say("bot.season.title", games.Args{"Name": r.Name}))
}

// rowLine returns the row r as text: the place, the name, the value, and what detail returns.
func (v *Visit) rowLine(s result, r ranked) games.Line {
	line := games.Say("bot.leaders.row", games.Args{"Place": r.place, "Name": v.nameWithTitle(s, r),
		"Value": v.Number(valueText(r.value, s.by.shown)), "More": s.detail(r.Standing)})
	if r.place == 0 {
		line.Key = "bot.leaders.unranked"
		delete(line.Args, "Place")
	}
	if v.showsYou(r) {
		return games.Say("bot.leaders.you", games.Args{"Row": line})
	}
	return line
}

// detail returns the text after a player's value: the number of games if players are ranked by score, games won or
// boxes shut, else the number of games, of games won and of boxes shut.
func (s result) detail(t store.Standing) games.Line {
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

// writeNotes adds notes to m, below the leaderboard s with the rows list: why the user is not listed, the minimum
// number of games, and the total of the players who are not listed.
func (v *Visit) writeNotes(m *chat.Message, s result, list []ranked) {
	note := func(line games.Line) { m.Lines = append(m.Lines, v.Say(line)) }
	me := string(v.Event.User)
	mine := slices.IndexFunc(s.all, func(t store.Standing) bool { return t.Player == me })
	switch {
	case s.hidden && !v.Overheard():
		note(games.Say("bot.leaders.hidden-you", nil))
	case mine >= 0 && s.all[mine].Games < s.least:
		if value, counts := s.by.valueOf(s.all[mine], s.low); counts {
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
		note(games.Say(key, games.Args{"Amount": valueText(rest, s.by.shown)}))
	}
}

// addMainButtons adds the usual buttons of the leaderboard s to m: periods, the ranking with or without a pool, pages,
// menus, and hiding or showing the user. p is the page that is shown.
func (v *Visit) addMainButtons(m *chat.Message, s result, p boardPage) error {
	q := s.query
	q.page = 0
	times, err := v.timeButtons(q)
	if err != nil {
		return err
	}
	m.Row(append(times, v.otherKind(q)...)...)
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
		v.queryButton(games.Say("bot.button.ranking", nil), q.withMenu(menuRanking)),
		v.queryButton(games.Say("bot.button.period", nil), q.withMenu(menuPeriod)),
		v.queryButton(games.Say("bot.button.game", nil), q.withMenu(menuGame)),
	)
	against, hide := v.queryButton(games.Say("bot.button.against", nil), q.withMenu(menuFriend)),
		v.queryButton(games.Say("bot.button.hide-me", nil), q.withMenu(actHide))
	if s.friend != "" {
		q.against = ""
		against = v.queryButton(games.Say("bot.button.all-again", nil), q)
	}
	if s.hidden {
		hide = v.queryButton(games.Say("bot.button.show-me", nil), q.withMenu(actShow))
	}
	m.Row(against, hide)
	m.Row(v.chartButton(s.unit), v.Button(games.Say("bot.button.stats", nil), "/stats", games.Plain))
	return nil
}

// otherKind returns a button to the ranking by pool or, if q has that ranking, to one without a pool; nil if no
// installed game has one. The button keeps the game of q if that game has the ranking, else it shows all games.
func (v *Visit) otherKind(q query) []chat.Button {
	pool := q.by.code != 'p'
	shapeOf := func(g games.Game) int { // index of the wanted shape, -1 if the game lacks it
		return slices.IndexFunc(v.bot.shapes[g.Name()], func(s games.Shape) bool {
			return (s == games.ShapePool) == pool
		})
	}
	cannot := func(g games.Game) bool { return shapeOf(g) < 0 }
	there := slices.DeleteFunc(slices.Clone(v.bot.gamesOf(q.of)), cannot)
	if len(there) == 0 {
		q.of = ""
		there = slices.DeleteFunc(slices.Clone(v.bot.Games), cannot)
	}
	if len(there) == 0 {
		return nil
	}
	g := there[0]
	shape := v.bot.shapes[g.Name()][shapeOf(g)]
	q.by = rankings[slices.IndexFunc(rankings, func(r ranking) bool { return r.allows(g, shape) })]
	q.unit = v.unitFor(q.by)
	label := games.Say(q.by.short(), nil)
	if !pool && q.of == "" && len(there) == 1 {
		label = v.bot.GameLabel(g)
	}
	return []chat.Button{v.queryButton(label, q)}
}
