package discord

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"mime/multipart"
	"net/textproto"
	"regexp"

	"knobel/bot"
)

// quickPicture is the size in bytes up to which a picture goes with the first
// answer. Larger ones follow it: Discord waits only so long for an answer.
const quickPicture = 128 << 10

// mostAlt is how long the words for a picture may be.
const mostAlt = 1024

// plainName is a file name that needs no escaping anywhere.
var plainName = regexp.MustCompile(`^[a-z0-9][a-z0-9_-]{0,40}\.png$`)

// attachment is a file of a message as its body lists it. What an edit does
// not list is taken away.
type attachment struct {
	ID          string `json:"id"` // the number of the uploaded file
	Name        string `json:"filename"`
	Description string `json:"description,omitempty"`
}

// galleryItem is a picture in a layout; galleries hold one here.
type galleryItem struct {
	Media       media  `json:"media"`
	Description string `json:"description,omitempty"`
}

type media struct {
	URL string `json:"url"`
}

// show puts a picture into a body that is sent with it, and returns the
// component that shows it.
func (b *body) show(p bot.Picture) component {
	file := p.Name
	if !plainName.MatchString(file) {
		file = "picture.png"
	}
	alt := clip(clean(p.Alt), mostAlt)
	b.files, b.Attachments = [][]byte{p.PNG}, &[]attachment{{ID: "0", Name: file, Description: alt}}
	return component{Type: kindGallery, Items: []galleryItem{{media{"attachment://" + file}, alt}}}
}

// filed is a body, or holds one, that files may go with.
type filed interface {
	attached() (names []string, files [][]byte)
}

func (b body) attached() (names []string, files [][]byte) {
	if len(b.files) == 0 {
		return nil, nil
	}
	for _, a := range *b.Attachments {
		names = append(names, a.Name)
	}
	return names, b.files
}

func (c callback) attached() (names []string, files [][]byte) {
	if inner, ok := c.Data.(filed); ok {
		return inner.attached()
	}
	return nil, nil
}

// encode writes the body of a request: JSON, or a form with the JSON and the
// files that belong to it.
func encode(value any) (kind string, sent io.Reader, err error) {
	raw, err := json.Marshal(value)
	if err != nil {
		return "", nil, fmt.Errorf("discord: %w", err)
	}
	var names []string
	var files [][]byte
	if f, ok := value.(filed); ok {
		names, files = f.attached()
	}
	if len(files) == 0 {
		return "application/json", bytes.NewReader(raw), nil
	}
	var form bytes.Buffer
	w := multipart.NewWriter(&form)
	part := func(disposition, kind string, content []byte) {
		head := textproto.MIMEHeader{"Content-Disposition": {disposition}, "Content-Type": {kind}}
		p, err := w.CreatePart(head)
		if err == nil {
			_, err = p.Write(content)
		}
		if err != nil {
			panic(err) // a buffer takes everything
		}
	}
	part(`form-data; name="payload_json"`, "application/json", raw)
	for i, content := range files {
		part(fmt.Sprintf(`form-data; name="files[%d]"; filename="%s"`, i, names[i]), "image/png", content)
	}
	if err := w.Close(); err != nil {
		return "", nil, fmt.Errorf("discord: %w", err)
	}
	return w.FormDataContentType(), &form, nil
}
