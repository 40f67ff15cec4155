package chat

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// MaxPress is the greatest length of a press in bytes.
const MaxPress = 64

// Press is the data of a button: version : table : turn : what. What is a move of the game, a verb of the table
// ("!join"), or a command ("/rules").
type Press struct {
	Table int64
	Turn  int64
	What  string
}

// pressed is the grammar of version 1; numbers have one spelling only.
var pressed = regexp.MustCompile(`^1:(0|[1-9][0-9]{0,17}):(0|[1-9][0-9]{0,8}):([ -~]{1,60})$`)

// String returns the press as a button carries it.
func (p Press) String() string { return fmt.Sprintf("1:%d:%d:%s", p.Table, p.Turn, p.What) }

// LobbyPress returns the press of a lobby's button that asks for this: "join", "leave", "house fewest", "start". It
// is for adapters that take seats for people, such as a terminal, and contains the board that the person has seen.
func LobbyPress(board Message, asks string) string {
	p := Press{Table: board.Table, What: "!" + asks}
	for _, row := range board.Buttons {
		for _, b := range row {
			if on, ok := ParsePress(b.Press); ok && on.Table == board.Table {
				p.Turn = max(p.Turn, on.Turn)
			}
		}
	}
	return p.String()
}

// ParsePress parses a press. It accepts only what String returns.
func ParsePress(text string) (Press, bool) {
	if len(text) > MaxPress {
		return Press{}, false
	}
	m := pressed.FindStringSubmatch(text)
	if m == nil {
		return Press{}, false
	}
	table, err1 := strconv.ParseInt(m[1], 10, 64)
	turn, err2 := strconv.ParseInt(m[2], 10, 64)
	return Press{table, turn, m[3]}, err1 == nil && err2 == nil
}

// Verb splits a press of a table's verb: "!set one-die=never" is the verb "set" with "one-die=never". ok is false for
// a move or a command.
func (p Press) Verb() (name, rest string, ok bool) {
	said, ok := strings.CutPrefix(p.What, "!")
	if !ok {
		return "", "", false
	}
	name, rest, _ = strings.Cut(said, " ")
	return name, rest, true
}

// Command splits a press of a command: "/rules golf".
func (p Press) Command() (name, text string, ok bool) {
	said, ok := strings.CutPrefix(p.What, "/")
	if !ok {
		return "", "", false
	}
	name, text, _ = strings.Cut(said, " ")
	return name, text, true
}
