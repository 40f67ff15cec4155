package evening_test

import (
	"os"
	"testing"

	"knobel/bot/bare"
	"knobel/store/storetest"
)

// TestStories replays the chats in testdata and compares the replies with those expected.
func TestStories(t *testing.T) { bare.AllStories(t) }

func TestMain(m *testing.M) { os.Exit(storetest.Main(m)) }
