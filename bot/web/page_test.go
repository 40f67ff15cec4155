package web

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"knobel/bot/chat"
)

// argument is a named part of a sentence.
var argument = regexp.MustCompile(`\{\w+\}`)

func thePages() *pages { return loadPages(ownWords()) }

func TestEveryLanguageSaysEverything(t *testing.T) {
	p := thePages()
	english := p.texts["en"]
	for lang, texts := range p.texts {
		for key, text := range texts {
			want, got := argument.FindAllString(english[key], -1), argument.FindAllString(text, -1)
			slices.Sort(want)
			slices.Sort(got)
			if text == "" || !slices.Equal(want, got) {
				t.Errorf("%s %s: %q has the arguments %v, English has %v", lang, key, text, got, want)
			}
		}
	}
}

func TestEverySentenceIsUsedAndThere(t *testing.T) {
	p := thePages()
	used := map[string]bool{}
	certain := regexp.MustCompile(`(?:\.W |say\(|key: |\? |: )"([a-z]+(?:-[a-z]+)*)"`)
	for _, pattern := range []string{"page/*.html", "page/js/*.js"} {
		for _, name := range must(fs.Glob(sources, pattern)) {
			for _, found := range certain.FindAllStringSubmatch(string(must(fs.ReadFile(sources, name))), -1) {
				used[found[1]] = true
			}
		}
	}
	for _, key := range []string{ // put together from a state
		"tile-open", "tile-shut", "tile-picked", "seat-to-move", "seat-won", "seat-out",
		"guest", "slowly", "rooms-slowly", "not-a-command",
		"people-full", "people-last", "people-unknown", "people-no-name",
		"sign-in-slowly", "sign-in-wrong", "preview-room", "sign-clap", "sign-laugh", "sign-wow", "sign-cry",
		"sign-fire", "sign-dice",
		"too-long",
		"nowhere", "renewed", "only-host", "shown-out-said", "host-now", "not-here", "not-oneself", "host-away", sorry,
	} {
		used[key] = true
	}
	for key := range p.texts["en"] {
		if !used[key] {
			t.Errorf("nobody says %q", key)
		}
	}
	named := regexp.MustCompile(`(?:\.W |say\(|key: )"([^"]+)"`)
	for _, pattern := range []string{"page/*.html", "page/js/*.js"} {
		for _, name := range must(fs.Glob(sources, pattern)) {
			for _, found := range named.FindAllStringSubmatch(string(must(fs.ReadFile(sources, name))), -1) {
				if _, ok := p.texts["en"][found[1]]; !ok {
					t.Errorf("%s says %q, which is no sentence", name, found[1])
				}
			}
		}
	}
}

// Pictures among the letters of what the bot says are drawn by the page: many a
// machine has no letters for them.
func TestSignsAreDrawn(t *testing.T) {
	icons := string(must(fs.ReadFile(sources, "page/js/icons.js")))
	read := 0
	for _, pattern := range []string{"../words/*.toml", "../../games/*/words/*.toml"} {
		for _, name := range must(filepath.Glob(pattern)) {
			read++
			for _, r := range string(must(os.ReadFile(name))) {
				if r >= 0x1f000 && !strings.ContainsRune(icons, r) {
					t.Errorf("%s says %c, which the page does not draw", name, r)
				}
			}
		}
	}
	if read < 4 {
		t.Errorf("only %d files were read", read)
	}
}

// A value of several words is completed whole, by what stands before it.
func TestValuesOfSeveralWordsAreCompleted(t *testing.T) {
	commands := []chat.Command{{Name: "play", Options: []chat.CommandOption{{Name: "game", Type: chat.TypeGame},
		{Name: "options", Type: chat.TypeText, Completes: true}}},
		{Name: "leaderboard", Options: []chat.CommandOption{{Name: "period", Type: chat.TypeText},
			{Name: "game", Type: chat.TypeChoice}}}}
	for text, wanted := range map[string]string{
		"/play game=c":                               "||game|c",
		"/leaderboard period=2026-11 game=c":         "|period=2026-11|game|c",
		"/play game=coin options=":                   "|game=coin|options|",
		"/play coin options=tu":                      "|coin|options|tu",
		"/play game=coin options=turn=2h hin":        "|game=coin|options|turn=2h hin",
		"/play game=coin options=turn=2h hints=":     "|game=coin|options|turn=2h hints=",
		"/play game=coin options=turn=2h options=hi": "|game=coin|options|turn=2h options=hi",
	} {
		asked := ""
		list := suggest(commands, "en", text, func(command, before, option, typed string) []chat.CommandChoice {
			asked = strings.Join([]string{"", before, option, typed}, "|")
			return []chat.CommandChoice{{Value: "all of it"}}
		})
		whole := text[:strings.Index(text+" options=", " options=")] + " options=all of it "
		if before, isGame := strings.CutSuffix(text, "game=c"); isGame {
			whole = before + "game=all of it "
		}
		if asked != wanted || len(list) != 1 || list[0].Text != whole {
			t.Errorf("%s: asked for %s, want %s; it becomes %+v", text, asked, wanted, list)
		}
	}
}
