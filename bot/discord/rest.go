package discord

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/bwmarrin/discordgo"
)

// callTime is the longest that a request may take, and largest the largest
// answer that is read.
const (
	callTime = 15 * time.Second
	largest  = 8 << 20
)

// rewrite sends requests to another scheme and host than Discord's; their
// paths stay.
type rewrite struct {
	to   *url.URL
	next http.RoundTripper
}

// RoundTrip sends a request there.
func (r rewrite) RoundTrip(req *http.Request) (*http.Response, error) {
	moved := req.Clone(req.Context())
	moved.URL.Scheme, moved.URL.Host, moved.Host = r.to.Scheme, r.to.Host, r.to.Host
	return r.next.RoundTrip(moved)
}

// newHTTP makes the client that the library and rest share. base replaces
// Discord's scheme and host, "" leaves them.
func newHTTP(base string) (*http.Client, error) {
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.MaxIdleConnsPerHost = 32
	client := &http.Client{
		Timeout:   callTime,
		Transport: transport,
		// A redirect would carry the token to another host.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	if base == "" {
		return client, nil
	}
	to, err := url.Parse(base)
	if err != nil {
		return nil, errors.New("the address in place of Discord's cannot be read")
	}
	client.Transport = rewrite{to, transport}
	return client, nil
}

// rest makes requests to Discord's API. Unlike the library's it keeps to
// contexts, and one slow route does not hold up the others.
type rest struct {
	http  *http.Client
	token string
}

// refusal is Discord's own answer that it will not.
type refusal struct {
	Status     int
	Code       int     `json:"code"`
	Message    string  `json:"message"`
	RetryAfter float64 `json:"retry_after"` // seconds
	Global     bool    `json:"global"`
}

// Error says what Discord said.
func (r *refusal) Error() string {
	return fmt.Sprintf("discord answers %d: %s (code %d)", r.Status, r.Message, r.Code)
}

// after is how long Discord wants to be left alone.
func (r *refusal) after() time.Duration {
	return time.Duration(math.Max(r.RetryAfter, 0.1) * float64(time.Second))
}

// call makes a request. body is sent as JSON unless it is nil; the answer is
// read into out unless that is nil. endpoint is a whole address as the library
// makes them. The token is sent only where own is true: the addresses of
// interactions carry their own. No error shows a token.
func (r *rest) call(ctx context.Context, own bool, method, endpoint string, body, out any) error {
	var sent io.Reader
	if body != nil {
		raw, err := json.Marshal(body)
		if err != nil {
			return fmt.Errorf("discord: %w", err)
		}
		sent = bytes.NewReader(raw)
	}
	req, err := http.NewRequestWithContext(ctx, method, endpoint, sent)
	if err != nil {
		return errors.New("discord: a request that cannot be made")
	}
	req.Header.Set("User-Agent", "DiscordBot (https://github.com/bwmarrin/discordgo, v"+discordgo.VERSION+")")
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	if own {
		req.Header.Set("Authorization", "Bot "+r.token)
	}
	resp, err := r.http.Do(req)
	if err != nil {
		var at *url.Error
		if errors.As(err, &at) {
			err = at.Err // the address may hold a token
		}
		return fmt.Errorf("discord %s: %w", method, r.redact(err))
	}
	defer resp.Body.Close()
	return r.redact(read(resp, out))
}

// redact takes the token out of an error: whoever stands in for Discord may
// repeat it, and the library tells whole answers.
func (r *rest) redact(err error) error {
	var refused *refusal
	var answered *discordgo.RESTError
	switch {
	case errors.As(err, &answered) && answered.Response != nil:
		return errors.New("discord answers " + answered.Response.Status)
	case err == nil || r.token == "" || !strings.Contains(err.Error(), r.token):
		return err
	case errors.As(err, &refused):
		clean := *refused
		clean.Message = strings.ReplaceAll(refused.Message, r.token, "***")
		return &clean
	}
	return errors.New(strings.ReplaceAll(err.Error(), r.token, "***"))
}

// read reads an answer.
func read(resp *http.Response, out any) error {
	raw, err := io.ReadAll(io.LimitReader(resp.Body, largest))
	if err != nil {
		return fmt.Errorf("discord: %w", err)
	}
	if resp.StatusCode >= 300 {
		refused := &refusal{}
		if json.Unmarshal(raw, refused) != nil {
			refused.Message = "something that is not JSON"
		}
		refused.Status = resp.StatusCode
		return refused
	}
	if out == nil || len(bytes.TrimSpace(raw)) == 0 {
		return nil
	}
	if err := json.Unmarshal(raw, out); err != nil {
		return fmt.Errorf("discord: an answer that cannot be read: %w", err)
	}
	return nil
}

// refusalOf returns Discord's own refusal in an error's chain.
func refusalOf(err error) (*refusal, bool) {
	var refused *refusal
	ok := errors.As(err, &refused)
	return refused, ok
}
