package web

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html/template"
	"io/fs"
	"maps"
	"mime"
	"net/http"
	"path"
	"slices"
	"strings"
	"sync"
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
	kind   string
	body   []byte
	packed func() []byte // body compressed, done once
}

// newStatics reads the files of the page, and has the sentences of each language beside
// them.
func newStatics(texts map[string]map[string]string, folders ...fs.FS) statics {
	s := statics{files: map[string]static{}}
	for _, from := range folders {
		for _, pattern := range []string{"*.css", "*.svg", "*.png", "js/*.js"} {
			for _, name := range must(fs.Glob(from, pattern)) {
				s.files[name] = newStatic(name, must(fs.ReadFile(from, name)))
			}
		}
	}
	for lang, text := range texts {
		name := "words/" + lang + ".json"
		s.files[name] = newStatic(name, must(json.Marshal(text)))
	}
	sum := sha256.New()
	for _, name := range slices.Sorted(maps.Keys(s.files)) {
		fmt.Fprintf(sum, "%s %d\n%s", name, len(s.files[name].body), s.files[name].body)
	}
	s.below = "/static/" + base64.RawURLEncoding.EncodeToString(sum.Sum(nil)[:12]) + "/"
	return s
}

func newStatic(name string, body []byte) static {
	kind := map[string]string{
		".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml", ".json": "application/json",
		".png": "image/png",
	}[path.Ext(name)]
	if compressible(kind) {
		kind = mime.FormatMediaType(kind, map[string]string{"charset": "utf-8"})
	}
	return static{
		kind:   kind,
		body:   body,
		packed: sync.OnceValue(func() []byte { return pack(body) }),
	}
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
	head.Set("Vary", "Accept-Encoding")
	body := f.body
	if compressible(f.kind) && acceptsGzip(r) {
		head.Set("Content-Encoding", "gzip")
		body = f.packed()
	}
	head.Set("Content-Length", fmt.Sprint(len(body)))
	rw.Write(body)
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
