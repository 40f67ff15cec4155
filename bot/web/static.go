package web

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html/template"
	"io/fs"
	"maps"
	"net/http"
	"path"
	"slices"
	"strings"
)

// The page's own files, as they are served: at addresses that name the content of all
// of them, so that a browser that has one never asks for it again.

// statics are the page's files, below one address that changes when one of them does.
type statics struct {
	below string            // "/static/<hash>/"
	files map[string]static // by name, such as "js/room.js"
}

// static is one file of the page.
type static struct {
	kind string
	body []byte
}

// newStatics reads the files of the page, and has the sentences of each language beside
// them.
func newStatics(texts map[string]map[string]string, folders ...fs.FS) statics {
	s := statics{files: map[string]static{}}
	for _, from := range folders {
		for _, pattern := range []string{"*.css", "*.svg", "*.png", "js/*.js"} {
			for _, name := range must(fs.Glob(from, pattern)) {
				s.files[name] = static{kinds[path.Ext(name)], must(fs.ReadFile(from, name))}
			}
		}
	}
	for lang, text := range texts {
		s.files["words/"+lang+".json"] = static{kinds[".json"], must(json.Marshal(text))}
	}
	sum := sha256.New()
	for _, name := range slices.Sorted(maps.Keys(s.files)) {
		fmt.Fprintf(sum, "%s %d\n%s", name, len(s.files[name].body), s.files[name].body)
	}
	s.below = "/static/" + base64.RawURLEncoding.EncodeToString(sum.Sum(nil)[:12]) + "/"
	return s
}

// kinds are the media types of files by how their names end.
var kinds = map[string]string{
	".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8",
	".svg": "image/svg+xml; charset=utf-8", ".json": "application/json; charset=utf-8", ".png": "image/png",
}

// at is the address of a file. That there is none is a fault of the build, found by
// every test that shows the page.
func (s statics) at(name string) (string, error) {
	if _, ok := s.files[name]; !ok {
		return "", fmt.Errorf("the page has no file %q", name)
	}
	return s.below + name, nil
}

// serve serves the page's own files, and nothing that is not one of them.
func (s statics) serve(rw http.ResponseWriter, r *http.Request) {
	name, current := strings.CutPrefix(r.URL.Path, s.below)
	f, ok := s.files[name]
	if !ok || !current {
		http.NotFound(rw, r)
		return
	}
	head := rw.Header()
	head.Set("Cache-Control", "public, max-age=31536000, immutable")
	head.Set("Content-Type", f.kind)
	rw.Write(f.body)
}

// embeddable is a value as a page carries it in a script element that is data.
func embeddable(value any) template.JS {
	return template.JS(must(json.Marshal(value))) // Marshal escapes what could end the element
}

// must is a value of the program's own files: that it cannot be had is a fault of the build.
func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}
