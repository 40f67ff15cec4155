package main

import (
	"io"
	"io/fs"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"knobel/games"
	"knobel/store"
	"knobel/store/storetest"
)

// commandLine is the whole command line, where nothing is configured.
func commandLine() *cobra.Command {
	return rootCommand(world{out: io.Discard, err: io.Discard, getenv: func(string) string { return "" }})
}

// flagsOf are the flags of a command's own, by name, and those of the commands
// for each game below it; rules are their game's.
func flagsOf(c *cobra.Command) map[string]bool {
	own := map[string]bool{}
	c.LocalNonPersistentFlags().VisitAll(func(f *pflag.Flag) {
		if !strings.HasPrefix(f.Usage, "rule: ") && f.Name != "help" && !f.Hidden {
			own[f.Name] = true
		}
	})
	for _, below := range c.Commands() {
		maps.Copy(own, flagsOf(below))
	}
	return own
}

func document(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// Every command has its row in docs/commands.md, with its flags, and the other
// way round.
func TestCommandsAreWrittenDown(t *testing.T) {
	rows := map[string]string{}
	for _, m := range regexp.MustCompile("(?m)^\\| .*?`knobel ([a-z]+).*$").FindAllStringSubmatch(document(t, "../../docs/commands.md"), -1) {
		rows[m[1]] = m[0]
	}
	for _, c := range commandLine().Commands() {
		row, ok := rows[c.Name()]
		if !ok && c.Name() != "help" && !c.Hidden {
			t.Errorf("docs/commands.md has no row for knobel %s", c.Name())
		}
		delete(rows, c.Name())
		flags := flagsOf(c)
		for _, m := range regexp.MustCompile("`--([a-z-]+)").FindAllStringSubmatch(row, -1) {
			if !flags[m[1]] && !aRule(m[1]) {
				t.Errorf("docs/commands.md: knobel %s has no flag --%s", c.Name(), m[1])
			}
			delete(flags, m[1])
		}
		for name := range flags {
			t.Errorf("docs/commands.md does not speak of --%s of knobel %s", name, c.Name())
		}
	}
	for name := range rows {
		t.Errorf("docs/commands.md speaks of knobel %s, which is no command", name)
	}
}

// aRule says whether a flag says a rule of some game.
func aRule(name string) bool {
	return slices.ContainsFunc(played(), func(g games.Game) bool {
		return slices.ContainsFunc(g.Options(), func(o games.Option) bool { return o.Name == name })
	})
}

// Whatever the environment can set stands in both READMEs, with its flag and the
// file that may hold what is secret.
func TestSettingsAreWrittenDown(t *testing.T) {
	var wanted []string
	commandLine().PersistentFlags().VisitAll(func(f *pflag.Flag) { wanted = append(wanted, "--"+f.Name) })
	wanted = append(wanted, knownSettings(t)...)
	secrets := regexp.MustCompile(`secret\(w, "(KNOBEL_[A-Z_]+)"\)`).FindAllStringSubmatch(document(t, "settings.go"), -1)
	if len(secrets) < 3 {
		t.Errorf("only %d secrets are read", len(secrets))
	}
	for _, m := range secrets {
		wanted = append(wanted, m[1]+"_FILE")
	}
	for _, file := range []string{"../../README.md", "../../README.de.md"} {
		text := document(t, file)
		for _, name := range wanted {
			if !regexp.MustCompile("`" + name + "[`=]").MatchString(text) {
				t.Errorf("%s does not speak of %s", file, name)
			}
		}
	}
}

// Wherever operators look for how to run it, they find how names are encrypted.
func TestTheKeyIsWrittenDown(t *testing.T) {
	for _, file := range []string{"docs/operation.md", "deploy/knobel.service", "deploy/compose.yaml"} {
		if !strings.Contains(document(t, "../../"+file), "KNOBEL_KEY_FILE") {
			t.Errorf("%s does not speak of KNOBEL_KEY_FILE", file)
		}
	}
}

// Variables that tests and CI read stand in CONTRIBUTING.md or, where operators
// may want them, too, in docs/operation.md.
func TestVariablesOfTestsAreWrittenDown(t *testing.T) {
	inner := []string{"KNOBEL_TEST_CRASHING", "KNOBEL_TEST_STOPPING"} // from a test to the process that it starts
	told := document(t, "../../CONTRIBUTING.md") + document(t, "../../docs/operation.md")
	known, found := knownSettings(t), 0
	err := filepath.WalkDir("../..", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(path, "_test.go") && filepath.Base(filepath.Dir(path)) != ".ci" {
			return err
		}
		for _, m := range regexp.MustCompile(`(?:env\("|Env\("|\$\{)(KNOBEL_[A-Z_]+)`).FindAllStringSubmatch(document(t, path), -1) {
			if slices.Contains(known, m[1]) || slices.Contains(inner, m[1]) {
				continue
			}
			found++
			if !strings.Contains(told, "`"+m[1]) {
				t.Errorf("%s reads %s, which is written down nowhere", path, m[1])
			}
		}
		return nil
	})
	if err != nil || found < 10 {
		t.Errorf("%d are read (%v)", found, err)
	}
}

// Both READMEs speak of every command of a chat and of all its settings, and of
// none that is not there.
func TestChatCommandsAreWrittenDown(t *testing.T) {
	st, err := store.Open(t.Context(), storetest.Empty(t))
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	b, err := newBot(st, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	elsewhere := []string{"data", "discord", "telegram", "newbot"} // paths, and a command of Telegram's
	for _, file := range []string{"../../README.md", "../../README.de.md"} {
		text := document(t, file)
		var known []string
		for _, c := range b.Commands() {
			known = append(known, c.Name)
			if !regexp.MustCompile("`/" + c.Name + "[` ]").MatchString(text) {
				t.Errorf("%s does not speak of /%s", file, c.Name)
			}
			for _, o := range c.Options {
				if c.Name == "settings" && !strings.Contains(text, "`"+o.Name+"=") {
					t.Errorf("%s does not speak of /settings %s", file, o.Name)
				}
			}
		}
		for _, m := range regexp.MustCompile("`/([a-z]+)").FindAllStringSubmatch(text, -1) {
			if !slices.Contains(known, m[1]) && !slices.Contains(elsewhere, m[1]) {
				t.Errorf("%s speaks of /%s, which is no command", file, m[1])
			}
		}
	}
}
