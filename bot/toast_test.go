package bot_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"knobel/bot/bare"
	"knobel/bot/chat"
	"knobel/bot/words"
	"knobel/bot/words/wordstest"
	"knobel/games"
	"knobel/games/shutbox"
	"knobel/games/wuerfelpoker"
	"knobel/games/zehntausend"
	"knobel/store"
)

// TestToastsAreShort checks that every refusal and toast has at most 60 characters, where a name counts as eight.
func TestToastsAreShort(t *testing.T) {
	bare.Beside(t)
	said := wordstest.Of(t)
	keys := keysBehind(t, `(?:Refuse|[aA]dminsOnly|[tT]oast)\("([a-z.-]+)"`, "discord", "telegram")
	if len(keys) < 40 {
		t.Fatalf("only %d toasts found", len(keys))
	}
	for _, key := range append(keys, "bot.sorry") {
		if !strings.HasPrefix(key, "bot.") && !strings.HasPrefix(key, "games.") || !said.Has(key) {
			continue
		}
		args := games.Args{}
		for _, name := range wordstest.Arguments(said, key) {
			args[name] = "12345678"
		}
		args["N"] = 10
		inEveryLanguage(t, said, key, args, func(lang, text string) bool { return utf8.RuneCountInString(text) <= 60 })
	}
}

// inEveryLanguage fails the test unless accepts returns true for the sentence of key in every language.
func inEveryLanguage(t *testing.T, sentences *words.Words, key string, args games.Args,
	accepts func(lang, text string) bool) {
	t.Helper()
	for _, lang := range sentences.Languages() {
		text, err := sentences.TrySay(lang, games.Say(key, args), words.Context{})
		if err != nil || !accepts(lang, text) {
			t.Errorf("%s in %s, of %d characters: %q, %v", key, lang, utf8.RuneCountInString(text), text, err)
		}
	}
}

// TestWhatYouDidIsShort checks that sentences of games to the mover have at most 60 characters, with the longest hand
// of five dice, and use the second person.
func TestWhatYouDidIsShort(t *testing.T) {
	said := wordstest.Of(t, shutbox.Game{}, wuerfelpoker.New(), zehntausend.Game{})
	second := map[string]*regexp.Regexp{"en": regexp.MustCompile(`(?i)\b(you|your|all count|their row)\b`),
		"de": regexp.MustCompile(`(?i)\b(du|dir|dich|deine?|ihr|alle zählen)\b`)}
	checked := 0
	for _, key := range said.Keys("en") {
		if !strings.Contains(key, ".you.") || strings.HasPrefix(key, "bot.") {
			continue // boards say those of the bot
		}
		checked++
		args := games.Args{"Faces": games.Faces{5, 3, 6, 1, 2}, "Tiles": games.Tiles{9, 2, 1}, "N": 10, "Total": 10,
			"Tile": 10, "Open": 10, "Points": 1000, "Seat": games.Seat(0), "Row": "1234567890123456"}
		for _, name := range wordstest.Arguments(said, key) {
			if _, set := args[name]; !set {
				args[name] = "12345678"
			}
		}
		switch kept := strings.Contains(key, ".kept."); {
		case kept:
			args["Faces"], args["Kept"] = games.Faces{5, 3, 6}, games.Faces{1, 2}
		case strings.HasPrefix(key, "shutbox."), strings.Contains(key, ".threw-all"):
			args["Faces"] = games.Faces{6, 5}
		}
		inEveryLanguage(t, said, key, args, func(lang, text string) bool {
			return utf8.RuneCountInString(text) <= 60 && (second[lang] == nil || second[lang].MatchString(text))
		})
	}
	if checked < 30 {
		t.Errorf("only %d sentences", checked)
	}
}

// keysBehind returns the keys that the first group of pattern matches in the code, without the folders in except.
func keysBehind(t *testing.T, pattern string, except ...string) (keys []string) {
	t.Helper()
	expr := regexp.MustCompile(pattern)
	for _, code := range bare.CodeOf(t, except...) {
		for _, m := range expr.FindAllStringSubmatch(code, -1) {
			keys = append(keys, m[1])
		}
	}
	return keys
}

// TestRefusalsSayWhatToDo checks that every refusal names a way out, in a second sentence or clause. The test
// lists the exceptions, which consist of the way out alone.
func TestRefusalsSayWhatToDo(t *testing.T) {
	said := wordstest.Of(t, shutbox.Game{}, wuerfelpoker.New())
	whole := []string{
		"bot.text",          // its text comes from other keys
		"bot.confirm-first", // from here on: refusals that are only a way out
		"bot.forget.how", "bot.house-rules.how", "bot.puzzle.how", "bot.settle-how",
		"bot.leaders.least", "bot.may-not-end", "bot.may-not-end-equals", "bot.may-not-end-gone",
		"bot.may-not-end-hosted", "bot.may-not-end-gone-hosted",
		"bot.season.name", "bot.settle.amount", "games.unit-empty", "bot.review.not-over", "bot.stake-number",
		"wuerfelpoker.refuse.point",
	}
	keys := keysBehind(t, `(?:Refuse|[aA]dminsOnly)\("([a-z.-]+)"`)
	if len(keys) < 100 {
		t.Fatalf("only %d refusals found", len(keys))
	}
	further := regexp.MustCompile(`[.:;,?] ?\S`)
	for _, key := range keys {
		if slices.Contains(whole, key) || !said.Has(key) {
			continue
		}
		args := games.Args{}
		for _, name := range wordstest.Arguments(said, key) {
			args[name] = "Anna"
		}
		args["N"] = 10
		inEveryLanguage(t, said, key, args, func(_, text string) bool { return further.MatchString(text) })
	}
}

// prefixedKeys matches keys in code that a function or a table extends by a prefix and suffixes.
var prefixedKeys = []struct {
	in     *regexp.Regexp
	prefix string
	suffix []string
}{
	{regexp.MustCompile(`\.namedButton\("([a-z-]+)"`), "bot.button.", nil},
	{regexp.MustCompile(`\bname: "([a-z]+)", code:`), "bot.ranking.", nil},
	{regexp.MustCompile(`\bname: "([a-z]+)", code:`), "bot.ranking.short.", nil},
	{regexp.MustCompile(`("season", "month", "week", "evening")\} \{`), "bot.period.this-", nil},
	{regexp.MustCompile(`("season", "month", "week", "evening")\} \{`), "bot.period.called.", nil},
	{regexp.MustCompile(`Name: "([a-z]+)", (?:Reads:|Usual:|Values: \[\]\[2\])`), "bot.settings.", []string{"-about", "-how"}},
	{regexp.MustCompile(`[nN]ame: "([a-z]+)", [sS]ubject:`), "bot.command.", nil},
	{regexp.MustCompile(`for _, name := range \[\]string\{("rules", "leaderboard", "settle", "privacy")\}`),
		"bot.help.often.", nil},
	{regexp.MustCompile(`\t(?:[tT]o|[oO]f)[A-Z][a-z]+ += "([a-z]+)"`), "bot.help.more.", nil},
	{regexp.MustCompile(`\t(?:[tT]o|[oO]f)[A-Z][a-z]+ += "([a-z]+)"`), "bot.help.subject.", nil},
	{regexp.MustCompile(`[nN]ame: "([a-z]+)", (?:[sS]ubject|Hidden):`), "bot.called.", nil},
}

// usedKeys returns the keys that the code of the bot and of the games contains, without tests. all are the keys of the
// message files: a string in the code is a key if it has the same first word as one of them.
func usedKeys(t *testing.T, all []string) (keys []string) {
	t.Helper()
	first := map[string]bool{}
	for _, key := range all {
		word, _, _ := strings.Cut(key, ".")
		first[word] = first[word] || !isUsedElsewhere(key)
	}
	whole := regexp.MustCompile(`"(([a-z]+)\.[a-z0-9.-]*[a-z0-9])"`)
	for path, code := range bare.CodeOf(t) {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		for _, m := range whole.FindAllStringSubmatch(code, -1) {
			if first[m[2]] {
				keys = append(keys, m[1])
			}
		}
		for _, s := range prefixedKeys {
			for _, m := range s.in.FindAllStringSubmatch(code, -1) {
				for _, key := range strings.Split(m[1], ", ") {
					for _, suffix := range append(s.suffix, "") {
						keys = append(keys, s.prefix+strings.Trim(key, `"`)+suffix)
					}
				}
			}
		}
	}
	return keys
}

// isUsedElsewhere reports whether a key need not be in the code: scripts use it, or code builds it from a name or from
// another key.
func isUsedElsewhere(key string) bool {
	return strings.HasSuffix(key, "-typed") ||
		slices.ContainsFunc([]string{"web.", "language.", "bot.option-called."}, func(begin string) bool {
			return strings.HasPrefix(key, begin)
		})
}

func TestKeysOfTheCodeAndOfTheSentencesAreTheSame(t *testing.T) {
	said := wordstest.Of(t)
	all := said.Keys(words.Default)
	used := usedKeys(t, all)
	if len(used) < 100 {
		t.Fatalf("only %d keys stand in the code", len(used))
	}
	for _, key := range used {
		if !said.Has(key) {
			t.Errorf("no sentence for %s", key)
		}
	}
	for _, key := range all {
		of := strings.Replace(key, "bot.you.", "bot.", 1) // the code builds the sentence to a person from this key
		if !isUsedElsewhere(key) && !slices.Contains(used, of) {
			t.Errorf("nobody says %s", key)
		}
	}
}

// Default values are not stored, and in a private chat the texts do not mention admins.
func TestUsualSettingsAreNotStored(t *testing.T) {
	h := bare.New(t)
	anna := h.Person("Anna")
	anna.Admin = true
	anna.Writes("/settings quiet=22-8 zone=berlin idle=0")
	anna.Writes("/settings quiet=none zone=none idle=7")
	set := bare.Stored(h, func(tx *store.Tx) (map[string]string, error) { return tx.Chats.ChatSettings("test:1") })
	if len(set) != 0 {
		t.Errorf("what is usual is stored: %v", set)
	}
	alone := anna.Event()
	alone.Chat, alone.Place, alone.Own, alone.Command = "test:own", "test:own", true, "settings"
	if r := h.Bot.Handle(t.Context(), alone); r.Private == nil || r.Private.Small != "" {
		t.Errorf("Anna reads alone: %+v", r)
	}
}

// A made-up language in message files.

// checkLanguage fails the test if a message is not all in the made-up language, or is longer than a platform accepts.
func checkLanguage(t *testing.T, label string, m chat.Message) {
	t.Helper()
	bare.Proper(t, m)
	text := bare.Show(m) + m.Guide + "\n" + m.Small
	if m.Sheet != nil {
		for _, row := range m.Sheet.Rows {
			text += "\n" + row.Label + "\n" + row.Short
			if n := utf8.RuneCountInString(row.Short); n > 10 {
				t.Errorf("%s: the sheet has a row of %d characters: %s", label, n, row.Short)
			}
		}
	}
	if m.Lang != wordstest.Code {
		t.Errorf("%s is in %s", label, m.Lang)
	}
	if strange := wordstest.Strange(text, "Anna", "Ben"); len(strange) > 0 {
		t.Errorf("%s says %s", label, strange)
	}
	if n := utf8.RuneCountInString(text); n > 3500 {
		t.Errorf("%s has %d characters", label, n)
	}
}

// checkReply fails the test if a reply is not in the made-up language.
func checkReply(t *testing.T, label string, r chat.Reply) {
	t.Helper()
	if n := utf8.RuneCountInString(r.Toast); n > 200 {
		t.Errorf("%s is answered with %d characters", label, n)
	}
	if strange := wordstest.Strange(r.Toast, "Anna", "Ben"); len(strange) > 0 {
		t.Errorf("%s is answered with %s", label, strange)
	}
	if r.Private != nil {
		checkLanguage(t, label, *r.Private)
	}
}

// A language consists of files: with a new one no sentence of another is shown, and longer words break nothing.
func TestAnotherLanguage(t *testing.T) {
	anna, ben := bare.Another(t)
	for _, line := range []string{
		"/help", "/help playing", "/rules", "/rules wuerfelpoker", "/rules canoga", "/rules lucky-seven", "/unit",
		"/fair",
		"/leaderboard", "/stats", "/settle", "/season", "/history", "/review", "/puzzle", "/skill", "/hint", "/luck",
		"/nonsense", "/shutbox nonsense",
		"/shutbox tiles=99", "/shutbox match=rounds:0", "/unit Euro", "/settle pay", "/table",
		"/leaderboard against=Nobody", "/tableski", "/language Another",
	} {
		checkReply(t, line, anna.Writes(line))
	}
	// options in the words of the language, languages by their own names
	for line, typed := range map[string]string{"/help shutbox": "⟦śtąkę-ę⟧ – ⟦", "/language": "[English][Deutsch]["} {
		if m := anna.Asks(line); !strings.Contains(bare.Show(m), typed) {
			t.Errorf("%s answers\n%s", line, bare.Show(m))
		}
	}
	for _, g := range anna.Games[1:] { // the coin has no words for its house
		for _, v := range g.Variants() {
			t.Run(g.Name()+" "+v.Name, func(t *testing.T) {
				anna.T, ben.T = t, t
				anna.Place, ben.Place = chat.Place("test:1/"+g.Name()+v.Name), chat.Place("test:1/"+g.Name()+v.Name)
				opens := "/" + g.Name()
				if len(g.Variants()) > 1 {
					opens += " variant=" + v.Name
				}
				checkWholeGame(t, anna, ben, opens)
			})
		}
	}
}

// checkWholeGame checks every page of the lobby opened by the command in opens, and its game's boards and answers.
func checkWholeGame(t *testing.T, anna, ben *bare.Person, opens string) {
	checkReply(t, opens, anna.Writes(opens))
	m := anna.Board()
	checkLanguage(t, opens, m)
	for _, page := range []string{"!page rules", "!page variants", "!page houses", "!page"} {
		checkReply(t, page, anna.Sends(chat.LobbyPress(chat.Message{Table: m.Table}, page[1:])))
		checkLanguage(t, page, anna.Board())
	}
	checkReply(t, "sitting down", ben.Sends(chat.LobbyPress(chat.Message{Table: m.Table}, "join")))
	checkReply(t, "starting", anna.Sends(chat.LobbyPress(chat.Message{Table: m.Table}, "start")))
	for range 12 {
		board := anna.Board()
		checkLanguage(t, "a board", board)
		checkReply(t, "a press of somebody else", ben.Sends(board.Buttons[0][0].Press))
		if next := anna.Board(); next.Head == board.Head {
			checkReply(t, "a press", anna.Sends(board.Buttons[0][0].Press))
		}
		if strings.Contains(board.Buttons[0][0].Press, "!rematch") {
			break
		}
	}
	for _, line := range []string{"/fair", "/rules", "/hint", "/abandon"} {
		checkReply(t, line, anna.Writes(line))
		checkLanguage(t, line, anna.Board())
	}
}
