package telegram

// Temporary knowledge of chats and the server: greeted chats, missing features.

import (
	"sync"
	"time"
)

// hello is the command that greets.
const hello = "hello"

// greeted is how long a greeting counts as the answer to a /start, which a link that adds the bot writes as well.
// unlikedFor is how long a chat counts as one without reactions.
const (
	greeted    = time.Minute
	unlikedFor = time.Hour
)

// lacking holds the methods that the server does not know. The zero value is ready.
type lacking struct{ methods sync.Map }

func (l *lacking) has(method string) bool {
	_, lacks := l.methods.Load(method)
	return lacks
}

func (l *lacking) add(method string) { l.methods.Store(method, true) }
