package discord

import (
	"regexp"
	"strconv"
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

// attach adds a file to a body, and returns it for a component. A name that plain does not match is replaced.
func (b *body) attach(plain *regexp.Regexp, name, otherwise, kind, description string, content []byte) media {
	if !plain.MatchString(name) {
		name = otherwise
	}
	b.Attachments = append(b.Attachments, attachment{strconv.Itoa(len(b.files)), name, description})
	b.files = append(b.files, upload{name, kind, content})
	return media{"attachment://" + name}
}
