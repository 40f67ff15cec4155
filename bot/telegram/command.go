package telegram

import (
	"regexp"
	"strings"
)

// spoken is a command as a person wrote it.
type spoken struct {
	Name string // in lower case, without slash and bot
	To   string // the bot named behind @, "" for none
	Text string // what follows
}

var spelling = regexp.MustCompile(`^/([A-Za-z0-9_]{1,32})(?:@([A-Za-z0-9_]{1,64}))?(?:\s+|$)`)

// readCommand reads a command at the start of a message.
func readCommand(text string) (spoken, bool) {
	m := spelling.FindStringSubmatch(text)
	if m == nil {
		return spoken{}, false
	}
	return spoken{strings.ToLower(m[1]), m[2], strings.TrimSpace(text[len(m[0]):])}, true
}

// forMe reports whether a command is meant for the bot of that name.
func (c spoken) forMe(username string) bool {
	return c.To == "" || strings.EqualFold(c.To, username)
}
