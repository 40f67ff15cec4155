// Package conventions holds the tests of what the repository promises about
// itself: which package may import which, what the pages say and how they are
// set, which modules and images are taken in, and that every fault has its test.
// They build no program and take about a second.
package conventions
