package telegram

// Answers with tables as rich messages (Bot API 10.1), in the same words as the plain texts. If the server refuses one,
// all answers are sent as text until the restart.

import (
	"context"
	"encoding/json"
	"maps"
	"net/http"
	"strconv"
	"strings"

	tg "github.com/go-telegram-bot-api/telegram-bot-api/v5"

	"knobel/bot/chat"
)

// Limits of a rich message. Telegram's are higher.
const (
	longestRich = 30_000 // bytes
	maxColumns  = 20
)

// sendOrEdit shows m by method, which is sendMessage or editMessageText. An answer with tables becomes a rich message.
// Others, and refused ones, become the text in params. It returns Telegram's response.
func (t *Telegram) sendOrEdit(ctx context.Context, method string, m chat.Message,
	params tg.Params) (json.RawMessage, error) {
	drawn := ""
	if !t.lacks.tables.Load() {
		drawn = richHTML(m)
	}
	if drawn == "" {
		return t.call(ctx, method, params)
	}
	richParams := maps.Clone(params)
	for _, name := range [...]string{"text", "parse_mode", "link_preview_options"} {
		delete(richParams, name)
	}
	richParams["rich_message"] = inJSON(map[string]string{"html": drawn})
	richMethod := method
	if method == "sendMessage" {
		richMethod = "sendRichMessage"
	}
	raw, err := t.call(ctx, richMethod, richParams)
	// Text can help only if the content was refused. A refusal for the time or the place would refuse a text, too.
	refused, ok := refusalOf(err)
	if !ok || refused.MigrateToChatID != 0 || isRefusal(err, "message is not modified") ||
		refused.Code != http.StatusBadRequest && !isUnknownMethod(err) {
		return raw, err
	}
	refusal := err
	raw, err = t.call(ctx, method, params)
	if (err == nil || isRefusal(err, "message is not modified")) && !t.lacks.tables.Swap(true) {
		t.log.Warn("telegram rejected table markup; sending text until restart", "error", refusal)
	}
	return raw, err
}

// richHTML returns m as the HTML of a rich message; "" if m has no tables, or anything other than tables and words.
func richHTML(m chat.Message) string {
	sheet := m.Sheet != nil && m.Sheet.Asked
	if m.Table != 0 || m.Picture != nil || m.File != nil || !sheet && len(m.Grids) == 0 ||
		len(m.Tiles)+len(m.Dice)+len(m.People)+len(m.Exact) > 0 || m.Deadline != nil {
		return ""
	}
	var b strings.Builder
	writeParagraphs(&b, chat.Message{Head: m.Head, Told: m.Told})
	if sheet && !writeTable(&b, sheetTable(*m.Sheet)) {
		return ""
	}
	next := 0
	for _, g := range m.Grids {
		if g.From < next || g.To < g.From || g.To > len(m.Lines) {
			return ""
		}
		writeParagraphs(&b, chat.Message{Lines: m.Lines[next:g.From]})
		if !writeTable(&b, g) {
			return ""
		}
		next = g.To
	}
	writeParagraphs(&b, chat.Message{Lines: m.Lines[next:], Guide: m.Guide, Small: m.Small})
	if b.Len() > longestRich {
		return ""
	}
	return b.String()
}

// writeParagraphs appends the lines of m to b, each as a paragraph in HTML.
func writeParagraphs(b *strings.Builder, m chat.Message) {
	for _, l := range messageLines(m) {
		if strings.TrimSpace(l.text) == "" {
			continue
		}
		text := escaper.Replace(l.plainText())
		if l.tag != "" {
			text = "<" + l.tag + ">" + text + "</" + l.tag + ">"
		}
		b.WriteString("<p>" + text + "</p>")
	}
}

// sheetTable returns score sheet s as a table: names of columns in the first row, labels of rows in the first column.
func sheetTable(s chat.Sheet) chat.Grid {
	g := chat.Grid{Head: []string{""}}
	for i, c := range s.Columns {
		name := clip(clean(c.Name), longestName)
		switch {
		case c.Sign != "" && i > 0 && s.Columns[i-1].Seat == c.Seat:
			name = c.Sign
		case c.Sign != "":
			name += " " + c.Sign
		}
		g.Head = append(g.Head, name)
	}
	for _, r := range s.Rows {
		row := []string{r.Label}
		for _, c := range r.Cells {
			row = append(row, c.Text)
		}
		g.Rows = append(g.Rows, row)
	}
	return g
}

// writeTable appends table g to b as HTML. Its caption and column names become headings, and numbers are right-aligned.
// It returns false if g has no rows or too many columns for Telegram.
func writeTable(b *strings.Builder, g chat.Grid) bool {
	columns := len(g.Head)
	for _, row := range g.Rows {
		columns = max(columns, len(row))
	}
	if len(g.Rows) == 0 || columns == 0 || columns > maxColumns {
		return false
	}
	b.WriteString("<table>")
	if g.Caption != "" {
		writeRow(b, "th", []string{g.Caption}, columns)
	}
	if len(g.Head) > 0 {
		writeRow(b, "th", g.Head, columns)
	}
	for _, row := range g.Rows {
		writeRow(b, "td", row, columns)
	}
	b.WriteString("</table>")
	return true
}

// writeRow appends row to b, with an HTML element tag (th or td) for each cell. In a row with too few cells each cell
// spans several columns.
func writeRow(b *strings.Builder, tag string, row []string, columns int) {
	b.WriteString("<tr>")
	for _, cell := range row {
		b.WriteString("<" + tag)
		switch {
		case len(row) < columns:
			b.WriteString(` colspan="` + strconv.Itoa(columns/len(row)) + `"`)
		case isFigure(cell):
			b.WriteString(` align="right"`)
		}
		b.WriteString(">" + escaper.Replace(noMentions(clip(clean(cell), longestLine))) + "</" + tag + ">")
	}
	b.WriteString("</tr>")
}

// isFigure reports whether text is a number, or a sign such as "—" in place of one on a score sheet.
func isFigure(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool { return '0' <= r && r <= '9' || r == '·' || r == '—' }) &&
		!strings.ContainsFunc(text, func(r rune) bool {
			return (r < '0' || r > '9') && !strings.ContainsRune("+-−.,*·— ", r)
		})
}
