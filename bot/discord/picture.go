package discord

import (
	"regexp"
	"strconv"

	"knobel/bot/chat"
)

// Pictures and files of a message.

// quickPicture is the size in bytes up to which a picture or file is sent with the first answer, which is urgent.
// Larger ones follow.
const quickPicture = 128 << 10

// maxAlt is the length of a picture's description.
const maxAlt = 1024

// plainName matches a file name that needs no escaping.
var (
	plainName = regexp.MustCompile(`^[a-z0-9][a-z0-9_-]{0,40}\.png$`)
	plainFile = regexp.MustCompile(`^[a-z0-9][a-z0-9_-]{0,40}(\.[a-z]{1,8}){1,2}$`)
)

// attachment is a file as a message's body lists it. An edit removes files that it does not list.
type attachment struct {
	ID          string `json:"id"` // the number of the uploaded file
	Name        string `json:"filename"`
	Description string `json:"description,omitempty"`
}

// galleryItem is the one picture of a gallery.
type galleryItem struct {
	Media       media  `json:"media"`
	Description string `json:"description,omitempty"`
}

type media struct {
	URL string `json:"url"`
}

// show adds a picture to a body and returns its component.
func (b *body) show(p chat.Picture) component {
	file := p.Name
	if !plainName.MatchString(file) {
		file = "picture.png"
	}
	alt := clip(clean(p.Alt), maxAlt)
	b.attach(file, "image/png", alt, p.PNG)
	return component{Type: kindGallery, Items: []galleryItem{{media{"attachment://" + file}, alt}}}
}

// give adds a file to a body and returns its component.
func (b *body) give(f chat.File) component {
	file := f.Name
	if !plainFile.MatchString(file) {
		file = "file"
	}
	b.attach(file, f.Type, "", f.Bytes)
	return component{Type: kindFile, File: &media{"attachment://" + file}}
}

// attach adds a file to a body.
func (b *body) attach(name, kind, description string, content []byte) {
	var list []attachment
	if b.Attachments != nil {
		list = *b.Attachments
	}
	list = append(list, attachment{ID: strconv.Itoa(len(b.files)), Name: name, Description: description})
	b.Attachments = &list
	b.files = append(b.files, upload{name, kind, content})
}
