package main

import (
	"io"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"knobel/bot"
	"knobel/games"
	"knobel/store/storetest"
)

// commandLine returns the whole command line with nothing configured.
func commandLine() *cobra.Command {
	return rootCommand(world{out: io.Discard, err: io.Discard, getenv: func(string) string { return "" }})
}

// flagsOf returns the names of all flags of a command and its subcommands except settings, rules, help and hidden ones.
func flagsOf(c *cobra.Command) map[string]bool {
	own := map[string]bool{}
	c.LocalNonPersistentFlags().VisitAll(func(f *pflag.Flag) {
		setting := c.Root().PersistentFlags().Lookup(f.Name)
		if !strings.HasPrefix(f.Usage, "rule: ") && f.Name != "help" && (setting == nil || setting.Value != f.Value) &&
			!f.Hidden {
			own[f.Name] = true
		}
	})
	for _, below := range c.Commands() {
		maps.Copy(own, flagsOf(below))
	}
	return own
}

// document returns the text of a file.
func document(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	check(t, err)
	return string(text)
}

// Every command and its flags are listed in docs/commands.md, and nothing else is.
func TestCommandsAreWrittenDown(t *testing.T) {
	rows := map[string]string{}
	for _, m := range regexp.MustCompile("(?m)^\\| .*?`knobel ([a-z]+).*$").FindAllStringSubmatch(document(t,
		"../../docs/commands.md"), -1) {
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
			isRule := slices.ContainsFunc(allGames(), func(g games.Game) bool {
				return slices.ContainsFunc(g.Options(), func(o games.Option) bool { return o.Name == m[1] })
			})
			if !flags[m[1]] && !isRule {
				t.Errorf("docs/commands.md: knobel %s has no flag --%s", c.Name(), m[1])
			}
			delete(flags, m[1])
		}
		for name := range flags {
			if c.Hidden {
				break // a hidden command is a former name of another
			}
			t.Errorf("docs/commands.md does not speak of --%s of knobel %s", name, c.Name())
		}
	}
	for name := range rows {
		t.Errorf("docs/commands.md speaks of knobel %s, which is no command", name)
	}
}

// handbooks lists the pages for operators.
var handbooks = []string{"docs/operation.md", "docs/de/operation.md"}

// The handbooks name every shared flag and variable, also those for secret files. They may leave out a whole platform.
func TestSettingsAreWrittenDown(t *testing.T) {
	variables, found := []string{"KNOBEL_DB_FILE"}, 0
	for _, s := range allSettings() {
		variables = append(variables, s.env)
		if s.holds == token || s.holds == password {
			variables = append(variables, s.env+"_FILE")
		}
	}
	for _, file := range handbooks {
		text, other := document(t, "../../"+file), map[string]bool{}
		for _, e := range platformEntries() {
			left := !slices.ContainsFunc(e.settings,
				func(s setting) bool { return strings.Contains(text, s.env) })
			for _, s := range e.settings {
				other[s.flag()], other[s.env], other[s.env+"_FILE"] = left, left, left
			}
		}
		wants := func(name, spelled string) {
			if found++; !other[name] && !regexp.MustCompile("`"+spelled+"[`=]").MatchString(text) {
				t.Errorf("%s does not speak of %s", file, spelled)
			}
		}
		for _, name := range variables {
			wants(name, name)
		}
		commandLine().PersistentFlags().VisitAll(func(f *pflag.Flag) {
			if f.Usage != "" {
				wants(f.Name, "--"+f.Name)
			}
			for _, name := range regexp.MustCompile(`KNOBEL_[A-Z_]+`).FindAllString(f.Usage, 1) {
				wants(f.Name, name)
			}
		})
	}
	if found < 60 {
		t.Errorf("only %d are found", found)
	}
}

// No two commands of games and of the bot have the same name.
func TestEachGameHasACommandOfItsOwn(t *testing.T) {
	b := quietBot(t, storetest.Open(t))
	named := map[string]bool{}
	for _, c := range b.AllCommands {
		if named[c.Name] {
			t.Errorf("/%s is two commands: rename the game or the command", c.Name)
		}
		named[c.Name] = true
	}
	if len(named) <= len(allGames()) {
		t.Errorf("only %d commands are found", len(named))
	}
}

// The pages for players and admins name every chat command and every chat setting, and no others. They may leave out
// games, so that a new game needs no documentation; README lists these.
func TestChatCommandsAreWrittenDown(t *testing.T) {
	b := quietBot(t, storetest.Open(t))
	elsewhere := []string{"data", "discord", "telegram", "newbot"} // paths, and a command of Telegram's BotFather
	for _, pages := range [][]string{
		{"README.md", "docs/playing.md", "docs/chat.md"},
		{"README.de.md", "docs/de/playing.md", "docs/de/chat.md"},
	} {
		text := ""
		for _, file := range pages {
			text += document(t, "../../"+file)
		}
		var known []string
		for _, c := range b.Commands() {
			known = append(known, c.Name)
			game := slices.ContainsFunc(allGames(), func(g games.Game) bool { return g.Name() == c.Name })
			if !game && !regexp.MustCompile("`/"+c.Name+"[` ]").MatchString(text) {
				t.Errorf("%s do not speak of /%s", pages, c.Name)
			}
			if i := slices.IndexFunc(b.AllCommands, func(row bot.Command) bool { return row.Name == c.Name }); i >= 0 {
				for _, row := range b.AllCommands[i].Subs {
					called := strings.Join(append(b.WordsFor(row.Word), row.Name), "|")
					if row.Word != "" && !regexp.MustCompile("`/"+c.Name+" (?:"+called+")[` ]").MatchString(text) {
						t.Errorf("%s do not speak of /%s %s", pages, c.Name, row.Name)
					}
				}
			}
			for _, o := range c.Options {
				if c.Name == "settings" && !strings.Contains(text, "`"+o.Name+"=") {
					t.Errorf("%s do not speak of /settings %s", pages, o.Name)
				}
			}
		}
		for _, m := range regexp.MustCompile("`/([a-z-]+)").FindAllStringSubmatch(text, -1) {
			if !slices.Contains(known, m[1]) && !slices.Contains(elsewhere, m[1]) {
				t.Errorf("%s speak of /%s, which is no command", pages, m[1])
			}
		}
	}
}
