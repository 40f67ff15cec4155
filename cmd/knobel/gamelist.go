package main

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"knobel/bot/words"
	"knobel/cmd/wiring"
	"knobel/games"
)

// The served games, and their titles.

// gameList holds the changes to the served games. Records, the database and the command line use all games by their own
// names. Variants with commands of their own count as games.
type gameList struct {
	without []string          // the names of games that are left out
	titles  map[string]string // by the names of the games
}

// gameNames returns the names of games, each before its variants that have commands of their own.
func gameNames(all []games.Game) (names []string) {
	for _, g := range all {
		names = append(names, g.Name())
		for _, v := range g.Variants() {
			if v.Command {
				names = append(names, v.Name)
			}
		}
	}
	return names
}

// maxTitle is the largest number of characters of a title.
const maxTitle = 32

// readGames reads a comma-separated list of changes: -NAME leaves a game out, NAME=TITLE renames it.
func readGames(said string) (list gameList, err error) {
	list.titles = map[string]string{}
	known := gameNames(played())
	var changed []string
	for part := range strings.SplitSeq(said, ",") {
		if part = strings.TrimSpace(part); part == "" {
			continue
		}
		name, title, renames := strings.Cut(part, "=")
		name, leaves := strings.CutPrefix(name, "-")
		name, title = strings.TrimSpace(name), strings.TrimSpace(title)
		switch {
		case leaves == renames:
			return list, fmt.Errorf("games %q: give -NAME to leave a game out, or NAME=TITLE to rename it", part)
		case !slices.Contains(known, name):
			return list, fmt.Errorf("games %q: no game is called %q; %s", part, name, instead(name, known, "", ""))
		case slices.Contains(changed, name):
			return list, fmt.Errorf("games %q: %s is changed twice", part, name)
		case renames:
			if err := checkTitle(title); err != nil {
				return list, fmt.Errorf("games %q: %w", part, err)
			}
			list.titles[name] = title
		default:
			list.without = append(list.without, name)
		}
		changed = append(changed, name)
	}
	for _, g := range played() { // a title that is the command of a variant: only the game then has that name
		for _, v := range g.Variants() {
			if v.Command && slug(list.titles[g.Name()]) == v.Name && !slices.Contains(changed, v.Name) {
				list.without = append(list.without, v.Name)
			}
		}
	}
	if len(list.of(played())) == 0 {
		return list, errors.New("games: none is left to play")
	}
	return list, nil
}

// checkTitle returns an error for an unusable title.
func checkTitle(title string) error {
	odd := func(r rune) bool {
		return !unicode.In(r, unicode.L, unicode.M, unicode.N) && !strings.ContainsRune(" -'’.&+", r)
	}
	switch n := utf8.RuneCountInString(title); {
	case n == 0 || n > maxTitle:
		return fmt.Errorf("a title has 1 to %d characters", maxTitle)
	case strings.ContainsFunc(title, odd):
		return errors.New("a title is of letters, digits, spaces, and - ' . & +")
	case slug(title) == "":
		return errors.New("a title needs letters from which a command can be made")
	case len(slug(title)) > maxTitle:
		return fmt.Errorf("its command would be /%s, which has more than %d characters", slug(title), maxTitle)
	}
	return nil
}

// folded spells letters that Unicode does not decompose.
var folded = strings.NewReplacer("ä", "ae", "ö", "oe", "ü", "ue", "ß", "ss", "æ", "ae", "ø", "o", "œ", "oe", "ł", "l",
	"đ", "d", "ð", "d", "þ", "th", "ı", "i")

// slug returns a title as the name of a command: a-z, 0-9 and hyphens.
func slug(title string) string {
	var all strings.Builder
	for _, r := range norm.NFKD.String(folded.Replace(strings.ToLower(norm.NFC.String(title)))) {
		switch {
		case 'a' <= r && r <= 'z' || '0' <= r && r <= '9':
			all.WriteRune(r)
		case !unicode.Is(unicode.Mn, r) && !strings.ContainsRune("'’", r):
			all.WriteByte('-')
		}
	}
	return strings.Join(strings.FieldsFunc(all.String(), func(r rune) bool { return r == '-' }), "-")
}

// of returns the games that are served, without variants that are left out.
func (l gameList) of(all []games.Game) []games.Game {
	all = slices.DeleteFunc(all, func(g games.Game) bool { return slices.Contains(l.without, g.Name()) })
	for i, g := range all {
		if varied, ok := g.(games.Varied); ok {
			all[i] = varied.Without(l.without)
		}
	}
	return all
}

// say puts the titles into sentences.
func (l gameList) say(said *words.Words) error {
	for _, g := range played() {
		var all []words.Title
		for _, name := range gameNames([]games.Game{g}) {
			title, renamed := l.titles[name]
			if !renamed {
				continue
			}
			key := g.Name() + ".name"
			if name != g.Name() {
				key = g.Name() + ".variant." + name + ".name"
			}
			all = append(all, words.Title{Key: key, Title: title, Was: name, Command: slug(title)})
		}
		if len(all) == 0 {
			continue
		}
		if err := said.Entitle(g.Name(), all); err != nil {
			return err
		}
	}
	return nil
}

// fits returns an error if a title's command is another command, too.
func (l gameList) fits(b *wiring.Bot) error {
	for _, name := range slices.Sorted(maps.Keys(l.titles)) {
		for _, c := range b.AllCommands {
			own := c.Game != nil && (c.Variant == name || c.Variant == "" && c.Game.Name() == name)
			if called := slug(l.titles[name]); !own && (c.Name == called || slices.Contains(c.Aliases, called)) {
				return fmt.Errorf("games %q: /%s is another command already; take another title",
					name+"="+l.titles[name], called)
			}
		}
	}
	return nil
}
