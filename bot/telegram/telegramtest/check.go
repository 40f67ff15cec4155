package telegramtest

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"unicode/utf16"

	"knobel/bot/fakes/spec"
)

// Check returns the faults of a call: an unknown method, a missing or unknown parameter, a value of a wrong type,
// length or choice, to any depth. Parameters are those of a form: scalars as text, all else as JSON. attached names
// the uploaded files.
func (s *Spec) Check(method string, params map[string]string, attached []string) []string {
	call, known := s.own.Calls[method]
	if !known {
		return []string{fmt.Sprintf("there is no method %s", method)}
	}
	given := map[string]any{}
	for name, value := range params {
		given[name] = value
	}
	var wrong []string
	for _, name := range slices.Sorted(maps.Keys(params)) {
		f, ok := call.Field(name)
		if !ok {
			wrong = append(wrong, fmt.Sprintf("unknown parameter %s", name))
			continue
		}
		wrong = append(wrong, s.param(f, params[name], given, attached)...)
	}
	return append(wrong, call.Lacks(func(name string) bool {
		return given[name] != nil || slices.Contains(attached, name)
	}, "")...)
}

// param checks one parameter of a form, which must have one of its types.
func (s *Spec) param(f spec.Field, raw string, beside map[string]any, attached []string) []string {
	var nearest []string
	for _, t := range f.Types {
		var wrong []string
		if v, err := formed(t, raw, attached); err != nil {
			wrong = []string{fmt.Sprintf("%s is %q, %v", f.Name, raw, err)}
		} else {
			wrong = s.own.Check([]spec.Type{t}, v, f.Name, beside)
		}
		if len(wrong) == 0 {
			return nil
		}
		if nearest == nil || len(wrong) < len(nearest) {
			nearest = wrong
		}
	}
	return nearest
}

// formed parses a value of a form as a type.
func formed(t spec.Type, raw string, attached []string) (any, error) {
	switch t.Kind {
	case spec.String, spec.Constant, spec.ID:
		return raw, nil
	case spec.Boolean, spec.True:
		if raw != "true" && raw != "false" {
			return nil, fmt.Errorf("not a boolean")
		}
		return raw == "true", nil
	case spec.File:
		if id, ok := strings.CutPrefix(raw, "attach://"); !ok || !slices.Contains(attached, id) {
			return nil, fmt.Errorf("which is no file of the request")
		}
		return spec.File, nil
	case spec.Integer, spec.Number:
		v, err := spec.Decode([]byte(raw))
		if _, ok := v.(json.Number); err != nil || !ok {
			return nil, fmt.Errorf("not an %s", t.Kind)
		}
		return v, nil
	default:
		v, err := spec.Decode([]byte(raw))
		if err != nil {
			return nil, fmt.Errorf("not JSON: %w", err)
		}
		return v, nil
	}
}

// update returns the faults of an update from this server.
func (s *Spec) update(body []byte) []string {
	v, err := spec.Decode(body)
	if err != nil {
		return []string{err.Error()}
	}
	return s.own.Check([]spec.Type{{Kind: spec.Named, Name: "Update"}}, v, "update", nil)
}

//go:embed api.txt
var api string

// Spec is the description of the Bot API for checking requests.
type Spec struct{ own *spec.Spec }

// Described returns our description of the Bot API: the calls and updates that the bot uses.
var Described = sync.OnceValue(func() *Spec {
	own := spec.Read(api)
	own.Length, own.Plain = utf16Length, plain
	return &Spec{own}
})

// utf16Length counts characters as Telegram does.
func utf16Length(s string) int { return len(utf16.Encode([]rune(s))) }

// plain removes the markup from a text. For invalid markup the server returns Telegram's error.
func plain(text string, beside map[string]any) (string, bool) {
	if beside["parse_mode"] != "HTML" {
		return text, true
	}
	read, err := ParseHTML(text)
	return read, err == nil
}
