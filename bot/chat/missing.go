package chat

import "knobel/games"

// MissingPermissions is what the bot has to do in a place and may not. It is an error where it
// keeps something from being done that somebody asked for.
type MissingPermissions struct {
	// Permissions are the names of what is missing, as the platform's own client
	// shows them in the reader's language.
	Permissions games.List
	// Where says where in that client they are granted.
	Where games.Line
}

// None says that nothing is missing.
func (l MissingPermissions) None() bool { return len(l.Permissions) == 0 }

// Error says that something is missing; what, the person reads as a line.
func (l MissingPermissions) Error() string { return "the bot lacks permissions there" }

// Line is a sentence about what is missing.
func (l MissingPermissions) Line(key string) games.Line {
	return games.Say(key, games.Args{"Permissions": l.Permissions, "Where": l.Where})
}
