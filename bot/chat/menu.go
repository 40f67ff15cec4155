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
	// Whole says that the value is a whole number from Least to Most.
	Whole       bool
	Least, Most int
	// Flag says that the value is "true" or "false", the default.
	Flag bool
	// Threads says that the option is of use only where threads can be opened.
	Threads bool
	// Choices are the values to offer, the default first; labels by
	// language, at most 100 characters. Open options take other values too.
	Choices []CommandChoice
	Open    bool
}

// CommandChoice is one value of an option.
type CommandChoice struct {
	Value string
	Label map[string]string
}
