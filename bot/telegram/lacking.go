package telegram

// What is known of chats and of the server for a while: who was greeted, what a chat and the server do not take.

import (
	"sync"
	"time"
)

// hello is the command by which the core greets.
const hello = "hello"

// greeted is how long the greeting of a bot that has come into a chat answers a /start: a person who adds a bot by a
// link writes it there as well. unlikedFor is how long a chat is known to take no reactions.
const (
	greeted    = time.Minute
	unlikedFor = time.Hour
)

// lacking are the methods that the server does not know. The zero value is ready.
type lacking struct{ methods sync.Map }

func (l *lacking) has(method string) bool {
	_, lacks := l.methods.Load(method)
	return lacks
}

func (l *lacking) add(method string) { l.methods.Store(method, true) }
