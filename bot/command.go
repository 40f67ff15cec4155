package bot

// Command is one command as platforms register it. All of them come from one
// table, so menus, help and completion cannot disagree.
type Command struct {
	// Name is lower case letters: "shutbox".
	Name string
	// About describes it in one line of at most 100 characters, by language.
	About map[string]string
	// Options are its options, none of them required.
	Options []CommandOption
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
