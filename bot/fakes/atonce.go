package fakes

import (
	"flag"
	"strconv"
)

// AtOnce sets how many parallel tests of a package run at once, whatever the flags. It is for a TestMain of tests
// that mostly wait: more of them may run than there are processors.
func AtOnce(tests int) {
	flag.Parse()
	if err := flag.Set("test.parallel", strconv.Itoa(tests)); err != nil {
		panic(err)
	}
}
