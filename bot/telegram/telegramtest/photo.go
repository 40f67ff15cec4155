package telegramtest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"image/png"
	"strings"
)

// Pictures and files, checked as Telegram does.

// Telegram's limits of a picture.
const (
	maxFile  = 10 << 20 // bytes
	maxSides = 10_000   // width and height together
	maxRatio = 20
)

// uploads are the methods with files, by their names in the form.
func uploads() map[string]func(*Server, map[string]string, map[string][]byte) (any, *refusal) {
	return map[string]func(*Server, map[string]string, map[string][]byte) (any, *refusal){
		"sendPhoto":        (*Server).sendPhoto,
		"editMessageMedia": (*Server).editMessageMedia,
		"sendDocument":     (*Server).sendDocument,
	}
}

func (s *Server) sendDocument(params map[string]string, files map[string][]byte) (any, *refusal) {
	text, no := s.parsed("sendDocument", params["caption"], params["parse_mode"], params)
	if no != nil {
		return nil, no
	}
	content := files["document"]
	if len(content) == 0 {
		return nil, badRequest("file must be non-empty")
	}
	return s.send("sendDocument", params, Message{Text: text, HTML: params["caption"], Document: content})
}

// photo checks a picture as Telegram does.
func (s *Server) photo(method string, content []byte, params map[string]string) *refusal {
	why := ""
	size, err := png.DecodeConfig(bytes.NewReader(content))
	switch {
	case err != nil:
		why = "no picture: " + err.Error()
	case len(content) > maxFile:
		why = fmt.Sprintf("a picture of %d bytes", len(content))
	case size.Width+size.Height > maxSides, max(size.Width, size.Height) > maxRatio*min(size.Width, size.Height):
		why = fmt.Sprintf("a picture of %d x %d", size.Width, size.Height)
	}
	if why == "" {
		return nil
	}
	s.violate(method, why, params)
	return badRequest("PHOTO_INVALID_DIMENSIONS")
}

func (s *Server) sendPhoto(params map[string]string, files map[string][]byte) (any, *refusal) {
	content := files["photo"]
	if no := s.photo("sendPhoto", content, params); no != nil {
		return nil, no
	}
	text, no := s.parsed("sendPhoto", params["caption"], params["parse_mode"], params)
	if no != nil {
		return nil, no
	}
	return s.send("sendPhoto", params, Message{Text: text, HTML: params["caption"], Photo: content})
}

// editMessageMedia replaces a text or a picture by a picture.
func (s *Server) editMessageMedia(params map[string]string, files map[string][]byte) (any, *refusal) {
	var media struct {
		Media   string `json:"media"`
		Caption string `json:"caption"`
		Mode    string `json:"parse_mode"`
	}
	_ = json.Unmarshal([]byte(params["media"]), &media) // checked before
	name, _ := strings.CutPrefix(media.Media, "attach://")
	content := files[name]
	if no := s.photo("editMessageMedia", content, params); no != nil {
		return nil, no
	}
	text, no := s.parsed("editMessageMedia", media.Caption, media.Mode, params)
	if no != nil {
		return nil, no
	}
	return s.edit("editMessageMedia", params, func(m Message) Message {
		m.Text, m.HTML, m.Photo, m.Keyboard = text, media.Caption, content, s.keyboard(params)
		return m
	})
}
