package discordtest

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"
)

// body holds the common fields of all requests that write a message.
type body struct {
	Content    *string         `json:"content"`
	Embeds     []any           `json:"embeds"`
	Components json.RawMessage `json:"components"`
	Flags      *int            `json:"flags"`
	Mentions   *struct {
		Parse *[]string `json:"parse"`
		Users []string  `json:"users"`
	} `json:"allowed_mentions"`
	Answers *struct {
		Message string `json:"message_id"`
		Must    *bool  `json:"fail_if_not_exists"`
	} `json:"message_reference"`
	Nonce        any     `json:"nonce"`
	EnforceNonce bool    `json:"enforce_nonce"`
	Listed       []asked `json:"attachments"` // nil: the request has no list

	tree     []Component
	files    []upload     // the files of the form
	attached []Attachment // the message's files after the request
}

// readBody parses a request that writes a message and has these files. Empty JSON is an empty body.
func readBody(raw json.RawMessage, files []upload) (body, error) {
	b := body{files: files}
	if len(raw) == 0 {
		return b, nil
	}
	if err := json.Unmarshal(raw, &b); err != nil {
		return b, err
	}
	if len(b.Components) > 0 && string(b.Components) != "null" {
		if err := json.Unmarshal(b.Components, &b.tree); err != nil {
			return b, err
		}
	} else {
		b.Components = nil
	}
	return b, nil
}

// flags returns the message flags, 0 for none.
func (b body) flags() int {
	if b.Flags == nil {
		return 0
	}
	return *b.Flags
}

// check returns the first broken rule that api.txt cannot express, or "". old is the edited message, nil: none.
func (b *body) check(old *message) string {
	v2 := b.flags()&flagV2 != 0 || old != nil && old.flags&flagV2 != 0
	if b.Mentions == nil || b.Mentions.Parse == nil || len(*b.Mentions.Parse) > 0 {
		return "allowed_mentions must say parse: []"
	}
	said := []string{}
	if b.Content != nil {
		said = append(said, *b.Content)
	}
	walk(b.tree, func(c Component) { said = append(said, c.Content) })
	for _, id := range b.Mentions.Users {
		if !strings.Contains(strings.Join(said, "\n"), "<@"+id+">") {
			return "allowed_mentions names people that no text mentions"
		}
	}
	if old != nil && b.flags()&flagSilent != 0 {
		return "a message cannot become silent later"
	}
	if v2 && (b.Content != nil || len(b.Embeds) > 0) {
		return "a message of components cannot have content or embeds"
	}
	if old == nil && (b.Content == nil || strings.TrimSpace(*b.Content) == "") && len(b.Embeds) == 0 &&
		len(b.tree) == 0 {
		return "the message is empty"
	}
	if !v2 && len(b.tree) > 5 {
		return "more than 5 rows"
	}
	if err := b.attach(old); err != nil {
		return err.Error()
	}
	tree := b.tree
	if old != nil && b.Components == nil {
		tree = old.tree
	}
	if why := checkGalleries(tree, b.attached); v2 && why != "" {
		return why
	}
	for _, c := range b.tree {
		if !v2 && c.Type != typeRow {
			return fmt.Sprintf("component type %d needs the flag for components", c.Type)
		}
	}
	return checkTree(b.tree)
}

// checkTree returns the first rule that a tree of components breaks, or "".
func checkTree(tree []Component) string {
	var wrong string
	total, letters, ids := 0, 0, map[string]bool{}
	say := func(format string, args ...any) {
		if wrong == "" {
			wrong = fmt.Sprintf(format, args...)
		}
	}
	walk(tree, func(c Component) {
		total++
		switch c.Type {
		case typeText:
			if strings.TrimSpace(c.Content) == "" {
				say("a text without letters")
			}
			letters += utf8.RuneCountInString(c.Content)
		case typeRow:
			for _, inner := range c.Components {
				if inner.Type == typeSelect && len(c.Components) > 1 {
					say("a select beside something else")
				}
			}
		case typeButton:
			if why := checkButton(c); why != "" {
				say("%s", why)
			}
		case typeSelect:
			if why := checkSelect(c); why != "" {
				say("%s", why)
			}
		}
		if c.CustomID != "" && ids[c.CustomID] {
			say("custom_id %q twice", c.CustomID)
		}
		ids[c.CustomID] = true
	})
	if total > 40 {
		say("%d components, 40 are allowed", total)
	}
	if letters > 4000 {
		say("%d characters of text, 4000 are allowed", letters)
	}
	return wrong
}

// checkButton returns the first rule that a button breaks, or "".
func checkButton(c Component) string {
	const link = 5
	switch {
	case c.Label == "" && c.Emoji == nil:
		return fmt.Sprintf("button %q without label and emoji", c.CustomID)
	case c.Style == link && (c.URL == "" || c.CustomID != ""):
		return "a link button needs a url and no custom_id"
	case c.Style < link && c.CustomID == "":
		return fmt.Sprintf("button %q without custom_id", c.Label)
	}
	return ""
}

// checkSelect returns the first rule that a select breaks, or "".
func checkSelect(c Component) string {
	least, most := c.bounds()
	values, chosen := map[string]bool{}, 0
	for _, o := range c.Options {
		if strings.TrimSpace(o.Label) == "" {
			return fmt.Sprintf("select %q has an option without letters", c.CustomID)
		}
		if values[o.Value] {
			return fmt.Sprintf("select %q has the value %q twice", c.CustomID, o.Value)
		}
		if values[o.Value] = true; o.Default {
			chosen++
		}
	}
	switch {
	case least > most || most > len(c.Options):
		return fmt.Sprintf("select %q asks for %d to %d of %d options", c.CustomID, least, most, len(c.Options))
	case chosen > most:
		return fmt.Sprintf("select %q has %d defaults, %d can be chosen", c.CustomID, chosen, most)
	}
	return ""
}

// bounds returns how many options of a select must and may be chosen; both are 1 by default.
func (c Component) bounds() (least, most int) {
	least, most = 1, 1
	if c.Least != nil {
		least = *c.Least
	}
	if c.Most != nil {
		most = *c.Most
	}
	return least, most
}
