package discordtest

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"image/png"
	"io"
	"mime"
	"mime/multipart"
	"net/url"
	"regexp"
	"slices"
	"strings"
)

// Files of messages: limits, and the lists of them in bodies.

// maxBytes is Discord's largest size of a file.
const maxBytes = 10 << 20

// Attachment is a file of a message.
type Attachment struct {
	ID   string
	Name string
	// Description is the alternative text.
	Description string
	Content     []byte
}

// upload is an uploaded file with its number in the form.
type upload struct {
	number  string
	name    string
	content []byte
}

// asked is a file in the list of attachments of a body.
type asked struct {
	ID          string `json:"id"`
	Name        string `json:"filename"`
	Description string `json:"description"`
}

var fileField = regexp.MustCompile(`^files\[([0-9])\]$`)

// readForm returns the JSON and the files of the form raw.
func readForm(contentType string, raw []byte) (payload []byte, files []upload, err error) {
	_, params, err := mime.ParseMediaType(contentType)
	if err != nil {
		return nil, nil, err
	}
	r := multipart.NewReader(bytes.NewReader(raw), params["boundary"])
	for {
		part, err := r.NextPart()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, nil, err
		}
		content, err := io.ReadAll(part)
		if err != nil {
			return nil, nil, err
		}
		field := fileField.FindStringSubmatch(part.FormName())
		switch {
		case part.FormName() == "payload_json" && payload == nil:
			payload = content
		case field == nil:
			return nil, nil, fmt.Errorf("a form does not take the part %q, or not twice", part.FormName())
		case part.FileName() == "":
			return nil, nil, fmt.Errorf("%s is no file", part.FormName())
		default:
			files = append(files, upload{field[1], part.FileName(), content})
		}
	}
	if payload == nil {
		return nil, nil, errors.New("a form without payload_json")
	}
	return payload, files, checkFiles(files)
}

// readFields returns the fields of a form without files, as JSON.
func readFields(raw []byte) ([]byte, error) {
	given, err := url.ParseQuery(string(raw))
	if err != nil {
		return nil, err
	}
	fields := map[string]string{}
	for name, values := range given {
		if fields[name] = values[0]; len(values) > 1 {
			return nil, fmt.Errorf("the field %s twice", name)
		}
	}
	return json.Marshal(fields)
}

// checkFiles returns an error for invalid uploaded files.
func checkFiles(files []upload) error {
	seen, total := map[string]bool{}, 0
	for _, f := range files {
		if seen[f.number] || seen[f.name] {
			return fmt.Errorf("the file %s (%s) twice", f.number, f.name)
		}
		seen[f.number], seen[f.name] = true, true
		if total += len(f.content); total > maxBytes {
			return fmt.Errorf("%d bytes of files, %d are allowed", total, maxBytes)
		}
		if !strings.HasSuffix(f.name, ".png") {
			continue
		}
		if _, err := png.DecodeConfig(bytes.NewReader(f.content)); err != nil {
			return fmt.Errorf("%s: %w", f.name, err)
		}
	}
	return nil
}

// attach sets b.attached to the files of old after edit b (nil: of the new message b). An error: b's list is invalid.
func (b *body) attach(old *message) error {
	if old != nil && b.Listed == nil {
		b.attached = old.attached
	}
	for _, a := range b.Listed {
		i := slices.IndexFunc(b.files, func(f upload) bool { return f.number == a.ID })
		if i >= 0 {
			if a.Name != "" && a.Name != b.files[i].name {
				return fmt.Errorf("file %s is %q in the list and %q in the form", a.ID, a.Name, b.files[i].name)
			}
			b.attached = append(b.attached, Attachment{Name: b.files[i].name, Description: a.Description,
				Content: b.files[i].content})
			continue
		}
		if old == nil {
			return fmt.Errorf("file %s is in the list and not in the form", a.ID)
		}
		i = slices.IndexFunc(old.attached, func(have Attachment) bool { return have.ID == a.ID })
		if i < 0 {
			return fmt.Errorf("file %s is neither in the form nor in the message", a.ID)
		}
		b.attached = append(b.attached, old.attached[i])
	}
	for _, f := range b.files {
		if !slices.ContainsFunc(b.Listed, func(a asked) bool { return a.ID == f.number }) {
			return fmt.Errorf("file %s is in the form and not in the list", f.number)
		}
	}
	return nil
}

// checkGalleries describes one of files that tree does not show, or a URL in tree that is none of files, or returns "".
func checkGalleries(tree []Component, files []Attachment) string {
	shown := map[string]bool{}
	wrong := ""
	walk(tree, func(c Component) {
		urls := []string{c.File.URL}
		if c.Type != typeFile {
			urls = nil
		}
		for _, item := range c.Items {
			urls = append(urls, item.Media.URL)
		}
		for _, url := range urls {
			name, ours := strings.CutPrefix(url, "attachment://")
			if !ours || !slices.ContainsFunc(files, func(a Attachment) bool { return a.Name == name }) {
				wrong = fmt.Sprintf("%q is shown, which is not attached", url)
			}
			shown[name] = true
		}
	})
	for _, f := range files {
		if wrong == "" && !shown[f.Name] {
			wrong = fmt.Sprintf("%s is attached and nowhere shown", f.Name)
		}
	}
	return wrong
}

// attachments returns the files of a message as Discord sends them.
func (m *message) attachments() []any {
	list := []any{}
	for _, a := range m.attached {
		at := "https://cdn.discordapp.com/attachments/" + m.channel.ID + "/" + a.ID + "/" + a.Name
		list = append(list, map[string]any{
			"id": a.ID, "filename": a.Name, "size": len(a.Content), "url": at, "proxy_url": at,
			"description": a.Description,
		})
	}
	return list
}

// The application's emoji and their use in messages.

// Discord's limits of emoji.
const (
	maxEmoji      = 2000
	maxEmojiBytes = 256 << 10
	emojiSide     = 128
)

var (
	emojiName   = regexp.MustCompile(`^\w{2,32}$`)
	emojiSaid   = regexp.MustCompile(`"emoji"|(<|u003c)a?:\w+:[0-9]+`)
	emojiInText = regexp.MustCompile(`(?:^|[^\\])<a?:(\w+):([0-9]+)>`)
)

// Emoji is an uploaded emoji.
type Emoji struct {
	ID, Name string
	PNG      []byte
}

// json returns an emoji as Discord sends it.
func (e Emoji) json() map[string]any {
	return map[string]any{
		"id": e.ID, "name": e.Name, "roles": []any{}, "require_colons": true, "managed": false, "animated": false,
		"available": true,
	}
}

// emojis are the uploaded emoji.
type emojis []Emoji

// add adds an emoji (image: a data URL), or returns a fault and, if a correct bot can cause it, Discord's error code.
func (e *emojis) add(id, name, image string) (added Emoji, code int, fault string) {
	added = Emoji{ID: id, Name: name}
	switch added.PNG, fault = emojiPicture(image); {
	case fault != "":
	case !emojiName.MatchString(name):
		fault = fmt.Sprintf("an emoji cannot be called %q", name)
	case slices.ContainsFunc(*e, func(other Emoji) bool { return other.Name == name }):
		code, fault = 50035, "Invalid Form Body: APPLICATION_EMOJI_NAME_ALREADY_TAKEN"
	case len(*e) >= maxEmoji:
		code, fault = 30008, "Maximum number of emojis reached (2000)"
	default:
		*e = append(*e, added)
	}
	return added, code, fault
}

// emojiPicture returns the PNG picture in the data URL data, or why it is invalid; "": it is valid.
func emojiPicture(data string) (picture []byte, fault string) {
	text, ok := strings.CutPrefix(data, "data:image/png;base64,")
	picture, err := base64.StdEncoding.DecodeString(text)
	if !ok || err != nil {
		return nil, "the picture of an emoji is no PNG in base 64"
	}
	size, err := png.DecodeConfig(bytes.NewReader(picture))
	switch {
	case err != nil:
		return nil, "the picture of an emoji cannot be read: " + err.Error()
	case len(picture) > maxEmojiBytes:
		return nil, fmt.Sprintf("the picture of an emoji has %d bytes", len(picture))
	case size.Width != emojiSide || size.Height != emojiSide:
		return nil, fmt.Sprintf("the picture of an emoji has %d times %d pixels", size.Width, size.Height)
	}
	return picture, ""
}

// unknown returns the names of missing emoji that a request uses, on buttons and in texts.
func (e emojis) unknown(body []byte) (onButtons, inTexts []string) {
	var said any
	if !emojiSaid.Match(body) || json.Unmarshal(body, &said) != nil {
		return nil, nil
	}
	there := func(name, id string) bool {
		return slices.ContainsFunc(e, func(one Emoji) bool { return one.ID == id && one.Name == name })
	}
	walkJSON(said, func(o map[string]any) {
		if on, ok := o["emoji"].(map[string]any); ok && on["id"] != nil &&
			!there(fmt.Sprint(on["name"]), fmt.Sprint(on["id"])) {
			onButtons = append(onButtons, fmt.Sprint(on["name"]))
		}
		text, _ := o["content"].(string)
		for _, m := range emojiInText.FindAllStringSubmatch(text, -1) {
			if !there(m[1], m[2]) {
				inTexts = append(inTexts, m[1])
			}
		}
	})
	return onButtons, inTexts
}

// walkJSON calls visit for all objects in value, a decoded JSON value.
func walkJSON(value any, visit func(map[string]any)) {
	switch v := value.(type) {
	case []any:
		for _, inner := range v {
			walkJSON(inner, visit)
		}
	case map[string]any:
		visit(v)
		for _, inner := range v {
			walkJSON(inner, visit)
		}
	}
}
