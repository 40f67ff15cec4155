package standings

import (
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"knobel/bot"
	"knobel/bot/chat"
	"knobel/games"
	"knobel/store"
)

// query is the selection that a leaderboard shows: ranking, period, games, players and page. Its buttons carry it as
// text, so a leaderboard survives a restart, and each user can turn pages separately.
type query struct {
	by      ranking
	when    Period
	of      string // game, variant or house rules as in Standings.scope; "" means all games
	unit    string // tag of the unit, "" for the chat's
	least   int64  // minimum number of games, at least 1
	against string // tag of the only opponent, "" for all players
	houses  bool   // lists computer players, too; never together with against
	page    int    // from 0
	menu    menu
}

// menu is the open menu of a leaderboard, or an action of one of its buttons.
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

// withHouses is the spelling of query.houses: it takes the place of the opponent's tag.
const withHouses = "+"

// tag returns the first letters of a hash of id, because ids and units are too long for the text of a button press.
func tag(id string, letters int) string {
	sum := sha256.Sum256([]byte(id))
	return base64.RawURLEncoding.EncodeToString(sum[:])[:letters]
}

func unitTag(unit string) string { return tag(unit, 3) }

func personTag(player string) string { return tag(player, 4) }

// String returns the query as the text that buttons carry: eight fields separated by dots. parseQuery reads it.
func (l query) String() string {
	number := func(n int64) string {
		if n == 0 {
			return ""
		}
		return strconv.FormatInt(n, 10)
	}
	against := l.against
	if l.houses {
		against = withHouses
	}
	parts := []string{
		string(l.by.code), l.when.String(), l.of, l.unit, number(l.least - 1), against, number(int64(l.page)),
		string(l.menu),
	}
	return strings.Join(parts, ".")
}

// parseQuery returns the query that String wrote as text, or false if text is not a valid query.
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
	l := query{by: rankings[i], when: when, of: parts[2], unit: parts[3], against: parts[5], menu: menu(parts[7])}
	if l.against == withHouses {
		l.against, l.houses = "", true
	}
	var err1, err2 error
	if parts[4] != "" {
		l.least, err1 = strconv.ParseInt(parts[4], 10, 16)
	}
	if parts[6] != "" {
		l.page, err2 = strconv.Atoi(parts[6])
	}
	l.least++
	return l, err1 == nil && err2 == nil && l.least >= 1 && l.least <= maxLeast && l.page >= 0
}

// press returns the button press that shows the query.
func (l query) press() string { return chat.Press{What: fmt.Sprint("/lb ", l)}.String() }

// unitFor returns the tag of the chat's unit if the values of by are in a unit, else "".
func (v *Visit) unitFor(by ranking) string {
	if by.units {
		return unitTag(v.Unit())
	}
	return ""
}

// with returns a copy of the query with menu m open.
func (l query) with(m menu) query {
	l.menu = m
	return l
}

// result is the data of a leaderboard, read from the store for a query.
type result struct {
	query
	scope scope
	unit  string // name of the unit of the values, "" if they have none
	low   bool   // the lowest score is the best
	all   []store.Standing
	games int64                     // number of games played
	off   map[string]store.Unlisted // players who are not listed: hidden, or no longer in the chat
	// hidden reports whether the user has hidden themselves from the list.
	hidden bool
	// friend is the id of the only opponent, "" for all games; friendName is the opponent's name.
	friend, friendName string
}

// unitWithTag returns the unit of the chat with a tag, or the chat's present unit if there is none.
func (v *Visit) unitWithTag(tagged string) (string, error) {
	units, err := v.Tx.Books.Units(v.Chat.ID)
	i := slices.IndexFunc(units, func(unit string) bool { return unitTag(unit) == tagged })
	if i < 0 {
		return v.Unit(), err
	}
	return units[i], err
}

// Options whose values depend on the chat: people and units.

// people returns the listed players except the user, those with the most games first.
func (v *Visit) people() ([]companion, error) {
	all, err := v.companions()
	return slices.DeleteFunc(all, func(c companion) bool {
		return c.off != (store.Unlisted{}) || c.player == string(v.Event.User)
	}), err
}

// friendOf returns the tag of the listed player named or mentioned by said. It refuses the user and unknown names.
func (v *Visit) friendOf(said bot.Person) (string, error) {
	people, err := v.people()
	if err != nil {
		return "", err
	}
	i := said.Among(len(people), func(i int) string { return people[i].player },
		func(i int) string { return bot.Unisolated(people[i].name) })
	switch {
	case i >= 0:
		return personTag(people[i].player), nil
	case said.User == v.Event.User || said.User == "" && strings.EqualFold(said.Name, v.Player.Name):
		return "", games.Refuse("bot.leaders.oneself", nil)
	case len(people) == 0:
		return "", games.Refuse("bot.leaders.nobody-else", nil)
	}
	return "", games.Refuse("bot.leaders.no-person",
		games.Args{"Name": chat.Isolate(said.Name), "Instead": whoPlays(said.Name, people)})
}

// whoPlays returns a suggestion for an unknown name: the most similar name, else the first maxNames players.
func whoPlays(said string, people []companion) games.Line {
	var names []string
	for i, t := range people {
		if games.Nearest(said, []string{bot.Unisolated(t.name)}) != "" {
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

// unitOf returns the tag of the unit called said, if it was ever played for here or is the chat's. It refuses others.
func (v *Visit) unitOf(said string) (string, error) {
	units, err := v.Tx.Books.Units(v.Chat.ID)
	if err != nil {
		return "", err
	}
	units = append(units, v.Unit())
	for _, unit := range units {
		if strings.EqualFold(unit, said) {
			return unitTag(unit), nil
		}
	}
	slices.Sort(units)
	units = slices.Compact(units)
	for i := range units {
		units[i] = chat.Isolate(units[i])
	}
	return "", games.Refuse("bot.leaders.no-unit",
		games.Args{"Unit": chat.Repeated(said, chat.MaxName), "Units": strings.Join(units, ", ")})
}

// Capital returns text with its first letter in upper case.
func Capital(text string) string {
	first, size := utf8.DecodeRuneInString(text)
	if size == 0 {
		return text
	}
	return string(unicode.ToUpper(first)) + text[size:]
}

// queryButton returns a button that shows the leaderboard for to.
func (v *Visit) queryButton(label games.Line, to query) chat.Button {
	return chat.Button{Label: chat.Shorten(Capital(v.Say(label)), chat.MaxButton), Press: to.press()}
}

// rankingLabel returns the name of a ranking, with unit if the ranking is in units.
func (v *Visit) rankingLabel(by ranking, unit string) games.Line {
	says := by.label()
	if by.settled && slices.ContainsFunc(v.bot.Games, func(g games.Game) bool {
		return slices.ContainsFunc(games.ShapesOf(g), games.Shape.Owed)
	}) {
		says = "bot.ranking.settled-owed" // "differences" would leave out payments between players
	}
	return games.Say(says, games.Args{"Unit": bot.UnitName(unit)})
}
