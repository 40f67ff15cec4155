package chat

// Answers that concern one person alone, on platforms where all in a chat read them: they are taken away after a while.

// Fading is such an answer, with what goes with it.
type Fading struct {
	// Answer is the message, "": only the command is to go.
	Answer Ref
	// Above is the picture that stands above it, "": there is none.
	Above Ref
	// Command is the message that asked for it, "": it stays.
	Command Ref
}
