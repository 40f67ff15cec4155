package telegramtest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"image/png"
	"regexp"
	"strconv"
	"strings"
)

// Rich messages, as far as the bot uses them: paragraphs and tables.

// The limits of a rich message.
const (
	longestRich = 32_768
	maxColumns  = 20
	maxBlocks   = 500
)

var (
	block = regexp.MustCompile(`^(?s)<(p|table)>(.*?)</(?:p|table)>`)
	row   = regexp.MustCompile(`^(?s)<tr>(.*?)</tr>`)
	cell  = regexp.MustCompile(`^(?s)<(td|th)(?: colspan="([0-9]+)")?(?: align="(left|center|right)")?>(.*?)</(td|th)>`)
)

// ParseRich returns the visible text of a rich message, a line for each paragraph and row, or why it is invalid. It is
// stricter than Telegram: nothing is outside of blocks, no table is empty, and the rows of a table are equally wide.
func ParseRich(html string) (string, error) {
	var lines []string
	for rest := html; rest != ""; {
		found := block.FindStringSubmatch(rest)
		if found == nil || !strings.HasPrefix(found[0], "<"+found[1]+">") ||
			!strings.HasSuffix(found[0], "</"+found[1]+">") {
			return "", fmt.Errorf("no block begins with %.40q", rest)
		}
		rest = rest[len(found[0]):]
		said, err := []string(nil), error(nil)
		if found[1] == "table" {
			said, err = parseTable(found[2])
		} else {
			text, wrong := ParseHTML(found[2])
			said, err = []string{text}, wrong
		}
		if err != nil {
			return "", err
		}
		lines = append(lines, said...)
	}
	text := strings.Join(lines, "\n")
	switch {
	case strings.TrimSpace(text) == "":
		return "", fmt.Errorf("rich message must be non-empty")
	case utf16Length(text) > longestRich || len(lines) > maxBlocks:
		return "", fmt.Errorf("rich message is too long")
	}
	return text, nil
}

// parseTable returns a line for each row of a table, with the cells separated by spaces.
func parseTable(html string) (lines []string, err error) {
	columns := 0
	for html != "" {
		found := row.FindStringSubmatch(html)
		if found == nil {
			return nil, fmt.Errorf("no row begins with %.40q", html)
		}
		html = html[len(found[0]):]
		wide, cells := 0, []string(nil)
		for inside := found[1]; inside != ""; {
			c := cell.FindStringSubmatch(inside)
			if c == nil || c[1] != c[5] {
				return nil, fmt.Errorf("no cell begins with %.40q", inside)
			}
			inside = inside[len(c[0]):]
			text, err := ParseHTML(c[4])
			if err != nil {
				return nil, err
			}
			span, _ := strconv.Atoi(c[2]) // 0 if there is none
			wide += max(span, 1)
			cells = append(cells, text)
		}
		if wide == 0 || wide > maxColumns || columns != 0 && wide != columns {
			return nil, fmt.Errorf("a row of %d columns behind one of %d", wide, columns)
		}
		columns = wide
		lines = append(lines, strings.TrimSpace(strings.Join(cells, " ")))
	}
	if columns == 0 {
		return nil, fmt.Errorf("a table of no rows")
	}
	return lines, nil
}

// Pictures and files, checked as Telegram does.

// Telegram's limits of a picture.
const (
	maxFile  = 10 << 20 // bytes
	maxSides = 10_000   // width and height together
	maxRatio = 20
)

// uploads returns, by name, the methods that take parameters and files. Callers of a method hold the server's lock.
func uploads() map[string]func(*Server, map[string]string, map[string][]byte) (any, *refusal) {
	return map[string]func(*Server, map[string]string, map[string][]byte) (any, *refusal){
		"sendPhoto":        (*Server).sendPhoto,
		"editMessageMedia": (*Server).editMessageMedia,
		"sendDocument":     (*Server).sendDocument,
	}
}

func (s *Server) sendDocument(params map[string]string, files map[string][]byte) (any, *refusal) {
	text, no := s.withoutMarkup("sendDocument", params["caption"], params["parse_mode"], params)
	if no != nil {
		return nil, no
	}
	content := files["document"]
	if len(content) == 0 {
		return nil, badRequest("file must be non-empty")
	}
	return s.send("sendDocument", params, Message{Text: text, HTML: params["caption"], Document: content})
}

// photo returns nil if content is a picture that Telegram accepts; else it records a violation and returns a refusal.
func (s *Server) photo(method string, content []byte, params map[string]string) *refusal {
	fault := ""
	size, err := png.DecodeConfig(bytes.NewReader(content))
	switch {
	case err != nil:
		fault = "no picture: " + err.Error()
	case len(content) > maxFile:
		fault = fmt.Sprintf("a picture of %d bytes", len(content))
	case size.Width+size.Height > maxSides, max(size.Width, size.Height) > maxRatio*min(size.Width, size.Height):
		fault = fmt.Sprintf("a picture of %d x %d", size.Width, size.Height)
	}
	if fault == "" {
		return nil
	}
	s.violate(method, fault, params)
	return badRequest("PHOTO_INVALID_DIMENSIONS")
}

func (s *Server) sendPhoto(params map[string]string, files map[string][]byte) (any, *refusal) {
	content := files["photo"]
	if no := s.photo("sendPhoto", content, params); no != nil {
		return nil, no
	}
	text, no := s.withoutMarkup("sendPhoto", params["caption"], params["parse_mode"], params)
	if no != nil {
		return nil, no
	}
	return s.send("sendPhoto", params, Message{Text: text, HTML: params["caption"], Photo: content})
}

func (s *Server) editMessageCaption(params map[string]string) (any, *refusal) {
	text, no := s.withoutMarkup("editMessageCaption", params["caption"], params["parse_mode"], params)
	if no != nil {
		return nil, no
	}
	if _, m, no := s.botMessage(params); no == nil && m.Photo == nil {
		return nil, badRequest("there is no caption in the message to edit")
	}
	return s.edit("editMessageCaption", params, func(m Message) Message {
		m.Text, m.HTML, m.Keyboard = text, params["caption"], s.keyboard(params)
		return m
	})
}

// editMessageMedia replaces the content of a message by a picture.
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
	text, no := s.withoutMarkup("editMessageMedia", media.Caption, media.Mode, params)
	if no != nil {
		return nil, no
	}
	return s.edit("editMessageMedia", params, func(m Message) Message {
		m.Text, m.HTML, m.Photo, m.Keyboard = text, media.Caption, content, s.keyboard(params)
		return m
	})
}
