package discordtest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"image/png"
	"io"
	"mime"
	"mime/multipart"
	"regexp"
	"slices"
	"strings"
)

// Files of messages: limits, and their lists in bodies.

// maxBytes is Discord's limit of files.
const maxBytes = 10 << 20

// Attachment is a file of a message.
type Attachment struct {
	ID   string
	Name string
	// Description is its alt text.
	Description string
	Content     []byte
}

// upload is an uploaded file, by its number in the form.
type upload struct {
	number  string
	name    string
	content []byte
}

// asked is a file in a body's list.
type asked struct {
	ID          string `json:"id"`
	Name        string `json:"filename"`
	Description string `json:"description"`
}

var fileField = regexp.MustCompile(`^files\[([0-9])\]$`)

// readForm splits a form into its JSON and its files.
func readForm(kind string, raw []byte) (payload []byte, files []upload, err error) {
	_, params, err := mime.ParseMediaType(kind)
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

// checkFiles returns what is wrong with uploaded files.
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

// attach determines the files of a message after a body is written over old, nil for a new one. A body without a list
// keeps the old ones.
func (b *body) attach(old *message) error {
	if old != nil && b.listed == nil {
		b.attached = old.attached
	}
	for _, a := range b.listed {
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
		if !slices.ContainsFunc(b.listed, func(a asked) bool { return a.ID == f.number }) {
			return fmt.Errorf("file %s is in the form and not in the list", f.number)
		}
	}
	return nil
}

// checkGalleries returns the first broken rule about a layout's files, or "": all must be shown, and all shown ones
// must exist.
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

// readList parses a body's list of files; nil if it has none.
func readList(raw json.RawMessage) ([]asked, error) {
	if len(raw) == 0 {
		return nil, nil
	}
	list := []asked{}
	if err := json.Unmarshal(raw, &list); err != nil {
		return nil, err
	}
	return list, nil
}
