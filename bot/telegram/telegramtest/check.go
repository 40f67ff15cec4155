package telegramtest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// Check returns everything that is wrong with a call: an unknown method, a
// parameter that is missing or unknown, a value of the wrong type, length or
// choice, to any depth. Parameters are as they stand in a form: scalars as
// text, all else as JSON. attached names the uploaded files.
func (s *Spec) Check(method string, params map[string]string, attached []string) []string {
	m, known := s.Methods[method]
	if !known {
		return []string{fmt.Sprintf("there is no method %s", method)}
	}
	var wrong []string
	for _, name := range slices.Sorted(maps.Keys(params)) {
		f, ok := find(m.Fields, name)
		if !ok {
			wrong = append(wrong, fmt.Sprintf("unknown parameter %s", name))
			continue
		}
		wrong = append(wrong, s.param(f, params, attached)...)
	}
	for _, f := range m.Fields {
		if _, given := params[f.Name]; f.Required && !given && !slices.Contains(attached, f.Name) {
			wrong = append(wrong, fmt.Sprintf("%s is missing", f.Name))
		}
	}
	return append(wrong, together(method, params)...)
}

// together checks what the description says about several parameters at once.
func together(method string, params map[string]string) []string {
	var wrong []string
	if strings.HasPrefix(method, "editMessage") && params["inline_message_id"] == "" &&
		(params["chat_id"] == "" || params["message_id"] == "") {
		wrong = append(wrong, "neither inline_message_id nor chat_id and message_id given")
	}
	if method == "editMessageText" && params["text"] == "" && params["rich_message"] == "" {
		wrong = append(wrong, "neither text nor rich_message given")
	}
	return wrong
}

func find(fields []field, name string) (field, bool) {
	i := slices.IndexFunc(fields, func(f field) bool { return f.Name == name })
	if i < 0 {
		return field{}, false
	}
	return fields[i], true
}

// param checks one parameter of a form. It is right when one of its types is.
func (s *Spec) param(f field, params map[string]string, attached []string) []string {
	raw := params[f.Name]
	var wrong []string
	for _, name := range f.Types {
		var found []string
		switch name {
		case "Integer", "Float", "Boolean", "String", "True":
			found = formScalar(f, name, raw, params["parse_mode"])
		case "InputFile":
			if id, ok := strings.CutPrefix(raw, "attach://"); ok && !slices.Contains(attached, id) {
				found = []string{fmt.Sprintf("%s: nothing attached as %s", f.Name, id)}
			}
		default:
			value, err := decode(raw)
			if err != nil {
				found = []string{fmt.Sprintf("%s is not JSON: %v", f.Name, err)}
			} else {
				found = s.value(f, name, value, f.Name)
			}
		}
		if len(found) == 0 {
			return nil
		}
		if wrong == nil || len(found) < len(wrong) {
			wrong = found
		}
	}
	return wrong
}

func formScalar(f field, name, raw, mode string) []string {
	switch name {
	case "Integer":
		n, err := strconv.ParseInt(raw, 10, 64)
		if err != nil {
			return []string{fmt.Sprintf("%s is %q, not an integer", f.Name, raw)}
		}
		return inRange(f, f.Name, n)
	case "Float":
		if _, err := strconv.ParseFloat(raw, 64); err != nil {
			return []string{fmt.Sprintf("%s is %q, not a number", f.Name, raw)}
		}
	case "Boolean", "True":
		if !slices.Contains([]string{"true", "false", "True", "False", "1", "0"}, raw) {
			return []string{fmt.Sprintf("%s is %q, not a boolean", f.Name, raw)}
		}
	case "String":
		if f.Required && raw == "" {
			return []string{fmt.Sprintf("%s is empty", f.Name)}
		}
		if f.Name == "parse_mode" && !slices.Contains([]string{"HTML", "MarkdownV2", "Markdown"}, raw) {
			return []string{fmt.Sprintf("unsupported parse_mode %q", raw)}
		}
		text := raw
		if f.limits.parsed && mode == "HTML" {
			plain, err := ParseHTML(raw)
			if err != nil {
				return nil // said by the hand rules, in Telegram's words
			}
			text = plain
		}
		if w := f.limits.text(text); w != "" {
			return []string{f.Name + " " + w}
		}
	}
	return nil
}

func inRange(f field, path string, n int64) []string {
	if !f.limits.value.holds(int(n)) {
		return []string{fmt.Sprintf("%s is %d, not %d-%d", path, n, f.limits.value.from, f.limits.value.to)}
	}
	return nil
}

// decode reads one JSON value and keeps numbers as they are spelled.
func decode(raw string) (any, error) {
	d := json.NewDecoder(bytes.NewReader([]byte(raw)))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return nil, err
	}
	if d.More() {
		return nil, fmt.Errorf("something follows the value")
	}
	return v, nil
}

// value checks a JSON value against the name of a type.
func (s *Spec) value(f field, name string, v any, path string) []string {
	if of, ok := strings.CutPrefix(name, "Array of "); ok {
		list, ok := v.([]any)
		if !ok {
			return []string{path + " is no list"}
		}
		if !f.limits.count.holds(len(list)) {
			return []string{fmt.Sprintf("%s has %d items, not %d-%d", path, len(list), f.limits.count.from, f.limits.count.to)}
		}
		var wrong []string
		inner := field{Name: f.Name, Types: []string{of}}
		for i, item := range list {
			wrong = append(wrong, s.value(inner, of, item, fmt.Sprintf("%s[%d]", path, i))...)
		}
		return wrong
	}
	switch name {
	case "Integer", "Float", "Boolean", "String", "True":
		return jsonScalar(f, name, v, path)
	}
	o, known := s.Types[name]
	if !known {
		return []string{fmt.Sprintf("%s: the description has no type %s", path, name)}
	}
	given, ok := v.(map[string]any)
	if !ok {
		return []string{fmt.Sprintf("%s is no %s object", path, name)}
	}
	if len(o.Subtypes) > 0 {
		return s.union(f, o.Subtypes, given, path)
	}
	return append(s.fields(o, given, path), exactlyOne(name, given, path)...)
}

func jsonScalar(f field, name string, v any, path string) []string {
	switch name {
	case "Integer":
		n, ok := v.(json.Number)
		if i, err := n.Int64(); ok && err == nil {
			return inRange(f, path, i)
		}
	case "Float":
		if _, ok := v.(json.Number); ok {
			return nil
		}
	case "Boolean", "True":
		if b, ok := v.(bool); ok && (b || name == "Boolean") {
			return nil
		}
	case "String":
		if text, ok := v.(string); ok {
			if w := f.limits.text(text); w != "" {
				return []string{path + " " + w}
			}
			return nil
		}
	}
	return []string{fmt.Sprintf("%s is %v, not of type %s", path, v, name)}
}

// union checks against the member whose tag the value carries, else against
// all, and reports the nearest.
func (s *Spec) union(f field, names []string, given map[string]any, path string) []string {
	var nearest []string
	for _, name := range names {
		wrong := s.value(f, name, given, path)
		if len(wrong) == 0 {
			return nil
		}
		if tag, value := s.tag(name); tag != "" && given[tag] == value {
			return wrong
		}
		if nearest == nil || len(wrong) < len(nearest) {
			nearest = wrong
		}
	}
	return nearest
}

func (s *Spec) fields(o object, given map[string]any, path string) []string {
	var wrong []string
	for _, name := range slices.Sorted(maps.Keys(given)) {
		f, ok := find(o.Fields, name)
		if !ok {
			wrong = append(wrong, fmt.Sprintf("unknown field %s.%s", path, name))
			continue
		}
		value := given[name]
		if text, ok := value.(string); ok && f.limits.parsed && given["parse_mode"] == "HTML" {
			if plain, err := ParseHTML(text); err == nil {
				value = plain
			}
		}
		var nearest []string
		for _, t := range f.Types {
			found := s.value(f, t, value, path+"."+name)
			if nearest == nil || len(found) < len(nearest) {
				nearest = found
			}
			if len(found) == 0 {
				break
			}
		}
		wrong = append(wrong, nearest...)
	}
	for _, f := range o.Fields {
		value, ok := given[f.Name]
		if f.Required && (!ok || value == "") {
			wrong = append(wrong, fmt.Sprintf("%s.%s is missing", path, f.Name))
		}
		if m := constant.FindStringSubmatch(f.Description); m != nil && ok && value != m[1]+m[2] {
			wrong = append(wrong, fmt.Sprintf("%s.%s is %v, not %s", path, f.Name, value, m[1]+m[2]))
		}
	}
	return wrong
}

// exactlyOne holds a button to being of one kind.
func exactlyOne(name string, given map[string]any, path string) []string {
	if name != "InlineKeyboardButton" {
		return nil
	}
	kinds := 0
	for key := range given {
		if !slices.Contains([]string{"text", "style", "icon_custom_emoji_id"}, key) {
			kinds++
		}
	}
	if kinds != 1 {
		return []string{fmt.Sprintf("%s is of %d kinds, not one", path, kinds)}
	}
	return nil
}
