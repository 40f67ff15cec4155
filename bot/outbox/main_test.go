package outbox_test

import (
	"os"
	"testing"

	"knobel/store/storetest"
)

func TestMain(m *testing.M) { os.Exit(storetest.Main(m)) }
