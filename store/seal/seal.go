// Package seal encrypts texts with a key from a file. It uses deterministic authenticated encryption, AES-SIV (RFC
// 5297): equal texts are encrypted to equal texts, so that they can be looked up, and a modified text is refused.
package seal

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"

	"github.com/tink-crypto/tink-go/v2/daead/subtle"
)

// Size is the length of a key, in bytes.
const Size = subtle.AESSIVKeySize

// Key encrypts and decrypts texts. It implements store.Sealer, and is safe for concurrent use.
type Key struct{ cipher *subtle.AESSIV }

// Parse returns the key in file, the content of a key file: 64 random bytes as 128 hexadecimal digits, with white space
// anywhere. Its errors do not quote the content.
func Parse(file []byte) (*Key, error) {
	text := strings.Join(strings.Fields(string(file)), "")
	raw, err := hex.DecodeString(text)
	if err != nil || len(raw) != Size {
		return nil, fmt.Errorf("not a key: a key has %d hexadecimal digits, from openssl rand -hex %d",
			2*Size, Size)
	}
	if bytes.Count(raw, raw[:1]) == len(raw) {
		return nil, errors.New("not a key: all bytes are the same")
	}
	cipher, err := subtle.NewAESSIV(raw)
	if err != nil {
		return nil, fmt.Errorf("key: %w", err)
	}
	return &Key{cipher: cipher}, nil
}

// Seal returns text encrypted and in base64url. To decrypt it, Open needs the same purpose, such as "name".
func (k *Key) Seal(text, purpose string) (string, error) {
	sealed, err := k.cipher.EncryptDeterministically([]byte(text), []byte(purpose))
	if err != nil {
		return "", fmt.Errorf("seal: %w", err)
	}
	return base64.RawURLEncoding.EncodeToString(sealed), nil
}

// errOther is the error of Open for a text that this key has not encrypted for the purpose. It does not quote the text.
var errOther = errors.New("text was not encrypted with this key")

// Open returns the text from which Seal has made sealed, with this key and the same purpose, or errOther.
func (k *Key) Open(sealed, purpose string) (string, error) {
	raw, err := base64.RawURLEncoding.DecodeString(sealed)
	if err != nil {
		return "", errOther
	}
	text, err := k.cipher.DecryptDeterministically(raw, []byte(purpose))
	if err != nil {
		return "", errOther
	}
	return string(text), nil
}
