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
	"strings"
	"syscall"
	_ "time/tzdata" // chats have time zones, machines may know none

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"golang.org/x/term"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	w := world{in: os.Stdin, out: os.Stdout, err: os.Stderr, getenv: os.Getenv, environ: os.Environ()}
	if out := int(os.Stdout.Fd()); term.IsTerminal(out) {
		w.columns = 80 // if it does not report its width
		if columns, _, err := term.GetSize(out); err == nil && columns > 0 {
			w.columns = columns
		}
	}
	if term.IsTerminal(int(os.Stderr.Fd())) {
		w.bar = os.Stderr
	}
	os.Exit(run(ctx, w, os.Args[1:]))
}

// world holds what the program uses of its process, which tests replace.
type world struct {
	in       io.Reader
	out, err io.Writer
	getenv   func(string) string
	environ  []string  // all variables; nil: misspelt ones are not looked for
	columns  int       // of the terminal that out is, 0: it is none
	bar      io.Writer // the terminal for a progress bar, or nil
}

// errFound is returned by commands that have printed faults of a record, a database or the configuration.
var errFound = errors.New("faults were found")

// exitStopped is the exit code of a command that Ctrl-C has stopped.
const exitStopped = 130

// run carries out one command line and returns the exit code: 0, 1 when something is wrong, or exitStopped.
func run(ctx context.Context, w world, args []string) int {
	out, complained := &shown{out: w.out}, &shown{out: w.err}
	defer out.end()
	defer complained.end()
	w.out, w.err = out, complained
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
		fmt.Fprintln(w.err, "knobel: stopped: nothing was changed")
	case !errors.Is(err, errFound):
		fmt.Fprintf(w.err, "knobel: %s\n", sentence(w, err))
	}
	if ctx.Err() != nil {
		return exitStopped
	}
	return 1
}

// rootCommand builds the whole command line. Without a command it serves.
func rootCommand(w world) *cobra.Command {
	var s settings
	w, unread := noting(w)
	root := &cobra.Command{
		Use:   "knobel",
		Short: "A self-hosted bot for group dice games",
		Long: "Knobel plays group dice games in Discord servers, Telegram groups, the browser and a " +
			"terminal.\nWithout a command it serves everything that is configured; with no token at all, the " +
			"browser table.",
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
			return nil // it only says which there are, and a flag of theirs may be a setting of another name
		}
		s.dbFlag = c.Flags().Lookup("db")
		used := usedBy(c)
		root.PersistentFlags().VisitAll(func(f *pflag.Flag) {
			if !used(f.Name) {
				_ = f.Value.Set("") // all hold text
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
	root.AddCommand(oldCommands(w, &s)...)
	ownFlags(root)
	root.SetHelpCommand(helpCommand())
	inSentences(root)
	return root
}

// made describes a build.
type made struct {
	version  string // a release, such as v1.2.0, or "(devel)"
	commit   string // "" where it was built without
	time     string // of the commit
	modified bool   // something was not committed
	goes     string // the version of Go
}

// devel is the version of a build that is no release.
const devel = "(devel)"

// thisBuild describes the running program.
func thisBuild() made {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return made{version: devel, goes: runtime.Version()}
	}
	return buildOf(info)
}

func buildOf(info *debug.BuildInfo) made {
	b := made{version: cmp.Or(info.Main.Version, devel), goes: info.GoVersion}
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

// String returns it in one line: "v1.2.0, commit 0123456789ab of
// 2026-11-01T10:00:00Z, go1.26".
func (b made) String() string {
	parts := []string{b.version}
	if b.commit != "" {
		parts = append(parts, fmt.Sprintf("commit %.12s of %s", b.commit, b.time))
	}
	if b.modified {
		parts = append(parts, "with changes that are not committed")
	}
	return strings.Join(append(parts, b.goes), ", ")
}

func versionCommand(w world) *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Say which version this is, and the commit it was built from",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			_, err := fmt.Fprintf(w.out, "knobel %s\n", thisBuild())
			return err
		},
	}
}
