package bot

import (
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"knobel/games"
	"knobel/store"
)

// The history of a chat: its finished games, newest first, each of which can be
// looked at again, move by move. Its buttons know all that they need: they work
// after a restart, and for everybody.

// How much a page of the history holds.
const (
	mostPast   = 5 // games
	mostScores = 4 // people of a game
)

// historyCommand lists the last games, or shows one of them as it stood after
// one of its moves: "41", "41 12", "page 2". The buttons of a page end with the
// tag of whom it was made for.
func (v *visit) historyCommand(w wishes) error {
	said := strings.Fields(shorten(w["game"], mostText))
	if n := len(said); n > 0 && strings.HasPrefix(said[n-1], "@") {
		v.turns(said[n-1][1:])
		said = said[:n-1]
	}
	switch {
	case len(said) == 0:
		return v.pastGames(0)
	case len(said) == 2 && said[0] == "page":
		if page, err := strconv.Atoi(said[1]); err == nil {
			return v.pastGames(page)
		}
	case len(said) <= 2:
		table, err := strconv.ParseInt(strings.TrimPrefix(said[0], "#"), 10, 64)
		if err == nil {
			return v.pastGame(table, append(said, "")[1])
		}
	}
	return games.Refuse("bot.history.how", nil)
}

// turns notes that the answer is another page of the one whose button was
// pressed, where that was made for the same person.
func (v *visit) turns(asker string) {
	v.reply.Turned = v.ev.Press != "" && asker == pageTag(v.ev.User)
}

// pageTag stands for a person in presses, which have no room for their id.
func pageTag(user User) string {
	sum := sha256.Sum256([]byte(user))
	return base64.RawURLEncoding.EncodeToString(sum[:])[:4]
}

// pageButton is a button of a page that the person turns: behind its command
// stands whose page it is.
func (v *visit) pageButton(label games.Line, command string, style games.Style) Button {
	p := press{what: command + " @" + pageTag(v.ev.User)}
	return Button{Label: shorten(v.say(label), mostButton), Press: p.String(), Style: style}
}

// pastGames shows a page of the games that have ended in the chat.
func (v *visit) pastGames(page int) error {
	page = max(page, 0)
	tables, all, err := v.tx.FinishedPage(v.chat.ID, page*mostPast, mostPast)
	if err != nil {
		return err
	}
	pages := (all + mostPast - 1) / mostPast
	if len(tables) == 0 && all > 0 {
		return v.pastGames(pages - 1)
	}
	head := games.Say("bot.history.page", games.Args{"N": all, "Page": page + 1, "Pages": pages})
	switch {
	case all == 0:
		head = games.Say("bot.history.none", nil)
	case pages == 1:
		head = games.Say("bot.history.games", games.Args{"N": all})
	}
	m := v.private(head)
	var looks, turn []Button
	for _, table := range tables {
		line, err := v.pastLine(table)
		if err != nil {
			return err
		}
		m.Lines = append(m.Lines, line)
		looks = append(looks, v.pageButton(games.Say("bot.button.game-number", games.Args{"Table": table}), fmt.Sprintf("/history %d", table), games.Plain))
	}
	if page > 0 {
		turn = append(turn, v.pageButton(games.Say("bot.button.newer", nil), fmt.Sprint("/history page ", page-1), games.Plain))
	}
	if page < pages-1 {
		turn = append(turn, v.pageButton(games.Say("bot.button.older", nil), fmt.Sprint("/history page ", page+1), games.Plain))
	}
	for _, row := range [][]Button{looks, turn} {
		if len(row) > 0 {
			m.Buttons = append(m.Buttons, row)
		}
	}
	return nil
}

// pastLine says one game in a line, its winners first.
func (v *visit) pastLine(table int64) (string, error) {
	t, err := v.tx.Table(table)
	if err != nil {
		return "", fmt.Errorf("table %d: %w", table, err)
	}
	rows, err := v.tx.Results(table)
	if err != nil {
		return "", err
	}
	names := v.bot.namesAt(t, v.lang)
	slices.SortStableFunc(rows, func(a, b store.Result) int { return a.Place - b.Place })
	var people []string
	for i, r := range rows {
		if i == mostScores {
			people = append(people, v.say(games.Say("bot.history.more", games.Args{"N": len(rows) - i})))
			break
		}
		people = append(people, names[r.Seat]+" "+wonBy(t, r))
	}
	game := games.Say("bot.text", games.Args{"Text": t.Game})
	if g, err := v.bot.game(t.Game); err == nil {
		game = v.bot.gameLabel(g)
	}
	return v.say(games.Say("bot.history.line", games.Args{
		"Table": table, "Day": v.day(t.Opened), "Game": game, "People": strings.Join(people, " · "),
	})), nil
}

// wonBy is what a game was about for a seat: what it won from the pool, else
// its score.
func wonBy(t store.Table, r store.Result) string {
	switch {
	case t.Stake > 0:
		return signed(r.Pool)
	case r.Threw || r.Difference.D != 0:
		return plainNumber(r.Score)
	}
	return "–"
}

// plainNumber spells a number that may be negative: "12", "−3".
func plainNumber(n int64) string {
	if n < 0 {
		return signed(n)
	}
	return strconv.FormatInt(n, 10)
}

// day is the day of a moment, by the clock of the installation.
func (v *visit) day(at int64) string {
	return time.UnixMilli(at).In(v.bot.zone).Format(time.DateOnly)
}

// pastGame shows a finished game as it stood after one of its moves.
func (v *visit) pastGame(table int64, where string) error {
	t, err := v.tx.Table(table)
	missing := errors.Is(err, store.ErrNotFound) || err == nil && (t.Chat != v.chat.ID || t.State != store.Over)
	if missing {
		return games.Refuse("bot.history.no-game", games.Args{"Table": table})
	}
	if err != nil {
		return fmt.Errorf("table %d: %w", table, err)
	}
	history, err := v.tx.Moves(table)
	if err != nil {
		return err
	}
	moves, err := standing(history)
	if err != nil {
		return fmt.Errorf("table %d: %w", table, err)
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
	v.reply.Private = m
	return nil
}
