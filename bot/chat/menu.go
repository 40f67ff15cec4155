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

// Command is one command as platforms register it. Menus, help and completion all use the same list of commands.
type Command struct {
	// Name is in lower case: "shutbox".
	Name string
	// Aliases are other names that people can type. No menu shows them.
	Aliases []string
	// About describes the command in one line of at most 100 characters, by language.
	About map[string]string
	// Opens describes the game for which this command opens a table, by language; nil: it opens no table.
	Opens map[string]Card
	// Stakeless means that the tables that this command opens have no stake by default.
	Stakeless bool
	// Called is the name in menus, by language: lower case letters, digits, hyphens. Other languages show Name.
	Called map[string]string
	// Options are the command's options. Only options of subcommands can be required.
	Options []CommandOption
	// Rows are the subcommands; the first word after the command names one. A platform that lists subcommands ignores
	// Options, which are for typed text. Without any word the command runs one of the subcommands.
	Rows []Command
	// OnPerson and OnBoard are the command's names in the context menus of a person and of a board, by language; nil:
	// that menu does not list it. The chosen person becomes the first TypePerson option; the chosen board is Event.On.
	OnPerson, OnBoard map[string]string
	// Hosted replaces About for people in a browser room with a host; nil: About is used.
	Hosted map[string]string
	// Equals replaces About in chats whose settings all people may change; nil: About is used.
	Equals map[string]string
	// Admins means that only people who may change the chat's settings may use the command.
	Admins bool
}

// Card describes a game in one language, for lists of games.
type Card struct {
	// Game is the name of the game or of a variant with its own command.
	Game string `json:"game,omitempty"`
	// Subtitle explains a name that says nothing about the game: "dice poker"; else it is "".
	Subtitle string `json:"subtitle,omitempty"`
	// About is one sentence about the game, "" if there is none.
	About string `json:"about,omitempty"`
	// Players is the number of players: "1–10 players".
	Players string `json:"players,omitempty"`
	// Minutes is how long a match of people takes: "15 min"; "" if unknown.
	Minutes string `json:"minutes,omitempty"`
	// Family is the name of the game's family in commands, and FamilyName its name for people.
	Family     string `json:"family,omitempty"`
	FamilyName string `json:"familyName,omitempty"`
	// Picture is the name of the game or variant, for pages that have a drawing of it.
	Picture string `json:"picture,omitempty"`
	// Place is the place of the game in lists in this language, from 0.
	Place int `json:"-"`
}

// CommandOption is an option of a command.
type CommandOption struct {
	// Name is lower case letters, digits and hyphens: "one-die".
	Name string
	// About describes the option in one line of at most 100 characters, by language.
	About map[string]string
	// Called is the option's name in menus, by language. Other languages show Name.
	Called map[string]string
	// Required means that the subcommand is refused without this option.
	Required bool
	// Type is the type of the option's value, by which a platform may choose an input field. Adapters always pass
	// values as text.
	Type OptionType
	// Min and Max are the bounds of a TypeAmount.
	Min, Max int64
	// Choices are the values that menus offer, the default first. Their labels are by language, at most 100 characters.
	Choices []CommandChoice
	// Completes means that values other than Choices are valid; Core.Complete suggests some while a person types.
	Completes bool
}

// OptionType is the type of an option's value.
type OptionType int

// The types of options. 0 is invalid.
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

// CommandChoice is one value that menus offer, with its label by language.
type CommandChoice struct {
	Value string
	Label map[string]string
}

// FirstGames is how many games a text names if it has no space for all; /play lists all of them.
const FirstGames = 3

// Typed is a command that a sentence asks people to type.
type Typed struct {
	// Command is the command's name. Row is the name of the subcommand ("paid" in "/settle paid 7 Ben"), or of the
	// default one; "": the command has no subcommands.
	Command, Row string
	// Given are the options in the order in which they are typed.
	Given []TypedOption
	// Text is the whole command as text.
	Text string
}

// TypedOption is an option of a Typed command. If Value is "", the reader fills it in.
type TypedOption struct{ Name, Value string }

// Spelling returns a command in the form in which people type it on one platform.
type Spelling func(Typed) string
