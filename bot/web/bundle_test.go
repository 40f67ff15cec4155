package web

import (
	"io/fs"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"
)

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
	if err != nil {
		t.Fatal(err)
	}
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
