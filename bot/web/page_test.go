package web

import (
	"compress/gzip"
	"encoding/json"
	"io"
	"io/fs"
	"maps"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"knobel/bot/chat"
	"knobel/bot/words"
)

// argument matches a named part of a sentence.
var argument = regexp.MustCompile(`\{\w+\}`)

// thePages returns the pages with the sentences of the bot.
func thePages() *pages { return loadPages(defaultWords()) }

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

// Every sentence with a key is used, and every used key has a sentence.
func TestEverySentenceIsUsedAndThere(t *testing.T) {
	p := thePages()
	used := map[string]bool{}
	certain := regexp.MustCompile(`(?:\.W |say\(|key: |\? |: )"([a-z]+(?:-[a-z]+)*)"`)
	for _, pattern := range []string{"page/*.html", "page/*/*.js"} {
		for _, name := range must(fs.Glob(sources, pattern)) {
			for _, found := range certain.FindAllStringSubmatch(string(must(fs.ReadFile(sources, name))), -1) {
				used[found[1]] = true
			}
		}
	}
	for _, key := range []string{ // keys that scripts build from a state
		"tile-open", "tile-shut", "tile-picked", "seat-to-move", "seat-won", "seat-out",
		"guest", "slowly", "rooms-slowly", "not-a-command",
		"people-full", "people-last", "people-unknown", "people-no-name",
		"sign-in-slowly", "sign-in-wrong", "preview-room", "sign-clap", "sign-laugh", "sign-wow", "sign-cry",
		"sign-fire", "sign-dice",
		"too-long", "embed-aged", "embed-busy", "embed-forged", "embed-replayed", "embed-slowly", "embed-stranger",
		"nowhere", "renewed", "only-host", "shown-out-said", "host-now", "not-here", "not-oneself", "host-away", sorry,
		"push-endpoint", "push-keys",
	} {
		used[key] = true
	}
	for key := range p.texts["en"] {
		if !used[key] {
			t.Errorf("nobody says %q", key)
		}
	}
	named := regexp.MustCompile(`(?:\.W |say\(|key: )"([^"]+)"`)
	for _, pattern := range []string{"page/*.html", "page/*/*.js"} {
		for _, name := range must(fs.Glob(sources, pattern)) {
			for _, found := range named.FindAllStringSubmatch(string(must(fs.ReadFile(sources, name))), -1) {
				if _, ok := p.texts["en"][found[1]]; !ok {
					t.Errorf("%s says %q, which is no sentence", name, found[1])
				}
			}
		}
	}
}

// The page draws the emoji in the bot's sentences itself: many machines have no font for them.
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

// A value of several words is completed as a whole, including the words that are typed already.
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

// sources are the page's files before they are bundled.
var sources = os.DirFS(".")

// The address changes with a file's content, its name and each sentence.
func TestAddressesNameTheContent(t *testing.T) {
	below := func(files fstest.MapFS, word string) string {
		return newStatics(map[string]map[string]string{"en": {"key": word}}, files).prefix
	}
	file := func(text string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(text)} }
	all := []string{
		below(fstest.MapFS{"a.css": file("ab"), "js/b.js": file("c")}, "Word"),
		below(fstest.MapFS{"a.css": file("a"), "js/b.js": file("bc")}, "Word"),
		below(fstest.MapFS{"ab.css": file("ab"), "js/b.js": file("c")}, "Word"),
		below(fstest.MapFS{"a.css": file("ab"), "js/b.js": file("c")}, "Words"),
		below(fstest.MapFS{"a.css": file("ab")}, "Word"),
	}
	if unlike := slices.Compact(slices.Sorted(slices.Values(all))); len(unlike) != len(all) {
		t.Errorf("what differs has one address: %v", all)
	}
	if again := below(fstest.MapFS{"a.css": file("ab"), "js/b.js": file("c")}, "Word"); again != all[0] {
		t.Errorf("what is alike has two addresses: %s and %s", again, all[0])
	}
}

// Templates use files only through the function that returns their addresses.
func TestPagesNameNoAddressOfFiles(t *testing.T) {
	named := regexp.MustCompile(`[^"]*/static/[^"]*`)
	for _, pattern := range []string{"page/*.html", "page/*/*.js", "page/*/*.css"} {
		for _, name := range must(fs.Glob(sources, pattern)) {
			for _, found := range named.FindAllString(string(must(fs.ReadFile(sources, name))), -1) {
				t.Errorf(`%s names %s: write {{.Static "name"}}, or an address relative to the file's own`, name, found)
			}
		}
	}
}

// A page contains only the sentences of its language.
func TestAPageSpeaksOneLanguage(t *testing.T) {
	url := serve(t, New(Config{}), &fakeBot{})
	texts := thePages().texts
	for _, lang := range slices.Sorted(maps.Keys(texts)) {
		_, body := do(t, newClient(t), "GET", url+"/", "", "Accept-Language", lang)
		for other, text := range texts {
			if said := strings.Contains(body, string(embeddable(text["unsent"]))); said != (other == lang) {
				t.Errorf("the page in %s carries the sentences of %s: %v", lang, other, said)
			}
		}
	}
}

// No sentence closes the script element that contains it.
func TestSentencesStayInTheirElement(t *testing.T) {
	if got := string(embeddable(`</script><!--&`)); strings.ContainsAny(got, "<>&") {
		t.Errorf("it is carried as %s", got)
	}
	if len(must(words.New()).Languages()) < 2 {
		t.Error("there is one language only")
	}
}

// The rules in gallery/front.css apply to the front page alone, though all pages get one file with all styles.
func TestTheFrontPagesStylesAreItsOwn(t *testing.T) {
	text := must(os.ReadFile("page/gallery/front.css"))
	text = regexp.MustCompile(`(?s)/\*.*?\*/`).ReplaceAll(text, nil)
	found := 0
	for _, rule := range regexp.MustCompile(`([^{}]+)\{`).FindAllSubmatch(text, -1) {
		for selector := range strings.SplitSeq(strings.TrimSpace(string(rule[1])), ",") {
			if found++; !strings.HasPrefix(selector, "@media") && !strings.Contains(selector, ".front") {
				t.Errorf("%q styles other pages, too", selector)
			}
		}
	}
	if found < 10 {
		t.Errorf("only %d selectors are found", found)
	}
}

// The stream of the room is compressed, and each event can be read when it is sent.
func TestEventsAreCompressed(t *testing.T) {
	w, _, url, c, _ := serveWithBrowser(t, Config{})
	r := must(http.NewRequestWithContext(t.Context(), "GET", url+"/events", nil))
	r.Header.Set("Accept-Encoding", "gzip")
	res, err := c.Do(r)
	done(t, err)
	defer res.Body.Close()
	if got := res.Header.Get("Content-Encoding"); got != "gzip" {
		t.Fatalf("it is coded as %q", got)
	}
	z := must(gzip.NewReader(res.Body))
	comes := func(text string) {
		t.Helper()
		for read := ""; !strings.Contains(read, text); {
			one := make([]byte, 1<<16)
			n, err := z.Read(one)
			if read += string(one[:n]); err != nil && err != io.EOF {
				t.Fatalf("%q never comes: %v", text, err)
			}
		}
	}
	comes("retry: 1000\n\n")
	comes("event: feed\n")
	for _, head := range []string{"First", strings.Repeat("Long ", 20_000), "Last"} {
		w.room.post(board(1, head))
		comes(`"head":"` + head)
	}
}

// unbundledFiles returns the page's files before bundling, each module at a separate address.
func unbundledFiles(p *pages) statics { return newStatics(p.texts, must(fs.Sub(sources, "page"))) }

// The committed bundles are the output of the generator for these sources.
func TestBundlesAreOfTheseSources(t *testing.T) {
	folder := t.TempDir() + "/dist"
	if out, err := exec.Command("sh", "page/bundle", folder).CombinedOutput(); err != nil {
		t.Fatalf("bundle: %v\n%s", err, out)
	}
	made, committed := readFiles(t, os.DirFS(folder)), readFiles(t, os.DirFS("page/dist"))
	for name, text := range made {
		if committed[name] != text {
			t.Errorf("page/dist/%s is not what is made of the sources: go generate ./bot/web", name)
		}
	}
	for name := range committed {
		if _, ok := made[name]; !ok {
			t.Errorf("page/dist/%s is not made any longer: go generate ./bot/web", name)
		}
	}
	if len(made) < 6 {
		t.Errorf("only %d files are made", len(made))
	}
}

// readFiles returns the files of a folder by name.
func readFiles(t *testing.T, folder fs.FS) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := fs.WalkDir(folder, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := fs.ReadFile(folder, name)
		all[name] = string(text)
		return err
	})
	done(t, err)
	return all
}

// No button stays tinted after a touch: styles of hovering are for pointers that can hover.
func TestOnlyPointersHover(t *testing.T) {
	hovers := regexp.MustCompile(`(?s)@media \(hover: hover\) \{.*?\n\}`)
	for _, name := range append(must(fs.Glob(sources, "page/*/*.css")), "page/tokens.css") {
		if strings.HasPrefix(name, "page/dist/") {
			continue // of the same sources, without line breaks
		}
		style := string(must(fs.ReadFile(sources, name)))
		for line := range strings.Lines(hovers.ReplaceAllString(style, "")) {
			if strings.Contains(line, ":hover") {
				t.Errorf("%s: %s", name, line)
			}
		}
	}
}

// beginningOf returns the initial data of the room's page at url.
func beginningOf(t *testing.T, c *http.Client, url string) beginning {
	t.Helper()
	res, body := do(t, c, "GET", url, "")
	want(t, res, http.StatusOK)
	if got := res.Header.Get("Cache-Control"); got != "no-store" {
		t.Errorf("a page for one visitor is kept as %q says", got)
	}
	_, rest, _ := strings.Cut(body, `<script type="application/json" id="begin">`)
	text, _, found := strings.Cut(rest, "</script>")
	if !found {
		t.Fatalf("the page begins with nothing: %s", body)
	}
	var b beginning
	if err := json.Unmarshal([]byte(text), &b); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return b
}

func TestAPageComesWithItsVisitorAndTheBoardInPlay(t *testing.T) {
	w, _, at, c, v := serveWithBrowser(t, Config{})
	w.room.retire(w.room.post(board(1, "over")))
	w.room.post(chat.Message{Head: "a notice"})
	m := board(2, "in play </script><b>")
	m.People = []chat.Person{{Seat: 4, User: v.user(0), Name: "Anna"}}
	m.Steps = []chat.Step{{Turn: 1}}
	ref := w.room.post(m)
	b := beginningOf(t, c, at+"/table")
	if b.Self == nil || len(b.Self.People) != 1 || b.Self.People[0] != v.People[0] {
		t.Errorf("the visitor is %v, want %v", b.Self, v.People)
	}
	if diff := cmp.Diff([]opening{{"/shutbox", chat.Card{}, true}}, b.Games); diff != "" {
		t.Error(diff)
	}
	if b.Feed == nil || !cmp.Equal([]chat.Ref{ref}, b.Feed.All) ||
		!cmp.Equal([]string{m.Head}, headsIn(news{Entries: b.Feed.Entries})) {
		t.Fatalf("the boards in play are %+v", b.Feed)
	}
	if e := b.Feed.Entries[0]; !cmp.Equal(map[int]int{4: 0}, e.Mine) || e.Message.Steps != nil {
		t.Errorf("the board is not the visitor's own: %+v", e)
	}
	w.room.post(board(3, "after"))
	rest := url.Values{"after": {b.Feed.At}, "has": {string(ref)}}
	_, n, _ := openStream(t, c, at, "", rest).next()
	if diff := cmp.Diff([]string{"over", "a notice", "after"}, headsIn(n)); diff != "" || len(n.All) != 4 {
		t.Error("the stream brings what the page has not come with:", diff)
	}
	if len(n.Here) != 1 {
		t.Errorf("here are %v", n.Here)
	}
	rest.Set("after", "elsewhere.9")
	if _, n, _ = openStream(t, c, at, "", rest).next(); len(n.Entries) != 4 {
		t.Errorf("a page from before a restart gets %v", headsIn(n))
	}
}
