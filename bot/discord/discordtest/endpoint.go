package discordtest

import (
	"bytes"
	"crypto/ed25519"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"time"
)

// Endpoint delivers interactions by HTTP from now on, signed with a key, instead of over the gateway. Like Discord it
// first checks that the endpoint answers a ping and refuses a wrong signature.
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

// post makes one delivery.
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

// deliver sends an interaction to the bot, over the gateway or by HTTP, and reports whether it could be sent. The
// caller holds the lock.
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

// Refused returns the statuses with which the bot has refused interactions by HTTP.
func (s *Server) Refused() []int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]int(nil), s.refused...)
}
