package chat

// Typed is a command as a sentence tells people to write it, with what stands behind it.
type Typed struct {
	// Command is its name, and Row the row of it that its first word asks for: "paid" in
	// "/settle paid 7 Ben", or the one that it stands for alone; "" where it has none.
	Command, Row string
	// Given are the options, in their order.
	Given []TypedOption
	// Text is all of it as people write it where a command is a text.
	Text string
}

// TypedOption is an option that is written behind a command. An empty value is to be filled in.
type TypedOption struct{ Name, Value string }

// Spelling writes a command in a sentence as people type it on a platform.
type Spelling func(Typed) string
