// Package zone finds time zones by the names of cities, as people type them.
package zone

import (
	_ "embed" // the cities
	"strings"
	"sync"
	"time"
	"unicode"

	"knobel/bot/chat"
)

// longest is the greatest length, in bytes, of a text that Find looks up.
const longest = 64

// Find returns the name of a time zone. typed is what a person has typed: the zone's name or a city in the zone, in any
// case, with or without accents, in English or German: "europe/berlin", "new york", "São Paulo", "Köln". ok is false if
// there is no such zone.
func Find(typed string) (name string, ok bool) {
	typed = strings.Trim(strings.TrimSpace(typed), `"'“”„‚‘’`)
	if len(typed) > longest {
		return "", false
	}
	parts := strings.Split(plain(typed), "/")
	for i, part := range parts {
		parts[i] = strings.Join(strings.Fields(strings.ReplaceAll(part, "_", " ")), "_")
		if parts[i] == "" {
			return "", false
		}
	}
	typed = strings.Join(parts, "/")
	if strings.ContainsAny(typed, "0123456789") { // "Etc/GMT+5", which is in no table
		for _, name := range []string{typed, strings.ToUpper(typed)} {
			if zone, err := time.LoadLocation(name); err == nil {
				return zone.String(), true
			}
		}
		return "", false
	}
	known := cities()[key(parts[len(parts)-1])]
	if area, _, _ := strings.Cut(known, "/"); len(parts) != 2 || !strings.EqualFold(area, parts[0]) {
		known = cities()[keyOf(parts)]
	}
	return known, known != ""
}

// Label returns the name of a time zone as people write it: "America/São Paulo" for "America/Sao_Paulo".
func Label(name string) string { return accents.Replace(strings.ReplaceAll(name, "_", " ")) }

// accents restores the accents of cities: the names of time zones are written without accents.
var accents = strings.NewReplacer("Araguaina", "Araguaína", "Asuncion", "Asunción", "Belem", "Belém",
	"Bogota", "Bogotá", "Cancun", "Cancún", "Cordoba", "Córdoba", "Cuiaba", "Cuiabá", "Curacao", "Curaçao",
	"Eirunepe", "Eirunepé", "Maceio", "Maceió", "Mazatlan", "Mazatlán", "Merida", "Mérida", "Noumea", "Nouméa",
	"Reunion", "Réunion", "Santarem", "Santarém", "Sao Paulo", "São Paulo", "Sao Tome", "São Tomé",
	"Tucuman", "Tucumán")

// letters replaces letters that names in the time zone database do not have, and removes dots and apostrophes.
var letters = strings.NewReplacer("ß", "ss", "ẞ", "SS", "ø", "o", "Ø", "O", "ł", "l", "Ł", "L", "æ", "ae", "Æ", "AE",
	"ı", "i", ".", "", "’", "", "'", "")

// plain returns a name as the time zone database writes it: without accents, dots and apostrophes.
func plain(name string) string { return letters.Replace(chat.Unaccented(name)) } // Unaccented can make dots

//go:embed cities.txt
var table string

// cities maps keys, as key and keyOf make them, to names of time zones. There is a key for each city in cities.txt, and
// two for each zone's name, with the area and without: "america/saopaulo" and "saopaulo".
var cities = sync.OnceValue(func() map[string]string {
	all := map[string]string{}
	zone := ""
	for line := range strings.Lines(table) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		if name, rest, found := strings.Cut(line, ":"); found {
			zone, line = name, rest
			for parts := strings.Split(name, "/"); len(parts) > 0; parts = parts[1:] {
				if all[keyOf(parts)] == "" {
					all[keyOf(parts)] = zone
				}
			}
		}
		for city := range strings.SplitSeq(line, ",") {
			if city = strings.TrimSpace(city); city != "" {
				all[key(city)], all[key(umlauts.Replace(city))] = zone, zone
			}
		}
	}
	return all
})

// umlauts replaces each umlaut by two letters: "Muenchen".
var umlauts = strings.NewReplacer("ä", "ae", "ö", "oe", "ü", "ue", "Ä", "Ae", "Ö", "Oe", "Ü", "Ue")

// key returns only the letters of a name, in lower case and without accents: "portauprince" for "Port-au-Prince".
func key(name string) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsLetter(r) || unicode.Is(unicode.Lm, r) {
			return -1
		}
		return unicode.ToLower(r)
	}, plain(name))
}

// keyOf returns the keys of the parts of a name, joined by slashes: "america/portauprince".
func keyOf(parts []string) string {
	keys := make([]string, len(parts))
	for i, part := range parts {
		keys[i] = key(part)
	}
	return strings.Join(keys, "/")
}
