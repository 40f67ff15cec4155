package store

import "strings"

// The encrypted (sealed) columns, as "table.column". By this list Rekey, Forget and About find the texts that they
// change or decrypt. All other columns of text are listed in testdata/columns.txt.

// content is the kind of text in an encrypted column, which determines how it is encrypted.
type content int

const (
	isID      content = iota + 1 // a sealedID
	isName                       // a sealedName
	isAccount                    // a sealedAccount
	isSeed                       // a sealedSeed
	isWord                       // a sealedWord
	isSecret                     // a sealedSecret
)

// isPersonal reports whether texts of this kind identify a person or a place: ids, names and accounts.
func (c content) isPersonal() bool { return c < isSeed }

// convert returns text with its secret part encrypted or decrypted with key: do is Sealer.Seal to encrypt, Sealer.Open
// to decrypt. If key is nil or text has no secret part, it returns text unchanged.
func (c content) convert(key Sealer, do func(Sealer, string, string) (string, error), text string) (string, error) {
	if key == nil {
		return text, nil
	}
	readable, secret, purpose := c.splitSecret(text)
	if purpose == "" {
		return text, nil
	}
	converted, err := do(key, secret, purpose)
	return readable + converted, err
}

// splitSecret splits a text, encrypted or not, into the part that stays readable and the secret part. purpose is the
// argument purpose of Sealer.Seal and Open, or "" if there is no secret part. Each platform's ids and each other kind
// of text have their own purpose, so that no encrypted text can be used as one of another kind.
func (c content) splitSecret(text string) (readable, secret, purpose string) {
	id := text
	if c == isAccount {
		var player bool
		if id, player = strings.CutPrefix(text, ofPlayer); !player {
			return text, "", ""
		}
		readable = ofPlayer
	}
	switch {
	case id == "":
		return readable, "", ""
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
		return readable, id, "id"
	}
	return readable + platform + ":", rest, "id of " + platform
}

// argument returns text as an argument of an SQL statement: as bytes if c is a seed, otherwise unchanged.
func (c content) argument(text string) any {
	if c == isSeed {
		return append([]byte{}, text...)
	}
	return text
}

// sealedColumns maps each encrypted column to its kind of content.
var sealedColumns = map[string]content{
	"accounts.chat":          isID,
	"accounts.name":          isAccount,
	"boards.message":         isID,
	"boards.place":           isID,
	"boards.token":           isSecret,
	"boxes.chat":             isID,
	"boxes.holder":           isID,
	"calls.message":          isID,
	"chat_settings.chat":     isID,
	"chats.id":               isID,
	"chats.owner":            isID,
	"evening_answers.player": isID,
	"evenings.chat":          isID,
	"evenings.event":         isSecret,
	"evenings.place":         isID,
	"evenings.setter":        isID,
	"fading.above":           isID,
	"fading.chat":            isID,
	"fading.command":         isID,
	"fading.message":         isID,
	"guesses.player":         isID,
	"house_rules.chat":       isID,
	"menus.chat":             isID,
	"notices.chat":           isID,
	"notices.message":        isID,
	"notices.place":          isID,
	"pairs.alias":            isID,
	"pairs.chat":             isID,
	"payments.asker":         isID,
	"payments.chat":          isID,
	"payments.payee":         isAccount,
	"payments.payer":         isAccount,
	"payments.teller":        isID,
	"persons.id":             isID,
	"players.id":             isID,
	"players.name":           isName,
	"players.person":         isID,
	"postings.chat":          isID,
	"pushes.auth":            isSecret,
	"pushes.chat":            isID,
	"pushes.endpoint":        isSecret,
	"pushes.p256dh":          isSecret,
	"pushes.player":          isID,
	"puzzles.asker":          isID,
	"puzzles.chat":           isID,
	"puzzles.message":        isID,
	"puzzles.place":          isID,
	"reviews.chat":           isID,
	"seasons.champion":       isID,
	"seasons.chat":           isID,
	"seasons.starter":        isID,
	"seats.entropy":          isWord,
	"seats.name":             isName,
	"seats.player":           isID,
	"sessions.chat":          isID,
	"sessions.place":         isID,
	"sessions.player":        isID,
	"sessions.said":          isSecret,
	"settings.value":         isSecret,
	"seats.taker":            isID,
	"tables.chat":            isID,
	"tables.opener":          isID,
	"tables.place":           isID,
	"tables.seed":            isSeed,
	"tables.voider":          isID,
	"totals.chat":            isID,
	"totals.player":          isID,
	"unlisted.chat":          isID,
	"unlisted.player":        isID,
	"updates.id":             isID,
	"web_lines.chat":         isID,
	"web_lines.name":         isName,
	"web_lines.player":       isID,
	"web_lines.text":         isSecret,
	"web_rooms.chat":         isID,
	"web_rooms.host":         isID,
	"web_said.chat":          isID,
	"web_said.said":          isSecret,
}
