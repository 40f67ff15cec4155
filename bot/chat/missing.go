package chat

import "knobel/games"

// MissingPermissions holds the permissions that the bot lacks in a place. It is the error of requests that fail for
// that reason.
type MissingPermissions struct {
	// Permissions are the names in the platform's client, in the reader's language.
	Permissions games.List
	// Where says where in that client they are granted.
	Where games.Line
}

// None reports whether nothing is missing.
func (l MissingPermissions) None() bool { return len(l.Permissions) == 0 }

// Error is for the log; people read Line.
func (l MissingPermissions) Error() string { return "the bot lacks permissions there" }

// Line returns a sentence with the missing permissions.
func (l MissingPermissions) Line(key string) games.Line {
	return games.Say(key, games.Args{"Permissions": l.Permissions, "Where": l.Where})
}
