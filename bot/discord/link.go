package discord

import (
	"bytes"
	"encoding/json"
	"regexp"
	"sync/atomic"

	"knobel/bot/chat"
)

// Commands in sentences, as links where their ids are known.

// linkMark encloses a command in a sentence until it is sent. It is invisible.
const linkMark = '\u2063'

// Spell returns a command as people fill it in on Discord: "/settle paid amount:7 who:Ben". The part that can be a
// link is between marks.
func Spell(t chat.Typed) string {
	if t.Row == "" && len(t.Given) == 0 {
		return string(linkMark) + "/" + t.Text + string(linkMark)
	}
	name := t.Command
	if t.Row != "" {
		name += " " + t.Row
	}
	said := string(linkMark) + "/" + name + string(linkMark)
	for _, o := range t.Given {
		said += " " + o.Name + ":" + o.Value
	}
	return said
}

// links holds the ids of the bot's commands by name.
type links struct {
	ids atomic.Pointer[map[string]string]
}

// learn reads the ids from Discord's list of commands. It ignores an invalid list.
func (l *links) learn(list json.RawMessage) {
	var all []struct {
		ID   string `json:"id"`
		Name string `json:"name"`
		Type int    `json:"type"`
	}
	if json.Unmarshal(list, &all) != nil {
		return
	}
	ids := map[string]string{}
	for _, c := range all {
		if snowflake(c.ID) && c.Type <= 1 {
			ids[c.Name] = c.ID
		}
	}
	l.ids.Store(&ids)
}

var (
	markBytes = []byte(string(linkMark))
	linkable  = regexp.MustCompile(string(linkMark) + `/([a-z0-9-]+)((?: [a-z0-9-]+)?)` + string(linkMark))

	linkableOrMark = regexp.MustCompile(linkable.String() + "|" + string(linkMark))
)

// write turns the marked commands of a body into links if their ids are known.
func (l *links) write(raw []byte) []byte {
	if !bytes.Contains(raw, markBytes) {
		return raw
	}
	if ids := l.ids.Load(); ids != nil {
		raw = linkable.ReplaceAllFunc(raw, func(marked []byte) []byte {
			found := linkable.FindSubmatch(marked)
			if id := (*ids)[string(found[1])]; id != "" {
				return []byte("</" + string(found[1]) + string(found[2]) + ":" + id + ">")
			}
			return marked
		})
	}
	return bytes.ReplaceAll(raw, markBytes, nil)
}

// onlyLinks removes marks that enclose no command, as typed by people: a text of marks only would be empty when it is
// sent.
func onlyLinks(text string) string {
	return linkableOrMark.ReplaceAllStringFunc(text, func(found string) string {
		if found == string(linkMark) {
			return ""
		}
		return found
	})
}
