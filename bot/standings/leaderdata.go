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

// Stored returns the period as the store knows it.
func (p Period) Stored() store.Period {
	switch p.kind {
	case allTime:
		return store.AllTime()
	case season:
		return store.OfSeason(p.season)
	}
	return store.Evenings(store.DayOf(p.first), store.DayOf(p.end())-1)
}

// look reads the result of a query.
func (v *Visit) look(l query) (result, error) {
	s := result{query: l}
	var err error
	if s.scope, err = v.scopeOf(l); err != nil {
		return s, err
	}
	if s.low, err = s.scope.low(); err != nil {
		return s, err
	}
	if l.by.units {
		if s.unit, err = v.unitWithTag(l.unit); err != nil {
			return s, err
		}
		s.query.unit = unitTag(s.unit)
	}
	if s.off, err = v.Tx.Chats.Unlisted(v.Chat.ID); err != nil {
		return s, err
	}
	s.hidden = s.off[string(v.Event.User)].Hidden
	standings, err := v.standings(&s)
	if err != nil {
		return s, err
	}
	at := map[string]int{}
	for _, one := range standings {
		counts, err := v.counts(s, one)
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
		case one.Player == string(v.Event.User): // against a friend these are the asker's own
			s.games += store.PartsOfGame * one.Games
		}
	}
	s.games /= store.PartsOfGame
	return s, nil
}

// scopeOf returns the game or variant of a query. Scores are compared within one variant: that which is asked
// for, or a game's own where it is asked for by its name. Where nothing of that was played, or nothing is asked for, it
// is the one that is played most here.
func (v *Visit) scopeOf(l query) (scope, error) {
	s, err := v.readScope(l.of)
	if err != nil || !l.by.score || s.variant != "" || s.house != 0 {
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

// standings returns the standings of all players, where asked for with those of the house by its strategies, or of the
// asker and one friend.
func (v *Visit) standings(s *result) ([]store.Standing, error) {
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

// counts reports whether a ranking includes the games of a standing.
func (v *Visit) counts(s result, one store.Standing) (bool, error) {
	g, err := v.bot.Game(one.Game)
	if err != nil {
		return false, nil // a game that is not installed any more counts nowhere
	}
	shape, err := v.bot.shapeOf(g, one)
	if err != nil || !s.by.counts(g, shape) {
		return false, err
	}
	if s.by.settled && !shape.Staked() {
		if rules, err := SpelledRules(one.Rules); err != nil || rules[games.Point] == "" || rules[games.Point] == "0" {
			return false, err // by these a point of difference is worth nothing
		}
	}
	if s.scope.house != 0 {
		rules, err := SpelledRules(one.Rules)
		return namedBy(s.scope.all, s.scope.rules, one.Game, rules), err
	}
	if s.scope.variant == "" {
		return true, nil
	}
	variant, err := v.variantOf(g, one, !s.by.score)
	return variant == s.scope.variant, err
}

// variantOf returns the variant with a standing's rules, or that tables of such rules are called by even if scores
// differ; "" if there is none. What a point is worth makes no other scores.
func (v *Visit) variantOf(g games.Game, one store.Standing, called bool) (string, error) {
	type key struct {
		game, rules string
		called      bool
	}
	return bot.Cached(v.Cache(), key{one.Game, one.Rules, called}, func() (string, error) {
		rules, err := SpelledRules(one.Rules)
		delete(rules, games.Point)
		variant := games.VariantOf(g, rules)
		if variant == "" && called {
			variant = games.CalledOf(g, rules)
		}
		return variant, err
	})
}

// SpelledRules reads rules as the store spells them.
func SpelledRules(spelled string) (rules games.Rules, err error) {
	if err := json.Unmarshal([]byte(spelled), &rules); err != nil {
		return nil, fmt.Errorf("rules of a result: %w", err)
	}
	return rules, nil
}

// playedVariants returns the games and variants that have been played in the chat, of one game or of all, the most
// played first.
func (v *Visit) playedVariants(of games.Game) ([]scope, error) {
	standings, err := v.Totals()
	if err != nil {
		return nil, err
	}
	var all []scope
	parts := map[string]int64{} // by game and variant
	for _, one := range standings {
		g, err := v.bot.Game(one.Game)
		if err != nil || of != nil && of.Name() != one.Game {
			continue // it is not installed any more, or not asked for
		}
		variant, err := v.variantOf(g, one, false)
		if err != nil {
			return nil, err
		}
		s := scope{game: g, variant: variant}
		if !scoresDiffer(g) {
			s.variant = ""
		} else if variant == "" {
			continue // rules of their own are nothing to compare
		}
		if parts[s.key()] == 0 {
			all = append(all, s)
		}
		parts[s.key()] += one.Parts
	}
	slices.SortStableFunc(all, func(a, b scope) int { return cmp.Compare(parts[b.key()], parts[a.key()]) })
	return all, nil
}

// key returns a text that differs between games and variants.
func (s scope) key() string { return s.game.Name() + " " + s.variant }

// low reports whether the lowest score is the best.
func (s scope) low() (bool, error) {
	if s.game == nil {
		return false, nil
	}
	if s.house != 0 {
		return games.LowIsBest(s.game, s.rules.Rules), nil
	}
	rules, err := games.Choose(s.game, s.variant, nil)
	return games.LowIsBest(s.game, rules), err
}

// scope is a game, one variant of it, or house rules of it with a name.
type scope struct {
	game    games.Game
	variant string // "": all of them
	house   int64  // the number of house rules, 0: none
	rules   store.HouseRules
	all     []store.HouseRules // those of the chat, of all ages
	called  games.Line         // what the rules are called
}

// scoresDiffer reports whether scores of a game differ by its rules: it has several variants, or options beside those
// that settle the result or allow hints.
func scoresDiffer(g games.Game) bool {
	return len(g.Variants()) > 1 || slices.ContainsFunc(g.Options(), func(o games.Option) bool {
		return !slices.Contains([]string{games.Settle, games.Point, games.Hints}, o.Name)
	})
}

// scope finds the game that is called so, or the first with such a variant, or
// the house rules that houseScope spells: those are still to be read.
func (b *Standings) scope(of string) (scope, error) {
	if game, number, house := strings.Cut(of, "#"); house {
		g, err := b.Game(game)
		id, wrong := strconv.ParseInt(number, 10, 64)
		if err != nil || wrong != nil || id <= 0 {
			return scope{}, games.Refuse("bot.no-such-button", nil)
		}
		return scope{game: g, house: id}, nil
	}
	if g, err := b.Game(of); err == nil {
		return scope{game: g}, nil
	}
	for _, g := range b.Games {
		v, known := games.VariantNamed(g, of)
		if !known {
			continue
		}
		if len(g.Variants()) == 1 {
			return scope{game: g}, nil // there is nothing to tell apart
		}
		return scope{game: g, variant: v.Name}, nil
	}
	return scope{}, bot.NoSuchChoice(of, b.AllVariants())
}

// houseScope spells house rules as what a leaderboard is about.
func houseScope(h store.HouseRules) string { return fmt.Sprintf("%s#%d", h.Game, h.ID) }

// houseScopes returns the house rules of a chat that leaderboards can be about.
func (v *Visit) houseScopes() ([]bot.Choice, error) {
	kept, err := v.KeptRules("")
	var all []bot.Choice
	for _, h := range kept {
		all = append(all, bot.Choice{Value: houseScope(h), Label: bot.TextChoice(h.Name).Label})
	}
	return all, err
}

// readScope finds what a leaderboard is about, with the house rules of the chat; "" is all games.
func (v *Visit) readScope(of string) (scope, error) {
	if of == "" {
		return scope{}, nil
	}
	s, err := v.bot.scope(of)
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

// namedBy reports whether rules by which a game was played go by the name of some house rules. Where others of the chat
// are exactly these, as they say themselves how the game is settled, they go by the others' name.
func namedBy(all []store.HouseRules, h store.HouseRules, game string, rules games.Rules) bool {
	if game != h.Game || games.PlayAlike(rules, h.Rules) {
		return game == h.Game
	}
	return games.NamedBy(rules, h.Rules) && !slices.ContainsFunc(all, func(other store.HouseRules) bool {
		return other.Game == game && games.PlayAlike(rules, other.Rules)
	})
}

// scopeLabel names a game, or a variant of it.
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
