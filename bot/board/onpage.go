package board

import (
	"slices"

	"knobel/bot"
	"knobel/games"
	"knobel/store"
)

// The parts of a table that only a viewer's own page shows.

// addForPage adds the parts that a viewer's own page shows beside the shared board: the pool and, before the game, the
// tiles, how to play, who has to agree, and the computer players that the viewer may add.
func (s *BoardView) addForPage() {
	if !s.traits.Pages {
		return
	}
	m := &s.Message
	if s.Table.State != store.Lobby && AtStake(s.Table) && s.hasPool() {
		m.Pool = s.Line(bot.Amount(s.Table.Unit, PoolOf(s.Table).Total()))
	}
	if s.Table.State != store.Lobby {
		return
	}
	if s.Table.Stake > 0 && s.hasPool() && !IsPractice(s.Table, s.settings()) {
		m.Pool = s.Line(bot.Amount(s.Table.Unit, s.Table.Stake*int64(len(s.Table.Seats))+s.chatBox().Inside))
	}
	for i := range m.People {
		m.People[i].Asked = MustAgree(s.Table, i)
	}
	if g, ok := s.Game.(games.Taught); ok {
		for _, step := range g.Steps(s.Table.Rules) {
			m.HowTo = append(m.HowTo, s.Line(step))
		}
	}
	least, most := s.Game.Seats(s.Table.Rules)
	if match, err := s.Game.New(s.Table.Rules, max(least, len(s.Table.Seats))); err == nil {
		rows := slices.DeleteFunc(match.View().Tiles, func(row games.TileRow) bool { return len(row.Tiles) == 0 })
		m.Tiles = s.tileRows(rows[:min(len(rows), 1)])
	}
	if _, final := FinalOf(s.Table); final || !s.isHost() || len(s.Table.Seats) >= most {
		return
	}
	for _, h := range s.Game.Houses() {
		if !h.Solved || Solvable(s.Game, s.Table.Rules, len(s.Table.Seats)+1) == nil {
			m.Houses = append(m.Houses, s.button(s.houseName(h.Name), "!house "+h.Name, games.Plain))
		}
	}
}
