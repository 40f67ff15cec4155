// Package storetest gives tests their databases, new ones with the newest schema
// and a key to seal them, on disks that do what package sqlitetest lets them do,
// and measures presses.
package storetest

import "knobel/store/engine/sqlitetest"

// Disk is what happens when a database writes.
type Disk = sqlitetest.Disk

var (
	// Slow is a disk whose flushes take that much longer.
	Slow = sqlitetest.Slow
	// Use has all databases use a disk that are opened until the test ends.
	Use = sqlitetest.Use
	// Install is Use where no test runs.
	Install = sqlitetest.Install
	// FlushesPerSecond measures what the disk of the test's folder can do.
	FlushesPerSecond = sqlitetest.FlushesPerSecond
)
