package review

import (
	"fmt"

	"knobel/bot"
	"knobel/games"
	"knobel/store"
)

// maxPastData is how many finished games a page gets at once.
const maxPastData = 20

// Past holds the latest finished games of a chat, newest first, as data for a page.
type Past struct {
	Past []PastGame `json:"past"`
	None string     `json:"none,omitempty"` // the sentence in place of an empty list
	More string     `json:"more,omitempty"` // the command that lists earlier games; "" if there are none
}

// PastGame is a finished game: its table, its name, and its winner in words.
type PastGame struct {
	Table  int64  `json:"table"`
	Game   string `json:"game"`
	Title  string `json:"title"`
	Said   string `json:"said"`
	At     int64  `json:"at"` // when it ended, in Unix seconds
	Voided bool   `json:"voided,omitempty"`
}

// Past returns the latest finished games of the chat of v.
func (b *Reviews) Past(v *bot.Visit) (*Past, error) { return b.Visit(v).past() }

// past returns the data of /history.
func (v *visit) past() (*Past, error) {
	tables, err := v.Tx.Scores.LastFinished(v.Chat.ID, 0, maxPastData+1)
	if err != nil {
		return nil, err
	}
	past := &Past{Past: []PastGame{}}
	if len(tables) == 0 {
		past.None = v.Say(games.Say("bot.history.none", nil))
	}
	for i, t := range tables {
		if i == maxPastData {
			past.More = fmt.Sprint("/history before ", tables[i-1].ID)
			break
		}
		said, err := v.winnerLine(t)
		if err != nil {
			return nil, err
		}
		past.Past = append(past.Past, PastGame{Table: t.ID, Game: t.Game, Title: v.Say(v.gameLabel(t)),
			Said: v.Say(said), At: t.Ending.Ended / 1000, Voided: t.Ending.Voided})
	}
	return past, nil
}

// winnerLine returns a line with the winners of a finished game and their score.
func (v *visit) winnerLine(t store.Table) (games.Line, error) {
	rows, names, err := v.resultsOf(t)
	var first []string
	args, scored := games.Args{}, false
	for _, r := range rows {
		if r.Place != 1 {
			break
		}
		first = append(first, names[r.Seat])
		if hasScore(r) {
			scored, args["Score"] = true, bot.PlainNumber(r.Score)
		}
	}
	key := map[bool]string{true: "bot.data.won-with", false: "bot.data.won"}[scored]
	switch {
	case len(first) == 0: // results are stored with each finished game
		return games.Say("games.over", nil), err
	case len(first) > 1:
		key = map[bool]string{true: "bot.data.tied-with", false: "bot.data.tied"}[scored]
	case len(rows) == 1:
		key = map[bool]string{true: "bot.data.finished-with", false: "bot.data.finished"}[scored]
	}
	args["Name"], args["Names"] = first[0], first
	return games.Say(key, args), err
}
