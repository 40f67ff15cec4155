package web

import (
	"os"
	"runtime"
	"testing"

	"knobel/bot/fakes"
	"knobel/store/storetest"
)

// TestMain lets more tests run at once than there are processors: stories wait for their browser most of the time.
func TestMain(m *testing.M) {
	fakes.AtOnce(2 * runtime.GOMAXPROCS(0))
	os.Exit(storetest.Main(m))
}
