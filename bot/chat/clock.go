package chat

// The time that the bot and its platforms keep.

import (
	"time"

	"github.com/cenkalti/backoff/v5"
)

// Clock is the time that a bot keeps.
type Clock interface {
	// Now is the present time.
	Now() time.Time
	// After returns a channel that gets the time once d has passed by this
	// clock. What is not read any more costs nothing.
	After(d time.Duration) <-chan time.Time
}

// SystemClock is the clock of the system.
type SystemClock struct{}

// Now is the present time.
func (SystemClock) Now() time.Time { return time.Now() }

// After is time.After.
func (SystemClock) After(d time.Duration) <-chan time.Time { return time.After(d) }

// Pauses returns the pauses between tries to reach a platform: a second at first, growing to a
// minute. They are not random: only one process calls the platform.
func Pauses() *backoff.ExponentialBackOff {
	wait := backoff.NewExponentialBackOff()
	wait.InitialInterval, wait.MaxInterval, wait.RandomizationFactor = time.Second, time.Minute, 0
	return wait
}
