package gametest

import (
	"slices"
	"strconv"
	"strings"

	"knobel/games"
)

// The spelling of views in transcripts.

// spellMoves returns the legal moves of the first seat to move, "none" after the end.
func spellMoves(m games.Match) string {
	if len(m.Turn()) == 0 {
		return "none"
	}
	return join(m.Moves(m.Turn()[0]), func(move games.Move) string { return string(move) + "," })
}

// spellScore returns the score of r, "-" if the seat never threw.
func spellScore(r games.Row) string {
	if !r.Threw {
		return "-"
	}
	return strconv.Itoa(r.Score)
}

// SeatNames returns seats as transcripts spell them: "A C", or the text none if there are none.
func SeatNames(seats []games.Seat, none string) string {
	if len(seats) == 0 {
		return none
	}
	return join(seats, func(s games.Seat) string { return string(rune('A' + s)) })
}

// spellDice returns the faces of dice and which of them are kept.
func spellDice(dice []games.Die) string {
	kept := join(dice, func(d games.Die) string { return map[bool]string{true: "1", false: "0"}[d.Kept] })
	faces := join(dice, func(d games.Die) string { return strconv.Itoa(d.Face) })
	if kept = strings.ReplaceAll(kept, " ", ""); strings.Contains(kept, "1") {
		return faces + " kept " + kept
	}
	return faces
}

// spellOpenTiles returns the open tiles of row number which, from 0.
func spellOpenTiles(rows []games.TileRow, which int) string {
	if which >= len(rows) {
		return "no such row"
	}
	open := slices.DeleteFunc(slices.Clone(rows[which].Tiles), func(t games.Tile) bool { return !t.Open })
	if len(open) == 0 {
		return "none"
	}
	return join(open, func(t games.Tile) string { return strconv.Itoa(t.Number) })
}

// spellReason returns the reason why the move better is better than worse, without the name of the game.
func spellReason(g games.Game, m games.Match, better, worse games.Move) string {
	line, ok := games.Why(m, m.Turn()[0], better, worse)
	if !ok {
		return "nothing"
	}
	r := games.Refusal{Line: line}
	return strings.ReplaceAll(r.Error(), g.Name()+".", "")
}

// suggestedMove returns the move of v styled Primary: "throw again" for the pick, its first button's, or "nothing".
func suggestedMove(v games.View) string {
	first, again := v.Buttons[0][0], v.Pick != nil && v.Pick.Choices[0].Style == games.Primary
	switch {
	case again && first.Style != games.Primary:
		return "throw again"
	case !again && first.Style == games.Primary && v.Pick != nil:
		return string(first.Move)
	}
	return "nothing"
}

// spellCells returns a row of the sheet as text; name is the last part of its key.
func spellCells(sheet *games.Sheet, name string) string {
	if sheet == nil {
		return "no sheet"
	}
	for _, row := range sheet.Rows {
		if !strings.HasSuffix(row.Name.Key, "."+name) {
			continue
		}
		return join(row.Cells, func(c games.Cell) string {
			switch c.Mark {
			case games.Open:
				return "·"
			case games.Struck:
				return "—"
			case games.Blank:
				return "_"
			case games.Doubled:
				return strconv.Itoa(c.Points) + "*"
			}
			return strconv.Itoa(c.Points)
		})
	}
	return "no such row"
}

// join returns the texts of all elements, separated by spaces. If the last text ends in a comma, that is cut off.
func join[T any](all []T, spell func(T) string) string {
	words := make([]string, len(all))
	for i, one := range all {
		words[i] = spell(one)
	}
	return strings.TrimSuffix(strings.Join(words, " "), ",")
}

// transcriptCase is a case of a transcript: its title, and its lines without remarks.
type transcriptCase struct {
	title string
	lines []string
}

// splitTranscript splits a file into its named pieces and its cases, without remarks and empty lines.
func splitTranscript(text string) (pieces map[string][]string, cases []transcriptCase) {
	pieces = map[string][]string{}
	piece := ""
	for line := range strings.Lines(text) {
		if title, ok := strings.CutPrefix(line, "== "); ok {
			cases, piece = append(cases, transcriptCase{title: strings.TrimSpace(title)}), ""
			continue
		}
		if name, ok := strings.CutPrefix(line, "-- "); ok {
			piece = strings.TrimSpace(name)
			continue
		}
		line, _, _ = strings.Cut(line, "#")
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		if piece != "" {
			pieces[piece] = append(pieces[piece], line)
		} else if last := len(cases) - 1; last >= 0 {
			cases[last].lines = append(cases[last].lines, line)
		}
	}
	return pieces, cases
}
