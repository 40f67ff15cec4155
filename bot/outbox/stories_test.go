package outbox_test

import (
	"testing"

	"knobel/bot/bare"
)

func TestStories(t *testing.T) { bare.AllStories(t) }
