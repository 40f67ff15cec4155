package discordtest

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"sync"

	"knobel/bot/fakes/spec"
)

//go:embed api.txt
var api string

// Spec is the description of Discord's API for checking requests.
type Spec struct {
	own    *spec.Spec
	routes []route
}

// route is one call of the description.
type route struct {
	method   string
	template string
	segments []string
}

// Described returns our description of Discord's API: the calls that the bot uses.
var Described = sync.OnceValue(func() *Spec {
	own := spec.Read(api)
	s := &Spec{own: own}
	for name := range own.Calls {
		method, template, _ := strings.Cut(name, " ")
		s.routes = append(s.routes, route{method, template, strings.Split(template, "/")})
	}
	return s
})

// match returns the call of a path: fixed words before parameters. known reports whether the path exists for any
// method.
func (s *Spec) match(method, path string) (call *spec.Object, known bool) {
	segments := strings.Split(path, "/")
	best := -1
	for i, r := range s.routes {
		if !r.fits(segments) {
			continue
		}
		if n := strings.Count(r.template, "{"); best < 0 || n < strings.Count(s.routes[best].template, "{") {
			best = i
		}
	}
	if best < 0 {
		return nil, false
	}
	return s.own.Calls[method+" "+s.routes[best].template], true
}

// named returns the name of a call of the description, "" for none.
func (s *Spec) named(method, path string) string {
	if call, _ := s.match(method, path); call != nil {
		return call.Name
	}
	return ""
}

func (r route) fits(segments []string) bool {
	if len(segments) != len(r.segments) {
		return false
	}
	for i, want := range r.segments {
		switch {
		case want == "{id}" && !spec.IsID(segments[i]), want == "{word}" && segments[i] == "":
			return false
		case want[:min(1, len(want))] != "{" && segments[i] != want:
			return false
		}
	}
	return true
}

// Check returns an error for an invalid request. path is without /api and version; body is JSON, and files says that
// files came with it.
func (s *Spec) Check(method, path string, query url.Values, body []byte, files bool) error {
	call, known := s.match(method, path)
	switch {
	case !known:
		return fmt.Errorf("no such path %s", path)
	case call == nil:
		return fmt.Errorf("no %s on %s", method, path)
	}
	if _, takes := call.Field("body"); !takes && len(body) > 0 {
		return fmt.Errorf("%s takes no body", call.Name)
	}
	if _, takes := call.Field("files"); !takes && files {
		return fmt.Errorf("%s takes no files", call.Name)
	}
	given := map[string]any{}
	for name := range query {
		if _, takes := call.Field("?" + name); !takes {
			return fmt.Errorf("no query parameter %q on %s", name, call.Name)
		}
		given["?"+name] = inQuery(call, "?"+name, query.Get(name))
	}
	if files {
		given["files"] = spec.File
	}
	if len(body) > 0 {
		value, err := spec.Decode(body)
		if err != nil {
			return fmt.Errorf("body is no JSON: %w", err)
		}
		given["body"] = value
	}
	if wrong := s.own.Fields(call, given, ""); len(wrong) > 0 {
		return fmt.Errorf("%s: %s", call.Name, strings.Join(wrong, "; "))
	}
	return nil
}

// inQuery parses a parameter of the query as its type.
func inQuery(call *spec.Object, name, raw string) any {
	f, _ := call.Field(name)
	for _, t := range f.Types {
		switch {
		case t.Kind == spec.Boolean && slices.Contains([]string{"true", "false"}, raw):
			return raw == "true"
		case t.Kind == spec.Integer:
			return json.Number(raw)
		}
	}
	return raw
}
