package standings

import (
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"knobel/bot/chat"
	"knobel/store"
)

// query is what a leaderboard shows, and its page: all that its buttons need. Presses carry it, so
// a leaderboard survives a restart, and each person can turn pages for themselves.
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

// menu is what the buttons of a leaderboard offer, or what one of them does.
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

// maxLeast is the largest least number of games.
const maxLeast = 999

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

// press is what a button carries that leads to a view.
func (l query) press() string { return chat.Press{What: fmt.Sprint("/lb ", l)}.String() }

// unitFor is the tag of the unit that a ranking is about: pools and settled
// differences are won in one, and all else in none.
func (v *Visit) unitFor(by ranking) string {
	if by.units {
		return unitTag(v.Unit())
	}
	return ""
}

// with is the query with another menu and its first page.
func (l query) with(m menu) query {
	l.menu = m
	return l
}

// result is what a query shows, read from the store.
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
