package telegramtest

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
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

// ErrNoSpecs says that there is no folder of platform specs on this machine.
var ErrNoSpecs = errors.New("no platform specs: set KNOBEL_SPECS or put them into ../shared/specs beside the checkout")

// FindSpecs returns the folder of platform specs: KNOBEL_SPECS, else
// ../shared/specs as seen from the root of the checkout around the working
// directory. It returns ErrNoSpecs where neither holds the description.
func FindSpecs() (string, error) {
	if folder := os.Getenv("KNOBEL_SPECS"); folder != "" {
		return folder, nil
	}
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			break
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return "", ErrNoSpecs
		}
		dir = parent
	}
	folder := filepath.Join(dir, "..", "shared", "specs")
	if _, err := os.Stat(filepath.Join(folder, specFile)); errors.Is(err, fs.ErrNotExist) {
		return "", ErrNoSpecs
	}
	return folder, nil
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
