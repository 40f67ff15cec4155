package spec_test

import (
	"strings"
	"testing"

	"knobel/bot/fakes/spec"
)

const toys = `
call send
	to!     id | "all"
	text    string 1-5 characters, parsed   # what it says
	data    string 0-4 bytes, /^[a-z]*$/
	boxes   [Box] 1-2 items, unique
	names   {string} 0-2 entries, 1-3 characters
	mode    1 | 2 | 3
	size    integer | null 0-9
	thing   Thing
	rows    [[integer]] 0-1
	share   number
	yes     true
	maybe   boolean
	tones   [Tone]
	late    integer since 2.11
type Box
	a  integer
	b  integer
	one of a b
type Tone = 1 | "flat"
type Thing = Cat | Dog
type Cat
	type!   "cat"
	lives!  integer 1-9
type Dog
	type!  "dog"
	name!  string
`

func TestCheckTellsWhatIsWrong(t *testing.T) {
	s := spec.Read(toys)
	s.Plain = func(text string, beside map[string]any) (string, bool) {
		if beside["maybe"] != true {
			return text, true
		}
		return strings.Trim(text, "*"), !strings.Contains(text, "!")
	}
	for body, want := range map[string]string{
		`{"to":"12"}`:                 "",
		`{"to":"all"}`:                "",
		`{"to":"012"}`:                "to is 012",
		`{}`:                          "to is missing",
		`{"to":"1","two":1}`:          "unknown field two",
		`{"to":"1","text":"Größe"}`:   "",
		`{"to":"1","text":"größer"}`:  "text has 6 characters, not 1-5",
		`{"to":"1","text":"**big**"}`: "text has 7 characters",
		`{"to":"1","text":"**big**","maybe":true}`:     "",
		`{"to":"1","text":"**big!*","maybe":true}`:     "",
		`{"to":"1","data":"ö"}`:                        "does not match",
		`{"to":"1","boxes":[{"a":1},{"a":1}]}`:         "boxes[1] comes twice",
		`{"to":"1","boxes":[{"a":1,"b":2}]}`:           "boxes[0] has 2 of [a b], not one",
		`{"to":"1","boxes":[{"a":"1"}]}`:               "boxes[0].a is 1, not integer",
		`{"to":"1","names":{"x":""}}`:                  "names.x has 0 characters",
		`{"to":"1","names":{"x":"y","z":"y","w":"y"}}`: "names has 3 entries",
		`{"to":"1","mode":4}`:                          "mode is 4, not one of [1 2 3]",
		`{"to":"1","size":10}`:                         "size is 10, not 0-9",
		`{"to":"1","thing":{"type":"cat","lives":9}}`:  "",
		`{"to":"1","thing":{"type":"cat"}}`:            "thing.lives is missing",
		`{"to":"1","thing":{"type":"dog","lives":9}}`:  "thing.name is missing",
		`{"to":"1","thing":{"type":"cow"}}`:            "thing.type is cow",
		`{"to":"1","tones":[1,"flat"]}`:                "",
		`{"to":"1","tones":[1,2]}`:                     "tones[1] is 2, not one of [1 flat]",
		`{"to":"1","rows":[[2]]}`:                      "rows[0][0] is 2",
		`{"to":"1","yes":false}`:                       "yes is false, not true",
	} {
		v, err := spec.Decode([]byte(body))
		if err != nil {
			t.Fatal(err)
		}
		wrong := s.Fields(s.Calls["send"], v.(map[string]any), "")
		if want == "" && len(wrong) > 0 || want != "" && !strings.Contains(strings.Join(wrong, "\n"), want) {
			t.Errorf("%s: found %q, want %q", body, wrong, want)
		}
	}
	for _, raw := range []string{`{} {}`, `{`, ``, `1 2`} {
		if _, err := spec.Decode([]byte(raw)); err == nil {
			t.Errorf("%q is taken for one value", raw)
		}
	}
}
