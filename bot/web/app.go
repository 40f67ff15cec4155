package web

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
)

// What makes the page one that can be installed: its manifest, and the service worker, which keeps the
// page's own files and one page for when there is no connection. Neither tells anything of a room.

// manifest is what systems want to know of a page that people install.
type manifest struct {
	ID          string `json:"id"`
	Name        string `json:"name"`
	Short       string `json:"short_name"`
	Description string `json:"description"`
	Lang        string `json:"lang"`
	Start       string `json:"start_url"`
	Scope       string `json:"scope"`
	Display     string `json:"display"`
	Ground      string `json:"background_color"`
	Theme       string `json:"theme_color"`
	Icons       []icon `json:"icons"`
}

// icon is a picture of the manifest.
type icon struct {
	Source  string `json:"src"`
	Sizes   string `json:"sizes"`
	Type    string `json:"type"`
	Purpose string `json:"purpose,omitempty"`
}

// manifest serves the manifest in the visitor's language.
func (p *pages) manifest(rw http.ResponseWriter, r *http.Request) {
	lang := p.lang(r)
	at := func(name string) string { return must(p.statics.at(name)) }
	raw := must(json.Marshal(manifest{
		ID: "/", Name: "Knobel", Short: "Knobel", Description: p.texts[lang]["title"], Lang: lang, Start: "/",
		Scope: "/", Display: "standalone", Ground: "#1f6048", Theme: "#1f6048",
		Icons: []icon{
			{Source: at("icon-192.png"), Sizes: "192x192", Type: "image/png"},
			{Source: at("icon-512.png"), Sizes: "512x512", Type: "image/png"},
			{Source: at("icon-mask-512.png"), Sizes: "512x512", Type: "image/png", Purpose: "maskable"},
			{Source: at("die.svg"), Sizes: "any", Type: "image/svg+xml"},
		},
	}))
	rw.Header().Set("Content-Type", "application/manifest+json")
	rw.Write(raw)
}

// worker serves the service worker of these files: with other files it is another one. It is no file of the page's
// at an address of its own, since one may only serve what lies below its address.
func (p *pages) worker(rw http.ResponseWriter, _ *http.Request) {
	kept := []string{"/offline", must(p.statics.at("page.css")), must(p.statics.at("js/offline.js"))}
	rw.Header().Set("Content-Type", "text/javascript; charset=utf-8")
	fmt.Fprintf(rw, "const version = %s;\nconst kept = %s;\n%s", embeddable(strings.Trim(p.statics.below, "/")),
		embeddable(kept), p.workerCode)
}
