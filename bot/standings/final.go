package standings

import (
	"cmp"
	"errors"
	"math/big"
	"slices"
	"time"

	"knobel/bot"
	"knobel/bot/board"
	"knobel/bot/chat"
	"knobel/bot/table"
	"knobel/games"
	"knobel/store"
)

// The final of a season and its champion.

// standingOf returns the listed players of a season, best first, by the default ranking of its leaderboard. Players who
// share a place are in the order of their mean values for each game.
func (v *Visit) standingOf(of store.Season) ([]ranked, error) {
	q := query{least: 1, when: Period{kind: season, season: of.ID}}
	var err error
	if q.by, err = v.rankingOf("", q, ""); err == nil && q.by.units {
		q.unit, err = v.usualUnit(q)
	}
	if err != nil {
		return nil, err
	}
	s, err := v.readResult(q)
	if err != nil {
		return nil, err
	}
	list := s.ranked()
	mean := func(r ranked) *big.Rat { return new(big.Rat).Quo(r.value, big.NewRat(max(r.Games, 1), 1)) }
	slices.SortStableFunc(list, func(a, b ranked) int {
		return cmp.Or(cmp.Compare(a.place, b.place), mean(b).Cmp(mean(a)))
	})
	return list, nil
}

// favourite returns the game, or variant with its own command, that the chat finished most often in a season, as its
// opening. ok is false if it has finished none that is still installed.
func (v *Visit) favourite(of store.Season) (o bot.Opening, ok bool, err error) {
	all, err := v.Tx.Scores.Standings(store.Wanted{Chat: v.Chat.ID, Period: store.OfSeason(of.ID)})
	if err != nil {
		return o, false, err
	}
	played := map[string]int64{}
	for _, one := range all {
		g, err := v.bot.Game(one.Game)
		if err != nil {
			continue // no longer installed
		}
		rules, err := SpelledRules(one.Rules)
		if err != nil {
			return o, false, err
		}
		played[one.Game+" "+games.CalledOf(g, rules)] += one.Parts
	}
	most := int64(0)
	for _, one := range v.bot.OpeningsOf(v.bot.Games, v.Lang) {
		if parts := played[one.Game.Name()+" "+one.Variant]; parts > most {
			o, most = one, parts
		}
	}
	return o, most > 0, nil
}

// gathering returns the lobby of a season's final, without its place and opener. typed names the game as behind /play;
// "": the one that was finished most often. Those who share the last place all have a seat, or if the game has fewer
// seats, those with the better mean. There are no players if the season has no standing.
func (v *Visit) gathering(of store.Season, typed string) (g table.Gathering, err error) {
	occasion := board.Occasion{Kind: board.AtFinal, Number: of.ID}
	g = table.Gathering{Occasion: occasion.String(), Unstaked: true, Terms: typed}
	if typed == "" {
		favourite, ok, err := v.favourite(of)
		if err != nil || !ok {
			return g, err
		}
		g.Terms = favourite.Command
	}
	list, err := v.standingOf(of)
	for _, r := range list {
		if int64(r.place) <= of.Final {
			g.Players = append(g.Players, r.Player)
		}
	}
	return g, err
}

// runningFinal returns the table of the final of a season that is in the lobby or in play, and whether there is one.
func (v *Visit) runningFinal(of store.Season) (t store.Table, ok bool, err error) {
	tables, err := v.Active(of.Chat)
	i := slices.IndexFunc(tables, func(t store.Table) bool {
		id, is := board.FinalOf(t)
		return is && id == of.ID
	})
	if i < 0 || err != nil {
		return t, false, err
	}
	return tables[i], true, nil
}

// openFinal opens the final of the present season, of the game that typed names as behind /play, "" for the usual one.
// If only one person can play it, that person is champion without a game.
func (v *Visit) openFinal(typed string) error {
	if err := v.AdminsOnly("bot.season.admins"); err != nil {
		return err
	}
	seasons, err := v.Seasons()
	if err != nil {
		return err
	}
	if len(seasons) == 0 {
		return &games.Refusal{Line: v.noSeason()}
	}
	present := seasons[0]
	running, runs, err := v.runningFinal(present)
	switch {
	case err != nil:
		return err
	case runs:
		return games.Refuse("bot.final.runs", games.Args{"Table": running.ID})
	case present.Champion != "":
		return games.Refuse("bot.final.over", nil)
	case present.Final == 0:
		return games.Refuse("bot.final.none", nil)
	case v.Event.Guest:
		return games.Refuse("bot.final.guest", nil)
	}
	g, err := v.gathering(present, typed)
	switch {
	case err != nil:
		return err
	case len(g.Players) == 0:
		return games.Refuse("bot.final.empty", nil)
	case len(g.Players) == 1:
		return v.crownAlone(present)
	}
	g.Place, g.Opener = v.Event.Place, string(v.Event.User)
	_, err = v.bot.Gather(v.Visit.Visit, g)
	if _, blocked := errors.AsType[*table.InTheWay](err); blocked {
		return games.Refuse("bot.table-here", nil)
	}
	return err
}

// crownAlone makes the only person who can play the final of a season its champion, and says so to all people.
func (v *Visit) crownAlone(of store.Season) error {
	if _, err := v.crownFirst(&of, 0); err != nil {
		return err
	}
	return v.Public(func() error {
		line, err := v.bot.ChampionLine(v.Tx, of, v.Lang)
		v.Private(line)
		return err
	})
}

// FinalDue returns the lobby of the final of the chat's season in place, if a fixed evening that begins at start is the
// last one of the season: the next begins at next, after the season's end. ok is false if it is not, or if no final has
// to be played.
func (v *Visit) FinalDue(place chat.Place, start, next time.Time) (g table.Gathering, ok bool, err error) {
	present, err := v.Tx.Chats.PresentSeason(v.Chat.ID)
	if errors.Is(err, store.ErrNotFound) {
		return g, false, nil
	}
	if err != nil || present.Final == 0 || present.Champion != "" ||
		present.Due <= start.UnixMilli() || present.Due > next.UnixMilli() {
		return g, false, err
	}
	if _, runs, err := v.runningFinal(present); err != nil || runs {
		return g, false, err
	}
	g, err = v.gathering(present, "")
	g.Place, g.Opener = place, present.Starter
	return g, err == nil && len(g.Players) > 1, err
}

// crownFirst makes the first of a season's standing its champion, if it has none yet and no final is being played, and
// stores that. evening is that of the recap that names the champion, 0 for none. crowned: it now has a champion.
func (v *Visit) crownFirst(of *store.Season, evening store.Day) (crowned bool, err error) {
	if of.ID == 0 || of.Champion != "" {
		return false, nil
	}
	list, err := v.standingOf(*of)
	if err != nil || len(list) == 0 {
		return false, err
	}
	if played, err := v.closeFinal(*of); err != nil || played {
		return false, err
	}
	of.Champion, of.Crowned = list[0].Player, evening
	return true, v.Tx.Chats.SaveSeason(*of)
}

// closeFinal closes the lobby of a season's final: the season is over. played: the final is being played.
func (v *Visit) closeFinal(of store.Season) (played bool, err error) {
	t, runs, err := v.runningFinal(of)
	if err != nil || !runs || t.State != store.Lobby {
		return runs, err
	}
	return false, v.Abandon(&t)
}

// finalLost makes the first of the standing champion if t, which has no winner, was the final of a season that is over.
func (v *Visit) finalLost(t store.Table) error {
	of, is, err := v.seasonOfFinal(t)
	if !is || err != nil {
		return err
	}
	present, err := v.Tx.Chats.PresentSeason(of.Chat)
	evening, err2 := v.EveningIn(of.Chat, v.At)
	if err := errors.Join(err, err2); err != nil || present.ID == of.ID {
		return err
	}
	_, err = v.crownFirst(&of, evening)
	return err
}

// seasonOfFinal returns the season whose final t is, for a visit of its chat. is is false if there is none.
func (v *Visit) seasonOfFinal(t store.Table) (of store.Season, is bool, err error) {
	id, is := board.FinalOf(t)
	if !is {
		return of, false, nil
	}
	of, err = v.Tx.Chats.Season(id)
	if errors.Is(err, store.ErrNotFound) {
		return of, false, nil
	}
	if err == nil && v.Chat.ID == "" { // a loop has ended the table
		err = v.quietIn(of)
	}
	return of, true, err
}

// finalEnded makes the winner of a final, the table t, the champion of its season: of several winners the one with the
// better place in the season's standing. It does nothing at other tables. If fewer than two people have played, no one
// has won the final.
func (v *Visit) finalEnded(t store.Table) error {
	of, is, err := v.seasonOfFinal(t)
	if !is || err != nil {
		return err
	}
	if board.CountPeople(t) < 2 {
		return v.finalLost(t)
	}
	rows, err := v.Tx.Tables.Results(t.ID)
	list, err2 := v.standingOf(of)
	evening, err3 := v.EveningIn(of.Chat, v.At)
	if err := errors.Join(err, err2, err3); err != nil || of.FinalTable != 0 {
		return err
	}
	rows = slices.DeleteFunc(rows, func(r store.Result) bool { return t.Seats[r.Seat].Player == "" })
	standing := func(r store.Result) int {
		i := slices.IndexFunc(list, func(one ranked) bool { return one.Player == t.Seats[r.Seat].Player })
		return (i + len(list) + 1) % (len(list) + 1) // behind all if not listed
	}
	best := slices.MinFunc(rows, func(a, b store.Result) int {
		return cmp.Or(cmp.Compare(a.Place, b.Place), cmp.Compare(standing(a), standing(b)))
	})
	of.Champion, of.FinalTable, of.Crowned = t.Seats[best.Seat].Player, t.ID, evening
	return v.Tx.Chats.SaveSeason(of)
}

// finalVoided takes the title from the champion of the final t, which counts no longer. If its season is over, the
// first of the standing gets it.
func (v *Visit) finalVoided(t store.Table) error {
	of, err := v.Tx.Chats.SeasonWonAt(t.Chat, t.ID)
	if errors.Is(err, store.ErrNotFound) {
		return nil
	}
	seasons, err2 := v.Seasons()
	if err := errors.Join(err, err2); err != nil {
		return err
	}
	of.Champion, of.FinalTable, of.Crowned = "", 0, 0
	if of.ID != seasons[0].ID {
		if crowned, err := v.crownFirst(&of, 0); err != nil || crowned {
			return err
		}
	}
	return v.Tx.Chats.SaveSeason(of)
}
