package chat

import (
	"context"
	"time"
)

// Door is a platform whose clients show the page of a table inside them. It says who has opened the page and whether
// they may see a chat; the page itself is served by the browser table. Errors that refuse a person are a Barred.
type Door interface {
	// Name returns the name of the platform.
	Name() string
	// Client describes the clients that show the page.
	Client() Client
	// Enter returns who has opened the page, from what the client gave the page to sign in with.
	Enter(ctx context.Context, signed []byte) (Guest, error)
	// Admit returns nil if g may see g.Chat now. It remembers the platform's answer for a minute. About the chat "",
	// that of a table which does not exist, it asks like about others, so that no one learns that.
	Admit(ctx context.Context, g Guest) error
	// Act returns an event of g in g.Place, without its id, command and press.
	Act(g Guest) Event
	// Tell shows m to all in g.Place, as the public answer to what g did.
	Tell(g Guest, m Message)
}

// Client describes the clients of a platform that show the page.
type Client struct {
	// Frames are the origins of the client's pages that show the page in a frame.
	Frames []string
	// Origin is the one under which the client's own proxy serves the page, "" if there is no such proxy. A * stands
	// for a part of it that is not known yet.
	Origin string
	// App is the id by which the page names the bot to the client, "" if it needs none or it is not known yet.
	App string
	// Opening are the parameters with which the client opens the path "/" for the page, if it does.
	Opening []string
}

// Embedder is a platform that serves the pages of tables that others embed.
type Embedder interface {
	// Changed is called after each change of a table at a place. It does not block.
	Changed(place Place)
	// Follows reports whether a person has a page of the place open.
	Follows(place Place, user User) bool
}

// Guest is a person who has opened the page of a table inside a platform's client.
type Guest struct {
	User   User   `json:"user"`
	Name   string `json:"name"`
	Locale string `json:"locale"`
	// Chat and Place are what the page shows. Enter returns the ones that the page shows if no table leads elsewhere.
	Chat  Chat  `json:"chat"`
	Place Place `json:"place"`
	// Seen is an id of the chat in which the platform says that the page was opened, "" if it does not. In that chat
	// the bot may have another id, with which Seen is paired. At says that Chat is that chat.
	Seen Chat `json:"seen,omitempty"`
	At   bool `json:"at,omitempty"`
	// Own means that Chat is the person's own conversation with the bot, as far as the bot knows.
	Own bool `json:"own,omitempty"`
	// Note is what Enter has found out for Admit and Act, in the door's own form.
	Note string `json:"note,omitempty"`
	// Table is the number of the table for which the page was opened, 0: none. Lost means that there can be no such
	// table.
	Table int64 `json:"-"`
	Lost  bool  `json:"-"`
	// Key identifies what was signed, so that a copy of it is noticed; "" if the platform accepts it only once. It
	// lets no one in after Until.
	Key   string    `json:"-"`
	Until time.Time `json:"-"`
}

// Barred is why a person may not sign in or look, as a word for the page.
type Barred string

// The reasons.
const (
	Forged   Barred = "forged"   // the platform has not signed it
	Aged     Barred = "aged"     // it was signed too long ago
	Replayed Barred = "replayed" // it was used at another address
	Stranger Barred = "stranger" // the person may not see the chat
	Busy     Barred = "busy"     // the platform or the database does not answer
)

// Error returns the word.
func (b Barred) Error() string { return string(b) }
