package board

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"knobel/bot"
	"knobel/bot/chat"
	"knobel/games"
	"knobel/store"
)

// A board of a table, drawn from what is stored: the match, its buttons and the small print.

// shownSeal is the number of characters of the dice seal on a board.
const shownSeal = 12

// Render renders a table for one who looks, in their language; nil: for all who share its board, in the language of the
// chat or else of its opener. Where each has a board of their own, that of all is what one sees who only watches. The
// boards of others come with it, but for those that cannot be drawn. What all of them show is read once.
func (b *Boards) Render(tx *store.Tx, t store.Table, by *chat.Viewer, others ...chat.Viewer) (chat.Message, error) {
	s, err := b.prepare(tx, t)
	if err != nil {
		return chat.Message{}, err
	}
	if by == nil && b.Traits(chat.Place(t.Place)).Pages {
		by = &chat.Viewer{}
	}
	m, err := s.drawFor(by)
	if err != nil {
		return chat.Message{}, fmt.Errorf("board of table %d: %w", t.ID, err)
	}
	views := make([]chat.View, 0, len(others))
	for _, other := range others {
		seen := m
		if by == nil || !s.watches(*by) || !s.watches(other) {
			if seen, err = s.drawFor(&other); err != nil {
				continue
			}
		}
		views = append(views, chat.View{By: other, Message: seen})
	}
	m.Views = views
	return m, nil
}

// watches reports whether a viewer sees what all see in the language of the board: one without a seat does, but for the
// button that gives a seat.
func (s *BoardView) watches(by chat.Viewer) bool {
	lang := s.bot.Words.Match(by.Lang)
	return len(by.People) == 0 && !by.Offers && (!by.Unseated || s.Table.State != store.Lobby) &&
		by.Open.Table != s.Table.ID && (lang == "" || lang == s.lang)
}

// drawFor draws the board for one who looks, nil: for all.
func (s BoardView) drawFor(by *chat.Viewer) (m chat.Message, err error) {
	if by != nil {
		s.lang = cmp.Or(s.bot.Words.Match(by.Lang), s.lang)
		s.names, s.Message.Lang = s.bot.NamesAt(s.Table, s.lang), s.lang
		s.viewer, s.Table.Board.Page = by, openPage(s.Table, *by, s.bot.Now())
	}
	s.Message.Turn, s.Message.Version = s.Table.Turn, s.Table.Version
	s.Message.Live = s.Table.State == store.Lobby || s.Table.State == store.Playing
	s.Message.Game = s.Line(s.bot.TableLabel(s.Game, s.Table.Rules))
	switch {
	case by != nil && by.Offers:
		err = s.offers()
	case s.Table.State == store.Lobby:
		err = s.lobby()
	case s.Table.State == store.Playing:
		err = s.playing()
	case s.Table.State == store.Over:
		err = s.over()
	default:
		err = s.abandoned()
	}
	if by != nil && err == nil {
		s.forViewer()
	}
	return s.Message, err
}

// Offers returns the message to all about the seats of a table that are offered, in the language of its board.
func (b *Boards) Offers(tx *store.Tx, t store.Table) (chat.Message, error) {
	s, err := b.prepare(tx, t)
	if err != nil {
		return chat.Message{}, err
	}
	err = s.offers()
	return s.Message, err
}

// prepare returns the view of a table in the language of its board: the message names the table alone.
func (b *Boards) prepare(tx *store.Tx, t store.Table) (BoardView, error) {
	group, err := tx.Chats.Chat(t.Chat)
	if err != nil {
		return BoardView{}, err
	}
	g, err := b.Game(t.Game)
	if err != nil {
		return BoardView{}, err
	}
	lang, err := b.TableLanguage(tx, group, t)
	if err != nil {
		return BoardView{}, err
	}
	s := b.view(tx, t, g, lang)
	if s.host, err = tx.Chats.Player(t.Opener); err != nil {
		return BoardView{}, err
	}
	s.owner, s.Message.Table, s.Message.Concerns = group.Owner, t.ID, concerned(t)
	return s, nil
}

// view returns an empty board of a table in a language.
func (b *Boards) view(tx *store.Tx, t store.Table, g games.Game, lang string) BoardView {
	return BoardView{bot: b, Tx: tx, Table: t, Game: g, lang: lang, names: b.NamesAt(t, lang), read: bot.Cache{},
		Message: chat.Message{Lang: lang, Accent: -1}}
}

// SmallPrint sets the small print: the seal of the dice and the name of the rules.
func (s *BoardView) SmallPrint() error {
	rules, err := s.rulesName()
	args := games.Args{"Seal": s.Table.Dice.Commitment[:min(shownSeal, len(s.Table.Dice.Commitment))], "Rules": rules}
	if last := LastWord(s.Table); s.Table.State == store.Lobby && last >= 0 && len(Voting(s.Table)) > 1 {
		args["Seat"] = games.Seat(last)
		s.Message.Small = s.Say("bot.small-last", args)
		return err
	}
	s.Message.Small = s.Say("bot.small", args)
	return err
}

// playing draws a match that goes on.
func (s *BoardView) playing() error {
	_, m, err := s.bot.Match(s.Table)
	if err != nil {
		return err
	}
	s.turn = m.Turn()
	if err := s.pace(m); err != nil {
		return err
	}
	view := viewOf(s.Table, m)
	if len(view.Undo) > 0 {
		if view.Undo, err = s.mayUndo(view.Undo); err != nil {
			return err
		}
	}
	steps := s.bot.Traits(chat.Place(s.Table.Place)).Steps
	unseen, err := s.unseen()
	if err != nil {
		return err
	}
	if len(unseen) > 0 && !steps {
		if view, err = s.asSeen(unseen[0].Before, m, view); err != nil {
			return err
		}
	}
	s.tellAll(view.Head)
	s.game(view)
	if len(s.pressed) > 0 {
		s.throwsAtOnce()
	}
	var told []string
	if len(unseen) > 0 {
		told = s.unseenLines(s.retold(unseen), nil, false)
		s.Message.Lines = append(told, s.Message.Lines...)
	}
	if len(s.turn) == 1 {
		s.Message.Accent = int(s.turn[0])
		if s.Message.Head == "" {
			s.tell(s.Say("bot.to-move", games.Args{"Seat": s.turn[0]}))
		}
	}
	if s.Table.Waits {
		s.thinking(view, s.turn)
	} else {
		if s.viewer == nil || s.looksToMove() { // a terminal shows the board of all, and plays for the mover
			s.touched(view)
		}
		s.moves(view, s.turn)
	}
	s.absent()
	if err := s.deadline(m); err != nil {
		return err
	}
	s.playsOtherwise()
	if s.Table.Clock.Warned > 0 {
		if err := s.idleNote(); err != nil {
			return err
		}
	}
	s.ending()
	if err := s.smallInPlay(view.Notes); err != nil {
		return err
	}
	ExplainSigns(&s.Message, view.Sheet, s.Line)
	if err := s.guideTurn(view, s.turn); err != nil {
		return err
	}
	s.brief(len(told))
	if !steps {
		return nil
	}
	return s.steps()
}

// brief shortens a board that tells much: beside unseen turns there is no small print, and beside many of them the
// seats alone show who is next. Beside a turn that has ended and a lesson it says only what is played for, or when the
// turn ends.
func (s *BoardView) brief(turns int) {
	guided := s.Message.Guide != ""
	ended := slices.ContainsFunc(s.Message.Tiles, func(row chat.TileRow) bool { return row.Owner != "" })
	switch {
	case turns > 0:
		s.Message.Small = ""
	case guided && ended:
		s.Message.Small = s.pool()
		if s.viewer == nil && s.Message.Deadline != nil { // a page has room
			s.Message.Small = ""
		}
	}
	if turns > 2 || guided && turns > 0 {
		s.Message.Told = nil
	}
}

// smallInPlay sets the small print of a running match: where it stands, what is played
// for, and by which rules where they are not the usual ones. The seal of the dice stands in the
// lobby, at the end and in /fair. Other notes of the game are lines of their own.
func (s *BoardView) smallInPlay(notes []games.Line) error {
	var small []string
	for i, note := range notes {
		if i == 0 {
			small = append(small, s.Line(note))
		} else {
			s.Message.Lines = append(s.Message.Lines, s.Line(note))
		}
	}
	if pool := s.pool(); pool != "" {
		small = append(small, pool)
	}
	switch variant := games.VariantOf(s.Game, s.Table.Rules); {
	case s.Table.HouseRules > 0:
		rules, err := s.rulesName()
		if err != nil {
			return err
		}
		small = append(small, s.Line(rules))
	case variant != "" && variant != s.Game.Variants()[0].Name && variant != games.CalledOf(s.Game, s.Table.Rules):
		small = append(small, s.Line(s.bot.VariantLabel(s.Game, variant)))
	}
	s.Message.Small = strings.Join(small, " · ")
	return nil
}

// notes are what a game says beside the seats.
func (s *BoardView) notes(view games.View) {
	for _, note := range view.Notes {
		s.Message.Lines = append(s.Message.Lines, s.Line(note))
	}
}

// thinking draws a match in which the house is to move, and its move is still
// being worked out: there is nothing to press but what looks at the sheet.
func (s *BoardView) thinking(view games.View, turn []games.Seat) {
	for _, seat := range turn {
		if s.Table.Seats[seat].House != "" {
			s.tell(s.Say("bot.thinking", games.Args{"Seat": seat}))
			break
		}
	}
	s.paper = view.Sheet != nil
	s.Message.Row(s.sheetButton(view)...)
}

// game draws what is alike while a match goes on and when it is over.
func (s *BoardView) game(view games.View) {
	var picked []int // numbers of tiles
	if view.Pick != nil && view.Pick.Kind == "tiles" {
		picked = numbersOf(*view.Pick, ParseDraft(s.Table.Draft))
	}
	s.Message.Tiles = s.tileRows(view.Tiles)
	for i := range s.Message.Tiles {
		row := &s.Message.Tiles[i]
		row.Picks = view.Pick != nil && !PicksDice(view.Pick)
		for j, tile := range row.Tiles {
			row.Tiles[j].Picked = tile.Open && slices.Contains(picked, tile.Number)
		}
	}
	s.dice(view)
	if view.Sheet != nil {
		s.sheet(view.Sheet)
	}
	s.people(func(i int) (string, games.StandState) {
		if i >= len(view.Stands) {
			return "", games.Waiting
		}
		if stand := view.Stands[i]; stand.Line.Key != "" {
			return s.Line(stand.Line), stand.State
		}
		return "", view.Stands[i].State
	})
}

// moves draws the buttons of the match, and those that show the sheet, take a move back and ask for the best move.
func (s *BoardView) moves(view games.View, turn []games.Seat) {
	s.paper = view.Sheet != nil
	nav := append(s.sheetButton(view), s.undoAndHint(view, turn)...)
	group, writes := Writes(s.Table.Board.Page)
	view, apart := parted(view)
	crowded := Crowded(view, s.bot.Traits(chat.Place(s.Table.Place)).Sparing)
	switch {
	case PicksDice(view.Pick) && !writes:
		s.keepButtons(view, crowded, nav)
		return
	case s.Table.Board.Page == PageStrike && len(apart) > 0:
		s.part(view, [][]games.Button{apart}, givesUp, nav)
		return
	case crowded && group > 0 && group <= len(view.Groups):
		s.part(view, view.Buttons, func(b games.Button) bool { return b.Group == group }, nav)
		return
	case crowded:
		s.crowd(view, nav)
		return
	}
	for _, row := range view.Buttons {
		s.Message.Rows(chat.ChoiceRow, s.drawn(row)...)
	}
	if len(apart) > 0 {
		nav = append([]chat.Button{s.button(view.Apart, "!show "+PageStrike, games.Plain)}, nav...)
	}
	switch {
	case PicksDice(view.Pick):
		s.Message.Row(append([]chat.Button{s.key("back", "!show", games.Plain)}, nav...)...)
		return
	case len(s.Message.Buttons) == 1 && len(s.Message.Buttons[0]) == 1:
		s.Message.Buttons[0] = append(s.Message.Buttons[0], nav...)
	default:
		s.Message.Row(nav...)
	}
	if view.Pick != nil {
		s.items(view)
	}
}

// drawn returns buttons of a view as they stand on the board.
func (s *BoardView) drawn(row []games.Button) (drawn []chat.Button) {
	for _, b := range row {
		drawn = append(drawn, s.button(s.throwsOn(b.Label, b.Move), string(b.Move), b.Style))
	}
	return drawn
}

// sheetButton leads to the sheet and away from it.
func (s *BoardView) sheetButton(view games.View) []chat.Button {
	switch {
	case view.Sheet == nil:
		return nil
	case s.Table.Board.Page == PageSheet:
		return []chat.Button{s.key("sheet-off", "!show sheet", games.Plain)}
	}
	return []chat.Button{s.key("sheet", "!show sheet", games.Plain)}
}

// items draws the items of a choice that can still lead to a move.
func (s *BoardView) items(view games.View) {
	d := ParseDraft(s.Table.Draft)
	var row []chat.Button
	for i, number := range view.Pick.Items {
		if !d.Toggles(i, *view.Pick) {
			continue
		}
		style, key := games.Plain, "bot.button.item"
		if len(d.Toggle(i)) < len(d) {
			style, key = games.Success, "bot.button.picked"
		}
		row = append(row, s.button(games.Say(key, games.Args{"Item": number}), pickPress(i), style))
	}
	s.Message.Rows(chat.ChoiceRow, row...)
	s.Message.Row(s.plays(*view.Pick, d)...)
}

// beside puts buttons into the row that leads to the sheet, where there is one
// with room: a board with many moves has no row to spare.
func (s *BoardView) beside(buttons ...chat.Button) {
	last := len(s.Message.Buttons) - 1
	if last < 0 || !s.paper || len(s.Message.Buttons[last])+len(buttons) > chat.ChoiceRow {
		s.Message.Row(buttons...)
		return
	}
	s.Message.Buttons[last] = append(s.Message.Buttons[last], buttons...)
}
