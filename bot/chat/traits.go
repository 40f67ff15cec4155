package chat

import "knobel/games"

// Traits is what a platform, and a place on it, is like and can do. The zero value can do nothing.
type Traits struct {
	// Sparing says that drawing is dear: a board shows dice that are only picked when its Budget has Room, else with
	// its next change.
	Sparing bool
	// Steps says that boards show their Steps: then nothing waits for people to have seen what was played.
	Steps bool
	// Carries says that the adapter draws Reply.Board and Reply.Puzzle in its answer, by Core.Draw. Otherwise the
	// outbox draws the board, by Platform.Post and Edit.
	Carries bool
	// Typed says that people type presses: no tap is doubled by accident, and explanations speak of typing.
	Typed bool
	// Menus says that answers for the person alone stand beside everything else, however long they are, and that the
	// adapter draws their Choices, each as a list to choose from.
	Menus bool
	// Pages says that each person sees boards drawn for themselves, by Core.View: what a person opens on one concerns
	// nobody else, and is not stored but told by Reply.Opened.
	Pages bool
	// Aloud says that all in the place read answers for one person, but for the toast of a press.
	Aloud bool
	// Whispers says that private answers are seen by the person alone, and others by all in the place: such an answer
	// can be shown to all.
	Whispers bool
	// Own says that the chat is the person's own conversation with the bot.
	Own bool
	// Invite is the https address at which a person adds the bot to a group of theirs, "" where there is none.
	Invite string
	// Threads says that the chat has threads, or topics, where a second table can stand.
	Threads bool
	// NoThread says what to do instead where Event.Thread is nil.
	NoThread games.Line
	// Hosted says that the one who may change the chat is called its host.
	Hosted bool
	// Equals says that all people here may change the chat: all but its opener end a table by a vote.
	Equals bool
}
