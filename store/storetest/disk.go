// Package storetest gives tests their databases, new ones with the newest schema and a key to seal them, on disks with
// the hooks of package sqlitetest, and measures presses.
package storetest

import "knobel/store/engine/sqlitetest"

// Disk holds hooks for the writes of a database.
type Disk = sqlitetest.Disk

var (
	// Slow returns a disk whose flushes take that much longer.
	Slow = sqlitetest.Slow
	// Use sets the disk of all databases that are opened until the test ends.
	Use = sqlitetest.Use
	// Install is Use without a test.
	Install = sqlitetest.Install
	// FlushesPerSecond measures the disk of the test's folder.
	FlushesPerSecond = sqlitetest.FlushesPerSecond
)
