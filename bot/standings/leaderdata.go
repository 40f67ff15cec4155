package standings

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"knobel/bot"
	"knobel/bot/board"
	"knobel/bot/chat"
	"knobel/games"
	"knobel/store"
)

// Stored converts the period to the type that queries of the store use.
func (p Period) Stored() store.Period {
	switch p.kind {
	case allTime:
		return store.AllTime()
	case season:
		return store.OfSeason(p.season)
	}
	return store.Evenings(store.DayOf(p.first), store.DayOf(p.end())-1)
}

// readResult returns the data of the leaderboard that q selects, read from the store.
func (v *Visit) readResult(q query) (_ result, err error) {
	s := result{query: q}
	if s.scope, err = v.selectScope(q); err != nil {
		return s, err
	}
	if s.low, err = s.scope.lowIsBest(); err != nil {
		return s, err
	}
	if q.by.units {
		if s.unit, err = v.unitWithTag(q.unit); err != nil {
			return s, err
		}
		s.query.unit = unitTag(s.unit)
	}
	if s.off, err = v.Tx.Chats.Unlisted(v.Chat.ID); err != nil {
		return s, err
	}
	if s.champion, err = v.champion(); err != nil {
		return s, err
	}
	s.hidden = s.off[string(v.Event.User)].Hidden
	standings, err := v.readStandings(&s)
	if err != nil {
		return s, err
	}
	at := map[string]int{}
	for _, one := range standings {
		counts, err := v.includes(s, one)
		if err != nil {
			return s, err
		}
		if !counts {
			continue
		}
		i, met := at[one.Player]
		if !met {
			i = len(s.all)
			at[one.Player] = i
			s.all = append(s.all, store.Standing{Player: one.Player, Name: v.bot.ShownName(one.Name, v.Lang)})
		}
		s.all[i].Add(one)
	}
	slices.SortFunc(s.all, func(a, b store.Standing) int { return cmp.Compare(a.Player, b.Player) })
	var named chat.TakenNames
	for i := range s.all {
		s.all[i].Name = named.Unlike(s.all[i].Name)
	}
	for _, one := range s.all {
		switch {
		case s.friend == "":
			s.games += one.Parts
		case one.Player == string(v.Event.User): // against a friend each game would count twice
			s.games += store.PartsOfGame * one.Games
		}
	}
	s.games /= store.PartsOfGame
	return s, nil
}

// selectScope returns the games that q covers. A ranking by score needs a single variant: that of q, else the default
// variant of the game of q. If this was never played, or q is about all games, it needs the most played variant.
func (v *Visit) selectScope(q query) (scope, error) {
	s, err := v.readScope(q.of)
	if err != nil || !q.by.score || s.variant != "" || s.house != 0 {
		return s, err
	}
	played, err := v.playedVariants(s.game)
	if err != nil {
		return s, err
	}
	own := scope{game: cmp.Or(s.game, v.bot.Games[0])}
	if scoresDiffer(own.game) {
		own.variant = own.game.Variants()[0].Name
	}
	isOwn := func(one scope) bool { return one.key() == own.key() }
	if len(played) == 0 || s.game != nil && slices.ContainsFunc(played, isOwn) {
		return own, nil
	}
	return played[0], nil
}

// readStandings returns the results of all players and, if s.houses is true, of each strategy of computer players. If
// s.against is set, it returns the games between the user and that friend only, and sets s.friend and s.friendName.
func (v *Visit) readStandings(s *result) ([]store.Standing, error) {
	wanted := store.Wanted{Chat: v.Chat.ID, Period: s.when.Stored(), Unit: s.unit}
	if s.scope.game != nil {
		wanted.Game = s.scope.game.Name()
	}
	if s.against == "" {
		all, err := v.Tx.Scores.Standings(wanted)
		if err != nil || !s.houses {
			return all, err
		}
		houses, err := v.Tx.Scores.HouseStandings(wanted)
		for _, h := range houses {
			h.Name = v.Say(games.Say("bot.leaders.house", games.Args{"Strategy": v.bot.HouseLabel(h.Game, h.Name)}))
			all = append(all, h)
		}
		return all, err
	}
	everybody, err := v.Totals()
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(everybody, func(one store.Standing) bool { return personTag(one.Player) == s.against })
	if i < 0 || s.off[everybody[i].Player] != (store.Unlisted{}) {
		return nil, games.Refuse("bot.leaders.gone", nil)
	}
	s.friend, s.friendName = everybody[i].Player, v.bot.ShownName(everybody[i].Name, v.Lang)
	return v.Tx.Scores.Duel(wanted, string(v.Event.User), s.friend)
}

// includes reports whether the leaderboard s counts standing, a player's results in the games under one set of rules.
func (v *Visit) includes(s result, standing store.Standing) (bool, error) {
	g, err := v.bot.Game(standing.Game)
	if err != nil {
		return false, nil // the game is no longer installed
	}
	shape, err := v.bot.shapeOf(g, standing)
	if err != nil || !s.by.allows(g, shape) {
		return false, err
	}
	if s.by.settled && !shape.Staked() {
		if rules, err := SpelledRules(standing.Rules); err != nil || rules[games.Point] == "" ||
			rules[games.Point] == "0" {
			return false, err // under these rules a point of difference is worth nothing
		}
	}
	if s.scope.house != 0 {
		rules, err := SpelledRules(standing.Rules)
		return matchesHouseRules(s.scope.all, s.scope.rules, standing.Game, rules), err
	}
	if s.scope.variant == "" {
		return true, nil
	}
	variant, err := v.variantOf(g, standing, !s.by.score)
	return variant == s.scope.variant, err
}

// variantOf returns the name of the variant of g with the rules of standing, ignoring the option games.Point. If there
// is none and byName is true, it returns the variant after which boards name the rules (games.CalledOf). "": neither.
func (v *Visit) variantOf(g games.Game, standing store.Standing, byName bool) (string, error) {
	type key struct {
		game, rules string
		byName      bool
	}
	return bot.Cached(v.Cache(), key{standing.Game, standing.Rules, byName}, func() (string, error) {
		rules, err := SpelledRules(standing.Rules)
		delete(rules, games.Point)
		variant := games.VariantOf(g, rules)
		if variant == "" && byName {
			variant = games.CalledOf(g, rules)
		}
		return variant, err
	})
}

// SpelledRules returns the rules that spelled, JSON from the store, contains.
func SpelledRules(spelled string) (rules games.Rules, err error) {
	if err := json.Unmarshal([]byte(spelled), &rules); err != nil {
		return nil, fmt.Errorf("rules of a result: %w", err)
	}
	return rules, nil
}

// playedVariants returns the variants of game that were played in the chat, most played first; of all games for nil.
func (v *Visit) playedVariants(game games.Game) ([]scope, error) {
	standings, err := v.Totals()
	if err != nil {
		return nil, err
	}
	var all []scope
	parts := map[string]int64{} // by game and variant
	for _, one := range standings {
		g, err := v.bot.Game(one.Game)
		if err != nil || game != nil && game.Name() != one.Game {
			continue // no longer installed, or another game
		}
		variant, err := v.variantOf(g, one, false)
		if err != nil {
			return nil, err
		}
		s := scope{game: g, variant: variant}
		if !scoresDiffer(g) {
			s.variant = ""
		} else if variant == "" {
			continue // scores under custom rules cannot be compared
		}
		if parts[s.key()] == 0 {
			all = append(all, s)
		}
		parts[s.key()] += one.Parts
	}
	slices.SortStableFunc(all, func(a, b scope) int { return cmp.Compare(parts[b.key()], parts[a.key()]) })
	return all, nil
}

// key returns a text for use as a map key that identifies the game and the variant.
func (s scope) key() string { return s.game.Name() + " " + s.variant }

// lowIsBest reports whether the lowest score is the best one. It returns false if s covers all games.
func (s scope) lowIsBest() (bool, error) {
	if s.game == nil {
		return false, nil
	}
	if s.house != 0 {
		return games.LowIsBest(s.game, s.rules.Rules), nil
	}
	rules, err := games.Choose(s.game, s.variant, nil)
	return games.LowIsBest(s.game, rules), err
}

// scope is the selection of games that a leaderboard covers: all games, one game, one variant of a game, or one set of
// house rules (rules that the chat has named).
type scope struct {
	game    games.Game         // nil for all games
	variant string             // "" for all variants
	house   int64              // id of the house rules, 0 for none
	rules   store.HouseRules   // the house rules themselves
	all     []store.HouseRules // all house rules of the chat, including earlier versions
	called  games.Line         // name of the house rules, for players
}

// scoresDiffer reports whether the scores of g depend on its rules: it has several variants, or options other than
// those for the settlement and hints.
func scoresDiffer(g games.Game) bool {
	return len(g.Variants()) > 1 || slices.ContainsFunc(g.Options(), func(o games.Option) bool {
		return !slices.Contains([]string{games.Settle, games.Point, games.Hints}, o.Name)
	})
}

// parseScope returns the games that name selects: a game, a variant, or house rules as spelled by houseScope. Of house
// rules it sets only the game and the id. It refuses other names.
func (b *Standings) parseScope(name string) (scope, error) {
	if game, number, house := strings.Cut(name, "#"); house {
		g, err := b.Game(game)
		id, wrong := strconv.ParseInt(number, 10, 64)
		if err != nil || wrong != nil || id <= 0 {
			return scope{}, games.Refuse("bot.no-such-button", nil)
		}
		return scope{game: g, house: id}, nil
	}
	if g, err := b.Game(name); err == nil {
		return scope{game: g}, nil
	}
	for _, g := range b.Games {
		v, known := games.VariantNamed(g, name)
		if !known {
			continue
		}
		if len(g.Variants()) == 1 {
			return scope{game: g}, nil // the only variant is the game itself
		}
		return scope{game: g, variant: v.Name}, nil
	}
	return scope{}, bot.NoSuchChoice(name, b.AllVariants())
}

// houseScope returns the text that selects the house rules h in a query: the game, "#" and the id.
func houseScope(h store.HouseRules) string { return fmt.Sprintf("%s#%d", h.Game, h.ID) }

// houseScopes returns as choices of the option "game" the house rules that new tables of the chat may use.
func (v *Visit) houseScopes() ([]bot.Choice, error) {
	kept, err := v.KeptRules("")
	var all []bot.Choice
	for _, h := range kept {
		all = append(all, bot.Choice{Value: houseScope(h), Label: bot.TextChoice(h.Name).Label})
	}
	return all, err
}

// readScope does the same as parseScope, but reads house rules from the store, and selects all games if name is "".
func (v *Visit) readScope(name string) (scope, error) {
	if name == "" {
		return scope{}, nil
	}
	s, err := v.bot.parseScope(name)
	if err != nil || s.house == 0 {
		return s, err
	}
	s.rules, err = v.Tx.Chats.HouseRules(s.house)
	if errors.Is(err, store.ErrNotFound) || err == nil && (s.rules.Chat != v.Chat.ID || s.rules.Game != s.game.Name()) {
		return s, games.Refuse("bot.no-such-button", nil)
	}
	if err != nil {
		return s, err
	}
	s.all, err = v.HouseRules()
	s.called = board.AgeLabel(s.all, s.rules)
	return s, err
}

// matchesHouseRules reports whether games under rules count for the house rules h. They do if both play alike. If h
// leaves the way to settle open, rules may differ in it, unless other house rules in all play exactly like rules.
func matchesHouseRules(all []store.HouseRules, h store.HouseRules, game string, rules games.Rules) bool {
	if game != h.Game || games.PlayAlike(rules, h.Rules) {
		return game == h.Game
	}
	return games.NamedBy(rules, h.Rules) && !slices.ContainsFunc(all, func(other store.HouseRules) bool {
		return other.Game == game && games.PlayAlike(rules, other.Rules)
	})
}

// scopeLabel returns the name of the game, the variant or the house rules that s selects.
func (b *Standings) scopeLabel(s scope) games.Line {
	rules := s.called
	if s.house == 0 {
		if s.variant == "" {
			return b.GameLabel(s.game)
		}
		rules = b.VariantLabel(s.game, s.variant)
		if v, _ := games.VariantNamed(s.game, s.variant); v.Command {
			return rules
		}
	}
	return games.Say("bot.leaders.variant", games.Args{"Game": b.GameLabel(s.game), "Rules": rules})
}
