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

// Requests to Discord's API, and their errors.

const (
	callTime    = 15 * time.Second // the timeout of a request
	maxResponse = 8 << 20          // the largest number of bytes read of a response
	// maxRetryAfter is the longest time that the bot waits for a Retry-After, even if Discord demands more.
	maxRetryAfter = 10 * time.Minute
)

// rewrite is an http.RoundTripper that sends requests to the scheme and host of target instead of Discord's.
type rewrite struct {
	target *url.URL
	next   http.RoundTripper
}

// RoundTrip sends a copy of req to r.target's scheme and host instead, and returns the response.
func (r rewrite) RoundTrip(req *http.Request) (*http.Response, error) {
	moved := req.Clone(req.Context())
	moved.URL.Scheme, moved.URL.Host, moved.Host = r.target.Scheme, r.target.Host, r.target.Host
	return r.next.RoundTrip(moved)
}

// newHTTP returns the HTTP client for all requests to Discord, including the library's. dial opens its connections.
// address replaces Discord's scheme and host unless it is ""; if it is invalid, newHTTP returns an error.
func newHTTP(address string, dial chat.Dialer) (*http.Client, error) {
	client := chat.HTTPClient(dial)
	client.Timeout = callTime
	if address == "" {
		return client, nil
	}
	to, err := url.Parse(address)
	if err != nil || to.Scheme != "http" && to.Scheme != "https" || to.Host == "" {
		return nil, errors.New("use a URL such as http://host or https://host in place of Discord's")
	}
	client.Transport = rewrite{to, client.Transport}
	return client, nil
}

// rest makes requests to Discord's API. Unlike the library's client it stops when a context is done, and a slow route
// does not delay requests to other routes.
type rest struct {
	http     *http.Client
	token    string
	limiter  *rate.Limiter                     // limits the requests with the token
	part     func() chat.Part                  // this replica's part of the bot's rate limit
	commands atomic.Pointer[map[string]string] // ids of the bot's commands by name, for links; nil: unknown
}

// refusal is an error response. Code is 0 if the response came from a proxy, not from Discord.
type refusal struct {
	Status     int
	Code       int     `json:"code"`
	Message    string  `json:"message"`
	RetryAfter float64 `json:"retry_after"` // seconds
	Global     bool    `json:"global"`
	Grant      string  `json:"error"` // of OAuth
}

// bearer, as the body of a request, is a token of OAuth with which the request is made, without a body.
type bearer string

// Error returns the HTTP status, and Discord's message and code.
func (r *refusal) Error() string {
	return fmt.Sprintf("discord answers %d: %s (code %d)", r.Status, r.Message, r.Code)
}

// wait returns how long to wait before another try: the Retry-After, at most maxRetryAfter; 0.1 s without one.
func (r *refusal) wait() time.Duration { return retryAfter(max(r.RetryAfter, 0.1), maxRetryAfter) }

// retryAfter returns seconds, a Retry-After, as a duration, at most longest. It adds a millisecond: Discord cuts off
// fractions, but refuses a request that comes a little too early.
func retryAfter(seconds float64, longest time.Duration) time.Duration {
	return time.Duration(min(seconds+0.001, longest.Seconds()) * float64(time.Second))
}

// call sends a request to the URL endpoint, with body as JSON unless nil, and unless out is nil reads the response into
// it. If asBot, it sends the bot's token and waits for the bot's rate limit. Other requests have a token in their URL.
// No error shows a token.
func (r *rest) call(ctx context.Context, asBot bool, method, endpoint string, body, out any) error {
	_, err := r.do(ctx, asBot, method, endpoint, body, out)
	return err
}

// do sends one request, with the same parameters as call. wait is how long the caller must wait before the next request
// to the same route, after an error too.
func (r *rest) do(ctx context.Context, asBot bool, method, endpoint string, body, out any) (wait time.Duration,
	err error) {
	req, err := r.request(ctx, asBot, method, endpoint, body)
	if err != nil {
		return 0, err
	}
	if asBot {
		r.shareLimit()
		if err := r.limiter.Wait(ctx); err != nil {
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
			wait = retryAfter(seconds, maxRetryAfter)
		}
	}
	raw, err := io.ReadAll(io.LimitReader(resp.Body, maxResponse))
	if err != nil {
		return wait, r.redact(fmt.Errorf("discord: %w", err))
	}
	if resp.StatusCode >= 300 {
		refused := &refusal{}
		if json.Unmarshal(raw, refused) != nil {
			refused.Message = "something that is not JSON"
		}
		refused.Status = resp.StatusCode
		return wait, r.redact(refused)
	}
	if out == nil || len(bytes.TrimSpace(raw)) == 0 {
		return wait, nil
	}
	if err := json.Unmarshal(raw, out); err != nil {
		return wait, r.redact(fmt.Errorf("discord: read response: %w", err))
	}
	return wait, nil
}

// redact returns err without the bot's token and without tokens, which the text of err may contain: the library quotes
// responses, and a server that poses as Discord may repeat a token. For nil it returns nil.
func (r *rest) redact(err error, tokens ...string) error {
	if answered, ok := errors.AsType[*discordgo.RESTError](err); ok && answered.Response != nil {
		return errors.New("discord answered " + answered.Response.Status)
	}
	for _, token := range append(tokens, r.token) {
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

// request returns the HTTP request for do. Its body is value as JSON; if value has files, it is a form with the JSON
// and the files; a url.Values is a form by itself. In texts, commands between link marks become links.
func (r *rest) request(ctx context.Context, asBot bool, method, endpoint string, value any) (*http.Request, error) {
	var kind string
	var sent []byte
	token, byToken := value.(bearer)
	if form, ok := value.(url.Values); ok {
		kind, sent = "application/x-www-form-urlencoded", []byte(form.Encode())
	} else if value != nil && !byToken {
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
		return nil, errors.New("discord: invalid request")
	}
	req.Header.Set("User-Agent", "DiscordBot (https://github.com/bwmarrin/discordgo, v"+discordgo.VERSION+")")
	if kind != "" {
		req.Header.Set("Content-Type", kind)
	}
	if asBot {
		req.Header.Set("Authorization", "Bot "+r.token)
	}
	if byToken {
		req.Header.Set("Authorization", "Bearer "+string(token))
	}
	return req, nil
}

// refusalOf returns the refusal that err wraps, and whether there is one.
func refusalOf(err error) (*refusal, bool) { return errors.AsType[*refusal](err) }

// upload is a file to send. kind is its MIME type.
type upload struct {
	name, kind string
	content    []byte
}

// retry calls try until it succeeds, Discord refuses it for good, ctx is done, or the time limit is over (0: no limit).
// It returns the last error. Between two tries it waits: for a Retry-After if there is one, otherwise longer each time.
func retry(ctx context.Context, limit time.Duration, try func() error) error {
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
	}, backoff.WithBackOff(chat.Pauses()), backoff.WithMaxElapsedTime(limit))
	return err
}

// pause blocks for the time wait, or until ctx is done. It returns ctx.Err().
func pause(ctx context.Context, wait time.Duration) error {
	select {
	case <-time.After(wait):
	case <-ctx.Done():
	}
	return ctx.Err()
}
