package chat

// The menus that platforms register: commands, their options and what they offer.

// Language is a language that the bot speaks.
type Language struct {
	// Code is a BCP 47 tag: "de".
	Code string
	// Name is what it calls itself: "Deutsch".
	Name string
	// Locales are the tags that platforms list it under: "en-US", "en-GB".
	Locales []string
	// Short and Long describe the bot to people who have not met it, in at most 120 and
	// 512 characters: for its profile.
	Short, Long string
}

// Command is one command as platforms register it. All of them come from one
// table, so menus, help and completion cannot disagree.
type Command struct {
	// Name is lower case letters: "shutbox".
	Name string
	// Aliases are other words that people say for it, in no menu.
	Aliases []string
	// About describes it in one line of at most 100 characters, by language.
	About map[string]string
	// Opens is the game that it opens a table of, by language; nil for the
	// commands that open none.
	Opens map[string]string
	// Stakeless says that it opens a table without a stake unless somebody names one.
	Stakeless bool
	// Called is what menus in a language list it as, by language: lower case letters,
	// digits and hyphens; by its name where there is none.
	Called map[string]string
	// Options are its options, none of them required but those of a row.
	Options []CommandOption
	// Rows are what its first word can ask for. Where a platform lists them, they stand
	// instead of the options, which are for all of its text: the command alone is one of
	// them, too.
	Rows []Command
	// OnPerson and OnBoard are what it is called in the menus of a person and of a board, by
	// language, where a platform has such menus; nil: it is in none. Whom it was chosen on is
	// its first option that is a person, and the board is Event.On.
	OnPerson, OnBoard map[string]string
	// Hosted describes it, as About does, to people in a room with a host; nil: as About.
	Hosted map[string]string
	// Equals describes it where all people may change the chat; nil: as About.
	Equals map[string]string
	// Admins says that nobody can use it but those who may change the chat.
	Admins bool
}

// CommandOption is one option of a command.
type CommandOption struct {
	// Name is lower case letters, digits and hyphens: "one-die".
	Name string
	// About describes it in one line of at most 100 characters, by language.
	About map[string]string
	// Called is what menus in a language list it as, as Command.Called.
	Called map[string]string
	// Required says that the row that has it is refused without it.
	Required bool
	// Type is what its value is; a platform offers that as it can. An adapter hands
	// on what people write or choose as text, whatever the type.
	Type OptionType
	// Min and Max bound an amount.
	Min, Max int64
	// Choices are the values to offer, the default first; labels by
	// language, at most 100 characters.
	Choices []CommandChoice
	// Completes says that Bot.Complete knows more values than Choices, or that others
	// than those that are offered are taken, too.
	Completes bool
}

// OptionType is what the value of an option is.
type OptionType int

// The types of options. The zero type is none.
const (
	_          OptionType = iota
	TypeText              // words, as they are
	TypeWord              // one word
	TypeAmount            // a whole number within bounds
	TypeNumber            // the number of something that is kept: "41" or "#41"
	TypeChoice            // one of the values that are offered
	TypeGame              // a game, or a set of its rules
	TypePerson            // somebody, by a mention or by name
	TypeFlag              // "true", or "false", the default
	TypeThread            // a flag of use only where threads can be opened
)

// CommandChoice is one value of an option.
type CommandChoice struct {
	Value string
	Label map[string]string
}

// FirstGames is how many games are shown where there is no room for all of many: /play shows the others.
const FirstGames = 3
