package web

import (
	"flag"
	"os"
	"runtime"
	"strconv"
	"testing"

	"knobel/store/storetest"
)

// TestMain lets more tests run at once than there are processors: stories wait for their browser most of the time.
func TestMain(m *testing.M) {
	flag.Parse()
	if err := flag.Set("test.parallel", strconv.Itoa(2*runtime.GOMAXPROCS(0))); err != nil {
		panic(err)
	}
	os.Exit(storetest.Main(m))
}
