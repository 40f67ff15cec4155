// Package fakes holds what the fake platforms of the tests share: waiting for states, a network in memory, and
// network faults.
package fakes
