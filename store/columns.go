package store

import "strings"

// The sealed columns, as "table.column": by them knobel rekey finds what to seal anew, and a person is replaced or told
// what is stored of them. Every other column of text is in testdata/columns.txt.

// content is the way a column is sealed.
type content int

const (
	isID      content = iota + 1 // a sealedID
	isName                       // a sealedName
	isAccount                    // a sealedAccount
	isSeed                       // a sealedSeed
	isWord                       // a sealedWord
	isSecret                     // a sealedSecret
)

// tells reports whether the content identifies a person or a place.
func (c content) tells() bool { return c < isSeed }

// with returns a text after Sealer.Seal or Sealer.Open; nil leaves it as it is.
func (c content) with(by Sealer, do func(Sealer, string, string) (string, error), text string) (string, error) {
	if by == nil {
		return text, nil
	}
	bare, secret, purpose := c.parted(text)
	if purpose == "" {
		return text, nil
	}
	done, err := do(by, secret, purpose)
	return bare + done, err
}

// parted splits a text, or a sealed one, into the readable and the sealed part, and returns the purpose of the seal, ""
// for none. An id is bound to its platform, and a name can never be read as an id.
func (c content) parted(text string) (bare, secret, purpose string) {
	id := text
	if c == isAccount {
		var player bool
		if id, player = strings.CutPrefix(text, ofPlayer); !player {
			return text, "", ""
		}
		bare = ofPlayer
	}
	switch {
	case id == "":
		return bare, "", ""
	case c == isSeed:
		return "", text, "seed"
	case c == isWord:
		return "", text, "word"
	case c == isSecret:
		return "", text, "secret"
	case c == isName:
		return "", text, "name"
	case strings.HasPrefix(id, ofHouse):
		return text, "", ""
	}
	platform, rest, found := strings.Cut(id, ":")
	if !found {
		return bare, id, "id"
	}
	return bare + platform + ":", rest, "id of " + platform
}

// stored is a text as the driver takes it for the column.
func (c content) stored(text string) any {
	if c == isSeed {
		return append([]byte{}, text...)
	}
	return text
}

// sealedColumns holds the columns that identify people or places, and those with secrets.
var sealedColumns = map[string]content{
	"accounts.chat":      isID,
	"accounts.name":      isAccount,
	"boards.message":     isID,
	"boards.place":       isID,
	"boxes.chat":         isID,
	"boxes.holder":       isID,
	"calls.message":      isID,
	"chat_settings.chat": isID,
	"chats.id":           isID,
	"chats.owner":        isID,
	"fading.above":       isID,
	"fading.chat":        isID,
	"fading.command":     isID,
	"fading.message":     isID,
	"guesses.player":     isID,
	"house_rules.chat":   isID,
	"menus.chat":         isID,
	"payments.asker":     isID,
	"payments.chat":      isID,
	"payments.payee":     isAccount,
	"payments.payer":     isAccount,
	"payments.teller":    isID,
	"players.id":         isID,
	"players.name":       isName,
	"postings.chat":      isID,
	"puzzles.asker":      isID,
	"puzzles.chat":       isID,
	"puzzles.message":    isID,
	"puzzles.place":      isID,
	"reviews.chat":       isID,
	"seasons.chat":       isID,
	"seasons.starter":    isID,
	"seats.entropy":      isWord,
	"seats.name":         isName,
	"seats.player":       isID,
	"settings.value":     isSecret,
	"seats.taker":        isID,
	"tables.chat":        isID,
	"tables.opener":      isID,
	"tables.place":       isID,
	"tables.seed":        isSeed,
	"tables.voider":      isID,
	"totals.chat":        isID,
	"totals.player":      isID,
	"unlisted.chat":      isID,
	"unlisted.player":    isID,
	"updates.id":         isID,
	"web_rooms.chat":     isID,
	"web_rooms.host":     isID,
	"web_said.chat":      isID,
	"web_said.said":      isSecret,
}
