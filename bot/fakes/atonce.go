package fakes

import (
	"flag"
	"strconv"
)

// AtOnce has at most so many parallel tests of a package run at once, whatever the command line says. It is for a
// TestMain whose tests wait most of the time: more of them may run than there are processors.
func AtOnce(tests int) {
	flag.Parse()
	if err := flag.Set("test.parallel", strconv.Itoa(tests)); err != nil {
		panic(err)
	}
}
