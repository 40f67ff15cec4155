package discord

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/bwmarrin/discordgo"
	"github.com/cenkalti/backoff/v5"
	"golang.org/x/time/rate"

	"knobel/bot/chat"
)

// Requests to Discord's API and its errors.

// callTime bounds a request, largest the answer in bytes.
const (
	callTime = 15 * time.Second
	largest  = 8 << 20
	// longestRest is the longest Retry-After that is believed.
	longestRest = 10 * time.Minute
)

// rewrite sends requests to another scheme and host than Discord's.
type rewrite struct {
	to   *url.URL
	next http.RoundTripper
}

// RoundTrip sends the request to the other host.
func (r rewrite) RoundTrip(req *http.Request) (*http.Response, error) {
	moved := req.Clone(req.Context())
	moved.URL.Scheme, moved.URL.Host, moved.Host = r.to.Scheme, r.to.Host, r.to.Host
	return r.next.RoundTrip(moved)
}

// newHTTP returns the client of the library and rest. base replaces Discord's scheme and host, "" keeps them.
func newHTTP(base string, dial chat.Dialer) (*http.Client, error) {
	client := chat.HTTPClient(dial)
	client.Timeout = callTime
	if base == "" {
		return client, nil
	}
	to, err := url.Parse(base)
	if err != nil || to.Scheme != "http" && to.Scheme != "https" || to.Host == "" {
		return nil, errors.New("the address in place of Discord's is to be http://host or https://host")
	}
	client.Transport = rewrite{to, client.Transport}
	return client, nil
}

// rest makes requests to Discord's API. Unlike the library it respects contexts, and one slow route does not hold up
// the others.
type rest struct {
	http     *http.Client
	token    string
	whole    *rate.Limiter                     // of requests with the token
	part     func() chat.Part                  // this replica's part of it
	commands atomic.Pointer[map[string]string] // the ids of the bot's commands by name, for links
}

// refusal is an error answer of Discord's own.
type refusal struct {
	Status     int
	Code       int     `json:"code"`
	Message    string  `json:"message"`
	RetryAfter float64 `json:"retry_after"` // seconds
	Global     bool    `json:"global"`
}

// Error returns Discord's message.
func (r *refusal) Error() string {
	return fmt.Sprintf("discord answers %d: %s (code %d)", r.Status, r.Message, r.Code)
}

// after returns Retry-After for a caller that waits; background work believes a longer one.
func (r *refusal) after() time.Duration { return retryAfter(max(r.RetryAfter, 0.1), longestRest) }

// retryAfter converts Retry-After to a duration of at most most. It adds a millisecond, because Discord truncates and
// refuses requests that come too early.
func retryAfter(seconds float64, most time.Duration) time.Duration {
	return time.Duration(min(seconds+0.001, most.Seconds()) * float64(time.Second))
}

// call makes a request. body is sent as JSON unless it is nil; the answer is read into out unless that is nil.
// endpoint is a whole URL. The token is sent only if own is true: URLs of interactions carry their own. No error
// shows a token.
func (r *rest) call(ctx context.Context, own bool, method, endpoint string, body, out any) error {
	_, err := r.do(ctx, own, method, endpoint, body, out)
	return err
}

// do is call and returns how long the route must rest, because this was the last request that it takes for now.
func (r *rest) do(ctx context.Context, own bool, method, endpoint string, body, out any) (spent time.Duration,
	err error) {
	req, err := r.request(ctx, own, method, endpoint, body)
	if err != nil {
		return 0, err
	}
	if own {
		r.shareLimit()
		if err := r.whole.Wait(ctx); err != nil {
			return 0, fmt.Errorf("discord %s: %w", method, err)
		}
	}
	resp, err := r.http.Do(req)
	if err != nil {
		if at, ok := errors.AsType[*url.Error](err); ok {
			err = at.Err // the URL may hold a token
		}
		return 0, fmt.Errorf("discord %s: %w", method, r.redact(err))
	}
	defer resp.Body.Close()
	if resp.Header.Get("X-RateLimit-Remaining") == "0" {
		seconds, err := strconv.ParseFloat(resp.Header.Get("X-RateLimit-Reset-After"), 64)
		if err == nil && seconds > 0 {
			spent = retryAfter(seconds, longestRest)
		}
	}
	raw, err := io.ReadAll(io.LimitReader(resp.Body, largest))
	if err != nil {
		return spent, r.redact(fmt.Errorf("discord: %w", err))
	}
	if resp.StatusCode >= 300 {
		refused := &refusal{}
		if json.Unmarshal(raw, refused) != nil {
			refused.Message = "something that is not JSON"
		}
		refused.Status = resp.StatusCode
		return spent, r.redact(refused)
	}
	if out == nil || len(bytes.TrimSpace(raw)) == 0 {
		return spent, nil
	}
	if err := json.Unmarshal(raw, out); err != nil {
		return spent, r.redact(fmt.Errorf("discord: an answer that cannot be read: %w", err))
	}
	return spent, nil
}

// redact removes tokens from an error: a server that poses as Discord may repeat them, and the library quotes
// answers. others are tokens beside the bot's own.
func (r *rest) redact(err error, others ...string) error {
	if answered, ok := errors.AsType[*discordgo.RESTError](err); ok && answered.Response != nil {
		return errors.New("discord answers " + answered.Response.Status)
	}
	for _, token := range append(others, r.token) {
		if err == nil || token == "" || !strings.Contains(err.Error(), token) {
			continue
		}
		if refused, ok := refusalOf(err); ok {
			said := *refused
			said.Message = strings.ReplaceAll(refused.Message, token, "***")
			err = &said
			continue
		}
		err = errors.New(strings.ReplaceAll(err.Error(), token, "***"))
	}
	return err
}

// request returns a request whose body is JSON, or a form of JSON and files.
func (r *rest) request(ctx context.Context, own bool, method, endpoint string, value any) (*http.Request, error) {
	var kind string
	var sent []byte
	if value != nil {
		raw, err := json.Marshal(value)
		if err != nil {
			return nil, fmt.Errorf("discord: %w", err)
		}
		if bytes.Contains(raw, markBytes) { // marked commands become links if their ids are known
			ids := map[string]string{}
			if known := r.commands.Load(); known != nil {
				ids = *known
			}
			raw = linkable.ReplaceAllFunc(raw, func(marked []byte) []byte {
				found := linkable.FindSubmatch(marked)
				if id := ids[string(found[1])]; id != "" {
					return []byte("</" + string(found[1]) + string(found[2]) + ":" + id + ">")
				}
				return marked
			})
			raw = bytes.ReplaceAll(raw, markBytes, nil)
		}
		kind, sent = "application/json", raw
		if answer, ok := value.(callback); ok {
			value = answer.Data
		}
		if message, _ := value.(body); len(message.files) > 0 {
			var files []*discordgo.File
			for _, f := range message.files {
				files = append(files, &discordgo.File{Name: f.name, ContentType: f.kind,
					Reader: bytes.NewReader(f.content)})
			}
			if kind, sent, err = discordgo.MultipartBodyWithJSON(json.RawMessage(sent), files); err != nil {
				return nil, fmt.Errorf("discord: %w", err)
			}
		}
	}
	req, err := http.NewRequestWithContext(ctx, method, endpoint, bytes.NewReader(sent))
	if err != nil {
		return nil, errors.New("discord: a request that cannot be made")
	}
	req.Header.Set("User-Agent", "DiscordBot (https://github.com/bwmarrin/discordgo, v"+discordgo.VERSION+")")
	if kind != "" {
		req.Header.Set("Content-Type", kind)
	}
	if own {
		req.Header.Set("Authorization", "Bot "+r.token)
	}
	return req, nil
}

// refusalOf returns Discord's refusal in an error's chain.
func refusalOf(err error) (*refusal, bool) { return errors.AsType[*refusal](err) }

// upload is a file to be sent.
type upload struct {
	name, kind string
	content    []byte
}

// patiently retries until Discord accepts, refuses for good, or within has passed; 0: until ctx ends. It waits for
// Retry-After or else with backoff.
func patiently(ctx context.Context, within time.Duration, try func() error) error {
	_, err := backoff.Retry(ctx, func() (struct{}, error) {
		err := try()
		refused, ok := refusalOf(err)
		switch {
		case !ok || refused.Status >= http.StatusInternalServerError:
			return struct{}{}, err
		case refused.Status == http.StatusTooManyRequests:
			wait := retryAfter(max(refused.RetryAfter, 0.1), 24*time.Hour)
			return struct{}{}, errors.Join(&backoff.RetryAfterError{Duration: wait}, err)
		}
		return struct{}{}, backoff.Permanent(err)
	}, backoff.WithBackOff(chat.Pauses()), backoff.WithMaxElapsedTime(within))
	return err
}

// pause waits, and returns the error of ctx if that ends first.
func pause(ctx context.Context, wait time.Duration) error {
	select {
	case <-time.After(wait):
	case <-ctx.Done():
	}
	return ctx.Err()
}
