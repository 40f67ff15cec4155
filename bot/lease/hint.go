package lease

// Hints between replicas: there is work for the holder of a chat's lease.

import (
	"encoding/json"
	"strings"
)

// Hint tells the holder of a lease of chats what has changed.
type Hint struct {
	Share  int     `json:"share"`
	Tables []int64 `json:"tables,omitempty"` // with boards to draw
	Stood  int64   `json:"stood,omitempty"`  // since when the board pushed up by talk stood, in Unix milliseconds
	Wake   bool    `json:"wake,omitempty"`   // other loops have work
}

// hints is the prefix of hints.
const hints = "loops "

// String returns the text of the hint.
func (h Hint) String() string {
	text, _ := json.Marshal(h) // never fails: numbers and booleans
	return hints + string(text)
}

// ParseHint parses a hint; ok is false for another text.
func ParseHint(text string) (h Hint, ok bool) {
	rest, ok := strings.CutPrefix(text, hints)
	if !ok || json.Unmarshal([]byte(rest), &h) != nil || h.Share < 0 || h.Share >= Shares {
		return Hint{}, false
	}
	return h, true
}

// HintAt returns a hint for the replica that runs the loops of a chat; wanted is false if it is this one or the only
// one.
func (h *Holder) HintAt(chat string) (hint Hint, wanted bool) {
	if chat == "" || !h.Shared() || h.Holds(chat) {
		return Hint{}, false
	}
	return Hint{Share: ShareOf(chat)}, true
}
