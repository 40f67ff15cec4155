// Package spec describes a platform's API in a small language of our own: only the calls, fields and limits that the
// bot uses. Fake platforms check each request with it, and .ci/within compares it with the platform's own
// description.
//
// A description is lines of text, with # before a comment:
//
//	call sendMessage
//		chat_id!  integer
//		text!     string 1-4096 characters, parsed
//		buttons   [[Button]] 0-8 items
//	type Button
//		label!    string
//		style     "red" | "green"
//		one of data url
//	type Media = Photo | Video
//
// A field's name is followed by "!" if it is required. Its types are integer, number, boolean, string, id (a number
// in digits, as Discord spells its ids), true, null, file, a constant, the name of a type, [T] for a list and {T} for
// an object with any keys. Limits follow: how many characters, bytes, items or entries, the range of a number,
// "parsed" for a length without markup, "unique" for items, a /pattern/. "since 10.2" after a call, a type or a field
// tells .ci/within to skip it if the platform's description is older.
package spec

import (
	"fmt"
	"math"
	"regexp"
	"unicode/utf8"
)

// Spec is a description. Length and Plain may be set before its use.
type Spec struct {
	// Calls and Types are by the names after "call" and "type".
	Calls, Types map[string]*Object
	// Length returns the number of characters of a text; nil: it is the number of Unicode characters.
	Length func(text string) int
	// Plain removes the markup from the text of a field whose length counts without it; beside holds the fields next
	// to it. If ok is false the text is invalid and its length is not checked.
	Plain func(text string, beside map[string]any) (plain string, ok bool)
}

// Object is a call or a type: its fields, or a union.
type Object struct {
	Name   string
	Fields []Field
	// OneOf are lists of fields. Exactly one field of each list must be given.
	OneOf [][]string
	// Union are its possible types.
	Union []Type
}

// Field is one field of an object.
type Field struct {
	Name     string
	Required bool
	Types    []Type // a value must have one of these
}

// Kind is a kind of value.
type Kind string

// The kinds of values.
const (
	Integer  Kind = "integer"
	Number   Kind = "number"
	Boolean  Kind = "boolean"
	String   Kind = "string"
	ID       Kind = "id"
	True     Kind = "true"
	Null     Kind = "null"
	File     Kind = "file"
	Constant Kind = "constant"
	Named    Kind = "named" // an object of Spec.Types
	List     Kind = "list"
	Map      Kind = "map"
)

// Type is a kind of value with its limits.
type Type struct {
	Kind  Kind
	Name  string // of an object
	Value any    // of a constant: a string or an int64
	Of    []Type // of a list or a map: a value in it must have one of these
	// Size limits a number, the length of a text, or the number of items.
	Size     Span
	Bytes    bool // a text's length is in bytes
	Parsed   bool // a text's length counts without markup
	Unique   bool // all items differ
	Spelling *regexp.Regexp
}

// Span is the range From to To, both included. The zero Span includes all numbers.
type Span struct {
	From, To int64
	Set      bool
}

func (s Span) holds(n int64) bool { return !s.Set || s.From <= n && n <= s.To }

// String returns the span as words for messages.
func (s Span) String() string {
	if s.To == math.MaxInt64 {
		return fmt.Sprintf("%d or more", s.From)
	}
	return fmt.Sprintf("%d-%d", s.From, s.To)
}

// String returns the type as words for messages.
func (t Type) String() string {
	switch t.Kind {
	case Named:
		return t.Name
	case Constant:
		return fmt.Sprintf("%#v", t.Value)
	case List:
		return fmt.Sprintf("a list of %v", t.Of)
	case Map:
		return fmt.Sprintf("an object of %v", t.Of)
	default:
		return string(t.Kind)
	}
}

// Field returns the object's field with this name; false: there is none.
func (o *Object) Field(name string) (Field, bool) {
	for _, f := range o.Fields {
		if f.Name == name {
			return f, true
		}
	}
	return Field{}, false
}

// length returns the length of text in the unit in which t counts, and the unit's name.
func (s *Spec) length(t Type, text string) (n int64, unit string) {
	switch {
	case t.Bytes:
		return int64(len(text)), "bytes"
	case s.Length != nil:
		return int64(s.Length(text)), "characters"
	default:
		return int64(utf8.RuneCountInString(text)), "characters"
	}
}
