package telegramtest

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// Rich messages as far as the bot uses them: paragraphs and tables.

// The limits of a rich message.
const (
	longestRich = 32_768
	maxColumns  = 20
	maxBlocks   = 500
)

var (
	block = regexp.MustCompile(`^(?s)<(p|table)>(.*?)</(?:p|table)>`)
	row   = regexp.MustCompile(`^(?s)<tr>(.*?)</tr>`)
	cell  = regexp.MustCompile(`^(?s)<(td|th)(?: colspan="([0-9]+)")?(?: align="(left|center|right)")?>(.*?)</(td|th)>`)
)

// ParseRich returns the visible words of a rich message, a line for each paragraph and row, or why it is invalid. It
// is stricter than Telegram: nothing is outside of blocks, all rows have as many columns, and no block is empty.
func ParseRich(html string) (string, error) {
	var lines []string
	for rest := html; rest != ""; {
		found := block.FindStringSubmatch(rest)
		if found == nil || !strings.HasPrefix(found[0], "<"+found[1]+">") ||
			!strings.HasSuffix(found[0], "</"+found[1]+">") {
			return "", fmt.Errorf("no block begins with %.40q", rest)
		}
		rest = rest[len(found[0]):]
		said, err := []string(nil), error(nil)
		if found[1] == "table" {
			said, err = parseTable(found[2])
		} else {
			text, wrong := ParseHTML(found[2])
			said, err = []string{text}, wrong
		}
		if err != nil {
			return "", err
		}
		lines = append(lines, said...)
	}
	text := strings.Join(lines, "\n")
	switch {
	case strings.TrimSpace(text) == "":
		return "", fmt.Errorf("rich message must be non-empty")
	case utf16Length(text) > longestRich || len(lines) > maxBlocks:
		return "", fmt.Errorf("rich message is too long")
	}
	return text, nil
}

// parseTable returns the rows of a table, cells separated by spaces.
func parseTable(rest string) (lines []string, err error) {
	columns := 0
	for rest != "" {
		found := row.FindStringSubmatch(rest)
		if found == nil {
			return nil, fmt.Errorf("no row begins with %.40q", rest)
		}
		rest = rest[len(found[0]):]
		wide, cells := 0, []string(nil)
		for inside := found[1]; inside != ""; {
			c := cell.FindStringSubmatch(inside)
			if c == nil || c[1] != c[5] {
				return nil, fmt.Errorf("no cell begins with %.40q", inside)
			}
			inside = inside[len(c[0]):]
			text, err := ParseHTML(c[4])
			if err != nil {
				return nil, err
			}
			span, _ := strconv.Atoi(c[2]) // 0 if there is none
			wide += max(span, 1)
			cells = append(cells, text)
		}
		if wide == 0 || wide > maxColumns || columns != 0 && wide != columns {
			return nil, fmt.Errorf("a row of %d columns behind one of %d", wide, columns)
		}
		columns = wide
		lines = append(lines, strings.TrimSpace(strings.Join(cells, " ")))
	}
	if columns == 0 {
		return nil, fmt.Errorf("a table of no rows")
	}
	return lines, nil
}
