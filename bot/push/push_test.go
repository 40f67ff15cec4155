package push

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"knobel/bot/push/pushtest"
)

// anyAddress is a Config.Public that allows all addresses.
func anyAddress(netip.Addr) bool { return true }

// serve returns a push service, a Sender that uses it, whose pauses are over at once, and the pauses.
func serve(t *testing.T, public func(netip.Addr) bool) (*pushtest.Service, *Sender, *[]time.Duration) {
	t.Helper()
	service, paused := pushtest.New(t), &[]time.Duration{}
	s, err := New(Config{Key: NewKey(), Public: public, Roots: service.Roots(),
		After: func(pause time.Duration) <-chan time.Time {
			*paused = append(*paused, pause)
			over := make(chan time.Time)
			close(over)
			return over
		}})
	if err != nil {
		t.Fatal(err)
	}
	return service, s, paused
}

// of returns the subscription of a browser.
func of(b *pushtest.Browser) (s Subscription) {
	s.Endpoint, s.Keys.P256dh, s.Keys.Auth = b.Endpoint, b.P256dh(), b.Auth()
	return s
}

// hello is a message that is of use for ten minutes.
var hello = Message{Text: []byte("Hello Änna"), Topic: "a-topic", Urgent: true, Lasts: 10 * time.Minute,
	Contact: "https://dice.example"}

func TestAMessageArrivesAsItWasSent(t *testing.T) {
	service, s, _ := serve(t, anyAddress)
	b := service.Subscribe(s.PublicKey())
	if err := s.Check(of(b)); err != nil {
		t.Error(err)
	}
	other := hello
	other.Urgent, other.Topic, other.Text = false, "", []byte(strings.Repeat("x", 3900))
	for _, m := range []Message{hello, other} {
		if outcome := s.Send(t.Context(), of(b), m); outcome != Sent {
			t.Errorf("it is %s", outcome)
		}
	}
	took, _ := b.Took()
	want := []pushtest.Message{
		{Text: "Hello Änna", Topic: "a-topic", Urgency: "high", TTL: 600, Contact: "https://dice.example"},
		{Text: strings.Repeat("x", 3900), Urgency: "normal", TTL: 600, Contact: "https://dice.example"},
	}
	if diff := cmp.Diff(want, took); diff != "" {
		t.Error(diff)
	}
}

func TestAnswersOfPushServices(t *testing.T) {
	again := func(status int, after string) pushtest.Answer {
		return pushtest.Answer{Status: status, Header: http.Header{"Retry-After": {after}}}
	}
	redirect := pushtest.Answer{Status: http.StatusTemporaryRedirect,
		Header: http.Header{"Location": {"/push/elsewhere"}}}
	down := pushtest.Answer{Status: http.StatusServiceUnavailable}
	for name, one := range map[string]struct {
		answers []pushtest.Answer
		want    Outcome
		tries   int
		paused  []time.Duration
	}{
		"not found":          {[]pushtest.Answer{{Status: http.StatusNotFound}}, Gone, 1, nil},
		"gone":               {[]pushtest.Answer{{Status: http.StatusGone}}, Gone, 1, nil},
		"forbidden":          {[]pushtest.Answer{{Status: http.StatusForbidden}}, Refused, 1, nil},
		"too large":          {[]pushtest.Answer{{Status: http.StatusRequestEntityTooLarge}}, Refused, 1, nil},
		"redirect":           {[]pushtest.Answer{redirect}, Refused, 1, nil},
		"slow down":          {[]pushtest.Answer{again(429, "90")}, Sent, 2, []time.Duration{90 * time.Second}},
		"slow down for long": {[]pushtest.Answer{again(429, "3600")}, Refused, 1, nil},
		"slow down somehow":  {[]pushtest.Answer{again(429, "soon")}, Sent, 2, pauses[:1]},
		"down for a while":   {[]pushtest.Answer{down, down, down}, Sent, 4, pauses},
		"down":               {[]pushtest.Answer{down, down, down, down, down}, Refused, 4, pauses},
		"down, then gone":    {[]pushtest.Answer{down, {Status: http.StatusGone}}, Gone, 2, pauses[:1]},
	} {
		t.Run(name, func(t *testing.T) {
			service, s, paused := serve(t, anyAddress)
			b := service.Subscribe(s.PublicKey())
			b.Fail(one.answers...)
			if outcome := s.Send(t.Context(), of(b), hello); outcome != one.want {
				t.Errorf("it is %s, not %s", outcome, one.want)
			}
			if _, tries := b.Took(); tries != one.tries || !slices.Equal(*paused, one.paused) {
				t.Errorf("%d tries with the pauses %v", tries, *paused)
			}
		})
	}
}

// A push service that does not answer in time is tried again, and then left.
func TestSlowPushServicesAreLeft(t *testing.T) {
	service, s, paused := serve(t, anyAddress)
	over := make(chan struct{})
	slow := httptest.NewTLSServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { <-over }))
	defer slow.Close()
	defer close(over)
	to := of(service.Subscribe(s.PublicKey()))
	to.Endpoint = slow.URL
	if s.client.Timeout != 10*time.Second {
		t.Errorf("a request may take %v", s.client.Timeout)
	}
	s.client.Timeout = 20 * time.Millisecond
	if outcome := s.Send(t.Context(), to, hello); outcome != Refused || !slices.Equal(*paused, pauses) {
		t.Errorf("it is %s after the pauses %v", outcome, *paused)
	}
}

// A pause that a push service asks for may be a point in time.
func TestRetryAfterIsATimeToo(t *testing.T) {
	at := time.Now().Add(2 * time.Minute).UTC().Format(http.TimeFormat)
	if pause := retryAfter(at); pause < time.Minute || pause > 2*time.Minute {
		t.Errorf("the pause is %v", pause)
	}
}

// A message that is no longer wanted is not tried again, and none is once the program ends.
func TestMessagesAreDropped(t *testing.T) {
	service, s, _ := serve(t, anyAddress)
	b := service.Subscribe(s.PublicKey())
	b.Fail(pushtest.Answer{Status: http.StatusServiceUnavailable})
	m, asked := hello, 0
	m.Wanted = func() bool { asked++; return asked == 1 }
	if outcome := s.Send(t.Context(), of(b), m); outcome != Dropped {
		t.Errorf("what is not wanted is %s", outcome)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if outcome := s.Send(ctx, of(b), hello); outcome != Dropped {
		t.Errorf("at the end it is %s", outcome)
	}
	if took, tries := b.Took(); len(took) > 0 || tries != 1 {
		t.Errorf("%d tries: %+v", tries, took)
	}
}

// Requests go to addresses of the public network alone: the check is made after the name was resolved, so that no name
// can lead elsewhere, and no connection is opened.
func TestOnlyPublicAddressesAreDialled(t *testing.T) {
	service, s, _ := serve(t, nil)
	b := service.Subscribe(s.PublicKey())
	named := of(b)
	named.Endpoint = strings.Replace(named.Endpoint, "127.0.0.1", "localhost", 1)
	for _, to := range []Subscription{of(b), named} {
		if err := s.Check(to); !errors.Is(err, ErrEndpoint) {
			t.Errorf("%s is accepted: %v", to.Endpoint, err)
		}
		if outcome := s.Send(t.Context(), to, hello); outcome != Private {
			t.Errorf("%s: it is %s", to.Endpoint, outcome)
		}
	}
	if _, tries := b.Took(); tries > 0 {
		t.Errorf("%d requests arrived", tries)
	}
}

func TestEndpointsAndKeysThatAreRefused(t *testing.T) {
	service, s, _ := serve(t, nil)
	good := of(service.Subscribe(s.PublicKey()))
	for _, endpoint := range []string{
		"", "push.example/x", "http://push.example/x", "https://", "https:///x", "ftp://push.example",
		"https://me:secret@push.example/x", "https://127.0.0.1/x", "https://127.0.0.1:8443/x", "https://[::1]/x",
		"https://10.0.0.1/x", "https://192.168.1.1/x", "https://172.16.0.1", "https://169.254.169.254/latest",
		"https://100.64.0.1/x", "https://0.0.0.0/x", "https://255.255.255.255/x", "https://224.0.0.1/x",
		"https://[fe80::1%25eth0]/x", "https://[fd00::1]/x", "https://[::ffff:10.0.0.1]/x", "https://[::]/x",
		"https://[64:ff9b::a00:1]/x", "https://[2002:a00:1::1]/x", "https://127.0.0.1./x",
		"https://[::ffff:7f00:1]/x", "https://[64:ff9b:1::a00:1]/x", "https://[2001:0:1::1]/x", "https://[::7f00:1]/x",
		"https://[::ffff:100.64.0.1]:443/x", "https://2130706433/x", "https://0x7f.1/x", "https://127.1/x",
		"https://0177.0.0.1/x", "https://0x7f000001./x", "https://1.2.3.256/x",
		"https://localhost/x", "https://LOCALHOST./x", "https://a.localhost/x",
		"https://push.example/" + strings.Repeat("x", maxEndpoint),
	} {
		bad := good
		if bad.Endpoint = endpoint; !errors.Is(s.Check(bad), ErrEndpoint) {
			t.Errorf("%s is accepted", endpoint)
		}
	}
	good.Endpoint = "https://push.example:8443/x?y=z"
	for _, change := range []func(*Subscription){
		func(s *Subscription) { s.Keys.P256dh = "" },
		func(s *Subscription) { s.Keys.P256dh = "!" },
		func(s *Subscription) { s.Keys.P256dh = strings.Repeat("A", 87) },
		func(s *Subscription) { s.Keys.Auth = "" },
		func(s *Subscription) { s.Keys.Auth = s.Keys.P256dh },
	} {
		bad := good
		if change(&bad); !errors.Is(s.Check(bad), ErrKeys) {
			t.Errorf("the keys %+v are accepted", bad.Keys)
		}
	}
	for _, endpoint := range []string{good.Endpoint, "https://1.1.1.1/x", "https://4.push.example/x",
		"https://push.x0/x", "https://[2606:4700::1111]:444/x",
		"https://[64:ff9b::101:101]/x"} {
		if good.Endpoint = endpoint; s.Check(good) != nil {
			t.Errorf("%s is refused", endpoint)
		}
	}
	good.Keys.Auth += "=="
	if err := s.Check(good); err != nil {
		t.Errorf("keys with padding are refused: %v", err)
	}
}

func TestKeysThatAreNone(t *testing.T) {
	for _, key := range []string{"", "x", "!!", strings.Repeat("A", 43)} {
		if _, err := New(Config{Key: key}); err == nil {
			t.Errorf("%q is a key", key)
		}
	}
}
