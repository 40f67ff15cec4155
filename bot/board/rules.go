package board

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"knobel/bot"
	"knobel/bot/chat"
	"knobel/games"
	"knobel/store"
)

// What has changed of the terms of a lobby, and who did it. It is stored as words of ours, each behind the seat and a
// colon: "0:stake-more 0:rule/close". What things are now stands with the table.

// The words for a change of terms; of an option they are alteredRule, a slash and its name.
const (
	alteredStake   = "stake"
	alteredHouse   = "house"
	alteredVariant = "variant"
	alteredRule    = "rule"
	more, less     = "-more", "-less"
)

// alteredKeys are the sentences for these words, and for changes of what is in the pool.
var alteredKeys = map[string]string{
	"house-more": "bot.altered.house-more", "house-more-pool": "bot.altered.house-more-pool",
	"house-less": "bot.altered.house-less", "house-less-pool": "bot.altered.house-less-pool",
	"stake-more": "bot.altered.stake-more", "stake-less": "bot.altered.stake-less",
	alteredVariant: "bot.altered.variant", alteredRule: "bot.altered.rule", TermTurn: "bot.altered.turn",
	TermAbsent: "bot.altered.absent", "seal": "bot.altered.seal",
}

// AlteredSeal is what has changed where a lobby got other dice.
const AlteredSeal = "-1:seal"

// CostsMore reports whether the terms of a lobby can cost those who sit there more than what it had before.
func CostsMore(was, now store.Table) bool {
	limit := func(t store.Table) int64 { return cmp.Or(AgreedTurnLimit(t).Milliseconds(), math.MaxInt64) }
	point := func(t store.Table) int64 {
		n, _ := strconv.ParseInt(t.Rules[games.Point], 10, 64)
		return n
	}
	// There is nothing to lose
	nothing := now.Stake == 0 && was.Clock.Absent == store.IsOut && now.Clock.Absent == store.PlaysHouse
	return was.Game != now.Game || was.Unit != now.Unit || now.Stake > was.Stake || point(now) > point(was) ||
		len(otherRules(was, now, games.Point)) > 0 || was.Clock.Absent != now.Clock.Absent && !nothing ||
		limit(now) < limit(was)
}

// otherRules returns the options whose values differ at two tables, sorted, but for one.
func otherRules(a, b store.Table, but string) []string {
	all := maps.Clone(a.Rules)
	if all == nil {
		all = map[string]string{}
	}
	maps.Copy(all, b.Rules)
	maps.DeleteFunc(all, func(name, _ string) bool { return name == but || a.Rules[name] == b.Rules[name] })
	return slices.Sorted(maps.Keys(all))
}

// HousesAt returns the house players of a table, wherever they sit.
func HousesAt(t store.Table) []string {
	var houses []string
	for _, s := range t.Seats {
		if s.House != "" {
			houses = append(houses, s.House)
		}
	}
	slices.Sort(houses)
	return houses
}

// Changes returns the words for what is other at a table of a game than it was.
func Changes(g games.Game, was, now store.Table) (words []string) {
	compare := func(word string, before, after int64) {
		if after > before {
			words = append(words, word+more)
		} else if after < before {
			words = append(words, word+less)
		}
	}
	compare(alteredHouse, int64(len(HousesAt(was))), int64(len(HousesAt(now))))
	if variant := games.VariantOf(g, now.Rules); now.HouseRules != was.HouseRules && now.HouseRules != 0 ||
		variant != "" && variant != games.VariantOf(g, was.Rules) {
		words = append(words, alteredVariant)
	} else {
		for _, name := range otherRules(was, now, "") {
			words = append(words, alteredRule+"/"+name)
		}
	}
	compare(alteredStake, was.Stake, now.Stake)
	if AgreedTurnLimit(was) != AgreedTurnLimit(now) {
		words = append(words, TermTurn)
	}
	if was.Clock.Absent != now.Clock.Absent {
		words = append(words, TermAbsent)
	}
	return words
}

// Altering notes at a lobby what the person at a seat has changed of its terms, where there are others to read it. What
// was to be read before stays as long as one of them has not agreed to it.
func Altering(t *store.Table, was store.Table, seat int, words []string) {
	kind := func(word string) string { return strings.TrimSuffix(strings.TrimSuffix(word, more), less) }
	var all []string
	for entry := range strings.FieldsSeq(t.Altered) {
		by, word, _ := strings.Cut(entry, ":")
		stale := len(words) > 0 && len(ToAgreeAt(was)) == 0
		if stale || slices.ContainsFunc(words, func(w string) bool { return kind(w) == kind(word) }) {
			continue
		}
		old, err := strconv.Atoi(by)
		if err == nil && old >= 0 && old < len(was.Seats) { // seats may have moved up
			old = slices.IndexFunc(t.Seats, func(s store.Seat) bool {
				return s.Player != "" && s.Player == was.Seats[old].Player
			})
		}
		all = append(all, fmt.Sprint(old, ":", word))
	}
	for _, word := range words {
		all = append(all, fmt.Sprint(seat, ":", word))
	}
	if t.Altered = strings.Join(all, " "); StillIn(*t) < 2 && t.Altered != AlteredSeal {
		t.Altered = ""
	}
}

// Kept returns the house rules by which new tables of a game can be opened.
func Kept(all []store.HouseRules, game string) []store.HouseRules {
	return slices.DeleteFunc(slices.Clone(all), func(h store.HouseRules) bool {
		return !h.Kept || game != "" && h.Game != game
	})
}

// rulesName returns what rules are called: as house rules by their name, with hints and a settlement where they were
// agreed on beside them; else as rulesLabel says.
func (s *BoardView) rulesName() (games.Line, error) {
	if s.Table.HouseRules == 0 {
		return s.bot.RulesLabel(s.Game, s.Table.Rules), nil
	}
	h, err := readOnce(s, "house rules of table", func(int64) (store.HouseRules, error) {
		return s.Tx.Chats.HouseRules(s.Table.HouseRules)
	})
	if err != nil {
		return games.Line{}, err
	}
	list := games.List{NameLabel(h)}
	for _, o := range s.Game.Options() {
		value, set := s.Table.Rules[o.Name]
		switch {
		case !set || h.Rules[o.Name] == value:
		case o.Name == games.Hints:
			list = append(list, bot.SayValue(o, value))
		case o.Name == games.Settle:
			list = append(list, games.Say("bot.option-value",
				games.Args{"Option": s.bot.OptionLabel(s.Game, o), "Value": bot.SayValue(o, value)}))
		}
	}
	return bot.RulesList(list), nil
}

// NameLabel returns the bare name of house rules.
func NameLabel(h store.HouseRules) games.Line {
	return games.Say("bot.text", games.Args{"Text": chat.Isolate(h.Name)})
}

// VersionLabel names house rules of a chat, with their version where the chat has had others of that name.
func VersionLabel(all []store.HouseRules, h store.HouseRules) games.Line {
	if len(versions(all, h)) < 2 {
		return NameLabel(h)
	}
	return games.Say("bot.house-rules.version", games.Args{"Name": chat.Isolate(h.Name), "Version": h.Version})
}

// AgeLabel names house rules of a chat. Those of before are told from the present ones of that name.
func AgeLabel(all []store.HouseRules, h store.HouseRules) games.Line {
	same := versions(all, h)
	age := slices.IndexFunc(same, func(x store.HouseRules) bool { return x.ID == h.ID })
	args := games.Args{"Name": chat.Isolate(h.Name), "N": age}
	switch {
	case age <= 0:
		return NameLabel(h)
	case len(same) == 2:
		return games.Say("bot.house-rules.earlier", args)
	}
	return games.Say("bot.house-rules.earlier-nth", args)
}

// versions returns all house rules of a game that have had the name of these, the present ones first.
func versions(all []store.HouseRules, h store.HouseRules) []store.HouseRules {
	same := slices.DeleteFunc(slices.Clone(all), func(x store.HouseRules) bool {
		return x.Game != h.Game || !strings.EqualFold(x.Name, h.Name)
	})
	slices.SortFunc(same, func(a, b store.HouseRules) int {
		return cmp.Or(bot.TrueFirst(a.Kept, b.Kept), cmp.Compare(b.ID, a.ID))
	})
	return same
}

// MaxOpened is how many house rules have a button that opens a table.
const MaxOpened = 6
