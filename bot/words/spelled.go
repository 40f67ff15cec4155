package words

import (
	"regexp"
	"strings"
)

// Commands in sentences, as the reader types them.

// begin and end enclose a command in sentences of message files. Arguments, such as names, contain neither.
const (
	begin = "\x0e"
	end   = "\x0f"
)

// command matches a command in a sentence: in backquotes with its arguments, or alone.
var command = regexp.MustCompile("`/([^`]+)`" + `|(^|[\s(“„])/([a-z]{2,}|\{\{\.[A-Za-z]+\}\})`)

// signed marks the commands of a sentence, plain removes the marks. Most sentences have none, and a program begins by
// reading all.
func signed(text string) string {
	if !strings.Contains(text, "/") {
		return text
	}
	return command.ReplaceAllString(text, "${2}"+begin+"${1}${3}"+end)
}

var (
	plainly = strings.NewReplacer(begin, "/", end, "")
	unasked = strings.NewReplacer(begin, "", end, "")
)

func plain(text string) string { return plainly.Replace(text) }

var marked = regexp.MustCompile(begin + "([^" + end + "]*)" + end)

// unmarked returns a sentence as in its file.
func unmarked(text string) string {
	return marked.ReplaceAllStringFunc(text, func(span string) string {
		if strings.Contains(span, " ") {
			return "`" + plain(span) + "`"
		}
		return plain(span)
	})
}

// spelled spells the commands of a sentence for the reader's platform.
func (c Context) spelled(text string) string {
	if !strings.Contains(text, begin) {
		return text
	}
	if c.Spell == nil {
		return plain(text)
	}
	var all strings.Builder
	for {
		before, rest, marked := strings.Cut(text, begin)
		all.WriteString(before)
		if !marked {
			return all.String()
		}
		typed, behind, _ := strings.Cut(rest, end)
		all.WriteString(c.Spell(typed))
		text = behind
	}
}

// markAll marks the commands of all sentences of a table.
func markAll(table map[string]any) {
	for key, value := range table {
		switch value := value.(type) {
		case string:
			table[key] = signed(value)
		case map[string]any:
			markAll(value)
		}
	}
}
