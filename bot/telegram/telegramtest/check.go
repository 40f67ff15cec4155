package telegramtest

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode/utf16"
	"unicode/utf8"

	"knobel/bot/fakes/spec"
)

// Check returns the faults of a call: an unknown method, a missing or unknown parameter, a wrong type, length or
// choice, to any depth. params are those of a form: scalars as text, others as JSON. attached are the names of files.
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
		wrong = append(wrong, s.checkParam(f, params[name], given, attached)...)
	}
	return append(wrong, call.Lacks(func(name string) bool {
		return given[name] != nil || slices.Contains(attached, name)
	}, "")...)
}

// checkParam returns the faults of raw, the value of the parameter f. If no type of f fits, they are the faults for the
// type that has the fewest. all holds all parameters by name, attached the names of the uploaded files.
func (s *Spec) checkParam(f spec.Field, raw string, all map[string]any, attached []string) []string {
	var nearest []string
	for _, t := range f.Types {
		var faults []string
		if v, err := parseValue(t, raw, attached); err != nil {
			faults = []string{fmt.Sprintf("%s is %q, %v", f.Name, raw, err)}
		} else {
			faults = s.own.Check([]spec.Type{t}, v, f.Name, all)
		}
		if len(faults) == 0 {
			return nil
		}
		if nearest == nil || len(faults) < len(nearest) {
			nearest = faults
		}
	}
	return nearest
}

// parseValue parses raw, a value of a form, as type t. files names the uploaded files.
func parseValue(t spec.Type, raw string, files []string) (any, error) {
	switch t.Kind {
	case spec.String, spec.Constant, spec.ID:
		return raw, nil
	case spec.Boolean, spec.True:
		if raw != "true" && raw != "false" {
			return nil, fmt.Errorf("not a boolean")
		}
		return raw == "true", nil
	case spec.File:
		if id, ok := strings.CutPrefix(raw, "attach://"); !ok || !slices.Contains(files, id) {
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

// checkUpdate returns the faults of an update that this server would send.
func (s *Spec) checkUpdate(body []byte) []string {
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

// Described returns Knobel's description of the Bot API: the methods and updates that the bot uses.
var Described = sync.OnceValue(func() *Spec {
	own := spec.Read(api)
	own.Length, own.Plain = utf16Length, plain
	return &Spec{own}
})

// utf16Length returns the length of s in UTF-16 units, as Telegram counts.
func utf16Length(s string) int { return len(utf16.Encode([]rune(s))) }

// plain returns text without the markup that params["parse_mode"] names: HTML or none. false: the markup is invalid.
func plain(text string, params map[string]any) (string, bool) {
	if params["parse_mode"] != "HTML" {
		return text, true
	}
	read, err := ParseHTML(text)
	return read, err == nil
}

// attributesOf maps the tags that Telegram accepts to their attributes.
var attributesOf = map[string][]string{
	"b": nil, "strong": nil, "i": nil, "em": nil, "u": nil, "ins": nil, "s": nil, "strike": nil, "del": nil, "pre": nil,
	"tg-spoiler": nil, "span": {"class"}, "code": {"class"}, "a": {"href"}, "blockquote": {"expandable"},
	"tg-emoji": {"emoji-id"}, "tg-time": {"unix", "format"},
}

var (
	tagSpelling = regexp.MustCompile(`^(/?)([a-z-]+)((?:\s+[a-z-]+(?:="[^"<>]*")?)*)\s*$`)
	attribute   = regexp.MustCompile(`([a-z-]+)(?:="[^"<>]*")?`)
	quotedValue = regexp.MustCompile(`="[^"]*"`)
)

// ParseHTML returns the visible text of raw, or why Telegram could not parse the entities. It is stricter than
// Telegram, as its documentation asks: every <, > and & outside of tags and entities is an error.
func ParseHTML(raw string) (string, error) {
	var text strings.Builder
	var open []string
	for i := 0; i < len(raw); {
		switch raw[i] {
		case '<':
			end := strings.IndexByte(raw[i:], '>')
			if end < 0 {
				return "", fmt.Errorf("unclosed start tag at byte offset %d", i)
			}
			var err error
			if open, err = enterOrLeave(open, raw[i+1:i+end], i); err != nil {
				return "", err
			}
			i += end + 1
		case '>':
			return "", fmt.Errorf("unescaped > at byte offset %d", i)
		case '&':
			r, size, err := character(raw[i:], i)
			if err != nil {
				return "", err
			}
			text.WriteRune(r)
			i += size
		default:
			r, size := utf8.DecodeRuneInString(raw[i:])
			if r == utf8.RuneError && size == 1 {
				return "", fmt.Errorf("strings must be encoded in UTF-8")
			}
			text.WriteRune(r)
			i += size
		}
	}
	if len(open) > 0 {
		return "", fmt.Errorf("can't find end tag corresponding to start tag %q", open[len(open)-1])
	}
	return text.String(), nil
}

// enterOrLeave returns the tags that are open after tag, which opens or closes one. offset is its place, for errors.
func enterOrLeave(open []string, tag string, offset int) ([]string, error) {
	m := tagSpelling.FindStringSubmatch(tag)
	if m == nil {
		return nil, fmt.Errorf("unsupported start tag %q at byte offset %d", tag, offset)
	}
	name := m[2]
	allowed, known := attributesOf[name]
	if !known {
		return nil, fmt.Errorf("unsupported start tag %q at byte offset %d", name, offset)
	}
	if m[1] == "/" {
		if len(open) == 0 || open[len(open)-1] != name {
			return nil, fmt.Errorf("unmatched end tag at byte offset %d, found %q", offset, name)
		}
		return open[:len(open)-1], nil
	}
	for _, a := range attribute.FindAllString(quotedValue.ReplaceAllString(m[3], ""), -1) {
		if !slices.Contains(allowed, a) {
			return nil, fmt.Errorf("unsupported attribute %q of tag %q at byte offset %d", a, name, offset)
		}
	}
	return append(slices.Clone(open), name), nil
}

// character returns the character of the HTML entity at the start of s, and its length in bytes. offset is for errors.
func character(s string, offset int) (rune, int, error) {
	end := strings.IndexByte(s, ';')
	if end < 0 || end > 10 {
		return 0, 0, fmt.Errorf("unescaped & at byte offset %d", offset)
	}
	size, name := end+1, s[1:end]
	switch name {
	case "lt":
		return '<', size, nil
	case "gt":
		return '>', size, nil
	case "amp":
		return '&', size, nil
	case "quot":
		return '"', size, nil
	}
	if number, ok := strings.CutPrefix(name, "#"); ok {
		base := 10
		if hex, ok := strings.CutPrefix(number, "x"); ok {
			number, base = hex, 16
		}
		if n, err := strconv.ParseUint(number, base, 32); err == nil && utf8.ValidRune(rune(n)) {
			return rune(n), size, nil
		}
	}
	return 0, 0, fmt.Errorf("unknown entity &%s; at byte offset %d", name, offset)
}

// Older servers, which refuse or ignore newer features.

// apiVersion is a server's version of the Bot API, "": the newest.
type apiVersion string

// before reports whether v is older than version, such as "9.5".
func (v apiVersion) before(version string) bool {
	return v != "" && slices.Compare(numbers(string(v)), numbers(version)) < 0
}

// method reports whether a server of this version has the method.
func (v apiVersion) method(name string) bool { return sinceOf[name] == "" || !v.before(sinceOf[name]) }

// numbers returns the parts of a version between the dots, as numbers.
func numbers(version string) (all []int) {
	for part := range strings.SplitSeq(version, ".") {
		n, _ := strconv.Atoi(part)
		all = append(all, n)
	}
	return all
}

// sinceOf maps newer methods to the first version that has them.
var sinceOf = map[string]string{"setMessageReaction": "7.0", "sendRichMessage": "10.1"}

// newMarkup is markup that older servers refuse, with their errors.
var newMarkup = []struct {
	since   string
	tag     *regexp.Regexp
	message string
}{
	{"7.4", regexp.MustCompile(`<blockquote expandable>`),
		`Expected equal sign in declaration of an attribute of the tag "blockquote" at byte offset %d`},
	{"9.5", regexp.MustCompile(`<tg-time\b`), `Unsupported start tag "tg-time" at byte offset %d`},
}
