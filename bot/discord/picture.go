package discord

import (
	"regexp"
	"strconv"

	"knobel/bot/chat"
)

// Pictures and files of a message.

// quickPicture is the size in bytes up to which a picture goes with the first
// answer. Larger ones follow it: Discord waits only so long for an answer.
const quickPicture = 128 << 10

// maxAlt is how long the words for a picture may be.
const maxAlt = 1024

// plainName is a file name that needs no escaping anywhere.
var (
	plainName = regexp.MustCompile(`^[a-z0-9][a-z0-9_-]{0,40}\.png$`)
	plainFile = regexp.MustCompile(`^[a-z0-9][a-z0-9_-]{0,40}(\.[a-z]{1,8}){1,2}$`)
)

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
func (b *body) show(p chat.Picture) component {
	file := p.Name
	if !plainName.MatchString(file) {
		file = "picture.png"
	}
	alt := clip(clean(p.Alt), maxAlt)
	b.attach(file, "image/png", alt, p.PNG)
	return component{Type: kindGallery, Items: []galleryItem{{media{"attachment://" + file}, alt}}}
}

// give puts a file into a body that is sent with it, and returns the component
// by which one gets it.
func (b *body) give(f chat.File) component {
	file := f.Name
	if !plainFile.MatchString(file) {
		file = "file"
	}
	b.attach(file, f.Type, "", f.Bytes)
	return component{Type: kindFile, File: &media{"attachment://" + file}}
}

// attach lists a file and has it sent.
func (b *body) attach(name, kind, description string, content []byte) {
	var list []attachment
	if b.Attachments != nil {
		list = *b.Attachments
	}
	list = append(list, attachment{ID: strconv.Itoa(len(b.files)), Name: name, Description: description})
	b.Attachments = &list
	b.files = append(b.files, upload{name, kind, content})
}

func (b body) attached() []upload { return b.files }
