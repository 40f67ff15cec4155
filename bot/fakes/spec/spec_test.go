package spec_test

import (
	_ "embed"
	"strings"
	"testing"

	"knobel/bot/fakes"
	"knobel/bot/fakes/spec"
)

//go:embed testdata/toys.txt
var toys string

func TestCheckTellsWhatIsWrong(t *testing.T) {
	s := spec.Read(toys)
	s.Plain = func(text string, beside map[string]any) (string, bool) {
		if beside["maybe"] != true {
			return text, true
		}
		return strings.Trim(text, "*"), !strings.Contains(text, "!")
	}
	fakes.Cases(t, "faults.txt", func(body string) string {
		v, err := spec.Decode([]byte(body))
		if err != nil {
			return err.Error()
		}
		return strings.Join(s.Fields(s.Calls["send"], v.(map[string]any), ""), "; ")
	})
	for _, raw := range []string{`{} {}`, `{`, ``, `1 2`} {
		if _, err := spec.Decode([]byte(raw)); err == nil {
			t.Errorf("%q is taken for one value", raw)
		}
	}
}
