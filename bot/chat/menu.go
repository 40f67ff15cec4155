package chat

// Menus that platforms register: commands, options and choices.

// Language is a language of the bot.
type Language struct {
	// Code is a BCP 47 tag: "de".
	Code string
	// Name is the language's own name for itself: "Deutsch".
	Name string
	// Locales are the language tags under which platforms list it: "en-US", "en-GB".
	Locales []string
	// Short and Long describe the bot for its profile, in at most 120 and 512 characters.
	Short, Long string
}

// Command is one command as platforms register it. Menus, help and completion share one table, so that they agree.
type Command struct {
	// Name is in lower case: "shutbox".
	Name string
	// Aliases are other names that are in no menu.
	Aliases []string
	// About describes it in one line of at most 100 characters, by language.
	About map[string]string
	// Opens is the name of the game that it opens, by language; nil for other commands.
	Opens map[string]string
	// Stakeless means that it opens a table without a stake by default.
	Stakeless bool
	// Called is its name in menus by language: lower case letters, digits and hyphens. Languages without one use Name.
	Called map[string]string
	// Options are its options. Only those of a subcommand can be required.
	Options []CommandOption
	// Rows are the subcommands, chosen by the first word. Where a platform lists them, they replace Options, which are
	// for a text that people type; the command alone is one of them, too.
	Rows []Command
	// OnPerson and OnBoard are its names in the context menus of a person and of a board, by language; nil: not in that
	// menu. The chosen person is its first option of that type; the chosen board is Event.On.
	OnPerson, OnBoard map[string]string
	// Hosted is About for people in a browser room with a host; nil: as About.
	Hosted map[string]string
	// Equals is About for chats that all their people may change; nil: as About.
	Equals map[string]string
	// Admins restricts it to those who may change the chat.
	Admins bool
}

// CommandOption is an option of a command.
type CommandOption struct {
	// Name is lower case letters, digits and hyphens: "one-die".
	Name string
	// About describes it in one line of at most 100 characters, by language.
	About map[string]string
	// Called is its name in menus by language, as in Command.
	Called map[string]string
	// Required means that its subcommand is refused without it.
	Required bool
	// Type is the type of its value, which a platform may use for its menus. Adapters pass values as text, whatever
	// the type.
	Type OptionType
	// Min and Max bound an amount.
	Min, Max int64
	// Choices are the values to offer, the default first; labels by language, at most 100 characters.
	Choices []CommandChoice
	// Completes means that Core.Complete returns more values than Choices, or that other values are valid, too.
	Completes bool
}

// OptionType is the type of an option's value.
type OptionType int

// The types of options. The zero type is none.
const (
	_          OptionType = iota
	TypeText              // any words
	TypeWord              // one word
	TypeAmount            // a whole number within bounds
	TypeNumber            // the number of a stored record: "41" or "#41"
	TypeChoice            // one of the offered values
	TypeGame              // a game or a variant
	TypePerson            // a person, by a mention or a name
	TypeFlag              // "true", or "false", the default
	TypeThread            // a flag for places where threads can be opened
)

// CommandChoice is a value of an option.
type CommandChoice struct {
	Value string
	Label map[string]string
}

// FirstGames is how many games are named where not all fit; /play lists the others.
const FirstGames = 3

// Typed is a command that a sentence asks people to type.
type Typed struct {
	// Command is its name, and Row its subcommand: "paid" in "/settle paid 7 Ben", or the default one; "" if it has
	// none.
	Command, Row string
	// Given are the options, in order.
	Given []TypedOption
	// Text is the whole command as text.
	Text string
}

// TypedOption is an option of a Typed command. If Value is "", the reader fills it in.
type TypedOption struct{ Name, Value string }

// Spelling returns a command as people type it on a platform, for sentences.
type Spelling func(Typed) string
