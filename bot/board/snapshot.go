package board

import (
	"knobel/bot/chat"
	"knobel/games"
	"knobel/store"
)

// step draws a match as it stands, or its result once it is over.
func (s *BoardView) step(match games.Match, view games.View) error {
	if result, over := match.Result(); over {
		rows, err := s.Tx.Tables.Results(s.Table.ID)
		if err != nil {
			return err
		}
		s.outcome(view, result, rows)
		return nil
	}
	s.tellAll(view.Head)
	s.game(view)
	s.notes(view)
	if turn := match.Turn(); len(turn) == 1 {
		s.Message.Accent = int(turn[0])
	}
	return nil
}

// AsItStood draws a match of a table as it stood, with a seat's sheet, in a language.
// Nothing in it can be pressed.
func (b *Boards) AsItStood(tx *store.Tx, lang string, t store.Table, g games.Game, match games.Match,
	seat int) (*BoardView, error) {
	view := viewOf(t, match)
	t.Draft = OpeningDraft(view).String()
	s := &BoardView{bot: b, Tx: tx, Table: t, Game: g, lang: lang, names: b.NamesAt(t, lang)}
	s.Message = chat.Message{Lang: lang, Accent: -1}
	if err := s.step(match, view); err != nil {
		return nil, err
	}
	if view.Sheet != nil && s.Message.Sheet == nil {
		s.Message.Sheet = SheetOf(view.Sheet, []int{seat}, s.names, s.Line)
		s.Message.Sheet.Asked = true
	}
	ExplainSigns(&s.Message, view.Sheet, s.Line)
	for i := range s.Message.Dice {
		s.Message.Dice[i].Press = "" // nobody picks these any more
	}
	return s, nil
}
