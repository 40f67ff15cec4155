package chat

// How messages are posted, and what some platforms can do beside: pins and events of a calendar.

import (
	"context"
	"time"
)

// Posting says how a message is posted or edited.
type Posting struct {
	// Silent means that the message should notify no one: a board is only moved further down.
	Silent bool
	// Once is an id of the message, the same for every try to post it. Messages with Table 0 have one.
	Once string
	// Call are people to be notified by this post, although the rest of it may be silent. Edits ignore it.
	Call []User
	// Unnoted means that the same message may already be posted, below the message Below: a process may have ended
	// before it stored that message's Ref.
	Unnoted bool
	Below   Ref
	// Permit permits to edit the board's present message.
	Permit Permit
}

// Calendar is the part of a platform (see Traits) that shows fixed evenings as events of its own.
type Calendar interface {
	// Schedule creates the event of e, or changes it if e.Event is set. It returns the id of the event, which may be a
	// new one. ErrAway: the bot may not create events here. ErrGone: others have deleted the event or changed it, so it
	// stays as it is.
	Schedule(ctx context.Context, place Place, e Occasion) (event string, err error)
	// Unschedule deletes an event of the bot. An event that is gone, or changed by others, is not an error.
	Unschedule(ctx context.Context, place Place, event string) error
}

// Occasion is a fixed evening for a Calendar.
type Occasion struct {
	// Event is the id that Schedule has returned before; "": the evening has no event yet.
	Event string
	// Title and About are plain text and may be hostile.
	Title, About string
	// Start is the next evening, in the chat's time zone, and Weekday the day on which the evening repeats.
	Start   time.Time
	Weekday time.Weekday
	// Skipped are evenings that do not take place.
	Skipped []time.Time
}

// Pinner is the part of a platform (see Traits) that pins messages without a sound.
type Pinner interface {
	// Pin pins a message. ErrAway: the bot may not.
	Pin(ctx context.Context, place Place, ref Ref) error
	// Unpin removes the pin of a message. A message that is gone or not pinned is not an error.
	Unpin(ctx context.Context, place Place, ref Ref) error
}
