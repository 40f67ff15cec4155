package discordtest

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"image/png"
	"regexp"
	"slices"
	"strings"
)

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

// add adds an uploaded emoji or returns why not: with one of Discord's codes if a correct bot may have caused it.
func (e *emojis) add(id, name, image string) (added Emoji, code int, why string) {
	added = Emoji{ID: id, Name: name}
	switch added.PNG, why = emojiPicture(image); {
	case why != "":
	case !emojiName.MatchString(name):
		why = fmt.Sprintf("an emoji cannot be called %q", name)
	case slices.ContainsFunc(*e, func(other Emoji) bool { return other.Name == name }):
		code, why = 50035, "Invalid Form Body: APPLICATION_EMOJI_NAME_ALREADY_TAKEN"
	case len(*e) >= maxEmoji:
		code, why = 30008, "Maximum number of emojis reached (2000)"
	default:
		*e = append(*e, added)
	}
	return added, code, why
}

// emojiPicture parses an uploaded picture, or returns what is wrong with it.
func emojiPicture(data string) (picture []byte, why string) {
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

// unknown returns the missing emoji of a request, on buttons and in texts.
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

// walkJSON visits all objects of a value.
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
