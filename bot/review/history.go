package review

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"knobel/bot"
	"knobel/bot/board"
	"knobel/bot/chat"
	"knobel/bot/table"
	"knobel/games"
	"knobel/store"
)

// Command /history: the finished games of a chat, each of which can be replayed move by move. Its buttons contain all
// that is needed, so they work after a restart and for everyone.

// The maximum numbers of entries.
const (
	maxPast    = 5  // games on a page
	maxOffered = 25 // games offered while a user types a game number
	maxScores  = 4  // players named in the line of a game
	maxSteps   = 12 // moves on a page of a review
)

// historyCommand lists the latest games, or shows one as it was after a given number of moves: "41", "41 12".
func (v *visit) historyCommand(w bot.Args) error {
	if table, given := w.Amount("game"); given {
		return v.pastGame(table, w.Text("move"))
	}
	return v.pastGames(0)
}

// earlierGames lists the games that ended before a given one: "before 37".
func (v *visit) earlierGames(w bot.Args) error {
	table, _ := w.Amount("game")
	return v.pastGames(table)
}

// pastGames shows a page of finished games: those before a table number, or the latest if before is 0.
func (v *visit) pastGames(before int64) error {
	tables, err := v.Tx.Scores.LastFinished(v.Chat.ID, before, maxPast+1)
	if err != nil {
		return err
	}
	more := len(tables) > maxPast
	tables = tables[:min(len(tables), maxPast)]
	head := games.Say("bot.history.games", games.Args{"N": len(tables)})
	switch {
	case len(tables) == 0 && before == 0:
		head = games.Say("bot.history.none", nil)
	case before != 0:
		head = games.Say("bot.history.earlier", games.Args{"Table": before})
	}
	m := v.Private(head)
	var looks, turn []chat.Button
	grid := chat.Grid{To: len(tables), Head: v.Columns("bot.column.number", "bot.column.day",
		"bot.column.game", "bot.column.results", "bot.column.note")}
	for _, t := range tables {
		past, err := v.past(t)
		if err != nil {
			return err
		}
		line := v.Say(past.line(t))
		row := []string{fmt.Sprint("#", t.ID), v.Say(past.day), v.Say(past.game), past.people, ""}
		if t.Ending.Voided {
			line = v.Say(games.Say("bot.history.voided", games.Args{"Line": struck(line)}))
			for i, cell := range row {
				row[i] = struck(cell)
			}
			row[len(row)-1] = v.Say(games.Say("bot.history.is-voided", nil))
		}
		m.Lines = append(m.Lines, line)
		grid.Rows = append(grid.Rows, row)
		number := games.Say("bot.button.game-number", games.Args{"Table": t.ID})
		looks = append(looks, v.Button(number, fmt.Sprintf("/history %d", t.ID), games.Plain))
	}
	if len(tables) > 0 {
		m.Grid(grid)
	}
	if before != 0 {
		turn = append(turn, v.Button(games.Say("bot.button.newest", nil), "/history", games.Plain))
	}
	if more {
		turn = append(turn, v.Button(games.Say("bot.button.older", nil),
			fmt.Sprint("/history before ", tables[maxPast-1].ID), games.Plain))
	}
	m.Row(looks...)
	m.Row(turn...)
	return nil
}

// endedGames returns the latest finished games of the chat as choices of an option.
func (v *visit) endedGames() (all []bot.Choice, err error) {
	tables, err := v.Tx.Scores.LastFinished(v.Chat.ID, 0, maxOffered)
	for _, t := range tables {
		past, err := v.past(t)
		if err != nil {
			return nil, err
		}
		line := past.line(t)
		if t.Ending.Voided {
			line = games.Say("bot.history.voided", games.Args{"Line": line})
		}
		all = append(all, bot.Choice{Value: fmt.Sprint(t.ID),
			Label: games.Say("bot.text", games.Args{"Text": v.Say(line)})})
	}
	return all, err
}

// past is the summary of a finished game for lists.
type past struct {
	day, game games.Line
	people    string // names, winners first, with the units won or, without a stake, the score
}

// line returns the summary as one line.
func (p past) line(t store.Table) games.Line {
	return games.Say("bot.history.line", games.Args{"Table": t.ID, "Day": p.day, "Game": p.game, "People": p.people})
}

// past returns the summary of a finished game.
func (v *visit) past(t store.Table) (past, error) {
	rows, err := v.Tx.Tables.Results(t.ID)
	if err == nil {
		t, err = v.Renamed(t)
	}
	if err != nil {
		return past{}, err
	}
	names := v.bot.NamesAt(t, v.Lang)
	slices.SortStableFunc(rows, func(a, b store.Result) int { return a.Place - b.Place })
	var people []string
	for i, r := range rows {
		if i == maxScores {
			people = append(people, v.Say(games.Say("bot.history.more", games.Args{"N": len(rows) - i})))
			break
		}
		won := games.Number("–")
		switch {
		case t.Stake > 0:
			won = bot.Signed(r.Units())
		case r.Threw || r.Difference.D != 0:
			won = bot.PlainNumber(r.Score)
		}
		people = append(people, names[r.Seat]+" "+v.Number(won))
	}
	game := games.Say("bot.text", games.Args{"Text": t.Game})
	if g, err := v.bot.Game(t.Game); err == nil {
		game = v.bot.TableLabel(g, t.Rules)
	}
	day, err := v.DayLabel(t.Ending.Evening)
	return past{day, game, strings.Join(people, " · ")}, err
}

// struck returns text struck through on every platform, by a combining stroke after each character.
func struck(text string) string {
	var b strings.Builder
	for _, r := range text {
		b.WriteRune(r)
		if unicode.IsPrint(r) && r != ' ' { // a struck space looks like a dash at a line break
			b.WriteRune('\u0336')
		}
	}
	return b.String()
}

// pastGame shows a finished game as it was at the move that where names. Without stored moves it shows the end.
func (v *visit) pastGame(table int64, where string) error {
	t, err := v.Finished(table)
	if err != nil {
		return err
	}
	if t, err = v.Renamed(t); err != nil {
		return err
	}
	if t.Ending.MovesDropped { // only the end can be shown
		g, match, err := v.bot.Match(t)
		if err != nil {
			return err
		}
		m, err := v.stood(t, g, match, 0, games.Say("bot.history.bare", games.Args{"Table": t.ID}))
		if err != nil {
			return err
		}
		m.Buttons = [][]chat.Button{{v.Button(games.Say("bot.button.games", nil), "/history", games.Plain)}}
		v.Reply.Private = m
		return nil
	}
	moves, err := v.MovesOf(t)
	if err != nil {
		return err
	}
	at, ok := stepTo(moves, where)
	if !ok {
		return games.Refuse("bot.history.how", nil)
	}
	m, err := v.replay(t, moves, at)
	if err != nil {
		return fmt.Errorf("table %d after %d moves: %w", table, at, err)
	}
	m.Buttons = v.stepButtons(table, at)
	v.Reply.Private = m
	return nil
}

// stepTo returns the number of moves to replay: "12" is after twelve, "" and "first" the start, "last" the end, "<12"
// the start of the turn that led to 12, ">12" the end of the turn after it. Numbers out of range become the nearest
// end. It returns false if where is none of these.
func stepTo(moves []store.Move, where string) (int, bool) {
	switch where {
	case "", "first":
		return 0, true
	case "last":
		return len(moves), true
	}
	direction := where[0]
	if direction == '<' || direction == '>' {
		where = where[1:]
	}
	at, err := strconv.Atoi(where)
	if err != nil {
		return 0, false
	}
	at = min(max(at, 0), len(moves))
	switch direction {
	case '<':
		for at--; at > 0 && moves[at-1].Seat == moves[at].Seat; at-- {
		}
	case '>':
		for at++; at < len(moves) && moves[at-1].Seat == moves[at].Seat; at++ {
		}
	}
	return min(max(at, 0), len(moves)), true
}

// stepButtons returns the buttons to other moves of a replay. Their positions stay fixed, so that users can press
// repeatedly without looking.
func (v *visit) stepButtons(table int64, at int) [][]chat.Button {
	step := func(label games.Line, where string) chat.Button {
		return v.Button(label, fmt.Sprintf("/history %d %s", table, where), games.Plain)
	}
	onward := step(games.Say("bot.button.next", nil), strconv.Itoa(at+1))
	onward.Style = games.Primary
	return [][]chat.Button{
		{
			step(games.Say("bot.button.first", nil), "first"),
			step(games.Say("bot.button.previous", nil), strconv.Itoa(at-1)),
			onward, step(games.Say("bot.button.last", nil), "last"),
		},
		{
			step(games.Say("bot.button.turn-before", nil), fmt.Sprint("<", at)),
			step(games.Say("bot.button.turn-after", nil), fmt.Sprint(">", at)),
			v.Button(games.Say("bot.button.games", nil), "/history", games.Plain),
		},
	}
}

// replay returns the board of a finished game after the first at moves, in the user's language.
func (v *visit) replay(t store.Table, moves []store.Move, at int) (*chat.Message, error) {
	g, err := v.bot.Game(t.Game)
	if err != nil {
		return nil, err
	}
	match, _, err := table.Replayed(g, t, moves[:at])
	if err != nil {
		return nil, err
	}
	where := games.Say("bot.history.before", games.Args{"Table": t.ID})
	if at > 0 {
		where = games.Say("bot.history.step", games.Args{"Table": t.ID, "Move": at, "Moves": len(moves)})
	}
	t.Seats = slices.Clone(t.Seats)
	for i, s := range t.Seats { // seats that left the game after this move still take part
		if after := board.OutAfter(s, i, moves); after != nil && at <= *after {
			t.Seats[i].Absence = store.Present
		}
	}
	seat := 0 // seat of the last move shown, at the start that of the first
	if len(moves) > 0 {
		seat = moves[max(at-1, 0)].Seat
	}
	return v.stood(t, g, match, seat, where)
}

// stood returns the board of a finished game in the state match, with the sheet of seat; where is its headline.
func (v *visit) stood(t store.Table, g games.Game, match games.Match, seat int, where games.Line) (*chat.Message,
	error) {
	t.Board.Page = board.PageSheet
	s := v.bot.AsItStood(v.Tx, v.Lang, t, g, match, seat)
	s.Message.Head = s.Say("bot.history.head", games.Args{"Where": where, "What": s.Message.Said()})
	s.Message.Told = nil
	s.SmallPrint()
	return &s.Message, s.Err
}
