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

// attributesOf holds Telegram's tags with their allowed attributes.
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

// ParseHTML returns the visible text, or why Telegram could not parse the entities. It is stricter than Telegram, as
// its documentation asks: every <, > and & outside of tags and entities is an error.
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

// enterOrLeave returns the open tags after one more tag.
func enterOrLeave(open []string, inside string, at int) ([]string, error) {
	m := tagSpelling.FindStringSubmatch(inside)
	if m == nil {
		return nil, fmt.Errorf("unsupported start tag %q at byte offset %d", inside, at)
	}
	name := m[2]
	allowed, known := attributesOf[name]
	if !known {
		return nil, fmt.Errorf("unsupported start tag %q at byte offset %d", name, at)
	}
	if m[1] == "/" {
		if len(open) == 0 || open[len(open)-1] != name {
			return nil, fmt.Errorf("unmatched end tag at byte offset %d, found %q", at, name)
		}
		return open[:len(open)-1], nil
	}
	for _, a := range attribute.FindAllString(quotedValue.ReplaceAllString(m[3], ""), -1) {
		if !slices.Contains(allowed, a) {
			return nil, fmt.Errorf("unsupported attribute %q of tag %q at byte offset %d", a, name, at)
		}
	}
	return append(slices.Clone(open), name), nil
}

// character parses one entity at the start of s.
func character(s string, at int) (rune, int, error) {
	end := strings.IndexByte(s, ';')
	if end < 0 || end > 10 {
		return 0, 0, fmt.Errorf("unescaped & at byte offset %d", at)
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
	return 0, 0, fmt.Errorf("unknown entity &%s; at byte offset %d", name, at)
}

// Older servers, which refuse or ignore what they do not know.

// known is a server's version of the Bot API, "": today's.
type known string

// before reports whether it is older than another version, "9.5".
func (k known) before(version string) bool {
	return k != "" && slices.Compare(numbers(string(k)), numbers(version)) < 0
}

// method reports whether a server of the version has a method.
func (k known) method(name string) bool { return sinceOf[name] == "" || !k.before(sinceOf[name]) }

// numbers returns the parts of a version.
func numbers(version string) (all []int) {
	for part := range strings.SplitSeq(version, ".") {
		n, _ := strconv.Atoi(part)
		all = append(all, n)
	}
	return all
}

// sinceOf are the versions of methods that not every server knows.
var sinceOf = map[string]string{"setMessageReaction": "7.0", "sendRichMessage": "10.1"}

// Markup that older servers refuse, with their errors.
var newMarkup = []struct {
	since string
	tag   *regexp.Regexp
	says  string
}{
	{"7.4", regexp.MustCompile(`<blockquote expandable>`),
		`Expected equal sign in declaration of an attribute of the tag "blockquote" at byte offset %d`},
	{"9.5", regexp.MustCompile(`<tg-time\b`), `Unsupported start tag "tg-time" at byte offset %d`},
}
