package discordtest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"knobel/bot/fakes/needs"
	"knobel/bot/fakes/spec"
)

// schema is a part of Discord's description, as OpenAPI spells it.
type schema struct {
	Ref        string            `json:"$ref"`
	Type       any               `json:"type"` // a word or a list of them
	Enum       []any             `json:"enum"`
	Const      any               `json:"const"`
	OneOf      []schema          `json:"oneOf"`
	AnyOf      []schema          `json:"anyOf"`
	AllOf      []schema          `json:"allOf"`
	Properties map[string]schema `json:"properties"`
	Required   []string          `json:"required"`
	Extra      any               `json:"additionalProperties"`
	Items      *schema           `json:"items"`
	Pattern    string            `json:"pattern"`
	Unique     bool              `json:"uniqueItems"`

	Minimum, Maximum             *json.Number
	MinLength, MaxLength         *int64
	MinItems, MaxItems           *int64
	MinProperties, MaxProperties *int64
}

// operation is what one method of a path takes.
type operation struct {
	Parameters  []parameter `json:"parameters"`
	RequestBody *struct {
		Required bool `json:"required"`
		Content  map[string]struct {
			Schema schema `json:"schema"`
		} `json:"content"`
	} `json:"requestBody"`
}

type parameter struct {
	Name     string `json:"name"`
	In       string `json:"in"`
	Required bool   `json:"required"`
	Schema   schema `json:"schema"`
}

// official is Discord's description of its HTTP API: see CONTRIBUTING.
type official struct {
	Info struct {
		Version string `json:"version"`
	} `json:"info"`
	Paths      map[string]map[string]json.RawMessage `json:"paths"`
	Components struct {
		Schemas map[string]schema `json:"schemas"`
	} `json:"components"`
}

// reader reads Discord's description into our form.
type reader struct {
	*testing.T
	from  official
	into  *spec.Spec
	inner int // how many objects without a name there were
}

// read reads all calls, and the types that they need.
func (r *reader) read() {
	for template, item := range r.from.Paths {
		var shared []parameter
		if raw, ok := item["parameters"]; ok {
			r.decode(raw, &shared)
		}
		for _, method := range []string{"get", "post", "put", "patch", "delete"} {
			if raw, ok := item[method]; ok {
				var o operation
				r.decode(raw, &o)
				r.call(strings.ToUpper(method), template, slices.Concat(shared, o.Parameters), o)
			}
		}
	}
}

func (r *reader) decode(raw []byte, into any) {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	if err := d.Decode(into); err != nil {
		r.Fatal(err)
	}
}

func (r *reader) call(method, template string, parameters []parameter, o operation) {
	call := &spec.Object{}
	for _, p := range parameters {
		switch p.In {
		case "query":
			call.Fields = append(call.Fields,
				spec.Field{Name: "?" + p.Name, Required: p.Required, Types: r.types(p.Schema)})
		case "path":
			is := "{word}"
			if types := r.types(p.Schema); len(types) == 1 && types[0].Kind == spec.ID {
				is = "{id}"
			}
			template = strings.ReplaceAll(template, "{"+p.Name+"}", is)
		}
	}
	if o.RequestBody != nil {
		if body, ok := o.RequestBody.Content["application/json"]; ok {
			call.Fields = append(call.Fields, spec.Field{Name: "body", Required: o.RequestBody.Required,
				Types: r.types(body.Schema)})
		}
		if _, ok := o.RequestBody.Content["multipart/form-data"]; ok {
			call.Fields = append(call.Fields, spec.Field{Name: "files", Types: []spec.Type{{Kind: spec.File}}})
		}
	}
	call.Name = method + " " + template
	r.into.Calls[call.Name] = call
}

// types are what a schema allows: any of them.
func (r *reader) types(s schema) []spec.Type {
	switch {
	case s.Ref != "":
		return r.named(s.Ref[strings.LastIndex(s.Ref, "/")+1:])
	case s.Const != nil:
		return []spec.Type{r.constant(s.Const)}
	case len(s.Enum) > 0:
		var types []spec.Type
		for _, value := range s.Enum {
			types = append(types, r.constant(value))
		}
		return types
	case len(s.OneOf)+len(s.AnyOf) > 0:
		var types []spec.Type
		for _, inner := range slices.Concat(s.OneOf, s.AnyOf) {
			types = append(types, r.types(inner)...)
		}
		return types
	}
	var types []spec.Type
	switch word := s.Type.(type) {
	case string:
		types = append(types, r.plain(s, word))
	case []any:
		for _, word := range word {
			types = append(types, r.plain(s, fmt.Sprint(word)))
		}
	}
	return types
}

// named is a type that has a name there: objects keep it, all else is spelled
// out.
func (r *reader) named(name string) []spec.Type {
	s := r.from.Components.Schemas[name]
	if s.Type != "object" || s.Properties == nil {
		return r.types(s)
	}
	if r.into.Types[name] == nil {
		r.object(name, s)
	}
	return []spec.Type{{Kind: spec.Named, Name: name}}
}

func (r *reader) object(name string, s schema) {
	if len(s.AllOf) > 0 {
		r.Fatalf("%s is put together, which is not read here", name)
	}
	o := &spec.Object{Name: name}
	r.into.Types[name] = o
	for field, of := range s.Properties {
		o.Fields = append(o.Fields, spec.Field{Name: field, Required: slices.Contains(s.Required, field),
			Types: r.types(of)})
	}
}

func (r *reader) constant(value any) spec.Type {
	if n, ok := value.(json.Number); ok {
		whole, err := n.Int64()
		if err != nil {
			r.Fatal(err)
		}
		value = whole
	}
	return spec.Type{Kind: spec.Constant, Value: value}
}

// plain is a type of one word, with its limits.
func (r *reader) plain(s schema, word string) spec.Type {
	switch word {
	case "array":
		t := spec.Type{Kind: spec.List, Size: between(s.MinItems, s.MaxItems), Unique: s.Unique}
		if s.Items != nil {
			t.Of = r.types(*s.Items)
		}
		return t
	case "object":
		if s.Properties != nil {
			r.inner++
			name := fmt.Sprint("inner ", r.inner)
			r.object(name, s)
			return spec.Type{Kind: spec.Named, Name: name}
		}
		t := spec.Type{Kind: spec.Map, Size: between(s.MinProperties, s.MaxProperties)}
		if of, ok := s.Extra.(map[string]any); ok {
			raw, _ := json.Marshal(of)
			var inner schema
			r.decode(raw, &inner)
			t.Of = r.types(inner)
		}
		return t
	case "string":
		t := spec.Type{Kind: spec.String, Size: between(s.MinLength, s.MaxLength)}
		switch s.Pattern {
		case "":
		case "^(0|[1-9][0-9]*)$":
			t.Kind = spec.ID
		default:
			t.Spelling = regexp.MustCompile(s.Pattern)
		}
		return t
	case "integer", "number":
		return spec.Type{Kind: spec.Kind(word), Size: between(whole(s.Minimum), whole(s.Maximum))}
	}
	return spec.Type{Kind: spec.Kind(word)}
}

func whole(n *json.Number) *int64 {
	if n == nil {
		return nil
	}
	i, err := n.Int64()
	if err != nil {
		return nil
	}
	return &i
}

func between(from, to *int64) spec.Span {
	s := spec.Span{From: math.MinInt64, To: math.MaxInt64, Set: from != nil || to != nil}
	if from != nil {
		s.From = *from
	}
	if to != nil {
		s.To = *to
	}
	return s
}

// Whatever our description allows, Discord's allows, and what Discord's
// requires, ours requires.
func TestWithinDiscordsDescription(t *testing.T) {
	raw, err := os.ReadFile(needs.Specs(t, "discord-openapi.json"))
	if err != nil {
		t.Fatal(err)
	}
	r := &reader{T: t, into: &spec.Spec{Calls: map[string]*spec.Object{}, Types: map[string]*spec.Object{}}}
	r.decode(raw, &r.from)
	r.into.Version = r.from.Info.Version
	r.read()
	if len(r.into.Calls) < 100 || len(r.into.Types) < 100 {
		t.Fatalf("%d calls and %d types: that is not Discord's description", len(r.into.Calls), len(r.into.Types))
	}
	wrong, exempt := spec.Within(Described().own, r.into)
	for _, w := range wrong {
		t.Errorf("by Discord's description %s: %s", r.into.Version, w)
	}
	t.Logf("held against %s; newer than that: %q", r.into.Version, exempt)
}
