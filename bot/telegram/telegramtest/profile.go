package telegramtest

import "encoding/json"

// The bot's profile, as the bot and its operator write it.

// Describe sets a text of the profile as an operator with BotFather: "description" or "short_description", in a
// language, "" for all others.
func (s *Server) Describe(key, language, text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.profile[key+"|"+language] = text
}

// Description returns a text of the profile, "" if there is none.
func (s *Server) Description(key, language string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.profile[key+"|"+language]
}

// MenuButton returns the type of the button beside the text field.
func (s *Server) MenuButton() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.profile["menu"]
}

func describe(key string) func(*Server, map[string]string) (any, *refusal) {
	return func(s *Server, params map[string]string) (any, *refusal) {
		s.profile[key+"|"+params["language_code"]] = params[key]
		return true, nil
	}
}

// described returns the text in a language, or else that for all others.
func described(key string) func(*Server, map[string]string) (any, *refusal) {
	return func(s *Server, params map[string]string) (any, *refusal) {
		text := s.profile[key+"|"+params["language_code"]]
		if text == "" {
			text = s.profile[key+"|"]
		}
		return map[string]any{key: text}, nil
	}
}

func (s *Server) getMenuButton(map[string]string) (any, *refusal) {
	if s.profile["menu"] == "" {
		return map[string]any{"type": "default"}, nil
	}
	return map[string]any{"type": s.profile["menu"]}, nil
}

func (s *Server) setMenuButton(params map[string]string) (any, *refusal) {
	var button struct {
		Type string `json:"type"`
	}
	_ = json.Unmarshal([]byte(params["menu_button"]), &button) // checked before
	s.profile["menu"] = button.Type
	return true, nil
}
