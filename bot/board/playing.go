package board

import (
	"cmp"
	"slices"
	"strings"

	"knobel/bot"
	"knobel/bot/chat"
	"knobel/games"
	"knobel/store"
)

// The board of a running match.

// drawPlaying draws a running match.
func (s *BoardView) drawPlaying() {
	_, m, err := s.bot.Match(s.Table)
	if s.Err = cmp.Or(s.Err, err); err != nil {
		return
	}
	s.turn = m.Turn()
	s.readPace(m)
	view, unseen, steps := viewOf(s.Table, m), s.unseenMoves(), s.traits.Steps
	if len(unseen) > 0 && !steps {
		view = s.adaptUnseen(unseen[0].Before, m, view)
	}
	if s.viewer != nil && s.isViewersTurn() {
		view = s.forMover(view, steps)
	}
	s.tellAll(view.Head)
	s.drawGame(view)
	if len(s.pressed) > 0 {
		s.addPressRolls()
	}
	var told []string
	if len(unseen) > 0 {
		told = s.unseenLines(s.groupTurns(unseen), nil, false)
		s.Message.Lines = append(told, s.Message.Lines...)
	}
	if len(s.turn) == 1 {
		s.Message.Accent = int(s.turn[0])
		if s.Message.Head == "" {
			s.tell(s.Say("bot.to-move", games.Args{"Seat": s.turn[0]}))
		}
	}
	if s.Table.Waits {
		s.drawThinking(view)
	} else {
		if s.viewer == nil && s.bot.Picks || s.viewer != nil && s.isViewersTurn() {
			s.makePressable(view)
		}
		s.addMoves(view)
	}
	s.addAbsences()
	s.addDeadline(m)
	absent := slices.ContainsFunc(s.Table.Seats, func(seat store.Seat) bool { return seat.Absence != store.Present })
	if SeatsPerfect(s.Game, s.Table.Seats) || absent && s.Table.Clock.Absent == store.PlaysPerfect {
		if _, err := ProblemOf(s.Game, s.Table); err != nil {
			s.Note("bot.plays-otherwise", nil)
		}
	}
	if s.Table.Clock.Warned > 0 {
		s.addIdleNote()
	}
	s.addEndQuestion()
	s.guideTurn(view)
	s.setPlayingSmall(view.Notes, len(told))
	if s.viewer == nil && view.Sheet != nil { // a page names the columns in words
		ExplainSigns(&s.Message, view.Sheet, s.Line)
	}
	if steps {
		s.addSteps()
	}
}

// setPlayingSmall sets the small print of a running match: the first of the game's notes, the stakes, and the rules if
// they are unusual. Further notes become lines. turns is the number of lines on unseen turns (played by the computer).
//
// A full board is shortened. If turns > 0, or a lesson for a newcomer and an ended turn's tiles are shown, the small
// print holds only the stakes; with a lesson, such tiles and a deadline, a shared board has none. If turns > 2, or
// turns > 0 with a lesson, only the heading stays at the top.
func (s *BoardView) setPlayingSmall(notes []games.Line, turns int) {
	var small []string
	for i, note := range notes {
		if i == 0 {
			small = append(small, s.Line(note))
		} else if s.viewer == nil || s.isViewersTurn() { // it is about what the mover can do
			s.Message.Lines = append(s.Message.Lines, s.Line(note))
		}
	}
	pool := ""
	if s.Table.Stake > 0 {
		pool = s.stakesLine(PoolOf(s.Table).Total())
		small = append(small, pool)
	}
	switch variant := games.VariantOf(s.Game, s.Table.Rules); {
	case s.Table.HouseRules > 0:
		small = append(small, s.Line(s.rulesName()))
	case variant != "" && variant != s.Game.Variants()[0].Name && variant != games.CalledOf(s.Game, s.Table.Rules):
		small = append(small, s.Line(s.bot.VariantLabel(s.Game, variant)))
	}
	guided := s.Message.Guide != ""
	ended := slices.ContainsFunc(s.Message.Tiles, func(row chat.TileRow) bool { return row.Owner != "" })
	switch {
	case guided && ended && s.viewer == nil && s.Message.Deadline != nil: // a viewer's page has room
	case turns > 0, guided && ended:
		s.Message.Small = pool
	default:
		s.Message.Small = strings.Join(small, " · ")
	}
	if turns > 2 || guided && turns > 0 {
		s.Message.Told = nil
	}
}

// addNotes adds the notes of the game as lines.
func (s *BoardView) addNotes(view games.View) {
	for _, note := range view.Notes {
		s.Message.Lines = append(s.Message.Lines, s.Line(note))
	}
}

// drawThinking draws a match that waits for a move being computed. Its only button shows or hides the score sheet.
func (s *BoardView) drawThinking(view games.View) {
	for _, seat := range s.turn {
		if s.Table.Seats[seat].House != "" {
			s.tell(s.Say("bot.thinking", games.Args{"Seat": seat}))
			break
		}
	}
	if s.paper = view.Sheet != nil; s.paper {
		s.Message.Row(s.sheetButton())
	}
}

// drawGame draws the parts that running and finished matches have in common: tiles, dice, sheet and seats.
func (s *BoardView) drawGame(view games.View) {
	var picked []int // the picked tiles
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
	s.Message.Dice = ToDice(view.Dice)
	if PicksDice(view.Pick) {
		d := ParseDraft(s.Table.Draft)
		for i := range s.Message.Dice {
			s.Message.Dice[i].Kept = slices.Contains(d, i)
			if d.CanToggle(i, *view.Pick) {
				s.Message.Dice[i].Press = s.press(pickPress(i))
			}
		}
	}
	if view.Sheet != nil {
		s.addSheet(view.Sheet)
	}
	if view.Race != nil {
		s.Message.Race = new(chat.Race(*view.Race))
	}
	s.addSeats(func(i int) (string, games.StandState) {
		if i >= len(view.Stands) {
			return "", games.Waiting
		}
		if stand := view.Stands[i]; stand.Line.Key != "" {
			return s.Line(stand.Line), stand.State
		}
		return "", view.Stands[i].State
	})
}

// The pace of a chat: whether a press also plays the forced moves (moves that need no decision) that follow it.

// The values of the setting "pace".
const (
	Quick = "quick" // a press also plays the forced moves after it
	Calm  = "calm"  // every move needs a press
)

// IsQuick reports whether a press also plays the forced moves after it. The chat's setting decides, or else whether
// drawing is expensive on the platform of place (a chat or thread).
func IsQuick(b *bot.Bot, set bot.Settings, place string) bool {
	if pace := set["pace"]; pace != "" {
		return pace == Quick
	}
	return b.Traits(chat.Place(place)).Sparing
}

// FollowsRoll reports whether the latest move was forced by the roll before it and played by the same press, so that
// it cannot be undone. moves are all moves of that press.
func FollowsRoll(moves []store.Move) bool {
	last := len(moves) - 1
	return last > 0 && moves[last].Seat == moves[last-1].Seat && len(moves[last-1].Dice) > 0
}

// readPace sets s.flows to m and s.pressed to the moves of the latest press, if a press here plays forced moves, too.
func (s *BoardView) readPace(m games.Match) {
	flowing, ok := m.(games.Flowing)
	if !ok || !IsQuick(s.bot.Bot, s.settings(), s.Table.Place) {
		return
	}
	s.flows = flowing
	s.pressed = readOnce(s, "moves of press", func(table int64) ([]store.Move, error) {
		return s.Tx.Tables.MovesAt(table, s.Table.Clock.Moved)
	})
}

// addPressRolls adds the rolls of the latest press by a person, "Anna 6 2 · 3 3", unless it is a single roll whose dice
// or tiles are on the board.
func (s *BoardView) addPressRolls() {
	var throws []string
	for _, m := range s.pressed {
		if m.Seat != s.pressed[0].Seat || m.Auto || s.Table.Seats[m.Seat].House != "" {
			break // lines on unseen turns show the later moves
		}
		if len(m.Dice) > 0 {
			throws = append(throws, spellFaces(m.Dice))
		}
	}
	if len(throws) == 0 {
		return
	}
	seat := games.Seat(s.pressed[0].Seat)
	atBox := slices.ContainsFunc(s.Message.Tiles, func(row chat.TileRow) bool { return len(row.Tiles) > 0 })
	if len(throws) == 1 && (atBox || len(s.Message.Dice) > 0 && slices.Equal(s.turn, []games.Seat{seat})) {
		return
	}
	ended := slices.IndexFunc(s.Message.Tiles, func(row chat.TileRow) bool {
		return row.Owner == s.seatName(seat) && len(row.Dice) > 0
	})
	if ended >= 0 && addRollsToRow(&s.Message.Tiles[ended], throws) {
		return
	}
	s.Note("bot.throws-at-once", games.Args{"Seat": seat, "Throws": strings.Join(throws, " · ")})
}

// addRollsToRow adds throws, the rolls of a turn that has ended, to the row with its tiles: "Anna 6 2 · 🎲 3 3". It
// returns false and changes nothing if the dice in row are not the final roll. A single roll needs no change.
func addRollsToRow(row *chat.TileRow, throws []string) bool {
	last := len(throws) - 1
	if last == 0 {
		return true
	}
	var faces []int
	for _, die := range row.Dice {
		faces = append(faces, die.Face)
	}
	if spellFaces(faces) != throws[last] {
		return false
	}
	row.Whose = row.Owner
	row.Owner += " " + strings.Join(throws[:last], " · ") + " ·"
	return true
}

// labelWithRoll returns the label of a move. If the press that plays the move also rolls, the label says so.
func (s *BoardView) labelWithRoll(label games.Line, move games.Move) games.Line {
	if s.flows == nil {
		return label
	}
	if turn := s.flows.Turn(); len(turn) != 1 || !games.ThrowsOn(s.flows, turn[0], move) {
		return label
	}
	return games.Say("bot.button.and-throw", games.Args{"Move": label})
}

// Lessons for newcomers, one line each: in the lobby, before a person's first roll, and at their first choice after
// that roll. The lines of a game have the keys GAME.first.throw and GAME.first.choose. Variants with rules that no
// option expresses use GAME.first.VARIANT.throw and .choose. If a key has no text, there is no lesson.

// newcomersMoves is the number of moves per seat after which a table gives no more lessons.
const newcomersMoves = 20

// guideTurn sets the lesson for the player to move, if the game is new to that player or to the chat. It explains the
// first roll, the first choice, or how to pick.
func (s *BoardView) guideTurn(view games.View) {
	turn := s.turn
	if len(turn) != 1 || s.Table.Turn > newcomersMoves*int64(len(s.Table.Seats)) ||
		s.Table.Seats[turn[0]].House != "" || s.Table.Board.Page != PageGame {
		return
	}
	made := int(s.Table.Turn) // the mover's moves, if they play alone
	guided := view.Pick != nil && view.Pick.Guide.Key != ""
	if len(s.Table.Seats) > 1 && !guided {
		moves := readOnce(s, "moves by seat", s.Tx.Scores.MovesBySeat)
		if int(turn[0]) >= len(moves) {
			return
		}
		made = moves[turn[0]]
	}
	var step games.Line
	switch {
	case guided:
		step = view.Pick.Guide
	case made > 1:
		return
	case made == 1 && s.viewer != nil && s.Message.Pick != nil && s.Message.Pick.Kind == "tiles":
		step.Key = "bot.first.touch" // a viewer's own page has tiles that can be pressed
	case made == 1 && s.viewer != nil && view.Sheet != nil:
		step.Key = "bot.first.row"
	default:
		step.Key = s.Table.Game + ".first."
		if variant := s.Table.Rules["variant"]; variant != "" {
			step.Key += variant + "."
		}
		step.Key += [...]string{"throw", "choose"}[made]
	}
	if !s.bot.Words.Has(step.Key) {
		return
	}
	first := readOnce(s, "first games", s.Tx.Scores.FirstGamesAt)
	if int(turn[0]) < len(first) && first[turn[0]] {
		s.Message.Guide = s.Line(step)
	}
}
