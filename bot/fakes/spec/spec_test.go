package spec_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

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

func read(t interface {
	Helper()
	Fatal(...any)
}, text string) *spec.Spec {
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
		`{"to":"0"}`:                  "",
		`{"to":"012"}`:                "to is 012",
		`{"to":12}`:                   "to is 12",
		`{}`:                          "to is missing",
		`{"to":"1","two":1}`:          "unknown field two",
		`{"to":"1","text":"Größe"}`:   "",
		`{"to":"1","text":"größer"}`:  "text has 6 characters, not 1-5",
		`{"to":"1","text":""}`:        "text has 0 characters",
		`{"to":"1","text":null}`:      "text is <nil>, not string",
		`{"to":"1","text":"**big**"}`: "text has 7 characters",
		`{"to":"1","text":"**big**","maybe":true}`:     "",
		`{"to":"1","text":"**big!*","maybe":true}`:     "",
		`{"to":"1","data":"ö"}`:                        "does not match",
		`{"to":"1","data":"abcde"}`:                    "data has 5 bytes",
		`{"to":"1","boxes":[{"a":1}]}`:                 "",
		`{"to":"1","boxes":[]}`:                        "boxes has 0 items",
		`{"to":"1","boxes":{}}`:                        "boxes is no list",
		`{"to":"1","boxes":[{"a":1},{"a":1}]}`:         "boxes[1] comes twice",
		`{"to":"1","boxes":[{"a":1,"b":2}]}`:           "boxes[0] has 2 of [a b], not one",
		`{"to":"1","boxes":[{}]}`:                      "boxes[0] has 0 of [a b]",
		`{"to":"1","boxes":[{"a":"1"}]}`:               "boxes[0].a is 1, not integer",
		`{"to":"1","names":{"x":"y"}}`:                 "",
		`{"to":"1","names":{"x":""}}`:                  "names.x has 0 characters",
		`{"to":"1","names":{"x":"y","z":"y","w":"y"}}`: "names has 3 entries",
		`{"to":"1","mode":2}`:                          "",
		`{"to":"1","mode":4}`:                          "mode is 4, not one of [1 2 3]",
		`{"to":"1","mode":"2"}`:                        "not one of",
		`{"to":"1","size":null}`:                       "",
		`{"to":"1","size":10}`:                         "size is 10, not 0-9",
		`{"to":"1","size":1.5}`:                        "size is 1.5, not integer",
		`{"to":"1","thing":{"type":"cat","lives":9}}`:  "",
		`{"to":"1","thing":{"type":"cat"}}`:            "thing.lives is missing",
		`{"to":"1","thing":{"type":"dog","lives":9}}`:  "thing.name is missing",
		`{"to":"1","thing":{"type":"cow"}}`:            "thing.type is cow",
		`{"to":"1","thing":"cat"}`:                     "thing is cat",
		`{"to":"1","rows":[[1,0],[]]}`:                 "",
		`{"to":"1","tones":[1,"flat"]}`:                "",
		`{"to":"1","tones":[1,2]}`:                     "tones[1] is 2, not one of [1 flat]",
		`{"to":"1","rows":[[2]]}`:                      "rows[0][0] is 2",
		`{"to":"1","share":0.5}`:                       "",
		`{"to":"1","yes":false}`:                       "yes is false, not true",
		`{"to":"1","maybe":"true"}`:                    "maybe is true, not boolean",
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

func TestDescriptionsThatMakeNoSenseAreRefused(t *testing.T) {
	for text, want := range map[string]string{
		"call x":                                                 "no version",
		"version 1\ntype A\n\tb C":                               "no type C",
		"version 1\ntype A = B":                                  "no type B",
		"version 1\ntype A\n\tb int":                             `no type: "int"`,
		"version 1\ntype A\n\tb string\n\tb string":              "twice",
		"version 1\ntype A\ntype A":                              "was there before",
		"version 1\nthing A":                                     "neither a call nor a type",
		"version 1\n\tb string":                                  "line 2",
		"version 1\ntype A\n\tb boolean 1-2":                     "a limit for nothing",
		"version 1\ntype A\n\tb [string] 1-2 bytes, 1-2 entries": "a limit for nothing",
		"version 1\ntype A\n\tone of b c":                        "which is no field",
	} {
		if _, err := spec.Read(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
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
		{"a integer", "a number", ""},
		{"a number", "a integer", "A.a is integer"},
		{"a integer | string", "a string | integer", ""},
		{"a integer | string", "a string", "A.a is string, not integer"},
		{"a id", "a string", ""},
		{"a string", "a id", "A.a is id, not string"},
		{"a integer | null", "a integer", "A.a is integer, not null"},
		{"a true", "a boolean", ""},
		{"a boolean", "a true", "A.a is true"},
		{`a "x"`, `a "x" | "y"`, ""},
		{`a "x" | "z"`, `a "x" | "y"`, `not "z"`},
		{`a "xyz"`, `a string 1-2 characters`, "has 3 characters"},
		{`a 3`, `a integer`, ""},
		{`a string`, `a "x"`, "not string"},
		{"a string 1-5 characters", "a string 0-5 characters", ""},
		{"a string 0-5 characters", "a string 1-5 characters", "limited to 1-5"},
		{"a string 1- characters", "a string 1-5 characters", "limited to 1-5"},
		{"a string", "a string 1-5 characters", "limited to 1-5"},
		{"a string 1-5 bytes", "a string 1-5 characters", "counted in another way"},
		{"a string 1-5 characters, parsed", "a string 1-5 characters", "counted in another way"},
		{"a string 1-5 characters", "a string 1-5 characters, parsed", ""},
		{"a string", "a string /^x$/", "matches ^x$"},
		{"a string /^x$/", "a string", ""},
		{"a integer 0-9", "a integer 1-9", "limited to 1-9"},
		{"a [string]", "a [string] 0-9 items", "limited to 0-9"},
		{"a [string]", "a [string] unique", "nothing twice"},
		{"a [string]", "a [integer]", "A.a[] is integer"},
		{"a {string}", "a {string} 0-9 entries", "limited to 0-9"},
		{"a string\ntype B\n\tx string", "a string\ntype B\n\ty string", "B.x is not allowed"},
		{"a B\ntype B\n\tx string", "a C\ntype C\n\ty string", "B.x is not allowed"},
		{"a B\ntype B\n\tb B", "a C\ntype C\n\tb C", ""},
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

// What is within another description and right by it is right by the other.
func TestWithinMeansThatWhatIsRightHereIsRightThere(t *testing.T) {
	types := rapid.SampledFrom([]string{
		"integer", "integer 1-3", "integer 0-9", "number", "string", "string 1-2 characters", "string 1- characters",
		"string 2-2 bytes",
		"id", "true", "boolean", "null", `"x"`, `"x" | "1"`, "1 | 2", "[integer] 0-1 items", "[integer] unique",
		"{string} 0-1 entries",
		"string /^x$/", "integer | null",
	})
	values := rapid.SampledFrom([]string{
		"0", "1", "2", "5", "1.5", `""`, `"x"`, `"1"`, `"xy"`, `"ö"`, "true", "false", "null", "[]", "[1]", "[1,1]",
		`["x"]`, "{}", `{"x":"y"}`, `{"x":1,"y":2}`,
	})
	rapid.Check(t, func(t *rapid.T) {
		one := func(name string) *spec.Spec {
			required := rapid.SampledFrom([]string{"", "!"}).Draw(t, name+" required")
			return read(t, "version 1\ncall c\n\ta"+required+" "+types.Draw(t, name)+"\n")
		}
		ours, theirs := one("ours"), one("theirs")
		if wrong, _ := spec.Within(ours, theirs); len(wrong) > 0 {
			return
		}
		body := "{}"
		if rapid.IntRange(0, 9).Draw(t, "given") > 0 {
			body = `{"a":` + values.Draw(t, "value") + `}`
		}
		v, err := spec.Decode([]byte(body))
		if err != nil {
			t.Fatal(err)
		}
		given := v.(map[string]any)
		if len(ours.Fields(ours.Calls["c"], given, "")) > 0 {
			return
		}
		if wrong := theirs.Fields(theirs.Calls["c"], given, ""); len(wrong) > 0 {
			t.Fatalf("%s is right by %v, but by %v: %q", body, ours.Calls["c"], theirs.Calls["c"], wrong)
		}
	})
}

func TestOpenRangesHaveNoEnd(t *testing.T) {
	s := read(t, "version 1\ntype A\n\ta string 1- characters\n")
	if f, _ := s.Types["A"].Field("a"); f.Types[0].Size != (spec.Span{From: 1, To: math.MaxInt64, Set: true}) {
		t.Errorf("read as %v", f.Types[0].Size)
	}
}
