// Package simulation contains only tests: towns full of people who play with the real bot, its real database file and
// its real adapters. Platforms are in memory, and pauses take no real time. Faults occur at random from a seed:
// requests that fail or whose answers are lost, a platform that cannot be reached, a bot that dies in the middle of a
// commit. The same seed gives the same events.
//
// Every town is in a bubble of testing/synctest, in which time advances only while all goroutines wait.
//
//	KNOBEL_SEED=7 go test -run Seeds -v ./bot/simulation    one seed, with all events
//	KNOBEL_SEEDS=10000 go test -run Seeds -timeout 0 ./bot/simulation
package simulation
