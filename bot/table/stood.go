package table

// Boards of matches as they once stood, for somebody who looks back.

import (
	"knobel/bot/chat"
	"knobel/games"
	"knobel/store"
)

// AsItStood draws a match of a table as it stood, with a seat's sheet, in the language
// of the person. Nothing in it can be pressed.
func (v *Visit) AsItStood(t store.Table, g games.Game, match games.Match, seat int) (*BoardView, error) {
	view := viewOf(t, match)
	t.Draft = opening(view).String()
	s := &BoardView{bot: v.bot, Tx: v.Tx, Table: t, Game: g, lang: v.Lang, names: v.bot.NamesAt(t, v.Lang)}
	s.Message = chat.Message{Lang: v.Lang, Accent: -1}
	if err := s.step(match, view); err != nil {
		return nil, err
	}
	if view.Sheet != nil && s.Message.Sheet == nil {
		s.Message.Sheet = sheetOf(view.Sheet, []int{seat}, s.names, s.Line)
		s.Message.Sheet.Asked = true
	}
	for i := range s.Message.Dice {
		s.Message.Dice[i].Press = "" // nobody picks these any more
	}
	return s, nil
}

// step draws a match as it stands: how it has ended, once it has.
func (s *BoardView) step(match games.Match, view games.View) error {
	if result, over := match.Result(); over {
		rows, err := s.Tx.Results(s.Table.ID)
		if err != nil {
			return err
		}
		s.outcome(view, result, rows)
		return nil
	}
	s.Message.Head = s.sentences(view.Head)
	s.game(view)
	if turn := match.Turn(); len(turn) == 1 {
		s.Message.Accent = int(turn[0])
	}
	return nil
}
