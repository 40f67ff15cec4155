// Command knobel is a self-hosted bot for group dice games: in Discord
// servers, in Telegram groups, in the browser and in a terminal.
package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"syscall"
	_ "time/tzdata" // chats have time zones that the machine may not know

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"golang.org/x/term"

	"knobel/bot/words"
	"knobel/games"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	w := world{in: os.Stdin, out: os.Stdout, err: os.Stderr, getenv: os.Getenv, environ: os.Environ(), args: os.Args}
	if out := int(os.Stdout.Fd()); term.IsTerminal(out) {
		w.columns = 80 // for a terminal that does not report its width
		if columns, _, err := term.GetSize(out); err == nil && columns > 0 {
			w.columns = columns
		}
	}
	if term.IsTerminal(int(os.Stderr.Fd())) {
		w.bar = os.Stderr
	}
	os.Exit(run(ctx, w, os.Args[1:]))
}

// world holds the streams and the environment of the process, so that tests can replace them.
type world struct {
	in       io.Reader
	out, err io.Writer
	getenv   func(string) string
	environ  []string  // all variables as NAME=value; nil skips the search for misspelt names
	args     []string  // the command line with the program, as typed; nil: unknown
	columns  int       // width of the terminal that out writes to, 0 if it is not a terminal
	bar      io.Writer // terminal for a progress bar, or nil
}

// errFound is the error of a command that has already printed faults: the exit code is 1, and no message follows.
var errFound = errors.New("problems were found")

// exitStopped is the exit code of a command that Ctrl-C or SIGTERM stopped.
const exitStopped = 130

// run executes the command line args and returns the exit code: 0, 1 for faults and errors, or exitStopped.
func run(ctx context.Context, w world, args []string) int {
	out, errOut := &escapingWriter{out: w.out}, &escapingWriter{out: w.err}
	defer out.flush()
	defer errOut.flush()
	w.out, w.err = out, errOut
	root := rootCommand(w)
	root.SetArgs(args)
	root.SetIn(w.in)
	root.SetOut(w.out)
	root.SetErr(w.err)
	err := root.ExecuteContext(ctx)
	switch {
	case err == nil:
		return 0
	case errors.Is(err, context.Canceled) && ctx.Err() != nil:
		fmt.Fprintln(w.err, "knobel: stopped; nothing was changed")
	case !errors.Is(err, errFound):
		fmt.Fprintf(w.err, "knobel: %s\n", errorText(w, err))
	}
	if ctx.Err() != nil {
		return exitStopped
	}
	return 1
}

// rootCommand returns the command knobel with all its subcommands. Without a subcommand, knobel serves the platforms.
func rootCommand(w world) *cobra.Command {
	var s settings
	w, unread := trackVariables(w)
	root := &cobra.Command{
		Use:   "knobel",
		Short: "A self-hosted bot for group dice games",
		Long: "Knobel plays group dice games in Discord servers, Telegram groups, the browser and a terminal.\n" +
			"Without a command, it runs everything that is configured; without any token, the browser page.",
		Args:          cobra.NoArgs,
		SilenceUsage:  true,
		SilenceErrors: true,
		RunE:          func(c *cobra.Command, _ []string) error { return serve(c.Context(), w, s) },
	}
	root.CompletionOptions.HiddenDefaultCmd = true
	s.flags(root.PersistentFlags(), w)
	s.serveFlags(root.Flags())
	root.PersistentPreRunE = func(c *cobra.Command, _ []string) error {
		if c.HasParent() && c.HasSubCommands() {
			return nil // a group of commands runs nothing; a flag such as --games may be meant for a subcommand
		}
		s.dbFlag = c.Flags().Lookup("db")
		used := usedBy(c)
		root.PersistentFlags().VisitAll(func(f *pflag.Flag) {
			if !used(f.Name) {
				_ = f.Value.Set("") // every setting is a text flag
			}
		})
		err := s.readSecrets(w, used)
		s.unread = unread()
		return err
	}
	root.AddCommand(
		serveCommand(w, &s), playCommand(w, &s), simulateCommand(w), solveCommand(w),
		verifyCommand(w), reviewCommand(w), exportCommand(w, &s), backupCommand(w, &s), restoreCommand(w, &s),
		moveCommand(w, &s), rekeyCommand(w, &s), doctorCommand(w, &s), healthCommand(w, &s),
		versionCommand(w), wordsCommand(w),
	)
	root.AddCommand(formerCommands(w, &s)...)
	limitHelpFlags(root)
	root.SetHelpCommand(helpCommand())
	explainUsage(root)
	return root
}

// buildInfo describes a build of the program.
type buildInfo struct {
	version   string // a release, such as v1.2.0, or "(devel)"
	commit    string // Git revision, "" if unknown
	time      string // time of the commit
	modified  bool   // the build contains uncommitted changes
	goVersion string // version of Go
}

// devel is the version of a build that is not a release.
const devel = "(devel)"

// thisBuild describes the build of the running program.
func thisBuild() buildInfo {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return buildInfo{version: devel, goVersion: runtime.Version()}
	}
	return buildInfoOf(info)
}

// buildInfoOf converts info, which the Go tools have stored in the program.
func buildInfoOf(info *debug.BuildInfo) buildInfo {
	b := buildInfo{version: cmp.Or(info.Main.Version, devel), goVersion: info.GoVersion}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			b.commit = s.Value
		case "vcs.time":
			b.time = s.Value
		case "vcs.modified":
			b.modified = s.Value == "true"
		}
	}
	return b
}

// String returns the build in one line: "v1.2.0, commit 0123456789ab of 2026-11-01T10:00:00Z, go1.26".
func (b buildInfo) String() string {
	parts := []string{b.version}
	if b.commit != "" {
		parts = append(parts, fmt.Sprintf("commit %.12s of %s", b.commit, b.time))
	}
	if b.modified {
		parts = append(parts, "with uncommitted changes")
	}
	return strings.Join(append(parts, b.goVersion), ", ")
}

// versionCommand returns the command that prints the version.
func versionCommand(w world) *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version and its commit",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			_, err := fmt.Fprintf(w.out, "knobel %s\n", thisBuild())
			return err
		},
	}
}

// Help texts, and readable errors for wrong command lines.

// explainUsage makes c and its subcommands return readable errors for wrong flags and arguments.
func explainUsage(c *cobra.Command) {
	c.SetFlagErrorFunc(flagError)
	if checkArgs := c.Args; checkArgs != nil {
		c.Args = func(c *cobra.Command, args []string) error {
			if checkArgs(c, args) == nil {
				return nil
			}
			return usageError(c, args)
		}
	}
	for _, sub := range c.Commands() {
		explainUsage(sub)
	}
}

// usageError returns an error that says how to write the command c. args are the arguments that are wrong, if any.
func usageError(c *cobra.Command, args []string) error {
	switch {
	case c.HasAvailableSubCommands() && len(args) > 0:
		var names []string
		for _, sub := range c.Commands() {
			if sub.IsAvailableCommand() {
				names = append(names, sub.Name())
			}
		}
		return fmt.Errorf("unknown command %q; %s", args[0],
			suggestion(args[0], names, "", c.CommandPath()+" --help lists all"))
	case len(args) > 0:
		return fmt.Errorf("unexpected argument %q; usage: %s", args[len(args)-1], c.UseLine())
	}
	return fmt.Errorf("missing argument; usage: %s", c.UseLine())
}

// settingsOf maps the name of a command to the flags of the settings that it uses. A command that is not here uses all.
var settingsOf = map[string][]string{
	"play": {"drafts", "log"}, "simulate": {}, "solve": {}, "verify": {}, "review": {},
	"export": {"db", "key-file", "log"}, "backup": {"db", "key-file"}, "rekey": {"db", "key-file"},
	"restore": {"db", "key-file", "log"}, "restored": {"db", "key-file", "log"},
	"move": {"key-file", "log"}, "health": {"listen", "web-secret"}, "version": {}, "words": {}, "help": {},
}

// usedBy returns a function that reports whether the command c uses the setting whose flag is called flag (no dashes).
func usedBy(c *cobra.Command) func(flag string) bool {
	for c.HasParent() && c.Parent().HasParent() {
		c = c.Parent()
	}
	names, few := settingsOf[c.Name()]
	return func(flag string) bool {
		return !few || slices.Contains(names, flag)
	}
}

// formerCommands returns hidden commands for old names: restored is now restore --done, and rebuild is doctor --mend.
func formerCommands(w world, s *settings) []*cobra.Command {
	var check bool
	restored := &cobra.Command{Use: "restored", Args: cobra.NoArgs, Hidden: true,
		RunE: func(c *cobra.Command, _ []string) error {
			fmt.Fprintln(w.err, "knobel restored is now called knobel restore --done")
			return s.endRestored(c.Context(), w)
		}}
	rebuild := &cobra.Command{Use: "rebuild", Args: cobra.NoArgs, Hidden: true,
		RunE: func(c *cobra.Command, _ []string) error {
			if check {
				fmt.Fprintln(w.err, "knobel rebuild --check is now called knobel doctor")
				return s.runDoctor(c.Context(), w)
			}
			fmt.Fprintln(w.err, "knobel rebuild is now called knobel doctor --mend")
			return s.mendTotals(c.Context(), w)
		}}
	rebuild.Flags().BoolVar(&check, "check", false, "only check, like doctor")
	return []*cobra.Command{restored, rebuild}
}

// limitHelpFlags makes the help of each command list only the settings that the command uses. It hides the others, but
// the command accepts them, because scripts may put them before any command.
func limitHelpFlags(root *cobra.Command) {
	var show func(c *cobra.Command)
	show = func(c *cobra.Command) {
		used := usedBy(c)
		root.PersistentFlags().VisitAll(func(f *pflag.Flag) {
			if used(f.Name) {
				own := *f
				c.Flags().AddFlag(&own)
			}
		})
		for _, sub := range c.Commands() {
			show(sub)
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

// helpCommand returns the command help: knobel help COMMAND prints the same as knobel COMMAND --help.
func helpCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "help [COMMAND]",
		Short: "Explain a command and its flags",
		RunE: func(c *cobra.Command, args []string) error {
			command, rest, err := c.Root().Find(args)
			if err != nil || len(rest) > 0 {
				return usageError(command, rest)
			}
			command.InitDefaultHelpFlag()
			return command.Help()
		},
	}
}

// flagError returns a readable form of err, an error about a flag of c.
func flagError(c *cobra.Command, err error) error {
	if unknown, ok := errors.AsType[*pflag.NotExistError](err); ok {
		var names []string
		c.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
		name := unknown.GetSpecifiedName()
		if unknown.GetSpecifiedShortnames() != "" {
			return fmt.Errorf("unknown flag -%s; %s --help lists all", name, c.CommandPath())
		}
		return fmt.Errorf("unknown flag --%s; %s", name,
			suggestion(name, names, "--", c.CommandPath()+" --help lists all"))
	}
	if unfit, ok := errors.AsType[*pflag.InvalidValueError](err); ok {
		f, whole := unfit.GetFlag(), "a whole number"
		kind := map[string]string{"int": whole, "int64": whole, "bool": "true or false"}[f.Value.Type()]
		return fmt.Errorf("--%s must be %s, not %q", f.Name, cmp.Or(kind, f.Usage), unfit.GetValue())
	}
	return err
}

// suggestion returns a hint for typed, a mistyped name: "did you mean" and the most similar of names, with dashes
// ("--" for flags) in front. If no name is similar, it returns fallback or, if fallback is "", a list of the names.
func suggestion(typed string, names []string, dashes, fallback string) string {
	if nearest := games.Nearest(typed, names); nearest != "" {
		return "did you mean " + dashes + nearest + "?"
	}
	return cmp.Or(fallback, "choose "+strings.Join(names, ", "))
}

// errorText returns the text of err. If a game has refused a move or rules, it is in the language of the environment.
func errorText(w world, err error) string {
	r, refused := games.Refused(err)
	if !refused {
		return err.Error()
	}
	messages, failed := sharedMessages()
	if failed != nil {
		return err.Error()
	}
	lang := messages.Match(language(w))
	if lang == "" {
		lang = words.Default
	}
	return messages.Say(lang, r.Line, words.Context{})
}

// englishText returns a message in English, or its key if the messages cannot be read.
func englishText(line games.Line) string {
	messages, err := sharedMessages()
	if err != nil {
		return line.Key
	}
	return messages.Say(words.Default, line, words.Context{})
}
