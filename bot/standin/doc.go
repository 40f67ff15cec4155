// Package standin is what the platforms that play the real ones for tests have
// in common: waiting for something to happen, a network in memory, and faults
// on the way.
package standin
