package words_test

import (
	"errors"
	"io/fs"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/BurntSushi/toml"

	"knobel/bot/words"
	"knobel/games"
	"knobel/games/sheet/sets"
	"knobel/games/wuerfelpoker"
)

// sheetGames returns all games on a score sheet.
func sheetGames() []games.Game {
	all := []games.Game{wuerfelpoker.New()}
	for _, g := range sets.All() {
		all = append(all, g)
	}
	return all
}

// spoken returns the sentences of files in a language by their keys without the first part; of plurals the form
// other.
func spoken(t *testing.T, from fs.FS, lang string) map[string]string {
	t.Helper()
	files, err := fs.Glob(from, "*"+lang+".toml")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	all := map[string]string{}
	var flatten func(key string, tree map[string]any)
	flatten = func(key string, tree map[string]any) {
		for name, value := range tree {
			switch value := value.(type) {
			case map[string]any:
				flatten(key+"."+name, value)
			case string:
				all[strings.TrimSuffix(key+"."+name, ".other")] = value
			}
		}
	}
	for _, file := range files {
		text, err := fs.ReadFile(from, file)
		if err != nil {
			t.Fatal(err)
		}
		var tree map[string]any
		if err := toml.Unmarshal(text, &tree); err != nil {
			t.Fatal(err)
		}
		for _, sentences := range tree { // after the name of the game or family
			flatten("", sentences.(map[string]any))
		}
	}
	return all
}

// One point is a point: no sentence of a sheet says "1 points".
func TestSheetsSayOnePointRightly(t *testing.T) {
	numbered := regexp.MustCompile(`\{\{\.\w+\}\} (points?|Punkte?n?)\b`)
	argument := regexp.MustCompile(`\{\{\.(\w+)\}\}`)
	wrong := regexp.MustCompile(`\b1 (points|Punkten?\b)`)
	for _, g := range sheetGames() {
		w, err := words.New(g.Words())
		if err != nil {
			t.Fatal(err)
		}
		for _, lang := range []string{"en", "de"} {
			all, said := spoken(t, g.Words(), lang), 0
			for _, key := range slices.Sorted(maps.Keys(all)) {
				if !numbered.MatchString(all[key]) || key == ".gives.by-throw" { // which has several numbers
					continue
				}
				args := games.Args{"N": 1}
				for _, name := range argument.FindAllStringSubmatch(all[key], -1) {
					if name[1] != "N" {
						args[name[1]] = "1"
					}
				}
				text := w.Say(lang, games.Say(g.Name()+key, args), words.Context{})
				if wrong.MatchString(text) {
					t.Errorf("%s in %s: %s", g.Name()+key, lang, text)
				}
				said++
			}
			if said < 6 {
				t.Errorf("%s has %d sentences with points in %s", g.Name(), said, lang)
			}
		}
	}
}

// The rules of sheets name the dice, do not contradict themselves, and follow the options.
func TestRulesOfSheetsInSentences(t *testing.T) {
	for _, c := range []struct {
		game         games.Game
		rules        games.Rules
		says, german []string
		not          []string // in either language
	}{
		{sets.Kismet(), nil, []string{"The faces have colours: 1 and 6 are black, 2 and 5 red, 3 and 4 green.",
			"The rows of the faces bring a bonus for their sum, the highest that it reaches: 35 from 63, 55 from 71 " +
				"and 75 from 78."},
			[]string{"Die Augenzahlen haben Farben: 1 und 6 sind schwarz, 2 und 5 rot, 3 und 4 grün.",
				"Die Zeilen der Augenzahlen bringen für ihre Summe einen Bonus, den höchsten, den sie erreicht: " +
					"35 ab 63, 55 ab 71 und 75 ab 78."}, []string{"or more", "mindestens 7"}},
		{sets.Kismet(), games.Rules{"strict": "no"},
			[]string{"two pairs, or 4 equal dice, of one colour; ", "3 equal dice and 2 of another face, or 5 equal; "},
			[]string{"zwei Paare oder 4 gleiche, in einer Farbe; ",
				"3 gleiche und 2 einer anderen Augenzahl oder 5 gleiche; "},
			[]string{"face too", "derselben"}},
		{sets.Escalero(), nil,
			[]string{"They are poker dice: 1 stands for 9, 2 for 10, 3 for jack, 4 for queen, 5 for king and 6 for " +
				"ace."},
			[]string{"Es sind Pokerwürfel: 1 steht für 9, 2 für 10, 3 für Bube, 4 für Dame, 5 für König und 6 für " +
				"Ass."}, nil},
		{sets.Kniffel(), games.Rules{"further": "50"}, []string{"brings 50 more"}, []string{"50 dazu"},
			[]string{"nothing special", "nichts Besonderes", "colours", "poker dice"}},
		{sets.Kniffel(), nil, []string{"A further five equal is nothing special."},
			[]string{"Weitere fünf gleiche sind nichts Besonderes."}, nil},
		{sets.Yamb(), nil, []string{
			"When the rows of the faces in a column add up to 60 or more, they bring 30 more there.",
			"Once no other column has an open row, a call follows each first throw.", "of Ones in the same column"},
			[]string{"Ergeben die Zeilen der Augenzahlen einer Spalte mindestens 60, bringen sie dort 30 dazu.",
				"Hat keine andere Spalte mehr eine offene Zeile, folgt auf jeden ersten Wurf eine Ansage.",
				"„Einser“ derselben Spalte"}, nil},
		{sets.Yamb(), games.Rules{"columns": "1", "hints": "yes"},
			[]string{"When the rows of the faces add up to 60 or more"},
			[]string{"Ergeben die Zeilen der Augenzahlen mindestens 60"},
			[]string{"olumn", "palte", "may ask", "Wer dran ist"}},
		{sets.Balut(), nil,
			[]string{"9, 6 and 3 points give +3, 0 and −3.", "Each Balut that is not struck gives 2 points."},
			[]string{"9, 6 und 3 Punkte geben +3, 0 und −3.", "Jeder Balut, der nicht gestrichen ist, gibt 2 Punkte."},
			[]string{"180"}},
	} {
		w, err := words.New(c.game.Words())
		if err != nil {
			t.Fatal(err)
		}
		for lang, says := range map[string][]string{"en": c.says, "de": c.german} {
			var all []string
			for _, line := range c.game.Explain(c.rules) {
				all = append(all, w.Say(lang, line, words.Context{}))
			}
			text := strings.Join(all, "\n")
			for _, part := range says {
				if !strings.Contains(text, part) {
					t.Errorf("%s %v: no %q in\n%s", c.game.Name(), c.rules, part, text)
				}
			}
			for _, part := range c.not {
				if strings.Contains(text, part) {
					t.Errorf("%s %v: %q in\n%s", c.game.Name(), c.rules, part, text)
				}
			}
		}
	}
}

// A refusal of options advises nothing that is refused, too.
func TestRefusalsOfGeneralaAdviseWhatGoes(t *testing.T) {
	w, err := words.New(sets.Generala().Words())
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		rules        games.Rules
		want, german string
	}{
		{games.Rules{"served": "wins", "point": "1"},
			"“they win the match” (served) goes only with a pool, where a point has no worth: take the point away, " +
				"or choose something else there.",
			"„sie gewinnen die Partie“ (auf Anhieb) geht nur mit einem Topf, und da ist ein Punkt nichts wert: " +
				"nimm den Punktwert weg, oder wähle dort etwas anderes."},
		{games.Rules{"settle": "pool", "point": "1"},
			"A point has a worth only where differences are settled: choose settle=difference, or take the point away.",
			"Ein Punkt ist nur etwas wert, wo Differenzen abgerechnet werden: wähle settle=difference, oder " +
				"nimm den Punktwert weg."},
	} {
		_, err := sets.Generala().Check(c.rules)
		refusal, ok := errors.AsType[*games.Refusal](err)
		if !ok {
			t.Errorf("%v: %v", c.rules, err)
			continue
		}
		for lang, want := range map[string]string{"en": c.want, "de": c.german} {
			if got := w.Say(lang, refusal.Line, words.Context{}); got != want {
				t.Errorf("%v: %s", c.rules, got)
			}
		}
	}
}
