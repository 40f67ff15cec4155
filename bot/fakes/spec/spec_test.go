package spec_test

import (
	"fmt"
	"strings"
	"testing"

	"knobel/bot/fakes/spec"
)

const toys = `
version 2.10
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
call newer since 3.0
	x  integer
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

func read(t *testing.T, text string) *spec.Spec {
	t.Helper()
	s, err := spec.Read(text)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestCheckTellsWhatIsWrong(t *testing.T) {
	s := read(t, toys)
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

func TestWithinFindsWhatTheOtherSideRefuses(t *testing.T) {
	for _, c := range []struct{ ours, theirs, want string }{
		{"a string", "a string", ""},
		{"a! string", "a string", ""},
		{"a string", "a! string", "A.a is required"},
		{"b string", "a! string\n\tb string", "A.a is required"},
		{"a string", "b string", "A.a is not allowed"},
		{"a string", "a integer", "A.a is integer, not string"},
		{"a integer | string", "a string", "A.a is string, not integer"},
		{"a id", "a string", ""},
		{"a integer | null", "a integer", "A.a is integer, not null"},
		{"a boolean", "a true", "A.a is true"},
		{`a "x"`, `a "x" | "y"`, ""},
		{`a "x" | "z"`, `a "x" | "y"`, `not "z"`},
		{"a string 0-5 characters", "a string 1-5 characters", "limited to 1-5"},
		{"a string", "a string 1-5 characters", "limited to 1-5"},
		{"a string 1-5 bytes", "a string 1-5 characters", "counted in another way"},
		{"a string 1-5 characters, parsed", "a string 1-5 characters", "counted in another way"},
		{"a string", "a string /^x$/", "matches ^x$"},
		{"a integer 0-9", "a integer 1-9", "limited to 1-9"},
		{"a [string]", "a [string] unique", "nothing twice"},
		{"a [string]", "a [integer]", "A.a[] is integer"},
		{"a string\ntype B\n\tx string", "a string\ntype B\n\ty string", "B.x is not allowed"},
		{"a B\ntype B\n\tx string", "a C\ntype C\n\ty string", "B.x is not allowed"},
		{"a U\ntype U = B\ntype B\n\tx 1", "a U\ntype U = C | D\ntype C\n\tx 2\ntype D\n\tx 1", ""},
		{"a U\ntype U = B\ntype B\n\tx 3", "a U\ntype U = C | D\ntype C\n\tx 2\ntype D\n\tx 1", "not 3"},
		{"a integer since 1.1", "b integer", ""},
		{"a integer since 1.0", "b integer", "A.a is not allowed"},
	} {
		const text = "version 1.0\ncall c\n\tx A\ntype A\n\t"
		wrong, _ := spec.Within(read(t, text+c.ours+"\n"), read(t, text+c.theirs+"\n"))
		if found := strings.Join(wrong, "\n"); c.want == "" && found != "" || !strings.Contains(found, c.want) {
			t.Errorf("%s within %s: found %q, want %q", c.ours, c.theirs, wrong, c.want)
		}
	}
}

func TestNewerThanTheOtherSideIsNamed(t *testing.T) {
	theirs := read(t, "version 2.9\ncall send\n\tto! id | \"all\"\n")
	ours := read(t, "version 2.10\ncall send\n\tto! id\n\tlate integer since 2.10\ncall soon since 2.10\n\tx "+
		"integer\ncall old since 2.9\n")
	wrong, exempt := spec.Within(ours, theirs)
	if fmt.Sprint(exempt) != "[send.late (since 2.10) soon (since 2.10)]" ||
		fmt.Sprint(wrong) != "[there is no call old]" {
		t.Errorf("exempt %v, wrong %v", exempt, wrong)
	}
}
