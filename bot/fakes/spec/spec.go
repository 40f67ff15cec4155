// Package spec describes what a platform takes and sends, in a small language
// of our own: just the calls, fields and limits that the bot uses, in our own
// words. Whoever plays a platform holds each request against it, and .ci/within
// holds it against the platform's own description, where that is at hand.
//
// A description is a text of lines, with # before a remark:
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
// A field's name is followed by "!" where it is required. Its types are
// integer, number, boolean, string, id (a number in digits, as Discord spells
// its ids), true, null, file, a constant, the name of a type, [T] for a list and
// {T} for an object whose keys are free. Limits follow: how many characters,
// bytes, items or entries, the range of a number, "parsed" for a length that
// counts without markup, "unique" for items, a /pattern/. "since 10.2" behind a
// call, a type or a field is for .ci/within: what is newer than the platform's
// description is not held against it.
package spec

import (
	"fmt"
	"math"
	"regexp"
	"unicode/utf8"
)

// Spec is a description. Length and Plain may be set before it is used.
type Spec struct {
	// Calls and Types are found by what stands behind "call" and "type".
	Calls, Types map[string]*Object
	// Length counts characters; nil: letters of Unicode.
	Length func(text string) int
	// Plain takes the markup out of the text of a field whose length counts
	// without it; beside holds the fields next to it. ok is false where the
	// text cannot be read: then its length is not looked at.
	Plain func(text string, beside map[string]any) (plain string, ok bool)
}

// Object is a call or a type: its fields, or the types that it may be.
type Object struct {
	Name   string
	Fields []Field
	// OneOf are fields of which exactly one is given; none: no such rule.
	OneOf []string
	// Union are the types of which it is one.
	Union []Type
}

// Field is one field of an object.
type Field struct {
	Name     string
	Required bool
	Types    []Type // any of them
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
	Of    []Type // what a list or a map holds: any of them
	// Size is how large a number is, how long a text, how many a list or a
	// map holds.
	Size     Span
	Bytes    bool // a text's length is in bytes
	Parsed   bool // a text's length counts without markup
	Unique   bool // no item comes twice
	Spelling *regexp.Regexp
}

// Span is a range with both ends. The zero Span has no ends.
type Span struct {
	From, To int64
	Set      bool
}

func (s Span) holds(n int64) bool { return !s.Set || s.From <= n && n <= s.To }

// String spells a span for people.
func (s Span) String() string {
	if s.To == math.MaxInt64 {
		return fmt.Sprintf("%d or more", s.From)
	}
	return fmt.Sprintf("%d-%d", s.From, s.To)
}

// String names a type for people.
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

// Field finds a field of an object by its name.
func (o *Object) Field(name string) (Field, bool) {
	for _, f := range o.Fields {
		if f.Name == name {
			return f, true
		}
	}
	return Field{}, false
}

// length counts a text as its type says.
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
