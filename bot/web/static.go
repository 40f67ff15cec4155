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

// The page's own files, served at addresses with a hash of them all, so that browsers cache them for good.

// statics holds the page's files, below an address that changes with any of them.
type statics struct {
	below string            // "/static/<hash>/"
	files map[string]static // by name, such as "js/room.js"
}

// static is one file.
type static struct {
	kind string
	body []byte
}

// newStatics reads the files of the page and adds the sentences of each language.
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

// kinds are media types by file extension.
var kinds = map[string]string{
	".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8",
	".svg": "image/svg+xml; charset=utf-8", ".json": "application/json; charset=utf-8", ".png": "image/png",
}

// at returns the address of a file. A missing one is a fault of the build.
func (s statics) at(name string) (string, error) {
	if _, ok := s.files[name]; !ok {
		return "", fmt.Errorf("the page has no file %q", name)
	}
	return s.below + name, nil
}

// serve serves the page's own files.
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

// embeddable returns a value for a script element with data.
func embeddable(value any) template.JS {
	return template.JS(must(json.Marshal(value))) // Marshal escapes the end of the element
}

// must returns the value, and panics on an error, which is a fault of the build.
func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}
