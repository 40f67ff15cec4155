package lease

// What replicas tell each other in haste: that there is something to do for whoever runs the loops of a chat.

import (
	"encoding/json"
	"strings"
)

// Hint tells whoever holds a lease of chats what has changed there.
type Hint struct {
	Share  int     `json:"share"`
	Tables []int64 `json:"tables,omitempty"` // whose boards are to be drawn
	Stood  int64   `json:"stood,omitempty"`  // since when the one stood, in Unix milliseconds, that talk has pushed away
	Wake   bool    `json:"wake,omitempty"`   // other loops have something to do
}

// hints is what hints begin with.
const hints = "loops "

// String is the hint as replicas tell it.
func (h Hint) String() string {
	text, _ := json.Marshal(h) // it cannot fail: these are numbers and truths
	return hints + string(text)
}

// ParseHint reads a hint; ok is false for one about something else.
func ParseHint(text string) (h Hint, ok bool) {
	rest, ok := strings.CutPrefix(text, hints)
	if !ok || json.Unmarshal([]byte(rest), &h) != nil || h.Share < 0 || h.Share >= Shares {
		return Hint{}, false
	}
	return h, true
}

// HintAt returns a hint for whoever runs the loops of a chat; wanted is false where this replica does, or where there
// is no other.
func (h *Holder) HintAt(chat string) (hint Hint, wanted bool) {
	if chat == "" || !h.Shared() || h.Holds(chat) {
		return Hint{}, false
	}
	return Hint{Share: ShareOf(chat)}, true
}
