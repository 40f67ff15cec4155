// Package pushtest has a push service and browsers for tests. They decrypt and check messages by the RFCs, with no code
// of the package push.
package pushtest

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/ecdh"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/hkdf"
	"crypto/rand"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/big"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"time"

	"knobel/bot/fakes"
)

// Service is a push service. It refuses, as a test failure, all requests that the RFCs forbid.
type Service struct {
	t      fakes.TB
	server *httptest.Server

	mu       sync.Mutex
	browsers map[string]*Browser // by the path of their endpoint
	answers  map[string][]Answer
}

// Answer is an answer to one request, in place of 201.
type Answer struct {
	Status int
	Header http.Header
}

// Browser is a browser that has subscribed.
type Browser struct {
	Endpoint string
	service  *Service
	server   string // the public key of the application server
	key      *ecdh.PrivateKey
	auth     []byte
	got      []Message
	tries    int
}

// Message is a decrypted message with the headers of its request.
type Message struct {
	Text           string
	Topic, Urgency string
	TTL            int
	Contact        string // the claim "sub"
}

// New returns a push service that ends with the test.
func New(t fakes.TB) *Service {
	s := &Service{t: t, browsers: map[string]*Browser{}, answers: map[string][]Answer{}}
	s.server = httptest.NewTLSServer(http.HandlerFunc(s.serve))
	t.Cleanup(s.server.Close)
	return s
}

// Roots returns the authority that certifies the service.
func (s *Service) Roots() *x509.CertPool {
	roots := x509.NewCertPool()
	roots.AddCert(s.server.Certificate())
	return roots
}

// Subscribe returns a new browser that has subscribed with the public key of an application server.
func (s *Service) Subscribe(publicKey string) *Browser {
	key, err := ecdh.P256().GenerateKey(rand.Reader)
	if err != nil {
		s.t.Fatalf("%v", err)
	}
	b := &Browser{service: s, server: publicKey, key: key, auth: make([]byte, 16),
		Endpoint: s.server.URL + "/push/" + rand.Text()}
	rand.Read(b.auth)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.browsers[strings.TrimPrefix(b.Endpoint, s.server.URL)] = b
	return b
}

// Fail makes the service answer the next requests for b so, before it takes messages again.
func (b *Browser) Fail(answers ...Answer) {
	b.service.mu.Lock()
	defer b.service.mu.Unlock()
	b.service.answers[b.Endpoint] = append(b.service.answers[b.Endpoint], answers...)
}

// Took returns the messages that the service has taken for b, and how many requests there were for it.
func (b *Browser) Took() (messages []Message, tries int) {
	b.service.mu.Lock()
	defer b.service.mu.Unlock()
	return append(messages, b.got...), b.tries
}

// Takes returns the messages that the service has taken for b since the last call.
func (b *Browser) Takes() (messages []Message) {
	b.service.mu.Lock()
	defer b.service.mu.Unlock()
	messages, b.got = b.got, nil
	return messages
}

// P256dh and Auth return the keys of b in base64url.
func (b *Browser) P256dh() string { return encode(b.key.PublicKey().Bytes()) }
func (b *Browser) Auth() string   { return encode(b.auth) }

// JSON returns what the method toJSON of the subscription returns in a browser.
func (b *Browser) JSON() string {
	text, err := json.Marshal(map[string]any{"endpoint": b.Endpoint, "expirationTime": nil,
		"keys": map[string]string{"p256dh": b.P256dh(), "auth": b.Auth()}})
	if err != nil {
		b.service.t.Fatalf("%v", err)
	}
	return string(text)
}

// encode returns bytes in base64url without padding.
func encode(bytes []byte) string { return base64.RawURLEncoding.EncodeToString(bytes) }

func (s *Service) serve(rw http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(io.LimitReader(r.Body, 4097))
	s.mu.Lock()
	defer s.mu.Unlock()
	b := s.browsers[r.URL.Path]
	if b == nil {
		s.t.Errorf("%s %s: no such subscription", r.Method, r.URL)
		rw.WriteHeader(http.StatusNotFound)
		return
	}
	b.tries++
	m, err1 := b.read(r, body)
	if err := errors.Join(err, err1); err != nil {
		s.t.Errorf("push service: %v", err)
		rw.WriteHeader(http.StatusBadRequest)
		return
	}
	if planned := s.answers[b.Endpoint]; len(planned) > 0 {
		s.answers[b.Endpoint] = planned[1:]
		for name, values := range planned[0].Header {
			rw.Header()[name] = values
		}
		rw.WriteHeader(planned[0].Status)
		return
	}
	b.got = append(b.got, m)
	rw.Header().Set("Location", s.server.URL+"/message/"+rand.Text())
	rw.WriteHeader(http.StatusCreated)
}

// read checks a request by RFC 8030 and returns its message.
func (b *Browser) read(r *http.Request, body []byte) (m Message, err error) {
	m.Topic, m.Urgency = r.Header.Get("Topic"), r.Header.Get("Urgency")
	if m.TTL, err = strconv.Atoi(r.Header.Get("TTL")); err != nil || m.TTL < 0 {
		return m, fmt.Errorf("TTL is %q", r.Header.Get("TTL"))
	}
	switch {
	case r.Method != http.MethodPost || r.Header.Get("Content-Encoding") != "aes128gcm":
		return m, fmt.Errorf("%s of %q", r.Method, r.Header.Get("Content-Encoding"))
	case len(m.Topic) > 32 || strings.Trim(m.Topic, letters) != "":
		return m, fmt.Errorf("topic %q", m.Topic)
	case m.Urgency != "high" && m.Urgency != "normal":
		return m, fmt.Errorf("urgency %q", m.Urgency)
	case len(body) > 4096:
		return m, errors.New("message is larger than 4096 bytes")
	}
	if m.Contact, err = b.readToken(r.Header.Get("Authorization")); err != nil {
		return m, fmt.Errorf("authorization %q: %w", r.Header.Get("Authorization"), err)
	}
	m.Text, err = b.decrypt(body)
	return m, err
}

const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"

// readToken checks the signature and the claims of an Authorization header by RFC 8292, and returns the contact.
func (b *Browser) readToken(header string) (contact string, err error) {
	token, key, ok := strings.Cut(strings.TrimPrefix(header, "vapid t="), ", k=")
	parts := strings.Split(token, ".")
	if !ok || !strings.HasPrefix(header, "vapid t=") || len(parts) != 3 || key != b.server {
		return "", errors.New("not signed with the key of the subscription")
	}
	var raw [3][]byte
	for i, part := range parts {
		if raw[i], err = base64.RawURLEncoding.DecodeString(part); err != nil {
			return "", err
		}
	}
	var head struct{ Alg, Typ string }
	var claims struct {
		Aud, Sub string
		Exp      int64
	}
	if err := errors.Join(json.Unmarshal(raw[0], &head), json.Unmarshal(raw[1], &claims)); err != nil {
		return "", err
	}
	point, err := base64.RawURLEncoding.DecodeString(key)
	if err != nil || len(raw[2]) != 64 || head.Alg != "ES256" {
		return "", fmt.Errorf("key %q, signature of %d bytes, %s", key, len(raw[2]), head.Alg)
	}
	public, err := ecdsa.ParseUncompressedPublicKey(elliptic.P256(), point)
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256([]byte(parts[0] + "." + parts[1]))
	if !ecdsa.Verify(public, sum[:], new(big.Int).SetBytes(raw[2][:32]), new(big.Int).SetBytes(raw[2][32:])) {
		return "", errors.New("wrong signature")
	}
	left := time.Until(time.Unix(claims.Exp, 0))
	if claims.Aud != b.service.server.URL || left <= 0 || left > 24*time.Hour ||
		!strings.HasPrefix(claims.Sub, "https://") && !strings.HasPrefix(claims.Sub, "mailto:") {
		return "", fmt.Errorf("claims %s", raw[1])
	}
	return claims.Sub, nil
}

// decrypt returns the text of a body by RFC 8188 (aes128gcm, one record) and RFC 8291.
func (b *Browser) decrypt(body []byte) (string, error) {
	if len(body) < 21 || len(body) < 21+int(body[20]) {
		return "", errors.New("header is too short")
	}
	salt, size, sender, record := body[:16], binary.BigEndian.Uint32(body[16:20]), body[21:21+int(body[20])],
		body[21+int(body[20]):]
	if size < 18 || len(record) > int(size) {
		return "", fmt.Errorf("record of %d bytes, at most %d", len(record), size)
	}
	public, err := ecdh.P256().NewPublicKey(sender)
	if err != nil {
		return "", err
	}
	shared, err := b.key.ECDH(public)
	if err != nil {
		return "", err
	}
	info := "WebPush: info\x00" + string(b.key.PublicKey().Bytes()) + string(sender)
	secret, err1 := hkdf.Key(sha256.New, shared, b.auth, info, 32)
	key, err2 := hkdf.Key(sha256.New, secret, salt, "Content-Encoding: aes128gcm\x00", 16)
	nonce, err3 := hkdf.Key(sha256.New, secret, salt, "Content-Encoding: nonce\x00", 12)
	if err := errors.Join(err1, err2, err3); err != nil {
		return "", err
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return "", err
	}
	sealed, err := cipher.NewGCM(block)
	if err != nil {
		return "", err
	}
	text, err := sealed.Open(nil, nonce, record, nil)
	if err != nil {
		return "", err
	}
	padded := strings.TrimRight(string(text), "\x00")
	if !strings.HasSuffix(padded, "\x02") {
		return "", errors.New("the last record does not end with 2")
	}
	return strings.TrimSuffix(padded, "\x02"), nil
}
