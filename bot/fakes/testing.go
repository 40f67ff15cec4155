package fakes

// TB is the part of testing.TB that starting a platform for a test needs.
type TB interface {
	Helper()
	Cleanup(func())
	Errorf(format string, args ...any)
	Fatalf(format string, args ...any)
}
