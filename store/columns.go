package store

// What the columns of text hold: each column of the schema is in one of the two lists, as
// "table.column". The first list is of sealed columns: by it knobel rekey finds what to seal anew,
// and a person is replaced or told what is stored of them. The seed, though bytes, is in the first
// list as well.

// content is how a column is sealed.
type content int

const (
	isID      content = iota + 1 // a sealedID
	isName                       // a sealedName
	isAccount                    // a sealedAccount
	isSeed                       // a sealedSeed
	isWord                       // a sealedWord
	isSecret                     // a sealedSecret
)

// tells reports whether the content identifies a person or a place; otherwise it is secret for
// another reason.
func (c content) tells() bool { return c < isSeed }

// seal turns a text of the content into what stands in the column.
func (c content) seal(by Sealer, text string) (string, error) {
	switch c {
	case isID:
		return sealID(by, text)
	case isAccount:
		return sealAccount(by, text)
	}
	return sealText(by, text, c.purpose())
}

// open turns it back.
func (c content) open(by Sealer, sealed string) (string, error) {
	switch c {
	case isID:
		return openID(by, sealed)
	case isAccount:
		return openAccount(by, sealed)
	}
	return openText(by, sealed, c.purpose())
}

// stored is a text as the driver takes it for the column.
func (c content) stored(text string) any {
	if c == isSeed {
		return append([]byte{}, text...)
	}
	return text
}

// purpose is what a content is sealed for that is sealed as a whole.
func (c content) purpose() string {
	switch c {
	case isSeed:
		return "seed"
	case isWord:
		return "word"
	case isSecret:
		return "secret"
	}
	return "name"
}

// sealedColumns holds the columns that are sealed: those that identify people or places, and those
// with secrets.
var sealedColumns = map[string]content{
	"accounts.chat":      isID,
	"accounts.name":      isAccount,
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
	"tables.board":       isID,
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

// others are the columns that do not, and what they hold.
var others = map[string]string{
	"accounts.unit":       "the word of a chat for what it counts in",
	"boxes.unit":          "the word of a chat for what it counts in",
	"chat_settings.name":  "a word of ours",
	"chat_settings.value": "a value of ours",
	"chats.language":      "a language",
	"chats.locale":        "a language",
	"chats.unit":          "the word of a chat for what it counts in",
	"faces.counts":        "numbers",
	"guesses.move":        "a move",
	"house_rules.game":    "a game",
	"house_rules.name":    "the word of a chat for rules",
	"house_rules.rules":   "options of a game",
	"house_rules.version": "a fingerprint of rules",
	"leases.holder":       "chance",
	"leases.name":         "what a replica of the program does",
	"menus.edition":       "a fingerprint of the program's commands",
	"menus.fault":         "a word of ours",
	"menus.games":         "games",
	"moves.dice":          "faces",
	"moves.move":          "a move",
	"payments.state":      "a state",
	"payments.unit":       "the word of a chat for what it counts in",
	"players.language":    "a language",
	"postings.kind":       "a kind",
	"postings.unit":       "the word of a chat for what it counts in",
	"reviews.choices":     "moves and seats by number",
	"reviews.measure":     "a word of ours",
	"reviews.state":       "a state",
	"reviews.steps":       "moves and seats by number",
	"seals.proof":         "sealed by itself",
	"seasons.name":        "the word of a chat for a season",
	"seals.secrets":       "a state",
	"seats.absence":       "a state",
	"seats.house":         "a strategy",
	"seats.vouch":         "who is asked",
	"settings.name":       "a word of ours",
	"tables.absent":       "what happens when a turn takes too long",
	"tables.altered":      "words of ours, and seats by number",
	"tables.commitment":   "a proof of the dice",
	"tables.draft":        "dice or tiles",
	"tables.drawer":       "chance",
	"tables.language":     "a language",
	"tables.game":         "a game",
	"tables.page":         "a word of ours",
	"tables.rules":        "options of a game",
	"tables.state":        "a state",
	"tables.unit":         "the word of a chat for what it counts in",
	"tallies.counts":      "numbers",
	"totals.game":         "a game",
	"totals.kind":         "a kind",
	"totals.rules":        "options of a game",
	"totals.unit":         "the word of a chat for what it counts in",
	"web_moves.print":     "a fingerprint of what is not stored",
	"web_moves.sealed":    "sealed by what is not stored",
	"web_outs.who":        "a fingerprint of a browser, other in each room",
	"web_rooms.print":     "a fingerprint of what is not stored",
	"ways.code":           "a fingerprint of what is not stored",
	"ways.owner":          "a fingerprint of what is not stored",
	"ways.sealed":         "sealed by what is not stored",
}
