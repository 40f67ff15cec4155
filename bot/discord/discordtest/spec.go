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

// check returns an error for an invalid request.
func (s *Spec) check(c call) error {
	call := s.own.Calls[s.named(c.method, c.path)]
	if call == nil {
		return fmt.Errorf("no such call %s", c.what())
	}
	body := "body"
	if c.isForm {
		body = "form"
	}
	if _, takes := call.Field(body); !takes && len(c.body) > 0 {
		return fmt.Errorf("%s takes no %s", call.Name, body)
	}
	if _, takes := call.Field("files"); !takes && len(c.files) > 0 {
		return fmt.Errorf("%s takes no files", call.Name)
	}
	given, query := map[string]any{}, url.Values(c.query)
	for name := range query {
		if _, takes := call.Field("?" + name); !takes {
			return fmt.Errorf("no query parameter %q on %s", name, call.Name)
		}
		given["?"+name] = inQuery(call, "?"+name, query.Get(name))
	}
	if len(c.files) > 0 {
		given["files"] = spec.File
	}
	if len(c.body) > 0 {
		value, err := spec.Decode(c.body)
		if err != nil {
			return fmt.Errorf("body is no JSON: %w", err)
		}
		given[body] = value
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
