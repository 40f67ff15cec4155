package main

import (
	"bytes"
	"fmt"
	"io"
	"sync"
	"unicode"
	"unicode/utf8"
)

// shown is a writer to a terminal that spells out control characters and marks of direction instead
// of passing them on. Names, records, errors of damaged files and arguments come from strangers, so
// every command writes through it. Characters are spelled as in JSON, so that JSON keeps its
// meaning.
type shown struct {
	mu  sync.Mutex
	out io.Writer
	cut []byte // the beginning of a character whose end has not come yet
}

func (s *shown) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	text := append(s.cut, p...)
	s.cut = nil
	var b bytes.Buffer
	for len(text) > 0 {
		r, size := utf8.DecodeRune(text)
		switch {
		case r == utf8.RuneError && size == 1 && !utf8.FullRune(text):
			s.cut, size = bytes.Clone(text), len(text)
		case r == utf8.RuneError && size == 1:
			fmt.Fprintf(&b, `\x%02x`, text[0])
		case obeyed(r):
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.Write(text[:size])
		}
		text = text[size:]
	}
	if _, err := s.out.Write(b.Bytes()); err != nil {
		return 0, err
	}
	return len(p), nil
}

// end writes the bytes of an incomplete character as escapes.
func (s *shown) end() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, b := range s.cut {
		fmt.Fprintf(s.out, `\x%02x`, b)
	}
	s.cut = nil
}

// obeyed reports whether a character does something to a terminal or to the text
// around it, but for the ends of lines and tabs.
func obeyed(r rune) bool {
	return unicode.IsControl(r) && r != '\n' && r != '\t' || unicode.Is(unicode.Bidi_Control, r) || r == '\u2028' ||
		r == '\u2029'
}
