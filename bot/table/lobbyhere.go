package table

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"knobel/bot"
	"knobel/bot/board"
	"knobel/bot/chat"
	"knobel/games"
	"knobel/store"
)

// A lobby in the way of another table. It belongs to its opener, but not for longer than the opener is about, and it
// keeps its place no longer than those who sit there press its buttons. Both follow from the table when another is
// asked for; the clock of turns only has the board say that the opener is away.

// givesWay reports whether another table may take the place of a lobby: only the person sits there, or no seated person
// has pressed a button for long.
func (v *Visit) givesWay(t store.Table) bool { return v.MakesRoom(t) || v.isLeft(t) }

// isLeft reports whether no seated person of a lobby has pressed a button there for long.
func (v *Visit) isLeft(t store.Table) bool {
	return t.State == store.Lobby && v.At >= board.KeptUntil(t)
}

// clear closes a lobby that gives way to another. The board of one in which others sat says so; any other goes.
func (v *Visit) clear(t *store.Table) error {
	page := board.PageGivenUp
	if v.MakesRoom(*t) {
		page, t.Board.Repost = store.PageCleared, false
	}
	_, err := v.close(t, page)
	return err
}

// lobbyHere answers with the lobby that is here, how long it keeps the place, and ways to play all the same: there, or
// at a table in a thread, which a command opens; "": none can be.
func (v *Visit) lobbyHere(t store.Table, inThread string) error {
	mine := board.SeatOf(t, v.Event.User)
	sits := mine >= 0 && t.Seats[mine].Confirmed
	m, err := v.bot.Render(v.Tx, t,
		&chat.Viewer{Lang: v.Lang, People: []chat.User{v.Event.User}, Unseated: mine < 0})
	if err != nil {
		return err
	}
	head, host := "bot.lobby-here", hostOf(t)
	switch {
	case host == mine:
		head = "bot.lobby-here-own"
	case sits:
		head = "bot.lobby-here-yours"
	}
	left := time.Duration(board.KeptUntil(t)-v.At) * time.Millisecond
	a := v.Private(games.Say(head, games.Args{"Seat": games.Seat(host)}))
	a.Lines = append(append([]string{m.Head}, m.Lines...),
		v.Say(games.Say("bot.lobby-keeps", games.Args{"N": int((left + time.Minute - 1) / time.Minute)})))
	a.Small = m.Small
	var row []chat.Button
	for _, b := range slices.Concat(m.Buttons...) {
		if p, _ := chat.ParsePress(b.Press); p.What == "!join" || p.What == "!leave" {
			row = append(row, b)
		}
	}
	if may, _, err := v.mayEnd(t, false); err != nil {
		return err
	} else if may {
		end := chat.Press{Table: t.ID, Turn: board.BoardTurn(t), What: "!end"}
		row = append(row, chat.Button{Label: v.Say(games.Say("bot.button.end", nil)), Press: end.String()})
	}
	if v.Event.Threads && inThread != "" {
		key := "bot.button.own-thread"
		if v.Event.NoThread.Key != "" { // people open these themselves
			key = "bot.button.own-topic"
		}
		row = append(row, v.Button(games.Say(key, nil), inThread, games.Plain))
	}
	a.Row(row...)
	return nil
}

// hostOf returns the seat of the opener of a lobby or, where they have none, of the first person who sits there.
func hostOf(t store.Table) int {
	if board.OpenerSits(t) {
		return board.SeatOf(t, chat.User(t.Opener))
	}
	return slices.IndexFunc(t.Seats, func(s store.Seat) bool { return s.House == "" && s.Confirmed })
}

// inThread returns the command that opens the table that a person asks for in a thread, as far as a button holds what
// they ask for.
func (v *Visit) inThread(o bot.Opening, w bot.Args) string {
	command := "/" + cmp.Or(o.Command, v.bot.CommandOf(o.Game))
	said := []string{command}
	for _, name := range slices.Sorted(maps.Keys(w)) {
		said = append(said, name+"="+w[name].Text)
	}
	asked := strings.Join(append(said, "thread"), " ")
	if _, fits := chat.ParsePress(chat.Press{Table: v.Pressed().Table, What: asked}.String()); fits {
		return asked
	}
	return fmt.Sprint(command, " thread")
}
