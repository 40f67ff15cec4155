package gametest

// The cases of a file of transcripts.

import "strings"

// told is a case of a transcript, or a piece of one.
type told struct {
	title string
	lines []string
}

// cut cuts a file into its pieces and cases. Remarks and empty lines are left out.
func cut(text string) (pieces map[string][]string, cases []told) {
	pieces = map[string][]string{}
	piece := ""
	for line := range strings.Lines(text) {
		if title, ok := strings.CutPrefix(line, "== "); ok {
			cases, piece = append(cases, told{title: strings.TrimSpace(title)}), ""
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
