// Package zone finds time zones by cities, as people write them.
package zone

import (
	_ "embed" // the cities
	"strings"
	"sync"
	"time"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// areas are the prefixes of time zones' names: continents and oceans.
var areas = [...]string{"Europe", "America", "Asia", "Africa", "Australia", "Pacific", "Atlantic", "Indian",
	"Antarctica"}

// longest is the most bytes of a name that is looked up.
const longest = 64

// Find returns the time zone of a name or a city, in any case, with or without accents, in English or German:
// "europe/berlin", "new york", "São Paulo", "Köln". It reports whether there is one.
func Find(said string) (name string, ok bool) {
	said = strings.Trim(strings.TrimSpace(said), `"'“”„‚‘’`)
	if len(said) > longest {
		return "", false
	}
	parts := strings.Split(plain(said), "/")
	for i, part := range parts {
		parts[i] = strings.Join(strings.FieldsFunc(part, between), "_")
		if parts[i] == "" {
			return "", false
		}
	}
	if files[strings.ToLower(parts[0])] {
		return "", false
	}
	if known := cities()[key(parts[len(parts)-1])]; known != "" && len(parts) <= 2 {
		if area, _, _ := strings.Cut(known, "/"); len(parts) == 1 || strings.EqualFold(area, parts[0]) {
			return known, true
		}
	}
	said = strings.Join(parts, "/")
	names := []string{said, strings.ToUpper(said)}
	for _, spelled := range []string{capitals(said, false), capitals(said, true)} {
		names = append(names, spelled)
		for _, area := range areas {
			names = append(names, area+"/"+spelled)
		}
	}
	for _, name := range names {
		if zone, err := time.LoadLocation(name); err == nil {
			return zone.String(), true
		}
	}
	return "", false
}

// between reports whether a character separates words.
func between(r rune) bool { return r == '_' || unicode.IsSpace(r) }

// Label returns a time zone's name for people: "America/São Paulo".
func Label(name string) string { return accents.Replace(strings.ReplaceAll(name, "_", " ")) }

var accents = strings.NewReplacer("Araguaina", "Araguaína", "Asuncion", "Asunción", "Belem", "Belém",
	"Bogota", "Bogotá", "Cancun", "Cancún", "Cordoba", "Córdoba", "Cuiaba", "Cuiabá", "Curacao", "Curaçao",
	"Eirunepe", "Eirunepé", "Maceio", "Maceió", "Mazatlan", "Mazatlán", "Merida", "Mérida", "Noumea", "Nouméa",
	"Reunion", "Réunion", "Santarem", "Santarém", "Sao Paulo", "São Paulo", "Sao Tome", "São Tomé",
	"Tucuman", "Tucumán")

// files are names in a time zone database that are not places.
var files = map[string]bool{"factory": true, "local": true, "localtime": true, "posix": true, "posixrules": true,
	"right": true, "systemv": true}

// plain returns a name in the database's letters: without accents and dots.
func plain(said string) string {
	said = strings.NewReplacer("ß", "ss", "ẞ", "SS", "ø", "o", "Ø", "O", "ł", "l", "Ł", "L", "æ", "ae", "Æ", "AE",
		"ı", "i", ".", "", "’", "", "'", "").Replace(said)
	return strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) {
			return -1
		}
		return r
	}, norm.NFD.String(said))
}

// capitals capitalizes each word of a name, except a few in the middle if small is set: "Port_of_Spain".
func capitals(name string, small bool) string {
	words := strings.FieldsFunc(strings.ToLower(name), func(r rune) bool { return !unicode.IsLetter(r) })
	var b strings.Builder
	rest := strings.ToLower(name)
	for _, word := range words {
		at := strings.Index(rest, word)
		b.WriteString(rest[:at])
		rest = rest[at+len(word):]
		if small && (word == "of" || word == "au" || word == "es") {
			b.WriteString(word)
			continue
		}
		first := []rune(word)
		b.WriteString(strings.ToUpper(string(first[:1])) + string(first[1:]))
	}
	return b.String() + rest
}

//go:embed cities.txt
var table string

// cities maps the keys of the cities in cities.txt to their zones.
var cities = sync.OnceValue(func() map[string]string {
	all := map[string]string{}
	zone := ""
	for line := range strings.Lines(table) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		if name, rest, found := strings.Cut(line, ":"); found {
			zone, line = name, rest
		}
		for city := range strings.SplitSeq(line, ",") {
			if city = strings.TrimSpace(city); city != "" {
				all[key(city)], all[key(umlauts.Replace(city))] = zone, zone
			}
		}
	}
	return all
})

// umlauts replaces umlauts: "Muenchen".
var umlauts = strings.NewReplacer("ä", "ae", "ö", "oe", "ü", "ue", "Ä", "Ae", "Ö", "Oe", "Ü", "Ue")

// key returns the letters of a name in lower case without separators: "portauprince".
func key(name string) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsLetter(r) || unicode.Is(unicode.Lm, r) {
			return -1
		}
		return unicode.ToLower(r)
	}, plain(name))
}
