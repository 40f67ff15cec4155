package discordtest

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"net/http"
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
	own   *spec.Spec
	calls *http.ServeMux
	names map[string]string // names of calls, by the patterns in calls
}

// Described returns Knobel's description of Discord's API: the calls that the bot uses.
var Described = sync.OnceValue(func() *Spec {
	s := &Spec{own: spec.Read(api), calls: http.NewServeMux(), names: map[string]string{}}
	for name := range s.own.Calls {
		pattern := name
		for i := range strings.Count(name, "{") { // in a mux, parameters need different names
			pattern = strings.Replace(strings.Replace(pattern, "{id}", fmt.Sprintf("{%c}", 'a'+i), 1), "{word}",
				"{w}", 1)
		}
		s.names[pattern] = name
		s.calls.HandleFunc(pattern, http.NotFound)
	}
	return s
})

// named returns the description's name of a call, such as "GET /channels/{id}", by method and path; "" for none.
func (s *Spec) named(method, path string) string {
	_, pattern := s.calls.Handler(&http.Request{Method: method, URL: &url.URL{Path: path}})
	name, given := s.names[pattern], strings.Split(method+" "+path, "/")
	for i, want := range strings.Split(name, "/") {
		if want == "{id}" && !spec.IsID(given[i]) {
			return ""
		}
	}
	return name
}

// Check returns an error for an invalid request. path has no /api and version, body is JSON or empty, and hasFiles
// tells whether the request is a form with files.
func (s *Spec) Check(method, path string, query url.Values, body []byte, hasFiles bool) error {
	call := s.own.Calls[s.named(method, path)]
	if call == nil {
		return fmt.Errorf("no such call %s %s", method, path)
	}
	if _, takes := call.Field("body"); !takes && len(body) > 0 {
		return fmt.Errorf("%s takes no body", call.Name)
	}
	if _, takes := call.Field("files"); !takes && hasFiles {
		return fmt.Errorf("%s takes no files", call.Name)
	}
	given := map[string]any{}
	for name := range query {
		if _, takes := call.Field("?" + name); !takes {
			return fmt.Errorf("no query parameter %q on %s", name, call.Name)
		}
		given["?"+name] = inQuery(call, "?"+name, query.Get(name))
	}
	if hasFiles {
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

// inQuery parses raw, the value of the query parameter name of call, as the parameter's type.
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
