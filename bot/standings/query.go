package standings

import (
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"knobel/bot"
	"knobel/bot/chat"
	"knobel/games"
	"knobel/store"
)

// query selects the content of a leaderboard: ranking, period, games, players and page. The buttons below it contain
// their query as text, so they work after a restart, and each user can turn pages separately.
type query struct {
	by      ranking
	when    Period
	of      string // game, variant or house rules as in Standings.parseScope; "" means all games
	unit    string // tag of the unit, "" for the chat's
	least   int64  // minimum number of games, at least 1
	against string // tag of the friend that the user is compared with, "" for all players
	houses  bool   // lists computer players, too; never together with against
	page    int    // from 0
	menu    menu
}

// menu is the open menu below a leaderboard, or the action of a button that shows none.
type menu string

const (
	menuMain    menu = ""
	menuRanking menu = "r"
	menuPeriod  menu = "p"
	menuGame    menu = "g"
	menuFriend  menu = "f"
	actHide     menu = "h" // hides the user from the chat's lists
	actShow     menu = "s" // lists the user again
)

// withHouses replaces query.against in the text of a query if query.houses is true.
const withHouses = "+"

// tag returns the first characters of a hash of id; letters is their number. Ids and names of units are too long for a
// button's text.
func tag(id string, letters int) string {
	sum := sha256.Sum256([]byte(id))
	return base64.RawURLEncoding.EncodeToString(sum[:])[:letters]
}

// unitTag returns the tag (short hash) by which buttons name unit.
func unitTag(unit string) string { return tag(unit, 3) }

// personTag returns the tag (short hash) by which buttons name player, without "#".
func personTag(player string) string { return tag(player, 4) }

// String returns the text of the query for buttons: eight fields separated by dots. parseQuery parses it.
func (q query) String() string {
	number := func(n int64) string {
		if n == 0 {
			return ""
		}
		return strconv.FormatInt(n, 10)
	}
	against := q.against
	if q.houses {
		against = withHouses
	}
	parts := []string{
		string(q.by.code), q.when.String(), q.of, q.unit, number(q.least - 1), against, number(int64(q.page)),
		string(q.menu),
	}
	return strings.Join(parts, ".")
}

// parseQuery returns the query that String wrote as text, and false if text is not a valid query.
func parseQuery(text string) (query, bool) {
	parts := strings.Split(text, ".")
	if len(parts) != 8 {
		return query{}, false
	}
	i := slices.IndexFunc(rankings, func(r ranking) bool { return string(r.code) == parts[0] })
	when, ok := parsePeriod(parts[1])
	if i < 0 || !ok {
		return query{}, false
	}
	q := query{by: rankings[i], when: when, of: parts[2], unit: parts[3], against: parts[5], menu: menu(parts[7])}
	if q.against == withHouses {
		q.against, q.houses = "", true
	}
	var err1, err2 error
	if parts[4] != "" {
		q.least, err1 = strconv.ParseInt(parts[4], 10, 16)
	}
	if parts[6] != "" {
		q.page, err2 = strconv.Atoi(parts[6])
	}
	q.least++
	return q, err1 == nil && err2 == nil && q.least >= 1 && q.least <= maxLeast && q.page >= 0
}

// press returns the text that a button sends when pressed to show the leaderboard for the query.
func (q query) press() string { return chat.Press{What: fmt.Sprint("/lb ", q)}.String() }

// unitFor returns the tag of the chat's unit if r ranks amounts in a unit, else "".
func (v *Visit) unitFor(r ranking) string {
	if r.units {
		return unitTag(v.Unit())
	}
	return ""
}

// withMenu returns a copy of the query that opens the menu m.
func (q query) withMenu(m menu) query {
	q.menu = m
	return q
}

// result is a leaderboard for a query, as read from the store.
type result struct {
	query
	scope scope
	unit  string                    // name of the unit of the values, "" if they have none
	low   bool                      // the lowest score is the best
	all   []store.Standing          // the results of all players, listed or not, by player
	games int64                     // number of games played
	off   map[string]store.Unlisted // by player, those who are not listed: hidden, or no longer in the chat
	// hidden is true if the user has asked not to be listed.
	hidden   bool
	champion string // the id of the person with the chat's latest title, "" for none
	// friend is the id of the friend that the user is compared with, "" for a list of all players.
	friend, friendName string
}

// unitWithTag returns the unit of the chat that has the tag wantedTag, else the unit that the chat plays for now.
func (v *Visit) unitWithTag(wantedTag string) (string, error) {
	units, err := v.Tx.Books.Units(v.Chat.ID)
	i := slices.IndexFunc(units, func(unit string) bool { return unitTag(unit) == wantedTag })
	if i < 0 {
		return v.Unit(), err
	}
	return units[i], err
}

// otherPlayers returns the listed players of the chat except the user, those with the most games first.
func (v *Visit) otherPlayers() ([]companion, error) {
	all, err := v.companions()
	return slices.DeleteFunc(all, func(c companion) bool {
		return c.off != (store.Unlisted{}) || c.player == string(v.Event.User)
	}), err
}

// friendTag returns the tag of the listed player that person names or mentions. It refuses the user and unknown people.
func (v *Visit) friendTag(person bot.Person) (string, error) {
	people, err := v.otherPlayers()
	if err != nil {
		return "", err
	}
	i := person.Among(v.Visit.Visit, len(people), func(i int) string { return people[i].player },
		func(i int) string { return bot.Unisolated(people[i].name) })
	switch {
	case i >= 0:
		return personTag(people[i].player), nil
	case person.User == v.Event.User || person.User == "" && strings.EqualFold(person.Name, v.Player.Name):
		return "", games.Refuse("bot.leaders.oneself", nil)
	case len(people) == 0:
		return "", games.Refuse("bot.leaders.nobody-else", nil)
	}
	return "", games.Refuse("bot.leaders.no-person",
		games.Args{"Name": chat.Isolate(person.Name), "Instead": suggestPlayers(person.Name, people)})
}

// suggestPlayers returns a line with the player whose name is most similar to name, else with some players' names.
func suggestPlayers(name string, people []companion) games.Line {
	var names []string
	for i, t := range people {
		if games.Nearest(name, []string{bot.Unisolated(t.name)}) != "" {
			return games.Say("bot.instead.person", games.Args{"Name": t.name})
		}
		if i < maxNames {
			names = append(names, t.name)
		}
	}
	if len(people) > maxNames {
		names = append(names, "…")
	}
	return games.Say("bot.instead.people", games.Args{"Names": strings.Join(names, ", ")})
}

// unitOf returns the tag of the unit called name. It refuses units for which the chat neither plays nor ever played.
func (v *Visit) unitOf(name string) (string, error) {
	units, err := v.Tx.Books.Units(v.Chat.ID)
	if err != nil {
		return "", err
	}
	units = append(units, v.Unit())
	for _, unit := range units {
		if strings.EqualFold(unit, name) {
			return unitTag(unit), nil
		}
	}
	slices.Sort(units)
	units = slices.Compact(units)
	for i := range units {
		units[i] = chat.Isolate(units[i])
	}
	return "", games.Refuse("bot.leaders.no-unit",
		games.Args{"Unit": chat.Repeated(name, chat.MaxName), "Units": strings.Join(units, ", ")})
}

// queryButton returns a button that shows the leaderboard for target.
func (v *Visit) queryButton(label games.Line, target query) chat.Button {
	return chat.Button{Label: chat.Shorten(bot.Capital(v.Say(label)), chat.MaxButton), Press: target.press()}
}

// rankingLabel returns the name of the ranking r, with the name of unit if r ranks amounts in a unit.
func (v *Visit) rankingLabel(r ranking, unit string) games.Line {
	says := r.label()
	if r.settled && slices.ContainsFunc(v.bot.Games, func(g games.Game) bool {
		return slices.ContainsFunc(games.ShapesOf(g), games.Shape.Owed)
	}) {
		says = "bot.ranking.settled-owed" // "differences" would leave out payments between players
	}
	return games.Say(says, games.Args{"Unit": bot.UnitName(unit)})
}
