// Package simulation holds no code but tests: towns full of people who play with the real bot, its real database file
// and its real adapters, in a time of their own. Platforms stand in memory, hours of waiting take no time, and
// everything that can go wrong does so by chance from a seed: requests that fail or whose answers are lost, a
// platform that is away, a bot that dies in the middle of a commit. The same seed lives through the same.
//
// Every town lives in a bubble of testing/synctest, where time.Sleep waits for
// no clock: the bubble's time goes on when everybody in it waits, and only then.
//
//	KNOBEL_SEED=7 go test -run Seeds -v ./bot/simulation    one seed, told step by step
//	KNOBEL_SEEDS=10000 go test -run Seeds -timeout 0 ./bot/simulation
package simulation
