package telegram

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	tg "github.com/go-telegram-bot-api/telegram-bot-api/v5"

	"knobel/bot/chat"
)

// Requests to the Bot API. Unlike the library's, they stop when a context is done, and no error shows the token.

// Limits of requests and responses.
const (
	pollTime    = 50 * time.Second // how long the server holds a poll without updates
	pollGrace   = 15 * time.Second // a poll without a response is cancelled this much later
	callTime    = 15 * time.Second // the longest duration of any other request
	answerTime  = 5 * time.Second  // the time to answer a button press; Telegram expires it soon after
	maxResponse = 16 << 20         // bytes
)

// pollMethod is the method of the Bot API that returns updates.
const pollMethod = "getUpdates"

// callInto makes a request and reads its JSON result into result, a pointer.
func (t *Telegram) callInto(ctx context.Context, method string, params tg.Params, result any) error {
	raw, err := t.call(ctx, method, params)
	if err != nil {
		return err
	}
	return json.Unmarshal(raw, result)
}

// messageKey returns the parameters that identify a message in a chat.
func messageKey(chat, message int64) tg.Params {
	return tg.Params{"chat_id": decimal(chat), "message_id": decimal(message)}
}

// call makes a request, with files if any, and returns its result as JSON. If an older server refuses tags in it, call
// repeats the request without them, and leaves them out from then on. callTime limits all requests but polls. If
// Telegram refuses the request, the error wraps a *tg.Error. No error shows the token.
func (t *Telegram) call(ctx context.Context, method string, params tg.Params,
	files ...tg.RequestFile) (json.RawMessage, error) {
	if method != pollMethod {
		late, cancel := context.WithTimeout(ctx, callTime)
		defer cancel()
		ctx = late
	}
	if t.lacks.markup.Load() {
		params, _ = withoutNewerMarkup(params)
	}
	result, err := t.request(ctx, method, params, files...)
	if !isRefusal(err, "can't parse entities") {
		return result, err
	}
	less, newer := withoutNewerMarkup(params)
	if !newer {
		return result, err
	}
	if result, err = t.request(ctx, method, less, files...); err == nil && !t.lacks.markup.Swap(true) {
		t.log.Warn("telegram rejected newer markup; leaving it out until restart")
	}
	return result, err
}

// request makes one request. If it sends or edits a message, request counts it for Budget.
func (t *Telegram) request(ctx context.Context, method string, params tg.Params,
	files ...tg.RequestFile) (json.RawMessage, error) {
	api := &tg.BotAPI{Token: t.options.Token, Client: transport{ctx, t.http}}
	api.SetAPIEndpoint(t.endpoint)
	var resp *tg.APIResponse
	var err error
	if len(files) == 0 {
		resp, err = api.MakeRequest(method, params)
	} else {
		resp, err = api.UploadFiles(method, params, files)
	}
	refused, ok := refusalOf(err)
	if ok && len(files) > 0 {
		refused.Code = resp.ErrorCode // the library does not set it for uploads
	}
	if edits := strings.HasPrefix(method, "edit"); edits || strings.HasPrefix(method, "send") {
		what := chat.Sent // without a response, too: the request may have arrived
		switch {
		case ok && refused.Code == http.StatusTooManyRequests:
			what = chat.Slowed
		case edits:
			what = chat.Edited
		}
		t.tally.Count(cmp.Or(params["chat_id"], params["inline_message_id"]), what, t.options.Clock.Now())
	}
	if err != nil {
		return nil, fmt.Errorf("telegram %s: %w", method, t.redact(err))
	}
	return resp.Result, nil
}

// redact returns err without the bot's token in its text.
func (t *Telegram) redact(err error) error {
	if at, ok := errors.AsType[*url.Error](err); ok {
		return t.redact(at.Err) // the URL holds the token
	}
	if t.options.Token == "" || !strings.Contains(err.Error(), t.options.Token) {
		return err
	}
	if refused, ok := refusalOf(err); ok {
		clean := *refused
		clean.Message = strings.ReplaceAll(refused.Message, t.options.Token, "***")
		return &clean
	}
	return errors.New(strings.ReplaceAll(err.Error(), t.options.Token, "***"))
}

// transport makes one HTTP request for the library, until ctx is done. It refuses responses by proxies (not JSON).
type transport struct {
	ctx  context.Context
	http *http.Client
}

// Do sends req and returns the response. It reads at most maxResponse bytes.
func (t transport) Do(req *http.Request) (*http.Response, error) {
	resp, err := t.http.Do(req.WithContext(t.ctx))
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(io.LimitReader(resp.Body, maxResponse))
	if err != nil {
		return nil, err
	}
	if !bytes.HasPrefix(bytes.TrimSpace(body), []byte("{")) {
		return nil, fmt.Errorf("answered %s with invalid JSON", resp.Status)
	}
	resp.Body = io.NopCloser(bytes.NewReader(body))
	return resp, nil
}

// refusalOf returns Telegram's refusal of a request that err wraps; false: err wraps none.
func refusalOf(err error) (*tg.Error, bool) { return errors.AsType[*tg.Error](err) }

// isRefusal reports whether err is a refusal by Telegram whose message contains one of phrases, in upper or lower case.
func isRefusal(err error, phrases ...string) bool {
	refused, ok := refusalOf(err)
	if !ok {
		return false
	}
	text := strings.ToLower(refused.Message)
	for _, p := range phrases {
		if strings.Contains(text, strings.ToLower(p)) {
			return true
		}
	}
	return false
}

// inJSON returns v as JSON. Requests use it for parameters whose values are objects or lists.
func inJSON(v any) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic(err) // only values of this package are encoded
	}
	return strings.TrimSuffix(b.String(), "\n")
}
