package spec

import (
	"errors"
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
)

// Read reads a description.
func Read(text string) (*Spec, error) {
	s := &Spec{Calls: map[string]*Object{}, Types: map[string]*Object{}}
	var open *Object // whose fields follow
	for n, line := range strings.Split(text, "\n") {
		line, _, _ = strings.Cut(line, "#")
		if strings.TrimSpace(line) == "" {
			continue
		}
		err := errors.New("a field of nothing")
		if indented := strings.TrimLeft(line, " \t"); indented == line {
			open, err = s.begin(strings.TrimSpace(line))
		} else if open != nil {
			err = open.read(strings.TrimSpace(indented))
		}
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", n+1, err)
		}
	}
	return s, s.whole()
}

// begin reads a line that is not indented.
func (s *Spec) begin(line string) (*Object, error) {
	word, rest, _ := strings.Cut(line, " ")
	rest, since, _ := strings.Cut(rest, " since ")
	name, union, isUnion := strings.Cut(rest, " = ")
	o := &Object{Name: strings.TrimSpace(name), Since: strings.TrimSpace(since)}
	if isUnion {
		types, err := readTypes(union)
		if err != nil {
			return nil, err
		}
		o.Union = types
	}
	all := s.Types
	switch word {
	case "version":
		s.Version = o.Name
		return nil, nil
	case "call":
		all = s.Calls
	case "type":
	default:
		return nil, fmt.Errorf("neither a call nor a type: %s", line)
	}
	if o.Name == "" || all[o.Name] != nil {
		return nil, fmt.Errorf("no name, or one that was there before: %q", o.Name)
	}
	all[o.Name] = o
	return o, nil
}

// read reads a line of an object.
func (o *Object) read(line string) error {
	if names, ok := strings.CutPrefix(line, "one of "); ok {
		o.OneOf = strings.Fields(names)
		return nil
	}
	line, since, _ := strings.Cut(line, " since ")
	name, rest, _ := strings.Cut(line, " ")
	f := Field{Since: strings.TrimSpace(since)}
	f.Name, f.Required = strings.CutSuffix(name, "!")
	if _, twice := o.Field(f.Name); twice || f.Name == "" {
		return fmt.Errorf("the field %q twice, or without a name", f.Name)
	}
	var err error
	if f.Types, err = readTypes(rest); err != nil {
		return fmt.Errorf("%s: %w", f.Name, err)
	}
	o.Fields = append(o.Fields, f)
	return nil
}

// rule is a limit behind types.
var rule = regexp.MustCompile(`(?:^|,?\s+)(?:(\d+)-(\d*)(?: (characters|bytes|items|entries))?|(parsed|unique)|/(\S+)/)$`)

// readTypes reads types with their limits.
func readTypes(text string) ([]Type, error) {
	text = strings.TrimSpace(text)
	var limits [][]string
	for {
		m := rule.FindStringSubmatch(text)
		if m == nil {
			break
		}
		limits = append(limits, m)
		text = strings.TrimSuffix(text, m[0])
	}
	var types []Type
	for _, word := range strings.Split(text, "|") {
		t, err := readType(strings.TrimSpace(word))
		if err != nil {
			return nil, err
		}
		types = append(types, t)
	}
	for _, m := range limits {
		if !limit(types, m, true) {
			return nil, fmt.Errorf("a limit for nothing: %q", m[0])
		}
	}
	return types, nil
}

// word is a name of a type.
var word = regexp.MustCompile(`^[A-Z][A-Za-z0-9]*$`)

func readType(text string) (Type, error) {
	switch kind := Kind(text); kind {
	case Integer, Number, Boolean, String, ID, True, Null, File:
		return Type{Kind: kind}, nil
	}
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		return Type{Kind: Constant, Value: n}, nil
	}
	if quoted, err := strconv.Unquote(text); err == nil {
		return Type{Kind: Constant, Value: quoted}, nil
	}
	for kind, ends := range map[Kind]string{List: "[]", Map: "{}"} {
		if len(text) > 2 && text[0] == ends[0] && text[len(text)-1] == ends[1] {
			of, err := readType(text[1 : len(text)-1])
			return Type{Kind: kind, Of: []Type{of}}, err
		}
	}
	if word.MatchString(text) {
		return Type{Kind: Named, Name: text}, nil
	}
	return Type{}, fmt.Errorf("no type: %q", text)
}

// limit puts a limit onto the types that it speaks of, also inside lists where
// it is one of texts or numbers, and reports whether there was one.
func limit(types []Type, m []string, outer bool) bool {
	found := false
	for i := range types {
		t := &types[i]
		here := false
		switch unit := m[3]; {
		case m[1] != "" && (unit == "items" && t.Kind == List || unit == "entries" && t.Kind == Map) && outer,
			m[1] != "" && (unit == "characters" || unit == "bytes") && t.Kind == String,
			m[1] != "" && unit == "" && (t.Kind == Integer || t.Kind == Number):
			t.Size, t.Bytes, here = span(m[1], m[2]), unit == "bytes", true
		case m[4] == "parsed" && t.Kind == String:
			t.Parsed, here = true, true
		case m[4] == "unique" && t.Kind == List && outer:
			t.Unique, here = true, true
		case m[5] != "" && t.Kind == String:
			t.Spelling, here = regexp.MustCompile(m[5]), true
		}
		found = limit(t.Of, m, false) || here || found
	}
	return found
}

// span reads a range; without an end it has none.
func span(from, to string) Span {
	s := Span{To: math.MaxInt64, Set: true}
	s.From, _ = strconv.ParseInt(from, 10, 64) // the pattern has found digits
	if to != "" {
		s.To, _ = strconv.ParseInt(to, 10, 64)
	}
	return s
}

// whole checks that all types that are named are there.
func (s *Spec) whole() error {
	if s.Version == "" {
		return errors.New("no version")
	}
	var missing error
	var look func(where string, types []Type)
	look = func(where string, types []Type) {
		for _, t := range types {
			if t.Kind == Named && s.Types[t.Name] == nil {
				missing = fmt.Errorf("%s: there is no type %s", where, t.Name)
			}
			look(where, t.Of)
		}
	}
	for _, all := range []map[string]*Object{s.Calls, s.Types} {
		for _, o := range all {
			look(o.Name, o.Union)
			for _, f := range o.Fields {
				look(o.Name+"."+f.Name, f.Types)
			}
			for _, name := range o.OneOf {
				if _, ok := o.Field(name); !ok {
					missing = fmt.Errorf("%s: one of %s, which is no field", o.Name, name)
				}
			}
		}
	}
	return missing
}
