// Package push sends messages to browsers by Web Push: RFC 8030, encrypted by RFC 8291, signed by RFC 8292.
package push

import (
	"cmp"
	"context"
	"crypto/ecdh"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/SherClockHolmes/webpush-go"
)

// Config configures a Sender. Only Key is needed.
type Config struct {
	// Key is the private key from NewKey that signs requests. Push services accept a subscription's messages only with
	// the key for which the browser has made it.
	Key string
	// Public reports whether requests may go to an address; nil means IsPublic.
	Public func(netip.Addr) bool
	// Roots are the authorities that certify push services; nil means those of the system.
	Roots *x509.CertPool
	// After returns a channel for the end of a pause; nil means time.After.
	After func(time.Duration) <-chan time.Time
	// Log is the logger; nil means the default.
	Log *slog.Logger
}

// Sender sends messages to push services. It is safe for concurrent use.
type Sender struct {
	config Config
	public string
	client *http.Client
	slots  chan struct{}
}

// Limits of requests.
const (
	requestWithin = 10 * time.Second
	// maxRequests is how many requests are sent at the same time.
	maxRequests = 8
	// maxAnswer is how many bytes of an answer are read at most.
	maxAnswer = 4 << 10
	// maxEndpoint is the largest length of an endpoint in bytes.
	maxEndpoint = 2000
)

// NewKey returns a new random key for Config.Key.
func NewKey() string {
	key, err := ecdh.P256().GenerateKey(rand.Reader)
	if err != nil {
		panic(err) // impossible: rand.Reader never fails
	}
	return base64.RawURLEncoding.EncodeToString(key.Bytes())
}

// New returns a Sender, or an error if c.Key is not a key.
func New(c Config) (*Sender, error) {
	raw, err := base64.RawURLEncoding.DecodeString(c.Key)
	if err != nil {
		return nil, fmt.Errorf("read push key: %w", err)
	}
	key, err := ecdh.P256().NewPrivateKey(raw)
	if err != nil {
		return nil, fmt.Errorf("read push key: %w", err)
	}
	c.Log = cmp.Or(c.Log, slog.Default())
	if c.Public == nil {
		c.Public = IsPublic
	}
	if c.After == nil {
		c.After = time.After
	}
	s := &Sender{config: c, public: base64.RawURLEncoding.EncodeToString(key.PublicKey().Bytes()),
		slots: make(chan struct{}, maxRequests)}
	dialer := &net.Dialer{Timeout: requestWithin, Control: s.checkDialled}
	s.client = &http.Client{
		Timeout: requestWithin,
		Transport: &http.Transport{
			DialContext: dialer.DialContext, ForceAttemptHTTP2: true, MaxIdleConns: maxRequests,
			IdleConnTimeout: time.Minute, MaxResponseHeaderBytes: 16 << 10,
			TLSClientConfig: &tls.Config{RootCAs: c.Roots, MinVersion: tls.VersionTLS12},
		},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	return s, nil
}

// PublicKey returns the key that browsers need to subscribe, in base64url.
func (s *Sender) PublicKey() string { return s.public }

// errPrivate is the error of a connection to an address that is not public.
var errPrivate = errors.New("address is not public")

// checkDialled returns errPrivate unless the resolved address of a new connection is public.
func (s *Sender) checkDialled(_, address string, _ syscall.RawConn) error {
	at, err := netip.ParseAddrPort(address)
	if err != nil || !s.config.Public(at.Addr()) {
		return errPrivate
	}
	return nil
}

// Subscription is what the method toJSON of a browser's PushSubscription returns.
type Subscription struct {
	Endpoint string `json:"endpoint"`
	Keys     struct {
		P256dh string `json:"p256dh"`
		Auth   string `json:"auth"`
	} `json:"keys"`
}

// Errors of Check.
var (
	ErrEndpoint = errors.New("endpoint is not an https address of the public network")
	ErrKeys     = errors.New("keys are not those of a browser")
)

// Check returns ErrEndpoint or ErrKeys unless messages can be sent to a subscription. An endpoint whose name leads to a
// private address is found only when it is used.
func (s *Sender) Check(to Subscription) error {
	at, err := url.Parse(to.Endpoint)
	if err != nil || at.Scheme != "https" || at.Hostname() == "" || at.User != nil || len(to.Endpoint) > maxEndpoint {
		return ErrEndpoint
	}
	host := strings.TrimSuffix(strings.ToLower(at.Hostname()), ".")
	ip, err := netip.ParseAddr(host)
	if host == "localhost" || strings.HasSuffix(host, ".localhost") {
		ip, err = netip.IPv6Loopback(), nil
	}
	last := host[strings.LastIndexByte(host, '.')+1:]
	number := err != nil && strings.IndexAny(last, "0123456789") == 0 // browsers read "127.1" as an address
	if err == nil && !s.config.Public(ip) || number {
		return ErrEndpoint
	}
	point, err1 := decodeKey(to.Keys.P256dh)
	auth, err2 := decodeKey(to.Keys.Auth)
	_, err3 := ecdh.P256().NewPublicKey(point)
	if errors.Join(err1, err2, err3) != nil || len(auth) != 16 {
		return ErrKeys
	}
	return nil
}

// decodeKey returns the bytes of a key in base64url, with or without padding.
func decodeKey(text string) ([]byte, error) {
	return base64.RawURLEncoding.DecodeString(strings.TrimRight(text, "="))
}

// Message is a message to one browser.
type Message struct {
	// Text is the content. It may have at most 3900 bytes.
	Text []byte
	// Topic replaces an older message of the same topic that the push service still has: at most 32 letters of
	// base64url.
	Topic string
	// Urgent means that the message is worth waking a device for.
	Urgent bool
	// Lasts is how long the message is of use.
	Lasts time.Duration
	// Contact is an https address of the installation, for the operators of push services.
	Contact string
	// Wanted, unless nil, is asked before each try: false means that the message is of no use any more.
	Wanted func() bool
}

// Outcome is what became of a message.
type Outcome string

// The outcomes. Gone and Private mean that the subscription can never be used again.
const (
	Sent    Outcome = "sent"    // the push service has taken it
	Refused Outcome = "refused" // the push service does not take it
	Gone    Outcome = "gone"    // the browser has ended the subscription
	Private Outcome = "private" // the endpoint is not in the public network
	Dropped Outcome = "dropped" // it was not wanted any more, or the program ends
)

// pauses are the pauses after tries that may be repeated, unless the push service asks for another one.
var pauses = []time.Duration{5 * time.Second, 30 * time.Second, 3 * time.Minute}

// Send sends m to a browser, and returns what became of it. If the push service fails or cannot be reached, or asks to
// wait, Send tries again a few times while m is of use.
func (s *Sender) Send(ctx context.Context, to Subscription, m Message) Outcome {
	ends := time.Now().Add(m.Lasts)
	for try := 0; ; try++ {
		if ctx.Err() != nil || m.Wanted != nil && !m.Wanted() {
			return Dropped
		}
		outcome, pause := s.try(ctx, to, m)
		if outcome != "" {
			return outcome
		}
		if try == len(pauses) {
			return Refused
		}
		pause = cmp.Or(pause, pauses[try])
		if m.Lasts -= pause; m.Lasts <= 0 || time.Now().Add(pause).After(ends) {
			return Refused
		}
		select {
		case <-s.config.After(pause):
		case <-ctx.Done():
		}
	}
}

// try sends m once. If the outcome is "", it may be sent again, after a pause if the push service asks for one.
func (s *Sender) try(ctx context.Context, to Subscription, m Message) (outcome Outcome, pause time.Duration) {
	s.slots <- struct{}{}
	defer func() { <-s.slots }()
	urgency := webpush.UrgencyNormal
	if m.Urgent {
		urgency = webpush.UrgencyHigh
	}
	answer, err := webpush.SendNotificationWithContext(ctx, m.Text, &webpush.Subscription{Endpoint: to.Endpoint,
		Keys: webpush.Keys{Auth: to.Keys.Auth, P256dh: to.Keys.P256dh}},
		&webpush.Options{HTTPClient: s.client, Subscriber: m.Contact, Topic: m.Topic, TTL: int(m.Lasts.Seconds()),
			Urgency: urgency, VAPIDPublicKey: s.public, VAPIDPrivateKey: s.config.Key})
	switch {
	case errors.Is(err, errPrivate):
		return Private, 0
	case errors.Is(err, webpush.ErrMaxPadExceeded):
		return Refused, 0
	case err != nil:
		s.config.Log.Debug("push request failed", "error", err)
		return "", 0
	}
	defer answer.Body.Close()
	_, _ = io.CopyN(io.Discard, answer.Body, maxAnswer) // so that the connection can be used again
	switch status := answer.StatusCode; {
	case status >= 200 && status < 300:
		return Sent, 0
	case status == http.StatusNotFound || status == http.StatusGone:
		return Gone, 0
	case status == http.StatusTooManyRequests || status >= 500:
		return "", retryAfter(answer.Header.Get("Retry-After"))
	default:
		s.config.Log.Debug("push service has refused a message", "status", status)
		return Refused, 0
	}
}

// retryAfter returns the pause in a Retry-After header, which holds seconds or a time; 0: none.
func retryAfter(header string) time.Duration {
	if seconds, err := strconv.Atoi(header); err == nil && seconds > 0 {
		return time.Duration(min(seconds, 24*60*60)) * time.Second
	}
	if at, err := http.ParseTime(header); err == nil {
		return max(0, time.Until(at))
	}
	return 0
}
