package review

import (
	"net/url"
	"slices"
	"strconv"
	"strings"

	"knobel/bot"
	"knobel/bot/board"
	"knobel/bot/chat"
	"knobel/games"
	"knobel/store"
)

// Data of the browser page about the moves of a table: its log, and earlier boards.

// pageTable identifies a table in the data of a page.
type pageTable struct {
	Table int64  `json:"table"`
	Game  string `json:"game"`  // the game's key
	Title string `json:"title"` // what the table plays
	Over  bool   `json:"over"`
}

// pageLog is the log of a table for a page.
type pageLog struct {
	pageTable
	// Count is the number of moves that were not undone, and Turn the table's turn number.
	Count int       `json:"count"`
	Turn  int64     `json:"turn"`
	Moves []logMove `json:"moves"`
}

// logMove is a line of a log for a page.
type logMove struct {
	Move int        `json:"move"` // the board after that many moves shows what the line is about
	Turn int64      `json:"turn"`
	At   int64      `json:"at"`   // when it was made, in Unix seconds
	Seat int        `json:"seat"` // -1: the line is about no single seat
	Name string     `json:"name"`
	Dice []chat.Die `json:"dice,omitempty"`
	// Said is what happened, without the name: "closed 6 + 2". News are the whole sentences about the move, and More
	// the sentences about its effects, such as a bonus or a new round.
	Said string   `json:"said"`
	News string   `json:"news,omitempty"`
	More []string `json:"more,omitempty"`
	// Begins means that a turn begins here, Open that the seat is still choosing, Auto that an absent player's move was
	// played, End that the line shows the result.
	Begins bool `json:"begins,omitempty"`
	Open   bool `json:"open,omitempty"`
	Auto   bool `json:"auto,omitempty"`
	End    bool `json:"end,omitempty"`
}

// PageLog returns the log of the table with the number in query, for the browser page. With "since" in query, it leaves
// out the lines about the first moves, as many as that says.
func (b *Reviews) PageLog(bv *bot.Visit, query url.Values) (l pageLog, err error) {
	since, _ := strconv.Atoi(query.Get("since"))
	v, t, g, err := b.queried(bv, query)
	if err != nil {
		return l, err
	}
	l = pageLog{pageTable: v.pageTable(t, g), Turn: t.Turn, Moves: []logMove{}}
	entries, count, err := v.bot.LogOf(v.Tx, t, g)
	if _, dropped := games.Refused(err); err != nil && !dropped {
		return l, err
	}
	l.Count = count
	for _, e := range entries {
		if e.Move > since {
			l.Moves = append(l.Moves, v.logMove(e))
		}
	}
	if t.State == store.Over {
		end, err := v.endOf(t, g)
		if err != nil {
			return l, err
		}
		end.Move = count
		l.Moves = append(l.Moves, end)
	}
	return l, nil
}

// PageAt returns the board of the table with the number in query as it was after the number of moves in query ("move"),
// for the browser page. The board has no buttons.
func (b *Reviews) PageAt(bv *bot.Visit, query url.Values) (*chat.Message, error) {
	v, t, g, err := b.queried(bv, query)
	if err != nil {
		return nil, err
	}
	if t.Match == nil { // a lobby
		return nil, games.Refuse("bot.history.no-game", games.Args{"Table": t.ID})
	}
	moves, err := v.MovesOf(t)
	if err != nil {
		return nil, err
	}
	count, err := strconv.Atoi(query.Get("move"))
	if err != nil {
		count = len(moves)
	}
	s, err := v.earlierBoard(t, moves, min(max(count, 0), len(moves)))
	if err != nil {
		return nil, err
	}
	s.Message.Table, s.Message.Game = t.ID, v.pageTable(t, g).Title
	return &s.Message, s.Err
}

// queried returns the visit with the names at the table that query names, that table, and its game.
func (b *Reviews) queried(bv *bot.Visit, query url.Values) (v *visit, t store.Table, g games.Game, err error) {
	v = b.Visit(bv)
	t, err = board.QueriedTable(bv, query)
	if err == nil && t.State == store.Over {
		t, err = v.Renamed(t)
	}
	if err == nil {
		g, err = v.bot.Game(t.Game)
	}
	v.Names = v.bot.NamesAt(t, v.Lang)
	return v, t, g, err
}

// pageTable returns the data that identifies the table t.
func (v *visit) pageTable(t store.Table, g games.Game) pageTable {
	over := t.State == store.Over || t.State == store.Abandoned
	return pageTable{t.ID, t.Game, v.Say(v.bot.TableLabel(g, t.Rules)), over}
}

// logMove returns the line e of a log in the language of the visit.
func (v *visit) logMove(e board.LogEntry) logMove {
	m := logMove{Move: e.Move, Turn: e.Turn, At: e.At / 1000, Seat: int(e.Seat), Name: v.Names[e.Seat],
		Dice: board.ToDice(e.Dice), Said: v.Say(e.Said), Begins: e.Begins, Open: e.Open, Auto: e.Auto}
	var news []string
	for _, event := range e.Events {
		news = append(news, v.Say(games.Line(event)))
	}
	for _, event := range e.More {
		m.More = append(m.More, v.Say(games.Line(event)))
	}
	m.News = strings.Join(news, " ")
	return m
}

// endOf returns the line of the log about the result of the finished table t.
func (v *visit) endOf(t store.Table, g games.Game) (logMove, error) {
	_, match, err := v.bot.Match(t)
	if err != nil {
		return logMove{}, err
	}
	s := v.boardOf(t, g, match, 0)
	end := logMove{Turn: t.Turn, At: t.Ending.Ended / 1000, Seat: int(games.Nobody), Said: s.Message.Head, End: true}
	result, _ := match.Result()
	first := func(row games.Row) bool { return row.Place == 1 }
	if i := slices.IndexFunc(result.Rows, first); i >= 0 && !slices.ContainsFunc(result.Rows[i+1:], first) {
		end.Seat, end.Name = i, v.Names[i]
	}
	return end, s.Err
}
