package spec

import (
	"math"
	"regexp"
	"strconv"
	"strings"
)

// Read parses a description. It panics if the description is invalid.
func Read(text string) *Spec {
	s := &Spec{Calls: map[string]*Object{}, Types: map[string]*Object{}}
	var open *Object // the call or type to which the next lines belong
	for line := range strings.Lines(text) {
		line, _, _ = strings.Cut(line, "#")
		line, _, _ = strings.Cut(line, " since ")
		said := strings.TrimSpace(line)
		switch word, rest, _ := strings.Cut(said, " "); {
		case said == "" || word == "version":
		case !strings.HasPrefix(line, said):
			open.read(said)
		case word == "call":
			open = &Object{Name: rest}
			s.Calls[rest] = open
		default:
			name, union, isUnion := strings.Cut(rest, " = ")
			open = &Object{Name: name}
			if isUnion {
				open.Union = readTypes(union)
			}
			s.Types[name] = open
		}
	}
	return s
}

// read parses line, a field or rule of the object, and adds it.
func (o *Object) read(line string) {
	if names, ok := strings.CutPrefix(line, "one of "); ok {
		o.OneOf = append(o.OneOf, strings.Fields(names))
		return
	}
	name, rest, _ := strings.Cut(line, " ")
	f := Field{Types: readTypes(rest)}
	f.Name, f.Required = strings.CutSuffix(name, "!")
	o.Fields = append(o.Fields, f)
}

// rule matches a limit after types.
var rule = regexp.MustCompile(`(?:^|,?\s+)(?:(\d+)-(\d*)(?: (characters|bytes|items|entries))?|(parsed|unique)|/(\S+)/)$`)

// readTypes parses types with their limits.
func readTypes(text string) []Type {
	text = strings.TrimSpace(text)
	var limits [][]string
	for m := rule.FindStringSubmatch(text); m != nil; m = rule.FindStringSubmatch(text) {
		limits = append(limits, m)
		text = strings.TrimSuffix(text, m[0])
	}
	var types []Type
	for word := range strings.SplitSeq(text, "|") {
		types = append(types, readType(strings.TrimSpace(word)))
	}
	for _, m := range limits {
		if !limit(types, m, true) {
			panic("spec: a limit for nothing: " + m[0])
		}
	}
	return types
}

func readType(text string) Type {
	switch kind := Kind(text); kind {
	case Integer, Number, Boolean, String, ID, True, Null, File:
		return Type{Kind: kind}
	}
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		return Type{Kind: Constant, Value: n}
	}
	if quoted, err := strconv.Unquote(text); err == nil {
		return Type{Kind: Constant, Value: quoted}
	}
	for kind, ends := range map[Kind]string{List: "[]", Map: "{}"} {
		if len(text) > 2 && text[0] == ends[0] && text[len(text)-1] == ends[1] {
			return Type{Kind: kind, Of: []Type{readType(text[1 : len(text)-1])}}
		}
	}
	return Type{Kind: Named, Name: text}
}

// limit sets the limit m, a match of rule, on the types that it fits; false: on none. outer is false for item types.
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

// span returns the range between two numbers; to "": it has no end.
func span(from, to string) Span {
	s := Span{To: math.MaxInt64, Set: true}
	s.From, _ = strconv.ParseInt(from, 10, 64) // the pattern has found digits
	if to != "" {
		s.To, _ = strconv.ParseInt(to, 10, 64)
	}
	return s
}
