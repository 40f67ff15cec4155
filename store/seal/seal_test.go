package seal_test

import (
	"encoding/hex"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"knobel/store/seal"
)

// parseKey returns the key with these hexadecimal digits.
func parseKey(t testing.TB, hexadecimal string) *seal.Key {
	t.Helper()
	k, err := seal.Parse([]byte(hexadecimal))
	if err != nil {
		t.Fatal(err)
	}
	return k
}

var (
	one   = strings.Repeat("0123456789abcdef", 8)
	other = strings.Repeat("fedcba9876543210", 8)
)

func TestWhatIsSealedOpens(t *testing.T) {
	a, b := parseKey(t, one), parseKey(t, strings.ToUpper(one[:64])+"\r\n "+one[64:]+"\n")
	rapid.Check(t, func(t *rapid.T) {
		text, purpose := rapid.String().Draw(t, "text"), rapid.String().Draw(t, "purpose")
		sealed, err := a.Seal(text, purpose)
		if err != nil {
			t.Fatal(err)
		}
		again, err := b.Seal(text, purpose)
		if err != nil || again != sealed {
			t.Fatalf("sealed %q and %q, %v", sealed, again, err)
		}
		if strings.ContainsAny(sealed, ":% \n'\"") {
			t.Fatalf("%q is no simple text", sealed)
		}
		if len(text) > 3 && strings.Contains(sealed, text) {
			t.Fatalf("%q shows in %q", text, sealed)
		}
		if opened, err := b.Open(sealed, purpose); err != nil || opened != text {
			t.Fatalf("opened %q, %v", opened, err)
		}
		if opened, err := b.Open(sealed, purpose+"x"); err == nil {
			t.Fatalf("for another purpose it opened as %q", opened)
		}
	})
}

func TestWhatWasNotSealedDoesNotOpen(t *testing.T) {
	a, b := parseKey(t, one), parseKey(t, other)
	sealed, err := a.Seal("Anna", "name")
	if err != nil {
		t.Fatal(err)
	}
	changed := []byte(sealed)
	changed[0] ^= 1
	for what, try := range map[string]func() (string, error){
		"another key":  func() (string, error) { return b.Open(sealed, "name") },
		"changed":      func() (string, error) { return a.Open(string(changed), "name") },
		"cut short":    func() (string, error) { return a.Open(sealed[:10], "name") },
		"never sealed": func() (string, error) { return a.Open("Anna", "name") },
		"no letters":   func() (string, error) { return a.Open("Ännä!", "name") },
		"nothing":      func() (string, error) { return a.Open("", "name") },
	} {
		text, err := try()
		if err == nil || text != "" {
			t.Errorf("%s: %q, %v", what, text, err)
		}
		if err != nil && strings.Contains(err.Error(), "Anna") {
			t.Errorf("%s: the error tells it: %v", what, err)
		}
	}
}

func TestKeysThatAreNone(t *testing.T) {
	for what, file := range map[string]string{
		"nothing":       "",
		"short":         one[:126],
		"long":          one + "00",
		"a word":        "correct horse battery staple",
		"one byte":      strings.Repeat("ab", seal.Size),
		"raw bytes":     string(make([]byte, seal.Size)),
		"not all of it": one[:127] + "g",
	} {
		if _, err := seal.Parse([]byte(file)); err == nil {
			t.Errorf("%s is taken for a key", what)
		} else if len(file) > 8 && strings.Contains(err.Error(), file[:8]) {
			t.Errorf("%s shows in the error: %v", what, err)
		}
	}
	if n := hex.DecodedLen(len(one)); n != seal.Size {
		t.Errorf("the test's key has %d bytes", n)
	}
}
