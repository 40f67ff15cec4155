// Package fakes holds what the fake platforms of the tests have in common: waiting for something
// to happen, a network in memory, and faults on the way.
package fakes
