package spec

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strings"
)

// Decode parses one JSON value, with numbers as json.Number, as Check needs them.
func Decode(raw []byte) (any, error) {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return nil, err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("unexpected data after the value")
	}
	return v, nil
}

// Check returns the faults of v, to any depth, as sentences that begin with path: none if v has one of types, otherwise
// those for the type that has fewest. beside holds the fields next to v. The constant File as v means an uploaded file.
func (s *Spec) Check(types []Type, v any, path string, beside map[string]any) []string {
	var nearest []string
	for _, t := range types {
		wrong := s.one(t, v, path, beside)
		if len(wrong) == 0 {
			return nil
		}
		if t.Kind == Named && s.marked(s.Types[t.Name], v) {
			return wrong
		}
		if nearest == nil || len(wrong) < len(nearest) {
			nearest = wrong
		}
	}
	if values := constants(types); len(values) == len(types) && len(types) > 1 {
		return []string{fmt.Sprintf("%s is %v, not one of %v", path, v, values)}
	}
	return nearest
}

// constants returns the values of the constants among types.
func constants(types []Type) []any {
	var values []any
	for _, t := range types {
		if t.Kind == Constant {
			values = append(values, t.Value)
		}
	}
	return values
}

// marked reports whether o has constant fields, all of them required, and v is an object with all of them.
func (s *Spec) marked(o *Object, v any) bool {
	given, ok := v.(map[string]any)
	if !ok {
		return false
	}
	marks := 0
	for _, f := range o.Fields {
		if len(constants(f.Types)) != len(f.Types) {
			continue
		}
		if !f.Required || len(s.Check(f.Types, given[f.Name], "", nil)) > 0 {
			return false
		}
		marks++
	}
	return marks > 0
}

// one is Check for a single type.
func (s *Spec) one(t Type, v any, path string, beside map[string]any) []string {
	is := false
	switch t.Kind {
	case Integer, Number:
		n, ok := v.(json.Number)
		if i, err := n.Int64(); ok && err == nil {
			if !t.Size.holds(i) {
				return []string{fmt.Sprintf("%s is %d, not %v", path, i, t.Size)}
			}
			return nil
		}
		_, err := n.Float64()
		is = ok && err == nil && t.Kind == Number
	case Boolean:
		_, is = v.(bool)
	case True:
		is = v == true
	case Null:
		is = v == nil
	case File:
		is = v == File
	case Constant:
		is = v == t.Value
		if n, ok := t.Value.(int64); ok {
			is = v == json.Number(fmt.Sprint(n))
		}
	case ID:
		text, ok := v.(string)
		is = ok && IsID(text)
	case String:
		if text, ok := v.(string); ok {
			return s.text(t, text, path, beside)
		}
	case List:
		if list, ok := v.([]any); ok {
			return s.list(t, list, path)
		}
		return []string{path + " is no list"}
	case Map:
		if given, ok := v.(map[string]any); ok {
			return s.entries(t, given, path)
		}
	case Named:
		if o := s.Types[t.Name]; len(o.Union) > 0 {
			return s.Check(o.Union, v, path, nil)
		}
		if given, ok := v.(map[string]any); ok {
			return s.Fields(s.Types[t.Name], given, path+".")
		}
	}
	if is {
		return nil
	}
	return []string{fmt.Sprintf("%s is %v, not %v", path, v, t)}
}

var id = regexp.MustCompile(`^(0|[1-9][0-9]*)$`) // digits without a leading 0

// IsID reports whether a text is an id as Discord spells them.
func IsID(text string) bool { return id.MatchString(text) }

// text returns the faults of text, which must have the type t. The other parameters are those of Check.
func (s *Spec) text(t Type, text, path string, beside map[string]any) []string {
	if t.Parsed && s.Plain != nil {
		plain, ok := s.Plain(text, beside)
		if !ok {
			return nil
		}
		text = plain
	}
	if n, unit := s.length(t, text); !t.Size.holds(n) {
		return []string{fmt.Sprintf("%s has %d %s, not %v", path, n, unit, t.Size)}
	}
	if t.Spelling != nil && !t.Spelling.MatchString(text) {
		return []string{fmt.Sprintf("%s is %q, which does not match %v", path, text, t.Spelling)}
	}
	return nil
}

func (s *Spec) list(t Type, list []any, path string) []string { // the faults of list, which must have the type t
	var wrong []string
	if n := int64(len(list)); !t.Size.holds(n) {
		wrong = append(wrong, fmt.Sprintf("%s has %d items, not %v", path, n, t.Size))
	}
	for i, item := range list {
		wrong = append(wrong, s.Check(t.Of, item, fmt.Sprintf("%s[%d]", path, i), nil)...)
		if t.Unique && slices.ContainsFunc(list[:i], func(other any) bool { return reflect.DeepEqual(item, other) }) {
			wrong = append(wrong, fmt.Sprintf("%s[%d] comes twice", path, i))
		}
	}
	return wrong
}

func (s *Spec) entries(t Type, given map[string]any, path string) []string { // the faults of given as a Map type t
	var wrong []string
	if n := int64(len(given)); !t.Size.holds(n) {
		wrong = append(wrong, fmt.Sprintf("%s has %d entries, not %v", path, n, t.Size))
	}
	for _, key := range slices.Sorted(maps.Keys(given)) {
		wrong = append(wrong, s.Check(t.Of, given[key], path+"."+key, nil)...)
	}
	return wrong
}

// Fields returns the faults of an object's fields: unknown, missing and wrong ones. path is a prefix of their names.
func (s *Spec) Fields(o *Object, given map[string]any, path string) []string {
	var wrong []string
	for _, name := range slices.Sorted(maps.Keys(given)) {
		f, ok := o.Field(name)
		if !ok {
			wrong = append(wrong, "unknown field "+path+name)
			continue
		}
		wrong = append(wrong, s.Check(f.Types, given[name], path+name, given)...)
	}
	return append(wrong, o.Lacks(func(name string) bool { _, ok := given[name]; return ok }, path)...)
}

// Lacks returns the faults of missing fields and of OneOf. given reports whether a field is set; path is as in Fields.
func (o *Object) Lacks(given func(name string) bool, path string) []string {
	var wrong []string
	for _, f := range o.Fields {
		if f.Required && !given(f.Name) {
			wrong = append(wrong, path+f.Name+" is missing")
		}
	}
	for _, names := range o.OneOf {
		kinds := 0
		for _, name := range names {
			if given(name) {
				kinds++
			}
		}
		if kinds != 1 {
			wrong = append(wrong, fmt.Sprintf("%s has %d of %v, not one", strings.TrimSuffix(path, "."), kinds, names))
		}
	}
	return wrong
}
