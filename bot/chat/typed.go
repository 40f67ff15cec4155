package chat

// Typed is a command that a sentence tells people to type.
type Typed struct {
	// Command is its name, and Row its row by the first word: "paid" in "/settle paid 7 Ben", or the default row; ""
	// if it has none.
	Command, Row string
	// Given are the options, in order.
	Given []TypedOption
	// Text is the whole command as text.
	Text string
}

// TypedOption is an option of a typed command. An empty value is to be filled in.
type TypedOption struct{ Name, Value string }

// Spelling spells a command in a sentence as people type it on a platform.
type Spelling func(Typed) string
