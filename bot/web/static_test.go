package web

import (
	"compress/gzip"
	"io"
	"io/fs"
	"maps"
	"net/http"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"knobel/bot/words"
)

// sources are the page's files before they are bundled.
var sources = os.DirFS(".")

// Whatever changes in a file, its name or a sentence: the address is another.
func TestAddressesNameTheContent(t *testing.T) {
	below := func(files fstest.MapFS, word string) string {
		return newStatics(map[string]map[string]string{"en": {"key": word}}, files).below
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

// Templates name files by what finds their addresses.
func TestPagesNameNoAddressOfFiles(t *testing.T) {
	named := regexp.MustCompile(`[^"]*/static/[^"]*`)
	for _, pattern := range []string{"page/*.html", "page/js/*.js", "page/*.css"} {
		for _, name := range must(fs.Glob(sources, pattern)) {
			for _, found := range named.FindAllString(string(must(fs.ReadFile(sources, name))), -1) {
				t.Errorf(`%s names %s: write {{.Static "name"}}, or an address relative to the file's own`, name, found)
			}
		}
	}
}

// A page carries the sentences of its own language and of no other.
func TestAPageSpeaksOneLanguage(t *testing.T) {
	url := serve(t, New(Config{}), &pretend{})
	texts := thePages().texts
	for _, lang := range slices.Sorted(maps.Keys(texts)) {
		_, body := do(t, client(t), "GET", url+"/", "", "Accept-Language", lang)
		for other, text := range texts {
			if said := strings.Contains(body, string(embeddable(text["unsent"]))); said != (other == lang) {
				t.Errorf("the page in %s carries the sentences of %s: %v", lang, other, said)
			}
		}
	}
}

// No sentence ends the element that carries it.
func TestSentencesStayInTheirElement(t *testing.T) {
	if got := string(embeddable(`</script><!--&`)); strings.ContainsAny(got, "<>&") {
		t.Errorf("it is carried as %s", got)
	}
	if len(must(words.New()).Languages()) < 2 {
		t.Error("there is one language only")
	}
}

// What front.css says is of the front page alone: it comes to all pages in one file with what is of boards.
func TestTheFrontPagesStylesAreItsOwn(t *testing.T) {
	text := must(os.ReadFile("page/front.css"))
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

// The stream of the room comes compressed, and each event can be read when it happens.
func TestEventsAreCompressed(t *testing.T) {
	w, _, url, c, _ := enters(t, Config{})
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

// unbundled are the page's files as they are written: each module at an address of its own.
func unbundled(p *pages) statics { return newStatics(p.texts, must(fs.Sub(sources, "page"))) }

// What is committed of the bundles is what the generator makes of the sources.
func TestBundlesAreOfTheseSources(t *testing.T) {
	folder := t.TempDir() + "/dist"
	if out, err := exec.Command("sh", "page/bundle", folder).CombinedOutput(); err != nil {
		t.Fatalf("bundle: %v\n%s", err, out)
	}
	made, committed := contents(t, os.DirFS(folder)), contents(t, os.DirFS("page/dist"))
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

// contents are the files of a folder by name.
func contents(t *testing.T, folder fs.FS) map[string]string {
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

// Where a finger presses, nothing stays tinted: what is said of hovering is for pointers that can.
func TestOnlyPointersHover(t *testing.T) {
	hovers := regexp.MustCompile(`(?s)@media \(hover: hover\) \{.*?\n\}`)
	for _, name := range []string{"base.css", "board.css", "people.css", "front.css"} {
		style := string(must(fs.ReadFile(sources, "page/"+name)))
		for line := range strings.Lines(hovers.ReplaceAllString(style, "")) {
			if strings.Contains(line, ":hover") {
				t.Errorf("%s: %s", name, line)
			}
		}
	}
}
