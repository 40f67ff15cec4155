package chat

import "knobel/games"

// Traits are the features of a platform and a place. The zero value has none.
type Traits struct {
	// Sparing says that drawing is expensive: dice that are only picked are drawn if its Budget has Room, else with
	// the next change.
	Sparing bool
	// Steps says that boards show their Steps: then nothing waits for people to have seen what was played.
	Steps bool
	// Carries says that the adapter draws Reply.Board and Reply.Puzzle in its answer, by Core.Draw. Otherwise the
	// outbox draws the board, by Platform.Post and Edit.
	Carries bool
	// Typed says that presses are typed: there are no double taps, and explanations speak of typing.
	Typed bool
	// Menus says that private answers are shown beside everything else, however long they are, and that the adapter
	// draws their Choices as lists.
	Menus bool
	// Pages says that each person sees boards drawn for themselves, by Core.View: pages that they open are private,
	// not stored, and returned by Reply.Opened.
	Pages bool
	// Aloud says that all in the place read answers for one person, except toasts of presses.
	Aloud bool
	// Whispers says that private answers are seen by the person only, and that an answer can be shown to all as well.
	Whispers bool
	// Own says that the chat is the person's private chat with the bot.
	Own bool
	// Invite is the https URL that adds the bot to a group, "" if there is none.
	Invite string
	// Threads says that the chat has threads, or topics, for a second table.
	Threads bool
	// NoThread says what to do instead if Event.Thread is nil.
	NoThread games.Line
	// Hosted says that the one who may change the chat is called its host.
	Hosted bool
	// Equals says that all people here may change the chat: all but its opener end a table by a vote.
	Equals bool
}
