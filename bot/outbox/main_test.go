package outbox_test

import (
	"os"
	"testing"

	"knobel/bot/bare"
	"knobel/store/storetest"
)

func TestMain(m *testing.M) { os.Exit(storetest.Main(m)) }

func TestStories(t *testing.T) { bare.AllStories(t) }
