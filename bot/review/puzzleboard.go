package review

import (
	"cmp"
	"fmt"
	"slices"
	"unicode/utf8"

	"knobel/bot"
	"knobel/bot/board"
	"knobel/bot/chat"
	"knobel/bot/standings"
	"knobel/games"
	"knobel/store"
)

// The message of a puzzle: the position, the moves to choose from, and the answer.

// puzzleMessage draws a puzzle: the position with the moves to choose from, and once it is closed the answer.
func (v *visit) puzzleMessage(p store.Puzzle) (*chat.Message, error) {
	pos, err := v.positionOf(p)
	if err != nil {
		return nil, err
	}
	t := pos.t
	t.Board.Page = board.PageGame
	s, err := v.bot.AsItStood(v.Tx, v.Lang, t, pos.g, pos.match, int(pos.choice.Seat))
	if err != nil {
		return nil, err
	}
	m := &s.Message
	for i := range m.People {
		m.People[i].User = "" // all people may try it
	}
	args := games.Args{"Table": pos.t.ID, "What": m.Said(), "Seat": pos.choice.Seat, "Best": pos.say(pos.step.Best),
		"Made": pos.say(pos.made)}
	m.Told, m.Puzzle, m.Version = nil, p.ID, p.Version
	if p.Open {
		m.Head = v.Say(games.Say("bot.puzzle.head", args))
		m.Lines = append(m.Lines, v.Say(games.Say("bot.puzzle.rules", nil)))
		m.Buttons = v.tryButtons(p, pos)
		board.ExplainSigns(m, pos.match.View().Sheet, v.Say)
		return m, nil
	}
	m.Head = v.Say(games.Say("bot.puzzle.answer", args))
	args["Cost"] = v.costOf(pos.reviewed, pos.step.Cost)
	args["Worth"] = v.worthOf(pos.reviewed, pos.step.Worth)
	args["Instead"] = v.worthOf(pos.reviewed, pos.step.Worth+pos.step.Cost)
	m.Lines = append(m.Lines, v.Say(games.Say("bot.puzzle.made", args)), v.Say(games.Say("bot.review.better", args)))
	if why, ok := games.Why(pos.match, pos.choice.Seat, pos.step.Best, pos.made); ok {
		m.Lines = append(m.Lines, v.Say(why))
	}
	found, err := v.finders(p)
	if err != nil {
		return nil, err
	}
	m.Lines = append(m.Lines, v.Say(found))
	board.ExplainSigns(m, pos.match.View().Sheet, v.Say)
	m.Buttons = [][]chat.Button{{v.Button(games.Say("bot.button.review", nil), fmt.Sprintf("/review %d", pos.t.ID),
		games.Plain)}}
	return m, nil
}

// tryButtons are the moves to choose from: the best, the one that was made, and those between that are alluring, in
// the order of the game. Of moves that say the same, as to keep either of two equal dice, one is enough.
func (v *visit) tryButtons(p store.Puzzle, pos position) [][]chat.Button {
	type try struct {
		tryMove
		at    int
		label string
	}
	var tries []try
	for at, m := range pos.choice.Moves {
		label := v.Say(pos.say(m.Move))
		same := slices.IndexFunc(tries, func(t try) bool { return t.label == label })
		switch {
		case same < 0:
			tries = append(tries, try{m, at, label})
		case m.Move == pos.made || m.Move == pos.step.Best:
			tries[same].tryMove = m
		}
	}
	slices.SortStableFunc(tries, func(a, b try) int {
		return cmp.Or(bot.TrueFirst(a.Move == pos.made || a.Move == pos.step.Best,
			b.Move == pos.made || b.Move == pos.step.Best),
			cmp.Compare(a.Cost, b.Cost))
	})
	tries = tries[:min(len(tries), maxTries)]
	slices.SortFunc(tries, func(a, b try) int { return cmp.Compare(a.at, b.at) })
	wide := 4
	var row []chat.Button
	for _, t := range tries {
		if utf8.RuneCountInString(t.label) > 14 {
			wide = 2
		}
		row = append(row, chat.Button{
			Label: chat.Shorten(standings.Capital(t.label), chat.MaxButton),
			Press: chat.Press{What: fmt.Sprintf("/puzzle %d %s", p.ID, t.Move)}.String(),
		})
	}
	rows := slices.Collect(slices.Chunk(row, wide))
	end := v.Button(games.Say("bot.button.answer", nil), fmt.Sprintf("/puzzle %d close", p.ID), games.Plain)
	end.For = chat.User(p.Asker)
	return append(rows, []chat.Button{end})
}

// finders names the people who found the answer at the first try. People who hide from lists are only counted.
func (v *visit) finders(p store.Puzzle) (games.Line, error) {
	guesses, err := v.Tx.Reviews.Guesses(p.ID)
	if err != nil {
		return games.Line{}, err
	}
	unlisted, err := v.Tx.Chats.Unlisted(p.Chat)
	if err != nil {
		return games.Line{}, err
	}
	found := 0
	var finders []string
	var taken chat.TakenNames
	for _, g := range guesses {
		if !g.Found {
			continue
		}
		found++
		if unlisted[g.Player].Hidden || len(finders) == maxFinders {
			continue
		}
		player, err := v.Tx.Chats.Player(g.Player)
		if err != nil {
			return games.Line{}, err
		}
		finders = append(finders, taken.Unlike(v.bot.ShownName(player.Name, v.Lang)))
	}
	args := games.Args{"N": len(guesses), "Found": found, "Names": finders}
	switch {
	case len(guesses) == 0:
		return games.Say("bot.puzzle.nobody-tried", nil), nil
	case found == 0:
		return games.Say("bot.puzzle.nobody-found", nil), nil
	case len(finders) == 0:
		return games.Say("bot.puzzle.so-many", args), nil
	}
	return games.Say("bot.puzzle.these", args), nil
}
