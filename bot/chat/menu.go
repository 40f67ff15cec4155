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
	// Options are its options, none of them required.
	Options []CommandOption
	// Subject is what it is about, one word; /help has a page for each.
	Subject string
}

// CommandOption is one option of a command.
type CommandOption struct {
	// Name is lower case letters, digits and hyphens: "one-die".
	Name string
	// About describes it in one line of at most 100 characters, by language.
	About map[string]string
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
