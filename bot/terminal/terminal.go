// Package terminal is the platform for several people who take turns at one keyboard. It writes a chat's boards with
// numbered buttons, and reads typed moves.
package terminal

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"knobel/bot/chat"
	"knobel/bot/chat/plain"
	"knobel/bot/words"
	"knobel/games"
)

// room is the only chat of a terminal, and place is the only place in it.
const (
	room  chat.Chat  = "terminal:here"
	place chat.Place = "terminal:here"
	ref   chat.Ref   = "terminal:board" // the message id of all boards
)

// housePrefix begins the entry of a computer player in Table.Seats, before its strategy: "house:fewest".
const housePrefix = "house:"

// Table describes the table to be played at.
type Table struct {
	Game    string
	Options map[string]string // of the command that opens the table
	Seats   []string          // names, or "house:STRATEGY"; at least one name
	Lang    string            // of the people, a BCP 47 tag
	Columns int               // the screen's width, 0: unknown
}

// Waiter is the part of the bot that does slow work. A terminal waits for it before it asks for the next line.
type Waiter interface {
	// AwaitHouse waits for the moves of the computer players at a table and reports whether there were any.
	AwaitHouse(ctx context.Context, table int64) (waited bool, err error)
	// AwaitReview waits for the review of the game at a finished table.
	AwaitReview(ctx context.Context, table int64) error
	// DrawPuzzles calls show for each puzzle at place that is new or has changed since it was last shown.
	DrawPuzzles(ctx context.Context, place chat.Place,
		show func(context.Context, chat.Place, chat.Message, chat.Ref) (chat.Ref, error)) error
}

// Terminal is one keyboard and one screen.
type Terminal struct {
	chat.Basics
	in    *bufio.Scanner
	out   io.Writer
	words *words.Words
	bot   chat.Core
	waits Waiter
	table Table
	lines chan string // typed lines, without the line break
	last  answer      // the last private answer
	votes int         // votes cast here on ending the game

	mu    sync.Mutex
	board chat.Message // the last board shown
}

// answer is a private message m that the screen shows to user. Its buttons work until the next private answer.
type answer struct {
	m    chat.Message
	user chat.User
}

// New returns a terminal for the given table. It reads lines from in and writes to out.
func New(waiter Waiter, w *words.Words, in io.Reader, out io.Writer, table Table) *Terminal {
	if table.Columns <= 0 {
		table.Columns = usualColumns
	}
	return &Terminal{in: bufio.NewScanner(in), out: out, words: w, waits: waiter, table: table,
		lines: make(chan string)}
}

// errQuit is the error of a typed request to quit, or of the end of the input.
var errQuit = errors.New("quit")

// Name returns the prefix of a terminal's ids.
func (t *Terminal) Name() string { return "terminal" }

// Run opens the table, seats the people in order, and plays until they quit or ctx is done; then it returns nil. If the
// table cannot be opened, the error is a *games.Refusal with the reason.
func (t *Terminal) Run(ctx context.Context, core chat.Core) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	t.bot = core
	go t.readLines(ctx)
	board, err := t.openTable(ctx)
	for err == nil {
		board, err = t.playLine(ctx, board)
	}
	if errors.Is(err, errQuit) || errors.Is(err, context.Canceled) {
		_, err = fmt.Fprintln(t.out) // the next output begins a line
	}
	return err
}

// Post writes the board m below everything on the screen. The error wraps chat.ErrAway if target is not place.
func (t *Terminal) Post(_ context.Context, target chat.Place, m chat.Message) (chat.Ref, error) {
	if target != place {
		return "", fmt.Errorf("post to %q: %w", target, chat.ErrAway)
	}
	m.Deadline = nil // no loop runs here, so turns never end by time
	return ref, t.write("\n" + plain.Text(t.onlyChanges(t.typable(m)), ""))
}

// Edit returns chat.ErrGone, so that the bot posts a changed board again.
func (t *Terminal) Edit(context.Context, chat.Place, chat.Ref, chat.Message) error {
	return chat.ErrGone
}

// Retire is a no-op: buttons of older boards do nothing here.
func (t *Terminal) Retire(context.Context, chat.Place, chat.Ref) error { return nil }

// readLines sends typed lines to t.lines until ctx is done or the input ends. It runs in the background, so that
// waiting for a line can be cancelled.
func (t *Terminal) readLines(ctx context.Context) {
	defer close(t.lines)
	for t.in.Scan() {
		select {
		case t.lines <- t.in.Text():
		case <-ctx.Done():
			return
		}
	}
}

// dot precedes the number of a button of a private answer: ".1". The buttons of the board have plain numbers.
const dot = "."

// userAt returns the id of the person in a seat, an index in Table.Seats.
func userAt(seat int) chat.User { return chat.User("terminal:" + strconv.Itoa(seat)) }

// event returns an event of user. The caller adds the press or the command.
func (t *Terminal) event(user chat.User) chat.Event {
	e := chat.Event{Chat: room, Place: place, User: user, Locale: t.table.Lang,
		Functions: chat.Functions{Admin: func(context.Context) bool { return true }},
		Traits:    chat.Traits{Carries: true, Typed: true, Equals: true}}
	if i := t.seatOf(user); i >= 0 {
		e.Name = t.table.Seats[i]
	}
	return e
}

// seatOf returns the index of user in Table.Seats, -1 if there is none.
func (t *Terminal) seatOf(user chat.User) int {
	for i := range t.table.Seats {
		if userAt(i) == user {
			return i
		}
	}
	return -1
}

// refusalOf returns the toast (short text) of the refused reply r as a *games.Refusal.
func refusalOf(r chat.Reply) error { return games.Refuse("bot.text", games.Args{"Text": r.Toast}) }

// reviewWithin is the timeout of waiting for the review of a finished game before its last board is shown.
const reviewWithin = 3 * time.Second

// showBoard shows the newest board of a table. While computer players move, it waits for them and shows the board
// again. It returns the last board shown.
func (t *Terminal) showBoard(ctx context.Context, table int64) (chat.Message, error) {
	soon, cancel := context.WithTimeout(ctx, reviewWithin)
	failed := t.waits.AwaitReview(soon, table)
	if soon.Err() != nil {
		failed = nil // a slow review is not a fault
	}
	cancel()
	board, err := t.newestBoard(ctx, table)
	if err != nil {
		return board, err
	}
	if _, err = t.Post(ctx, place, board); err != nil || failed != nil {
		return board, cmp.Or(err, failed)
	}
	waited, err := t.waits.AwaitHouse(ctx, table)
	if err != nil || !waited {
		return board, err
	}
	return t.showBoard(ctx, table)
}

// newestBoard returns the newest board of a table without showing it.
func (t *Terminal) newestBoard(ctx context.Context, table int64) (chat.Message, error) {
	var board chat.Message
	err := t.bot.Draw(ctx, table, false, func(_ context.Context, m chat.Message, _ chat.Ref) (chat.Ref, chat.Permit,
		error) {
		board = m
		return ref, chat.Permit{}, nil
	})
	if err != nil {
		return board, fmt.Errorf("draw table %d: %w", table, err)
	}
	return board, nil
}

// playLine reads a typed line, carries it out as a button press or command, and returns the board after it. If the line
// is "sheet" in any language, it shows the score sheet or, if board has none, the whole board.
func (t *Terminal) playLine(ctx context.Context, board chat.Message) (chat.Message, error) {
	line, err := t.readLine(ctx, board)
	if err != nil {
		return board, err
	}
	if t.isWord("terminal.word.sheet", strings.ToLower(line)) {
		b, leads := buttonOf(board, "!show sheet")
		// partly: the sheet has only some people's columns.
		partly := board.Sheet != nil && slices.ContainsFunc(board.People, func(p chat.Person) bool {
			return !slices.ContainsFunc(board.Sheet.Columns, func(c chat.SheetColumn) bool { return c.Seat == p.Seat })
		})
		if !leads || board.Sheet != nil && !partly {
			m := t.typable(board)
			if m.Deadline = nil; m.Sheet != nil {
				m = chat.Message{Head: m.Head, Lang: m.Lang, Sheet: m.Sheet, People: m.People}
			}
			return board, t.write("\n" + plain.Text(m, ""))
		}
		e := t.event(actor(board))
		e.Press = b.Press
		return t.handle(ctx, board, e)
	}
	e, refusal := t.eventOf(board, line)
	if refusal.Key != "" {
		t.say(refusal)
		return board, nil
	}
	return t.handle(ctx, board, e)
}

// handle passes e, a button press or a command, to the bot, shows the answer, and returns the board after it.
func (t *Terminal) handle(ctx context.Context, board chat.Message, e chat.Event) (chat.Message, error) {
	reply := t.bot.Handle(ctx, e)
	if reply.Page != nil {
		reply.Private = reply.Page
	}
	if reply.Private != nil {
		t.last = answer{*reply.Private, e.User}
		return board, t.write("\n" + plain.Text(*reply.Private, dot) + plain.File(reply.Private.File))
	}
	if reply.Refused || reply.Board == 0 {
		if err := t.write(fmt.Sprintf("  %s\n", plain.Clean(reply.Toast))); err != nil {
			return board, err
		}
		return board, t.showPuzzles(ctx, e.User) // a new or changed puzzle follows the toast
	}
	if reply.Board == board.Table {
		return t.showBoard(ctx, reply.Board)
	}
	return t.rematch(ctx, reply.Board, e.User)
}

// showPuzzles shows new and changed puzzles to user, as private answers.
func (t *Terminal) showPuzzles(ctx context.Context, user chat.User) error {
	err := t.waits.DrawPuzzles(ctx, place, func(_ context.Context, _ chat.Place, m chat.Message, _ chat.Ref) (chat.Ref,
		error) {
		t.last = answer{m, user}
		return "terminal:puzzle", t.write("\n" + plain.Text(m, dot))
	})
	if err != nil {
		return fmt.Errorf("draw puzzles: %w", err)
	}
	return nil
}

// eventOf returns the event that a typed line means: a command, a move with dice, tiles or a row, a button of the
// board, or else a button of the last private answer. For any other line it returns a refusal, whose Key is not "".
func (t *Terminal) eventOf(board chat.Message, line string) (chat.Event, games.Line) {
	e := t.event(actor(board))
	if name, ok := strings.CutPrefix(line, "/"); ok {
		e.Command, e.Text, _ = strings.Cut(name, " ")
		t.votes = 0
		return e, games.Line{}
	}
	seen := t.typable(board)
	button, ok := plain.Find(plain.Choices(seen, ""), line)
	if _, err := strconv.Atoi(line); ok && err == nil && seen.Pick != nil {
		ok = false // a number means dice or tiles first, then a button
	}
	if !ok {
		press, refusal := t.pressOf(seen, line)
		if e.Press = press; press != "" || refusal.Key != "" {
			return e, refusal
		}
		if button, ok = plain.Find(plain.Choices(seen, ""), line); !ok {
			button, ok = t.buttonByWord(seen, line)
		}
	}
	if ok && t.seatOf(button.For) >= 0 { // the button is for one person at this keyboard
		e = t.event(button.For)
	} else if !ok {
		if button, ok = plain.Find(plain.Choices(t.last.m, dot), line); ok {
			e = t.event(cmp.Or(button.For, t.last.user))
		}
	}
	if ok && strings.HasSuffix(button.Press, ":!vote yes") {
		e = t.event(t.nextVoter(board))
	}
	e.Press = button.Press
	if ok {
		return e, games.Line{}
	}
	if kindOf(seen) == byNumber {
		return e, games.Say("terminal.no-button", games.Args{"Typed": line})
	}
	return e, games.Say("terminal.wrong", games.Args{"Typed": line, "Type": t.typingHint(seen)})
}

// nextVoter returns the person who casts the next vote: people at one keyboard vote in the order of their seats,
// beginning after the mover, who has asked for the vote.
func (t *Terminal) nextVoter(board chat.Message) chat.User {
	var people []chat.User
	for _, p := range board.People {
		if t.seatOf(p.User) >= 0 {
			people = append(people, p.User)
		}
	}
	if len(people) == 0 {
		return actor(board)
	}
	t.votes++
	return people[(slices.Index(people, actor(board))+t.votes)%len(people)]
}

// rematch starts a new game in the lobby table and returns its board. If the lobby keeps the seats of the last game,
// all people confirm theirs. If only opener is seated, it seats everyone.
func (t *Terminal) rematch(ctx context.Context, table int64, opener chat.User) (chat.Message, error) {
	lobby, err := t.newestBoard(ctx, table)
	if err != nil {
		return lobby, err
	}
	if len(lobby.People) == 1 {
		return t.seatAll(ctx, table, t.seatOf(opener))
	}
	t.pressForAll(ctx, lobby, "join") // a repeated confirmation changes nothing
	return t.start(ctx, actor(lobby), table)
}

// actor returns the person who acts next at the board m: the one to move, else the first person in a seat.
func actor(m chat.Message) chat.User {
	bySeat := slices.SortedFunc(slices.Values(m.People), func(a, b chat.Person) int { return a.Seat - b.Seat })
	first := userAt(0)
	for _, p := range slices.Backward(bySeat) {
		if p.House || p.User == "" {
			continue
		}
		first = p.User
		if p.State == games.ToMove {
			return p.User
		}
	}
	return first
}

// readLine shows the prompt and returns the next typed line that is not empty. An empty line counts as the usual button
// of board, if board has one. If people want to quit, the error is errQuit.
func (t *Terminal) readLine(ctx context.Context, board chat.Message) (string, error) {
	for {
		seen := t.typable(board)
		first, pressable := plain.Usual(seen)
		t.say(games.Say("terminal.prompt", games.Args{"Who": actorName(board), "Enter": first.Typed,
			"Type": t.typingHint(seen)}))
		select {
		case <-ctx.Done():
			return "", ctx.Err()
		case line, ok := <-t.lines:
			line = strings.TrimSpace(line)
			if !ok || line == "q" || line == "quit" {
				return "", errQuit
			}
			if line == "" && pressable {
				return first.Typed, nil
			}
			if line != "" {
				return line, nil
			}
		}
	}
}

// actorName returns the name of the person who acts next at the board m, "?" if they have no seat.
func actorName(m chat.Message) string {
	who := actor(m)
	for _, p := range m.People {
		if p.User == who {
			return plain.Clean(p.Name)
		}
	}
	return "?"
}
