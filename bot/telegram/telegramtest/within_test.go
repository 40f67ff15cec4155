package telegramtest

import (
	"encoding/json"
	"os"
	"regexp"
	"strings"
	"testing"

	"knobel/bot/fakes/needs"
	"knobel/bot/fakes/spec"
)

// official is Telegram's description of the Bot API as JSON: see CONTRIBUTING.
type official struct {
	Version string                    `json:"version"`
	Methods map[string]officialObject `json:"methods"`
	Types   map[string]officialObject `json:"types"`
}

type officialObject struct {
	Fields   []officialField `json:"fields"`
	Subtypes []string        `json:"subtypes"`
}

type officialField struct {
	Name        string   `json:"name"`
	Types       []string `json:"types"`
	Required    bool     `json:"required"`
	Description string   `json:"description"`
}

// The limits stand in sentences.
var (
	lengthRange = regexp.MustCompile(`(?i)\b(\d+-\d+ (?:characters|bytes))`)
	valueRange  = regexp.MustCompile(`(?:[;,.] |between )(\d+-\d+)(?:[.;,]| are accepted|$)`)
	countRange  = regexp.MustCompile(`(?:list of|include) (\d+-\d+) `)
	countAtMost = regexp.MustCompile(`At most (\d+) `)
	oneOfList   = regexp.MustCompile(`(?i)must be one of (.*?)(?:\. [A-Z]|\.?$)`)
	constant    = regexp.MustCompile(`(?:must be ([a-z_]+)|always "([^"]*)")$`)
	quoted      = regexp.MustCompile(`"[^"]+"`)
	lowercase   = regexp.MustCompile(`Can contain only lowercase English letters, digits and underscores`)
)

// said is a field in our own language.
func (f officialField) said() string {
	var limits []string
	text := saidTypes(f.Types)
	if m := constant.FindStringSubmatch(f.Description); m != nil {
		return `"` + m[1] + m[2] + `"`
	}
	if m := oneOfList.FindStringSubmatch(f.Description); m != nil && quoted.MatchString(m[1]) {
		return strings.Join(quoted.FindAllString(m[1], -1), " | ")
	}
	if m := lengthRange.FindStringSubmatch(f.Description); m != nil && strings.Contains(text, "string") {
		limits = append(limits, strings.ToLower(m[1]))
		if strings.Contains(f.Description, "after entit") {
			limits = append(limits, "parsed")
		}
	}
	if m := valueRange.FindStringSubmatch(f.Description); m != nil && strings.Contains(text, "integer") {
		limits = append(limits, m[1])
	}
	if strings.HasPrefix(text, "[") {
		if m := countRange.FindStringSubmatch(f.Description); m != nil {
			limits = append(limits, m[1]+" items")
		} else if m := countAtMost.FindStringSubmatch(f.Description); m != nil {
			limits = append(limits, "0-"+m[1]+" items")
		}
	}
	if lowercase.MatchString(f.Description) {
		limits = append(limits, "/^[a-z0-9_]+$/")
	}
	return strings.TrimSpace(text + " " + strings.Join(limits, ", "))
}

func saidTypes(names []string) string {
	var types []string
	for _, name := range names {
		types = append(types, saidType(name))
	}
	return strings.Join(types, " | ")
}

func saidType(name string) string {
	if of, ok := strings.CutPrefix(name, "Array of "); ok {
		return "[" + saidType(of) + "]"
	}
	switch name {
	case "Integer", "Boolean", "String", "True":
		return strings.ToLower(name)
	case "Float":
		return "number"
	case "InputFile":
		return "file"
	}
	return name
}

// read reads Telegram's description as if it were written in our language.
func (o official) read(t *testing.T) *spec.Spec {
	t.Helper()
	var text strings.Builder
	text.WriteString("version " + strings.TrimPrefix(o.Version, "Bot API ") + "\n")
	for word, all := range map[string]map[string]officialObject{"call": o.Methods, "type": o.Types} {
		for name, object := range all {
			text.WriteString(word + " " + name)
			if len(object.Subtypes) > 0 {
				text.WriteString(" = " + saidTypes(object.Subtypes))
			}
			text.WriteString("\n")
			for _, f := range object.Fields {
				if f.Required {
					f.Name += "!"
				}
				text.WriteString("\t" + f.Name + " " + f.said() + "\n")
			}
		}
	}
	theirs, err := spec.Read(text.String())
	if err != nil {
		t.Fatal(err)
	}
	theirs.Length = utf16Length
	return theirs
}

// Whatever our description allows, Telegram's allows, and what Telegram's
// requires, ours requires.
func TestWithinTelegramsDescription(t *testing.T) {
	raw, err := os.ReadFile(needs.Specs(t, "telegram-bot-api.json"))
	if err != nil {
		t.Fatal(err)
	}
	var o official
	if err := json.Unmarshal(raw, &o); err != nil {
		t.Fatal(err)
	}
	theirs := o.read(t)
	if len(theirs.Calls) < 100 || len(theirs.Types) < 200 {
		t.Fatalf("%d methods and %d types: that is not Telegram's description", len(theirs.Calls), len(theirs.Types))
	}
	wrong, exempt := spec.Within(Described().own, theirs)
	for _, w := range wrong {
		t.Errorf("by Telegram's description %s: %s", theirs.Version, w)
	}
	t.Logf("held against %s; newer than that: %q", theirs.Version, exempt)
}
