package main

// Help, and errors as sentences.

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"knobel/bot/words"
	"knobel/games"
)

// inSentences makes a command and all below it answer a wrong command line with the right one.
func inSentences(c *cobra.Command) {
	c.SetFlagErrorFunc(wrongFlag)
	if fits := c.Args; fits != nil {
		c.Args = func(c *cobra.Command, args []string) error {
			if fits(c, args) == nil {
				return nil
			}
			return wrongArguments(c, args)
		}
	}
	for _, below := range c.Commands() {
		inSentences(below)
	}
}

// wrongArguments returns an error with the arguments of a command.
func wrongArguments(c *cobra.Command, args []string) error {
	switch {
	case c.HasAvailableSubCommands() && len(args) > 0:
		var names []string
		for _, below := range c.Commands() {
			if below.IsAvailableCommand() {
				names = append(names, below.Name())
			}
		}
		return fmt.Errorf("no command is called %q; %s", args[0],
			instead(args[0], names, "", c.CommandPath()+" --help lists all"))
	case len(args) > 0:
		return fmt.Errorf("%q is too much; it is written: %s", args[len(args)-1], c.UseLine())
	}
	return fmt.Errorf("something is missing; it is written: %s", c.UseLine())
}

// settingsOf are the settings, by their flags, that commands use; serve and doctor use all.
var settingsOf = map[string][]string{
	"play": {"drafts", "log"}, "simulate": {}, "solve": {}, "verify": {}, "review": {},
	"export": {"db", "key-file", "log"}, "backup": {"db", "key-file"}, "rekey": {"db", "key-file"},
	"restore": {"db", "key-file", "log"}, "restored": {"db", "key-file", "log"},
	"move": {"key-file", "log"}, "health": {"listen", "web-secret"}, "version": {}, "words": {}, "help": {},
}

// usedBy reports whether a command uses the setting of a flag.
func usedBy(c *cobra.Command) func(flag string) bool {
	for c.HasParent() && c.Parent().HasParent() {
		c = c.Parent()
	}
	names, few := settingsOf[c.Name()]
	return func(flag string) bool {
		return !few || slices.Contains(names, flag)
	}
}

// oldCommands returns the hidden commands of before restore --done and doctor --mend.
func oldCommands(w world, s *settings) []*cobra.Command {
	var check bool
	restored := &cobra.Command{Use: "restored", Args: cobra.NoArgs, Hidden: true,
		RunE: func(c *cobra.Command, _ []string) error {
			fmt.Fprintln(w.err, "knobel restored is now called knobel restore --done")
			return s.restored(c.Context(), w)
		}}
	rebuild := &cobra.Command{Use: "rebuild", Args: cobra.NoArgs, Hidden: true,
		RunE: func(c *cobra.Command, _ []string) error {
			if check {
				fmt.Fprintln(w.err, "knobel rebuild --check is now called knobel doctor")
				return s.examine(c.Context(), w)
			}
			fmt.Fprintln(w.err, "knobel rebuild is now called knobel doctor --mend")
			return s.mend(c.Context(), w)
		}}
	rebuild.Flags().BoolVar(&check, "check", false, "only look, as doctor does")
	return []*cobra.Command{restored, rebuild}
}

// ownFlags makes the help of each command list the settings that it uses. All others are accepted, hidden: a script may
// put them before any command.
func ownFlags(root *cobra.Command) {
	var show func(c *cobra.Command)
	show = func(c *cobra.Command) {
		used := usedBy(c)
		root.PersistentFlags().VisitAll(func(f *pflag.Flag) {
			if used(f.Name) {
				own := *f
				c.Flags().AddFlag(&own)
			}
		})
		for _, below := range c.Commands() {
			show(below)
		}
	}
	show(root)
	for _, c := range root.Commands() {
		if c.Flags().Lookup("lan") == nil {
			c.PersistentFlags().Bool("lan", false, "")
			_ = c.PersistentFlags().MarkHidden("lan")
		}
	}
	root.PersistentFlags().VisitAll(func(f *pflag.Flag) { f.Hidden = true })
}

// helpCommand returns the subcommand help, which prints what the flag --help does.
func helpCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "help [COMMAND]",
		Short: "Tell what a command does, and its flags",
		RunE: func(c *cobra.Command, args []string) error {
			of, rest, err := c.Root().Find(args)
			if err != nil || len(rest) > 0 {
				return wrongArguments(of, rest)
			}
			of.InitDefaultHelpFlag()
			return of.Help()
		},
	}
}

// wrongFlag returns a flag's error as a sentence.
func wrongFlag(c *cobra.Command, err error) error {
	if unknown, ok := errors.AsType[*pflag.NotExistError](err); ok {
		var names []string
		c.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
		name := unknown.GetSpecifiedName()
		if unknown.GetSpecifiedShortnames() != "" {
			return fmt.Errorf("there is no flag -%s; %s --help lists all", name, c.CommandPath())
		}
		return fmt.Errorf("there is no flag --%s; %s", name,
			instead(name, names, "--", c.CommandPath()+" --help lists all"))
	}
	if unfit, ok := errors.AsType[*pflag.InvalidValueError](err); ok {
		f, whole := unfit.GetFlag(), "a whole number"
		kind := map[string]string{"int": whole, "int64": whole, "bool": "true or false"}[f.Value.Type()]
		return fmt.Errorf("--%s is %s; %q is none", f.Name, cmp.Or(kind, f.Usage), unfit.GetValue())
	}
	return err
}

// instead returns a sentence with the word that was probably meant, behind dashes if it is a flag's, or else the
// sentence listed, which says where all are listed, or with "" the list itself.
func instead(typed string, names []string, dashes, listed string) string {
	if near := games.Nearest(typed, names); near != "" {
		return "did you mean " + dashes + near + "?"
	}
	return cmp.Or(listed, "there is "+strings.Join(names, ", "))
}

// sentence returns an error as a sentence; a refusal is said in the reader's language.
func sentence(w world, err error) string {
	r, refused := games.Refused(err)
	if !refused {
		return err.Error()
	}
	said, broken := sentences()
	if broken != nil {
		return err.Error()
	}
	lang := said.Match(language(w))
	if lang == "" {
		lang = words.Default
	}
	return said.Say(lang, r.Line, words.Context{})
}

// english says a line in English, or returns its key where there are no sentences.
func english(l games.Line) string {
	said, err := sentences()
	if err != nil {
		return l.Key
	}
	return said.Say(words.Default, l, words.Context{})
}
