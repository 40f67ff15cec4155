package telegramtest

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Servers of before: what they do not know they refuse or pass over, as theirs do.

// known is the version of the Bot API that a server knows, "": today's.
type known string

// before reports whether it is older than another version, "9.5".
func (k known) before(version string) bool {
	return k != "" && slices.Compare(numbers(string(k)), numbers(version)) < 0
}

// method reports whether a server of the version has a method.
func (k known) method(name string) bool { return sinceOf[name] == "" || !k.before(sinceOf[name]) }

// numbers are the parts of a version.
func numbers(version string) (all []int) {
	for part := range strings.SplitSeq(version, ".") {
		n, _ := strconv.Atoi(part)
		all = append(all, n)
	}
	return all
}

// sinceOf are the versions with which methods came that not every server knows.
var sinceOf = map[string]string{"setMessageReaction": "7.0", "sendRichMessage": "10.1"}

// The markup that not every server can read, and how such a one says so.
var newMarkup = []struct {
	since string
	tag   *regexp.Regexp
	says  string
}{
	{"7.4", regexp.MustCompile(`<blockquote expandable>`),
		`Expected equal sign in declaration of an attribute of the tag "blockquote" at byte offset %d`},
	{"9.5", regexp.MustCompile(`<tg-time\b`), `Unsupported start tag "tg-time" at byte offset %d`},
}

// illegible says what of a text's markup a server of the version is too old to read, "": nothing.
func (k known) illegible(html string) string {
	for _, m := range newMarkup {
		if at := m.tag.FindStringIndex(html); at != nil && k.before(m.since) {
			return fmt.Sprintf(m.says, at[0])
		}
	}
	return ""
}
