package standings

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"knobel/bot"
	"knobel/bot/board"
	"knobel/games"
	"knobel/store"
)

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

// houseScopes are the house rules of a chat that leaderboards can be about.
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
