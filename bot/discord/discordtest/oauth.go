package discordtest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"time"
)

// OAuth: how the bot learns who has opened the page of an activity.

// codeLife is how long a code can be exchanged.
const codeLife = time.Minute

// access is what a person lets the application know: the grant of a code, or of a token.
type access struct {
	person   *Person
	since    time.Time
	request  []byte // the form that was answered with the token
	revoked  bool
	forgiven bool // it need not be revoked
}

// Code returns what Discord's client gives the page of an activity that asks who p is. It can be exchanged once, within
// a minute.
func (s *Server) Code(p *Person) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	code := "code" + s.snowflake()
	s.codes[code] = access{person: p, since: s.now()}
	return code
}

// oauthForm has the fields of all requests for OAuth.
type oauthForm struct {
	Client string `json:"client_id"`
	Secret string `json:"client_secret"`
	Grant  string `json:"grant_type"`
	Code   string `json:"code"`
	Scope  string `json:"scope"`
	Token  string `json:"token"`
}

// readOAuth returns the form of a call, or refuses the call unless it comes from the application; ok is then false. The
// caller holds the lock.
func (s *Server) readOAuth(w http.ResponseWriter, c call) (f oauthForm, ok bool) {
	if err := json.Unmarshal(c.body, &f); err != nil {
		s.bad(w, c, err.Error())
		return f, false
	}
	if client, secret, basic := c.request.BasicAuth(); basic {
		f.Client, f.Secret = client, secret
	}
	if f.Client != applicationID || f.Secret != s.o.Secret || s.o.Secret == "" {
		refuseOAuth(w, http.StatusUnauthorized, "invalid_client", "")
		return f, false
	}
	return f, true
}

// refuseOAuth responds with one of the errors of OAuth; about "": without a description.
func refuseOAuth(w http.ResponseWriter, status int, word, about string) {
	told := map[string]any{"error": word}
	if about != "" {
		told["error_description"] = about
	}
	answer(w, status, told)
}

// postToken exchanges a code for a token, or gives out a token of the application's owner. The caller holds the lock.
func (s *Server) postToken(w http.ResponseWriter, c call) {
	f, ok := s.readOAuth(w, c)
	if !ok {
		return
	}
	token := "token" + s.snowflake()
	given := map[string]any{"access_token": token, "token_type": "Bearer", "expires_in": 604800, "scope": "identify"}
	granted := access{person: &Person{ID: "1", Name: "the owner", Locale: "en-US"}}
	switch {
	case f.Grant == "authorization_code":
		granted, ok = s.codes[f.Code]
		delete(s.codes, f.Code)
		if !ok || s.now().Sub(granted.since) > codeLife {
			refuseOAuth(w, http.StatusBadRequest, "invalid_grant", `Invalid "code" in request.`)
			return
		}
		given["refresh_token"] = "refresh" + s.snowflake()
	case f.Grant != "client_credentials":
		refuseOAuth(w, http.StatusBadRequest, "unsupported_grant_type", "")
		return
	case f.Scope != "identify":
		refuseOAuth(w, http.StatusBadRequest, "invalid_scope", "")
		return
	}
	granted.request = c.body
	s.tokens[token] = &granted
	answer(w, http.StatusOK, given)
}

// revokeToken makes a token invalid. Unknown tokens are ignored. The caller holds the lock.
func (s *Server) revokeToken(w http.ResponseWriter, c call) {
	f, ok := s.readOAuth(w, c)
	if !ok {
		return
	}
	if known := s.tokens[f.Token]; known != nil {
		known.revoked = true
	}
	answer(w, http.StatusOK, map[string]any{})
	s.Tell()
}

// getMe describes the bot, or the person of the call's token. The caller holds the lock.
func (s *Server) getMe(w http.ResponseWriter, c call) {
	token, isPerson := strings.CutPrefix(c.request.Header.Get("Authorization"), "Bearer ")
	if !isPerson {
		answer(w, http.StatusOK, botUser())
		return
	}
	known := s.tokens[token]
	if known == nil || known.revoked {
		if known != nil {
			s.Violate(c.what(), "a token of %s is used after it was revoked", known.person.Name)
		}
		refuse(w, http.StatusUnauthorized, 0, "401: Unauthorized")
		return
	}
	told := known.person.json()
	told["locale"] = known.person.Locale
	answer(w, http.StatusOK, told)
}

// unrevoked returns a sentence for each token that the bot has left valid.
func (s *Server) unrevoked() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var left []string
	for _, known := range s.tokens {
		if !known.revoked && !known.forgiven {
			left = append(left, fmt.Sprintf("a token of %s was never revoked", known.person.Name))
		}
	}
	return left
}

// forgiveTokens excuses the tokens that were issued by request and not revoked; nil: by any. The caller holds the lock.
func (s *Server) forgiveTokens(request []byte) {
	for _, known := range s.tokens {
		known.forgiven = known.forgiven || request == nil || bytes.Equal(known.request, request)
	}
}
