package bot

// Boards of matches as they once stood, for somebody who looks back.

import (
	"knobel/bot/chat"
	"knobel/games"
	"knobel/store"
)

// asItStood draws a match of a table as it stood, with a seat's sheet, in the language
// of the person. Nothing in it can be pressed.
func (v *visit) asItStood(t store.Table, g games.Game, match games.Match, seat int) (*scribe, error) {
	view := viewOf(t, match)
	t.Draft = opening(view).String()
	s := &scribe{bot: v.bot, tx: v.tx, t: t, g: g, lang: v.lang, names: v.bot.namesAt(t, v.lang)}
	s.m = chat.Message{Lang: v.lang, Accent: -1}
	if err := s.step(match, view); err != nil {
		return nil, err
	}
	if view.Sheet != nil && s.m.Sheet == nil {
		s.m.Sheet = sheetOf(view.Sheet, []int{seat}, s.names, s.line)
		s.m.Sheet.Asked = true
	}
	for i := range s.m.Dice {
		s.m.Dice[i].Press = "" // nobody picks these any more
	}
	return s, nil
}

// step draws a match as it stands: how it has ended, once it has.
func (s *scribe) step(match games.Match, view games.View) error {
	if result, over := match.Result(); over {
		rows, err := s.tx.Results(s.t.ID)
		if err != nil {
			return err
		}
		s.outcome(view, result, rows)
		return nil
	}
	s.m.Head = s.sentences(view.Head)
	s.game(view)
	if turn := match.Turn(); len(turn) == 1 {
		s.m.Accent = int(turn[0])
	}
	return nil
}
