package discordtest

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// specFile is the official description of the API in a folder of specs.
const specFile = "discord-openapi.json"

// specURL is the name under which the description is compiled.
const specURL = "mem:///discord.json"

// Spec is the official description of Discord's API, made stricter: keys that
// it does not know are refused.
type Spec struct {
	routes   []route
	compiler *jsonschema.Compiler

	mu       sync.Mutex
	compiled map[string]*jsonschema.Schema
}

// route is one path template of the description.
type route struct {
	template string
	segments []string
	// methods holds, for each method in lower case, its query parameters.
	methods map[string][]string
	// bodies holds the pointer to the schema of a method's JSON body.
	bodies map[string]string
	// forms are the methods that take files beside that body.
	forms map[string]bool
	// snowflakes are the path parameters that must be ids.
	snowflakes []string
}

// LoadSpec reads the description from a folder of specs.
func LoadSpec(folder string) (*Spec, error) {
	file, err := os.Open(filepath.Join(folder, specFile))
	if err != nil {
		return nil, fmt.Errorf("discord description: %w", err)
	}
	defer file.Close()
	doc, err := jsonschema.UnmarshalJSON(file)
	if err != nil {
		return nil, fmt.Errorf("discord description: %w", err)
	}
	root, ok := doc.(map[string]any)
	if !ok {
		return nil, errors.New("discord description: no object")
	}
	spec := &Spec{compiler: jsonschema.NewCompiler(), compiled: map[string]*jsonschema.Schema{}}
	paths, _ := root["paths"].(map[string]any)
	for template, item := range paths {
		spec.routes = append(spec.routes, readRoute(template, item.(map[string]any)))
	}
	closeObjects(root["components"])
	if err := spec.compiler.AddResource(specURL, root); err != nil {
		return nil, fmt.Errorf("discord description: %w", err)
	}
	return spec, nil
}

// readRoute reads what a path template takes.
func readRoute(template string, item map[string]any) route {
	r := route{template: template, segments: strings.Split(template, "/"), methods: map[string][]string{}, bodies: map[string]string{}, forms: map[string]bool{}}
	read := func(parameters any) (query []string) {
		list, _ := parameters.([]any)
		for _, p := range list {
			parameter := p.(map[string]any)
			name, _ := parameter["name"].(string)
			schema, _ := parameter["schema"].(map[string]any)
			ref, _ := schema["$ref"].(string)
			switch {
			case parameter["in"] == "query":
				query = append(query, name)
			case parameter["in"] == "path" && strings.HasSuffix(ref, "/SnowflakeType"):
				r.snowflakes = append(r.snowflakes, "{"+name+"}")
			}
		}
		return query
	}
	shared := read(item["parameters"])
	for _, method := range []string{"get", "post", "put", "patch", "delete"} {
		operation, ok := item[method].(map[string]any)
		if !ok {
			continue
		}
		r.methods[method] = append(slices.Clone(shared), read(operation["parameters"])...)
		body, _ := operation["requestBody"].(map[string]any)
		content, _ := body["content"].(map[string]any)
		_, r.forms[method] = content["multipart/form-data"]
		if _, ok := content["application/json"]; ok {
			escaped := strings.NewReplacer("~", "~0", "/", "~1").Replace(template)
			r.bodies[method] = specURL + "#" + (&url.URL{Path: "/paths/" + escaped}).EscapedPath() + "/" + method +
				"/requestBody/content/application~1json/schema"
		}
	}
	return r
}

// closeObjects makes every described object refuse keys that it does not
// describe. Objects that are put together by allOf are left open: each part
// would refuse the keys of the other.
func closeObjects(node any) {
	switch n := node.(type) {
	case map[string]any:
		_, described := n["properties"].(map[string]any)
		_, said := n["additionalProperties"]
		_, mixed := n["allOf"]
		if described && !said && !mixed {
			n["additionalProperties"] = false
		}
		for _, child := range n {
			closeObjects(child)
		}
	case []any:
		for _, child := range n {
			closeObjects(child)
		}
	}
}

// match finds the template of a path: fixed words before parameters.
func (s *Spec) match(path string) (route, bool) {
	segments := strings.Split(path, "/")
	best, found := route{}, false
	for _, r := range s.routes {
		if r.fits(segments) && (!found || strings.Count(r.template, "{") < strings.Count(best.template, "{")) {
			best, found = r, true
		}
	}
	return best, found
}

func (r route) fits(segments []string) bool {
	if len(segments) != len(r.segments) {
		return false
	}
	for i, want := range r.segments {
		switch {
		case !strings.HasPrefix(want, "{"):
			if segments[i] != want {
				return false
			}
		case segments[i] == "":
			return false
		case slices.Contains(r.snowflakes, want) && !isSnowflake(segments[i]):
			return false
		}
	}
	return true
}

func isSnowflake(s string) bool {
	return s != "" && strings.Trim(s, "0123456789") == "" && (s == "0" || s[0] != '0')
}

// Check says what is wrong with a request, or nothing. path stands without
// /api and version; body is JSON, and files says that files came with it.
func (s *Spec) Check(method, path string, query url.Values, body []byte, files bool) error {
	r, ok := s.match(path)
	if !ok {
		return fmt.Errorf("no such path %s", path)
	}
	method = strings.ToLower(method)
	allowed, ok := r.methods[method]
	if !ok {
		return fmt.Errorf("no %s on %s", method, r.template)
	}
	for name := range query {
		if !slices.Contains(allowed, name) {
			return fmt.Errorf("no query parameter %q on %s", name, r.template)
		}
	}
	pointer, takes := r.bodies[method]
	switch {
	case files && !r.forms[method]:
		return fmt.Errorf("%s %s takes no files", method, r.template)
	case !takes && len(body) > 0:
		return fmt.Errorf("%s %s takes no body", method, r.template)
	case !takes:
		return nil
	}
	return s.checkBody(pointer, body)
}

func (s *Spec) checkBody(pointer string, body []byte) error {
	value, err := jsonschema.UnmarshalJSON(strings.NewReader(string(body)))
	if err != nil {
		return fmt.Errorf("body is no JSON: %w", err)
	}
	schema, err := s.schema(pointer)
	if err != nil {
		return err
	}
	return schema.Validate(normal(value))
}

// schema compiles a part of the description, once.
func (s *Spec) schema(pointer string) (*jsonschema.Schema, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if schema, ok := s.compiled[pointer]; ok {
		return schema, nil
	}
	schema, err := s.compiler.Compile(pointer)
	if err != nil {
		return nil, fmt.Errorf("discord description: %w", err)
	}
	s.compiled[pointer] = schema
	return schema, nil
}

// normal takes what Discord is known to take beyond its description: numbers
// of permissions written as text, and the empty extras that the library puts
// into the options of commands.
func normal(value any) any {
	switch v := value.(type) {
	case map[string]any:
		for key, inner := range v {
			if text, ok := inner.(string); ok && key == "default_member_permissions" && isSnowflake(text) {
				inner = json.Number(text)
			}
			if inner == nil && slices.Contains([]string{"channel_types", "choices", "options"}, key) {
				delete(v, key)
				continue
			}
			v[key] = normal(inner)
		}
	case []any:
		for i := range v {
			v[i] = normal(v[i])
		}
	}
	return value
}
