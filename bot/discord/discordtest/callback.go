package discordtest

import (
	"bytes"
	"crypto/ed25519"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"time"
)

// Answers to interactions, and Discord's rules for them.

// Callback types, as Discord numbers them.
const (
	callMessage  = 4
	callThinking = 5
	callLater    = 6
	callUpdate   = 7
	callComplete = 8
	callLaunch   = 12
)

// How long an interaction may wait for its answer, and how long its token is valid.
const (
	answerWithin = 3 * time.Second
	tokenLife    = 15 * time.Minute
)

// callback accepts the one answer to an interaction. The caller holds the lock.
func (s *Server) callback(w http.ResponseWriter, c call) {
	i := s.interactions[c.parts[2]]
	if i == nil || i.id != c.parts[1] {
		s.Violate(c.what(), "no such interaction")
		refuse(w, http.StatusNotFound, 10062, "Unknown interaction")
		return
	}
	if !i.acked.IsZero() {
		if again := s.o.Repeats && bytes.Equal(i.answerBody, c.body); !again && !i.redelive && !s.ended[i.answerConn] {
			s.Violate(i.what, "answered twice: %s", c.body)
		}
		refuse(w, http.StatusBadRequest, 40060, "Interaction has already been acknowledged.")
		return
	}
	if late := s.now().Sub(i.sent); late > s.o.Within {
		s.Violate(i.what, "answered after %v", late)
		refuse(w, http.StatusNotFound, 10062, "Unknown interaction")
		return
	}
	var b callbackBody
	if err := json.Unmarshal(c.body, &b); err != nil {
		s.bad(w, c, err.Error())
		return
	}
	if !i.accept(w, c, b) {
		return
	}
	i.acked, i.answerConn, i.answerBody = s.now(), c.conn, c.body
	i.answer.Type, i.answer.After = b.Type, i.acked.Sub(i.sent)
	if c.query["with_response"] != nil && i.original != nil {
		resource := map[string]any{"type": b.Type, "message": i.original.json()}
		answer(w, http.StatusOK, map[string]any{
			"interaction": map[string]any{"id": i.id, "type": i.kind, "response_message_id": i.original.id},
			"resource":    resource,
		})
	} else {
		w.WriteHeader(http.StatusNoContent)
	}
	if s.o.Forget && b.Type == callUpdate {
		delete(s.interactions, i.token)
	}
	s.Tell()
}

// accept carries out callback b. If it is invalid, accept refuses it and returns false. The caller holds the lock.
func (i *Interaction) accept(w http.ResponseWriter, c call, b callbackBody) bool {
	s := i.s
	press := i.kind == kindPress
	switch {
	case b.Type == callComplete && i.kind == kindComplete:
		var data struct {
			Choices []Choice `json:"choices"`
		}
		if err := json.Unmarshal(b.Data, &data); err != nil {
			s.bad(w, c, err.Error())
			return false
		}
		i.answer.Choices = data.Choices
		return true
	case i.kind == kindComplete:
		s.bad(w, c, "completions are answered by completions only")
		return false
	case b.Type == callLaunch && !s.o.Embedded: // no violation: the bot does not know
		refuse(w, http.StatusBadRequest, 50035, "Invalid Form Body: activities are not enabled")
		return false
	case b.Type == callLaunch:
		i.answer.Activity = i.channel.launch(i.person)
		return true
	case b.Type == callMessage:
		i.original = i.say(w, c, b.Data)
		return i.original != nil
	case b.Type == callThinking:
		body, err := readBody(b.Data, c.files)
		if err != nil || body.flags()&^flagEphemeral != 0 || len(body.tree) > 0 || body.Content != nil {
			s.bad(w, c, "thinking takes the private flag and nothing else")
			return false
		}
		i.original = s.newMessage(i.channel, body, i.onlyViewer(body))
		i.original.waiting = true
		return true
	case b.Type == callLater && press:
		i.original = i.on
		return true
	case b.Type == callUpdate && press:
		if i.channel.find(i.on.id) == nil {
			refuse(w, http.StatusNotFound, 10008, "Unknown Message")
			return false
		}
		i.original = i.on
		return s.change(w, c, i.on, b.Data)
	}
	s.bad(w, c, "that type does not answer that interaction")
	return false
}

// say posts a message into the channel and returns it. If it breaks a rule, say refuses it and returns nil.
func (i *Interaction) say(w http.ResponseWriter, c call, data json.RawMessage) *message {
	body, err := readBody(data, c.files)
	why := body.check(nil)
	if err != nil {
		why = err.Error()
	}
	if why != "" {
		i.s.bad(w, c, why)
		return nil
	}
	m := i.s.newMessage(i.channel, body, i.onlyViewer(body))
	m.owners = i.json["authorizing_integration_owners"]
	return m
}

// onlyViewer returns the only person who sees the new message b; nil: everyone does.
func (i *Interaction) onlyViewer(b body) *Person {
	if b.flags()&flagEphemeral != 0 || slices.Contains(i.channel.silenced, i.person) {
		return i.person
	}
	return nil
}

// byToken returns the answered interaction of a webhook call, or nil after it refused the call. The caller holds s.mu.
func (s *Server) byToken(w http.ResponseWriter, c call) *Interaction {
	i := s.interactions[c.parts[2]]
	switch {
	case s.isDead(c, i):
		refuse(w, http.StatusUnauthorized, 50027, "Invalid Webhook Token")
	case i.acked.IsZero():
		if !i.unheard {
			s.Violate(i.what, "a message behind an answer that was not given")
		}
		refuse(w, http.StatusNotFound, 10015, "Unknown Webhook")
	case i.answer.Activity != nil:
		s.bad(w, c, "a message behind an answer that has opened the activity")
	default:
		return i
	}
	return nil
}

// followUp accepts a message after the answer. While the bot "is thinking", the first one must edit @original.
func (s *Server) followUp(w http.ResponseWriter, c call) {
	i := s.byToken(w, c)
	if i == nil {
		return
	}
	if i.original != nil && i.original.waiting {
		s.bad(w, c, "the bot is thinking: @original comes first")
		return
	}
	if i.channel.isForeign() && len(i.further) >= maxFollowUps {
		s.Violate(c.what(), "a sixth message after the answer")
		refuse(w, http.StatusBadRequest, 40094, "Maximum number of follow-up messages reached")
		return
	}
	if m := i.say(w, c, c.body); m != nil {
		i.further = append(i.further, m)
		answer(w, http.StatusOK, m.json())
		s.Tell()
	}
}

// byOriginal is byToken for a call about @original: it also refuses the call if there is no such message.
func (s *Server) byOriginal(w http.ResponseWriter, c call) *Interaction {
	i := s.byToken(w, c)
	if i != nil && i.original == nil {
		refuse(w, http.StatusNotFound, 10008, "Unknown Message")
		return nil
	}
	return i
}

func (s *Server) getOriginal(w http.ResponseWriter, c call) {
	if i := s.byOriginal(w, c); i != nil {
		answer(w, http.StatusOK, i.original.json())
	}
}

func (s *Server) patchOriginal(w http.ResponseWriter, c call) {
	i := s.byOriginal(w, c)
	if i == nil {
		return
	}
	if i.original.channel.find(i.original.id) == nil {
		refuse(w, http.StatusNotFound, 10008, "Unknown Message")
		return
	}
	if s.change(w, c, i.original, c.body) {
		i.changed = true
		answer(w, http.StatusOK, i.original.json())
		s.Tell()
	}
}

// noteFault stores what the bot may do, without a violation, after the fault f of callback c: answer again if c was
// carried out (the response is lost), or use the webhook if it cannot know that c was not. It ignores other calls.
func (s *Server) noteFault(c call, f Fault) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if f.After && c.isForm {
		s.forgiveTokens(c.body) // the bot does not know them
	}
	if c.parts[0] != "interactions" || len(c.parts) < 3 || s.interactions[c.parts[2]] == nil {
		return
	}
	i := s.interactions[c.parts[2]]
	i.redelive = i.redelive || f.After
	i.unheard = i.unheard || !f.After && (f.Status == 0 || f.Status >= http.StatusInternalServerError)
}

// Endpoint delivers interactions by HTTP to url from now on, signed with key, instead of over the gateway. Like Discord
// it first checks that the endpoint answers a ping and refuses a wrong signature.
func (s *Server) Endpoint(url string, key ed25519.PrivateKey) error {
	e := endpoint{url, key}
	knock := []byte(`{"type":1,"id":"1","application_id":"` + applicationID + `","token":"t","version":1}`)
	var pong struct {
		Type int `json:"type"`
	}
	resp, err := e.post(knock, key)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if err := json.NewDecoder(resp.Body).Decode(&pong); err != nil || resp.StatusCode != http.StatusOK ||
		pong.Type != 1 {
		return fmt.Errorf("discordtest: a knock is answered with %s, type %d (%w)", resp.Status, pong.Type, err)
	}
	_, wrong, err := ed25519.GenerateKey(nil)
	if err != nil {
		return err
	}
	if resp, err = e.post(knock, wrong); err != nil {
		return err
	}
	_ = resp.Body.Close()
	if resp.StatusCode != http.StatusUnauthorized {
		return fmt.Errorf("discordtest: a wrong signature is answered with %s", resp.Status)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.endpoint = &e
	return nil
}

// post delivers body, signed with key, and returns the response.
func (e endpoint) post(body []byte, key ed25519.PrivateKey) (*http.Response, error) {
	at := strconv.FormatInt(time.Now().Unix(), 10)
	req, err := http.NewRequest(http.MethodPost, e.url, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("X-Signature-Timestamp", at)
	req.Header.Set("X-Signature-Ed25519", hex.EncodeToString(ed25519.Sign(key, append([]byte(at), body...))))
	return http.DefaultClient.Do(req)
}

// deliver sends an interaction by gateway or HTTP; false: no session of the gateway gets it. The caller holds s.mu.
func (s *Server) deliver(interaction map[string]any) bool {
	if s.endpoint == nil {
		return s.dispatch("INTERACTION_CREATE", interaction)
	}
	e := *s.endpoint
	body, err := json.Marshal(interaction)
	if err != nil {
		panic("discordtest: interaction that is no JSON: " + err.Error())
	}
	go func() {
		resp, err := e.post(body, e.key)
		if err != nil {
			return // the bot is away
		}
		_ = resp.Body.Close()
		if resp.StatusCode != http.StatusAccepted {
			s.mu.Lock()
			defer s.mu.Unlock()
			s.refused = append(s.refused, resp.StatusCode)
			s.Tell()
		}
	}()
	return true
}

// Refused returns the HTTP statuses with which the bot has refused delivered interactions.
func (s *Server) Refused() []int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]int(nil), s.refused...)
}
