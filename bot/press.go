package bot

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// mostPress is the largest size of what a button carries, in bytes.
const mostPress = 64

// press is what a button carries: version : table : turn : what. What is a
// move of the game, a verb of the table ("!join"), or a command ("/rules").
type press struct {
	table int64
	turn  int64
	what  string
}

// pressed is the grammar of version 1; numbers have one spelling only.
var pressed = regexp.MustCompile(`^1:(0|[1-9][0-9]{0,17}):(0|[1-9][0-9]{0,8}):([ -~]{1,60})$`)

// String spells a press for a button.
func (p press) String() string { return fmt.Sprintf("1:%d:%d:%s", p.table, p.turn, p.what) }

// LobbyPress is what a button of a table's lobby carries that asks for this:
// "join", "leave", "house fewest", "start". It is for adapters that take seats
// for people, as a terminal does.
func LobbyPress(table int64, asks string) string {
	return press{table: table, what: "!" + asks}.String()
}

// LobbyPressOn is the same for a lobby as a board shows it: whoever takes a seat
// or agrees by it has seen that board.
func LobbyPressOn(board Message, asks string) string {
	p := press{table: board.Table, what: "!" + asks}
	for _, row := range board.Buttons {
		for _, b := range row {
			if on, ok := parsePress(b.Press); ok && on.table == board.Table {
				p.turn = max(p.turn, on.turn)
			}
		}
	}
	return p.String()
}

// parsePress reads what a button carried. It accepts nothing but what String
// writes.
func parsePress(text string) (press, bool) {
	if len(text) > mostPress {
		return press{}, false
	}
	m := pressed.FindStringSubmatch(text)
	if m == nil {
		return press{}, false
	}
	table, err1 := strconv.ParseInt(m[1], 10, 64)
	turn, err2 := strconv.ParseInt(m[2], 10, 64)
	return press{table, turn, m[3]}, err1 == nil && err2 == nil
}

// verb splits what a press says about the table itself: "!set one-die=never"
// is the verb "set" with "one-die=never". ok is false for a move or a command.
func (p press) verb() (name, rest string, ok bool) {
	said, ok := strings.CutPrefix(p.what, "!")
	if !ok {
		return "", "", false
	}
	name, rest, _ = strings.Cut(said, " ")
	return name, rest, true
}

// command splits a press that stands for a command: "/rules golf".
func (p press) command() (name, text string, ok bool) {
	said, ok := strings.CutPrefix(p.what, "/")
	if !ok {
		return "", "", false
	}
	name, text, _ = strings.Cut(said, " ")
	return name, text, true
}
