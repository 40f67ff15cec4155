package telegramtest

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
)

// specFile is the official description of the Bot API in a folder of specs.
const specFile = "telegram-bot-api.json"

// Spec is the description of the Bot API against which requests are checked.
type Spec struct {
	Version string            `json:"version"`
	Methods map[string]object `json:"methods"`
	Types   map[string]object `json:"types"`
}

// object describes a method or a type: its fields, or the types it may be.
type object struct {
	Fields   []field  `json:"fields"`
	Subtypes []string `json:"subtypes"`
}

// field is one parameter of a method or one field of a type.
type field struct {
	Name        string   `json:"name"`
	Types       []string `json:"types"`
	Required    bool     `json:"required"`
	Description string   `json:"description"`

	limits limits
}

// LoadSpec reads the description from a folder of specs and mines the limits
// out of its sentences.
func LoadSpec(folder string) (*Spec, error) {
	raw, err := os.ReadFile(filepath.Join(folder, specFile))
	if err != nil {
		return nil, fmt.Errorf("bot api description: %w", err)
	}
	spec := &Spec{}
	if err := json.Unmarshal(raw, spec); err != nil {
		return nil, fmt.Errorf("bot api description: %w", err)
	}
	for _, objects := range []map[string]object{spec.Methods, spec.Types} {
		for _, o := range objects {
			for i := range o.Fields {
				o.Fields[i].limits = mine(o.Fields[i])
			}
		}
	}
	return spec, nil
}

var constant = regexp.MustCompile(`(?:must be ([a-z_]+)|always "([^"]*)")$`)

// tag returns the field that tells the members of a union apart, such as
// type, and the value it has in the type named.
func (s *Spec) tag(name string) (field, value string) {
	for _, f := range s.Types[name].Fields {
		if m := constant.FindStringSubmatch(f.Description); m != nil {
			return f.Name, m[1] + m[2]
		}
	}
	return "", ""
}
