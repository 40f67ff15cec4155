package pushtest

import (
	"crypto/ecdh"
	"encoding/base64"
	"testing"
)

// The example of RFC 8291, appendix A, is decrypted, and no other body.
func TestDecryptsTheExampleOfTheRFC(t *testing.T) {
	bytes := func(text string) []byte {
		raw, err := base64.RawURLEncoding.DecodeString(text)
		if err != nil {
			t.Fatal(err)
		}
		return raw
	}
	key, err := ecdh.P256().NewPrivateKey(bytes("q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94"))
	if err != nil {
		t.Fatal(err)
	}
	b := &Browser{key: key, auth: bytes("BTBZMqHH6r4Tts7J_aSIgg")}
	body := bytes("DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vC" +
		"YLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXL" +
		"WyouBWLVWGNWQexSgSxsj_Qulcy4a-fN")
	text, err := b.decrypt(body)
	if err != nil || text != "When I grow up, I want to be a watermelon" {
		t.Errorf("%q, %v", text, err)
	}
	body[len(body)-1] ^= 1
	if text, err := b.decrypt(body); err == nil {
		t.Errorf("a changed body is %q", text)
	}
}
