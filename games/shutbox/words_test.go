package shutbox

import (
	"fmt"
	"io"
	"io/fs"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
	"text/template"

	"github.com/BurntSushi/toml"

	"knobel/games"
)

// sentences are the texts of one language by key: one of each, or by plural.
type sentences map[string]map[string]string

var pluralForms = []string{"one", "other"}

// readSentences reads all message files of a language.
func readSentences(t *testing.T, language string) sentences {
	t.Helper()
	files, err := fs.Glob(Game{}.Words(), "*.toml")
	if err != nil {
		t.Fatal(err)
	}
	all := sentences{}
	for _, file := range files {
		if !strings.HasSuffix("."+file, "."+language+".toml") {
			continue
		}
		text, err := fs.ReadFile(Game{}.Words(), file)
		if err != nil {
			t.Fatal(err)
		}
		var tree map[string]any
		if err := toml.Unmarshal(text, &tree); err != nil {
			t.Fatalf("%s: %v", path.Base(file), err)
		}
		all.add("", tree)
	}
	return all
}

func (all sentences) add(prefix string, tree map[string]any) {
	for name, value := range tree {
		switch value := value.(type) {
		case map[string]any:
			all.add(prefix+name+".", value)
		case string:
			key, form := prefix+name, "other"
			if slices.Contains(pluralForms, name) {
				key, form = strings.TrimSuffix(prefix, "."), name
			}
			if all[key] == nil {
				all[key] = map[string]string{}
			}
			all[key][form] = value
		}
	}
}

var field = regexp.MustCompile(`\{\{\.(\w+)\}\}`)

// fieldsOf are the arguments that a sentence uses in any of its forms.
func fieldsOf(forms map[string]string) []string {
	var names []string
	for _, text := range forms {
		for _, found := range field.FindAllStringSubmatch(text, -1) {
			names = append(names, found[1])
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

func TestBothLanguagesSayTheSame(t *testing.T) {
	en, de := readSentences(t, "en"), readSentences(t, "de")
	if len(en) < 150 {
		t.Fatalf("only %d sentences", len(en))
	}
	for key, english := range en {
		german, ok := de[key]
		if !ok {
			t.Errorf("%s is missing in German", key)
			continue
		}
		if a, b := fieldsOf(english), fieldsOf(german); !slices.Equal(a, b) {
			t.Errorf("%s uses %v in English and %v in German", key, a, b)
		}
		for _, forms := range []map[string]string{english, german} {
			counted := slices.Contains(fieldsOf(forms), "N")
			if (len(forms) == 2) != counted || forms["other"] == "" {
				t.Errorf("%s: the forms %v do not go with N", key, forms)
			}
		}
	}
	for key := range de {
		if en[key] == nil {
			t.Errorf("%s is missing in English", key)
		}
	}
}

// listener collects which lines have been said, and tries each in both
// languages.
type listener struct {
	t         *testing.T
	languages map[string]sentences
	heard     map[string]bool
	checked   map[string]bool // key and names of the arguments
}

func listen(t *testing.T) *listener {
	return &listener{t, map[string]sentences{"en": readSentences(t, "en"), "de": readSentences(t, "de")},
		map[string]bool{}, map[string]bool{}}
}

func (l *listener) hear(line games.Line) {
	l.t.Helper()
	if strings.HasPrefix(line.Key, "games.") {
		return // said by the bot, for all games
	}
	l.heard[line.Key] = true
	l.hearArgs(line.Args)
	said := fmt.Sprint(line.Key, slices.Sorted(maps.Keys(line.Args)))
	if l.checked[said] {
		return
	}
	l.checked[said] = true
	for language, all := range l.languages {
		forms := all[line.Key]
		if forms == nil {
			l.t.Errorf("no %s sentence for %s", language, line.Key)
			continue
		}
		if _, counts := line.Args["N"]; counts && len(forms) != 2 {
			l.t.Errorf("%s has a number N, and no plural", line.Key)
		}
		for _, text := range forms {
			parsed, err := template.New(line.Key).Option("missingkey=error").Parse(text)
			if err == nil {
				err = parsed.Execute(io.Discard, map[string]any(line.Args))
			}
			if err != nil {
				l.t.Errorf("%s in %s: %v", line.Key, language, err)
			}
		}
	}
}

func (l *listener) hearArgs(args games.Args) {
	l.t.Helper()
	for _, arg := range args {
		switch arg := arg.(type) {
		case games.Line:
			l.hear(arg)
		case games.Word:
			l.hear(games.Say(string(arg), nil))
		case games.List:
			for _, part := range arg {
				l.hear(part)
			}
		}
	}
}

func (l *listener) see(v games.View) {
	for _, line := range slices.Concat(v.Head, v.Notes) {
		l.hear(line)
	}
	if v.Won.Key != "" {
		l.hear(v.Won)
	}
	if v.Won.Key != "" && len(v.Stands) > 1 { // the bot says what the winners take
		args := games.Args{"Amount": "20 chips"}
		maps.Copy(args, v.Won.Args)
		l.hear(games.Say(v.Won.Key+"-takes", args))
	}
	for _, stand := range v.Stands {
		if stand.Line.Key != "" {
			l.hear(stand.Line)
		}
	}
	for _, row := range v.Buttons {
		for _, button := range row {
			l.hear(button.Label)
		}
	}
	if v.Pick != nil {
		l.hear(v.Pick.Guide)
		l.hear(v.Pick.Choices[0].Label)
	}
}

// Everything that the game says has words in both languages, and everything
// in the message files is said by something.
func TestEverySentenceIsSaid(t *testing.T) {
	l := listen(t)
	l.hear(say("name", nil))
	l.hear(say("about", nil))
	l.hear(say("family", nil))
	for _, house := range []string{"random", "fewest", "perfect"} {
		l.hear(say("house."+house, nil))
	}
	for _, v := range variants() {
		l.hear(say("variant."+v.Name+".name", nil))
		l.hear(say("variant."+v.Name+".about", nil))
	}
	for _, o := range options() {
		l.hear(say("option."+o.Name+".name", nil))
		l.hear(say("option."+o.Name+".about", nil))
		for _, value := range o.Values {
			l.hear(o.Say(value))
		}
	}
	for _, kind := range []string{"", "canoga.", "lucky-seven."} { // the bot says them at a first table
		l.hear(say("first."+kind+"throw", nil))
		l.hear(say("first."+kind+"choose", nil))
	}
	l.hear(sayTiles("1,3-5"))
	for _, move := range []games.Move{"cover 9+2", "uncover 9+2"} {
		l.hear(sayMove(nil, move))
	}
	l.hearRefusals()
	l.hearMatches()
	l.hearRareDuels()
	for _, all := range l.languages {
		for key := range all {
			if !l.heard[key] {
				t.Errorf("%s is never said", key)
			}
		}
	}
}

func (l *listener) hearRefusals() {
	for _, given := range []string{
		"tiles=0", "first-throw=2 tiles=4-9", "score=digits tiles=24", "match=until:99999999",
		"tiles=13-13", "variant=canoga score=count", "variant=lucky-seven tiles=10",
	} {
		_, err := Game{}.Check(rulesOf(given))
		refusal, ok := games.Refused(err)
		if !ok {
			l.t.Fatalf("%s is not refused: %v", given, err)
		}
		l.hear(refusal.Line)
	}
	_, err := Game{}.New(nil, 11)
	refusal, ok := games.Refused(err)
	if !ok {
		l.t.Fatalf("eleven seats are not refused: %v", err)
	}
	l.hear(refusal.Line)
	for _, given := range []string{"variant=canoga", "tiles=17", "tiles=12 score=digits ties=roll-off match=rounds:9"} {
		seats := 10
		if given == "variant=canoga" {
			seats = 2
		}
		_, err := Game{}.Solve(rulesOf(given), seats)
		refusal, ok := games.Refused(err)
		if !ok {
			l.t.Fatalf("perfect play of %s is not refused: %v", given, err)
		}
		l.hear(refusal.Line)
	}
	_, err = Expected(rulesOf("match=rounds:9"), PoolWon, 2)
	if refusal, ok = games.Refused(err); !ok {
		l.t.Fatalf("the pool of several rounds is not refused: %v", err)
	}
	l.hear(refusal.Line)
}

// hearMatches plays every option's values, several seats and one, and hears
// all boards, events and explanations, and the ends of turns.
func (l *listener) hearMatches() {
	var given []string
	for _, o := range options() {
		for _, value := range o.Values {
			given = append(given, o.Name+"="+value)
		}
	}
	given = append(given,
		"match=rounds:2 ties=roll-off", "match=knockout:20 ties=roll-off", "match=until:9 shut=wins tiles=1-2",
		"tiles=7-7",
		"tiles=2 first-throw=2 seven=ends-round", "dice=4d6 tiles=24", "dice=4d6 tiles=6", "tiles=1 score=count",
		"match=rounds:1", "tiles=1-2 ties=roll-off shut=pays-double", "tiles=1 match=until:1",
		"tiles=1 match=knockout:1 one-die=high-shut-forced", "tiles=3 match=knockout:4 seven=ends-turn",
		"match=rounds:2 seven=ends-round", "ties=roll-off seven=ends-round", "match=rounds:2 first-throw=2",
		"variant=canoga match=rounds:2", "variant=canoga match=until:20", "variant=canoga match=rounds:2 ties=roll-off",
		"variant=lucky-seven match=rounds:2", "variant=lucky-seven match=until:20",
		"variant=lucky-seven match=rounds:3 ties=roll-off",
		"variant=lucky-seven match=knockout:20 ties=roll-off",
		"match=rounds:2 close=one-tile", "match=rounds:2 close=sum-or-difference",
	)
	for _, v := range variants() {
		given = append(given, spell(v.Rules))
	}
	for i, text := range given {
		rules, err := Game{}.Check(rulesOf(text))
		if err != nil {
			l.t.Fatalf("%s: %v", text, err)
		}
		explained := Game{}.Explain(rules)
		if len(explained) < 5 {
			l.t.Errorf("%s is explained in %d sentences", text, len(explained))
		}
		for _, line := range explained {
			l.hear(line)
		}
		least, most := Game{}.Seats(rules)
		for seats := least; seats <= min(most, 3); seats++ {
			for round := range 12 {
				l.hearMatch(rules, seats, newChance(uint64(100*i+round)))
			}
		}
	}
}

func (l *listener) hearMatch(rules games.Rules, seats int, luck *chance) {
	m, err := Game{}.New(rules, seats)
	if err != nil {
		l.t.Fatalf("%s: %v", spell(rules), err)
	}
	for move := 0; len(m.Turn()) > 0 && move < 400; move++ {
		l.see(m.View())
		seat := m.Turn()[0]
		legal := m.Moves(seat)
		for _, mv := range legal {
			l.hear(games.SayMove(m, seat, mv))
		}
		if move%16 == 3 { // it looks at many throws
			if why, ok := games.Why(m, seat, legal[0], legal[len(legal)-1]); ok {
				l.hear(why)
			}
		}
		mv := legal[luck.IntN(len(legal))]
		if rules["variant"] == canoga && (seat == 0 || luck.IntN(2) == 0) { // by chance no row is ever covered
			mv = legal[0]
		}
		next, events, err := games.Play(m, seat, mv, luck)
		if err != nil {
			l.t.Fatal(err)
		}
		for i, e := range events {
			l.hear(games.Line(e))
			if i == 0 { // the bot tells it to whoever has moved
				l.hear(e.You())
			}
		}
		if how, _ := games.EndedTurn(next, seat); how.Key != "" {
			l.hear(how)
		}
		m = next
	}
	l.see(m.View())
}

// The keys of options and variants are those that menus look for.
func TestMenuKeys(t *testing.T) {
	all := readSentences(t, "en")
	for _, key := range []string{"shutbox.variant.golf.name", "shutbox.variant.golf.about",
		"shutbox.option.one-die.name", "shutbox.option.one-die.about"} {
		if all[key] == nil {
			t.Errorf("no sentence %s", key)
		}
	}
	for key, forms := range all {
		limit := 0
		switch {
		case strings.HasSuffix(key, ".about"):
			limit = 100
		case strings.HasPrefix(key, "shutbox.button."):
			limit = 34
		}
		for _, text := range forms {
			if limit > 0 && len([]rune(text)) > limit {
				t.Errorf("%s is longer than %d: %s", key, limit, text)
			}
		}
	}
}
