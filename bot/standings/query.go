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

// query selects the content of a leaderboard, and its page. Presses carry it, so a leaderboard survives a restart, and
// each person can turn pages for themselves.
type query struct {
	by      ranking
	when    Period
	of      string // a game or a variant, "" all
	unit    string // tag of the unit, "" the chat's
	least   int64  // least number of games, 1 or more
	against string // tag of the one friend, "" for all players
	houses  bool   // house seats stand on the list, too; not against a friend
	page    int    // from 0
	menu    menu
}

// menu is the menu of a leaderboard, or the action of one of its buttons.
type menu string

const (
	menuMain    menu = ""
	menuRanking menu = "r"
	menuPeriod  menu = "p"
	menuGame    menu = "g"
	menuFriend  menu = "f"
	actHide     menu = "h" // the asker hides
	actShow     menu = "s" // and shows themselves again
)

// withHouses is, in a press, in the place of a friend's tag.
const withHouses = "+"

// tag returns a short stand-in for an id or a unit in presses, which have no room for them.
func tag(id string, letters int) string {
	sum := sha256.Sum256([]byte(id))
	return base64.RawURLEncoding.EncodeToString(sum[:])[:letters]
}

func unitTag(unit string) string { return tag(unit, 3) }

func personTag(player string) string { return tag(player, 4) }

// String spells a query for presses.
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

// parseQuery reads what String writes.
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

// press returns the press of a button that leads to the query.
func (l query) press() string { return chat.Press{What: fmt.Sprint("/lb ", l)}.String() }

// unitFor returns the tag of the unit of a ranking, "" for rankings other than by pools and by settled differences.
func (v *Visit) unitFor(by ranking) string {
	if by.units {
		return unitTag(v.Unit())
	}
	return ""
}

// with returns the query with another menu.
func (l query) with(m menu) query {
	l.menu = m
	return l
}

// result is the result of a query, read from the store.
type result struct {
	query
	scope scope
	unit  string // of what is ranked
	low   bool   // the lowest score is the best
	all   []store.Standing
	games int64                     // that were played
	off   map[string]store.Unlisted // the players who are off the list
	// hidden says that the asker is off it, by their own wish.
	hidden bool
	// friend is the opponent whose common games count, "" for all games.
	friend, friendName string
}

// unitWithTag returns the unit with a tag, or the chat's.
func (v *Visit) unitWithTag(tagged string) (string, error) {
	units, err := v.Tx.Books.Units(v.Chat.ID)
	i := slices.IndexFunc(units, func(unit string) bool { return unitTag(unit) == tagged })
	if i < 0 {
		return v.Unit(), err
	}
	return units[i], err
}

// The values of a leaderboard's options that only a chat has: its people, its units, its seasons.

// people returns the players on the leaderboards but for the asker, most games first.
func (v *Visit) people() ([]companion, error) {
	all, err := v.companions()
	return slices.DeleteFunc(all, func(c companion) bool {
		return c.off != (store.Unlisted{}) || c.player == string(v.Event.User)
	}), err
}

// friendOf returns the player that a name or a mention stands for.
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

// whoPlays names the person who was probably meant by a name, or else the first people who play here.
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

// unitOf returns the tag of a unit by its name: of one that has been played for here, or the chat's.
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

// Capital returns a text with a capital first letter.
func Capital(text string) string {
	first, size := utf8.DecodeRuneInString(text)
	if size == 0 {
		return text
	}
	return string(unicode.ToUpper(first)) + text[size:]
}

// queryButton leads to another view of the leaderboard.
func (v *Visit) queryButton(label games.Line, to query) chat.Button {
	return chat.Button{Label: chat.Shorten(Capital(v.Say(label)), chat.MaxButton), Press: to.press()}
}

// rankingLabel names a ranking, by its unit where it is about one.
func (v *Visit) rankingLabel(by ranking, unit string) games.Line {
	says := by.label()
	if by.settled && slices.ContainsFunc(v.bot.Games, func(g games.Game) bool {
		return slices.ContainsFunc(games.ShapesOf(g), games.Shape.Owed)
	}) {
		says = "bot.ranking.settled-owed" // not only differences
	}
	return games.Say(says, games.Args{"Unit": bot.UnitName(unit)})
}
