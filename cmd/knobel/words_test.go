package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"knobel/bot/words"
	"knobel/games"
)

// A translator writes the files of a language, puts some sentences into them, and
// writes them again: what is there stays, and what is missing is counted.
func TestFilesOfANewLanguage(t *testing.T) {
	const code = "fr"
	folder := t.TempDir()
	files, err := words.Sources(os.DirFS("../.."))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		text := document(t, "../../"+file)
		if err := os.MkdirAll(filepath.Join(folder, filepath.Dir(file)), 0o700); err != nil {
			t.Fatal(err)
		}
		writes(t, filepath.Join(folder, file), []byte(text))
	}
	t.Chdir(folder)
	asked := func(args ...string) string {
		t.Helper()
		var out, complaints bytes.Buffer
		w := world{out: &out, err: &complaints, getenv: func(string) string { return "" }}
		if rc := run(t.Context(), w, append([]string{"words"}, args...)); rc != 0 {
			t.Fatalf("%q: %d %s", args, rc, &complaints)
		}
		return out.String()
	}
	if said := asked(); !strings.HasPrefix(said, "en: ") || !strings.Contains(said, "\nde: ") {
		t.Errorf("counted are\n%s", said)
	}
	coins := strings.Count(document(t, "games/gametest/coin/words/en.toml"), " = ")
	const game = "games/shutbox/words/" + code + ".toml"
	said, err := sentences() // what the program has, the tests' games apart
	if err != nil {
		t.Fatal(err)
	}
	_, all := said.Said(code)
	for _, want := range []string{"bot/words/" + code + ".toml: ", game + ": ",
		fmt.Sprintf("games/gametest/coin/words/%s.toml: %d are missing", code, coins), code + ": 0 of " + grouped(all),
		"games/sheet/words/sheet." + code + ".toml: ", "games/sheet/sets/words/kniffel/" + code + ".toml: ",
		"Take the sign (#) away"} {
		if said := asked(code); !strings.Contains(said, want) {
			t.Errorf("%q is not told:\n%s", want, said)
		}
	}
	text := document(t, game)
	if !strings.Contains(text, "draft = true") || strings.Contains(text, "\nname = ") {
		t.Errorf("a new file is\n%.600s", text)
	}
	text = strings.Replace(text, `# name = "Shut the Box"`, `name = "Kasten"`, 1)
	writes(t, game, []byte(text))
	if said := asked(code); !strings.Contains(said, code+": 1 of "+grouped(all)) || document(t, game) != text {
		t.Errorf("what was translated does not stay:\n%s%.600s", said, document(t, game))
	}
	drafted, err := words.Read(os.DirFS("bot/words"), os.DirFS(filepath.Dir(game)))
	if err == nil {
		err = drafted.Offer(strings.ToUpper(code))
	}
	name := games.Line{Key: "shutbox.name"}
	if said := drafted.Say(code, name, words.Context{}); err != nil || !slices.Contains(drafted.Languages(), code) ||
		said != "Kasten" || drafted.Offer("it") == nil {
		t.Errorf("the draft says %q, %v", said, err)
	}
	for args, want := range map[string]string{"nonsense!": "is no language", "FR": "is no language",
		"tlh": "is no language"} {
		var complaints bytes.Buffer
		if rc := run(t.Context(), world{out: &complaints, err: &complaints, getenv: func(string) string { return "" }},
			[]string{"words", args}); rc != 1 || !strings.Contains(complaints.String(), want) {
			t.Errorf("%s: %d %s", args, rc, &complaints)
		}
	}
	t.Chdir(t.TempDir())
	var complaints bytes.Buffer
	if rc := run(t.Context(), world{out: &complaints, err: &complaints, getenv: func(string) string { return "" }},
		[]string{"words", "fr"}); rc != 1 ||
		!strings.Contains(complaints.String(), "the sources are not here") {
		t.Errorf("without sources: %d %s", rc, &complaints)
	}
}
