package bot

import (
	"encoding/json"
	"fmt"
	"slices"

	"knobel/games"
	"knobel/store"
)

// stretch is a period as the store knows it.
func (p period) stretch() store.Period {
	switch p.kind {
	case allTime:
		return store.AllTime()
	case season:
		return store.OfSeason(p.season)
	}
	return store.Evenings(store.DayOf(p.first), store.DayOf(p.end())-1)
}

// look reads what a lens looks at.
func (v *visit) look(l lens) (sight, error) {
	s := sight{lens: l}
	var err error
	if s.scope, err = v.bot.scoreScope(l.of, l.by); err != nil {
		return s, err
	}
	if s.low, err = s.scope.low(); err != nil {
		return s, err
	}
	if l.by.code == 'p' {
		if s.unit, err = v.unitWithTag(l.unit); err != nil {
			return s, err
		}
		s.lens.unit = unitTag(s.unit)
	}
	if err := v.readOff(&s); err != nil {
		return s, err
	}
	standings, err := v.standings(&s)
	if err != nil {
		return s, err
	}
	at := map[string]int{}
	variants := map[string]string{} // by game and rules
	for _, one := range standings {
		counts, err := v.bot.counts(s, one, variants)
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
			s.all = append(s.all, store.Standing{Player: one.Player, Name: v.bot.shownName(one.Name, v.lang)})
		}
		s.all[i].Add(one)
	}
	s.games = s.played(string(v.ev.User))
	return s, nil
}

// played is how many games the standings are of: against a friend as many as
// the asker's own.
func (s sight) played(asker string) (games int64) {
	for _, one := range s.all {
		switch {
		case s.friend == "":
			games += one.Parts
		case one.Player == asker:
			return one.Games
		}
	}
	return games / store.PartsOfGame
}

// readOff notes who is off the list.
func (v *visit) readOff(s *sight) error {
	unlisted, err := v.tx.Unlisted(v.chat.ID)
	s.off = map[string]bool{}
	for player := range unlisted {
		s.off[player] = true
	}
	s.hidden = unlisted[string(v.ev.User)].Hidden
	return err
}

// standings are those of everybody, or of the asker and one friend.
func (v *visit) standings(s *sight) ([]store.Standing, error) {
	wanted := store.Wanted{Chat: v.chat.ID, Period: s.when.stretch(), Unit: s.unit}
	if s.scope.game != nil {
		wanted.Game = s.scope.game.Name()
	}
	if s.against == "" {
		return v.tx.Standings(wanted)
	}
	everybody, err := v.tx.Standings(store.Wanted{Chat: v.chat.ID})
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(everybody, func(one store.Standing) bool { return personTag(one.Player) == s.against })
	if i < 0 || s.off[everybody[i].Player] {
		return nil, games.Refuse("bot.leaders.gone", nil)
	}
	s.friend, s.friendName = everybody[i].Player, v.bot.shownName(everybody[i].Name, v.lang)
	return v.tx.Duel(wanted, string(v.ev.User), s.friend)
}

// counts says whether a standing is of games that the ranking is about.
func (b *Bot) counts(s sight, one store.Standing, variants map[string]string) (bool, error) {
	i := slices.IndexFunc(b.games, func(g games.Game) bool { return g.Name() == one.Game })
	if i < 0 || !s.by.counts(b.games[i]) {
		return false, nil // a game that is not installed any more counts nowhere
	}
	if s.scope.variant == "" {
		return true, nil
	}
	key, err := one.Game+one.Rules, error(nil)
	variant, met := variants[key]
	if !met {
		variant, err = variantOf(b.games[i], one)
		variants[key] = variant
	}
	return variant == s.scope.variant, err
}

// variantOf is the variant that a standing's rules are, "" for nobody's.
func variantOf(g games.Game, one store.Standing) (string, error) {
	var rules games.Rules
	if err := json.Unmarshal([]byte(one.Rules), &rules); err != nil {
		return "", fmt.Errorf("rules of a standing: %w", err)
	}
	return games.VariantOf(g, rules), nil
}

// playedVariants are the variants that have been played in the chat, in the
// order of the games; of games with one variant none.
func (v *visit) playedVariants() ([]scope, error) {
	standings, err := v.tx.Standings(store.Wanted{Chat: v.chat.ID})
	if err != nil {
		return nil, err
	}
	played := map[string]bool{}
	for _, one := range standings {
		g, err := v.bot.game(one.Game)
		if err != nil {
			continue // it is not installed any more
		}
		if rules := one.Game + one.Rules; !played[rules] {
			played[rules] = true
			variant, err := variantOf(g, one)
			if err != nil {
				return nil, err
			}
			played[g.Name()+" "+variant] = true
		}
	}
	var all []scope
	for _, g := range v.bot.games {
		for _, x := range g.Variants() {
			if found, err := v.bot.scope(x.Name); err == nil && found.game.Name() == g.Name() && len(g.Variants()) > 1 && played[g.Name()+" "+x.Name] {
				all = append(all, scope{g, x.Name})
			}
		}
	}
	return all, nil
}

// comings notes who has come into the chat or gone, of those whom the bot has
// met: of others it keeps nothing.
func (v *visit) comings() error {
	for _, player := range v.ev.Left {
		known, err := v.tx.Player(string(player))
		if err != nil {
			return err
		}
		if known.Name == "" && known.Language == "" {
			continue
		}
		if err := v.tx.Leave(string(v.ev.Chat), string(player), true); err != nil {
			return err
		}
	}
	for _, player := range v.ev.Joined {
		if err := v.back(player); err != nil {
			return err
		}
	}
	return nil
}

// back notes that somebody who had left the chat is there again.
func (v *visit) back(player User) error {
	unlisted, err := v.tx.UnlistedOf(string(v.ev.Chat), string(player))
	if err != nil || !unlisted.Gone {
		return err
	}
	return v.tx.Leave(string(v.ev.Chat), string(player), false)
}

// low says whether the lowest score is the best there.
func (s scope) low() (bool, error) {
	if s.game == nil {
		return false, nil
	}
	rules, err := games.Choose(s.game, s.variant, nil)
	return games.LowIsBest(s.game, rules), err
}
