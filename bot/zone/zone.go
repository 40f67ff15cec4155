// Package zone finds time zones by cities, as people write them.
package zone

import (
	"strings"
	"time"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// areas are the continents and oceans by which the cities of time zones are listed.
var areas = [...]string{"Europe", "America", "Asia", "Africa", "Australia", "Pacific", "Atlantic", "Indian",
	"Antarctica"}

// longest is the largest number of bytes of a name that is looked up.
const longest = 64

// Find returns the name of the time zone that people mean by a name or a city, in any letters, with or without
// accents, in English or German: "europe/berlin", "new york", "São Paulo", "Köln". It reports whether there is one.
func Find(said string) (name string, ok bool) {
	said = strings.Join(strings.Fields(strings.Trim(strings.TrimSpace(said), `"'“”„‚‘’`)), "_")
	if len(said) > longest {
		return "", false
	}
	said = plain(said)
	small := strings.ToLower(said)
	if area, city, whole := strings.Cut(small, "/"); !whole {
		if known := cities[small]; known != "" {
			said = known
		}
	} else if known := cities[city]; known != "" && strings.HasPrefix(strings.ToLower(known), area+"/") {
		said = known
	}
	if base, _, _ := strings.Cut(small, "/"); small == "" || files[base] {
		return "", false
	}
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

// Label returns how people write the name of a time zone: "America/São Paulo".
func Label(name string) string { return accents.Replace(strings.ReplaceAll(name, "_", " ")) }

var accents = strings.NewReplacer("Araguaina", "Araguaína", "Asuncion", "Asunción", "Belem", "Belém",
	"Bogota", "Bogotá", "Cancun", "Cancún", "Cordoba", "Córdoba", "Cuiaba", "Cuiabá", "Curacao", "Curaçao",
	"Eirunepe", "Eirunepé", "Maceio", "Maceió", "Mazatlan", "Mazatlán", "Merida", "Mérida", "Noumea", "Nouméa",
	"Reunion", "Réunion", "Santarem", "Santarém", "Sao Paulo", "São Paulo", "Sao Tome", "São Tomé",
	"Tucuman", "Tucumán")

// files are names in a database of time zones that are no places.
var files = map[string]bool{"factory": true, "local": true, "localtime": true, "posix": true, "posixrules": true,
	"right": true, "systemv": true}

// plain returns a name in the letters of a database of time zones: without accents and dots.
func plain(said string) string {
	said = strings.NewReplacer("ß", "ss", "ẞ", "SS", "ø", "o", "Ø", "O", "ł", "l", "Ł", "L", "æ", "ae", "Æ", "AE",
		".", "", "’", "", "'", "").Replace(said)
	return strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) {
			return -1
		}
		return r
	}, norm.NFD.String(said))
}

// capitals spells a name with a capital at the beginning of each word, but, where they are small, of a few in the
// middle of names: "Port_of_Spain".
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

// cities are places that have no time zone of their own, and those that German calls otherwise: the zone of each, by
// its plain name in small letters.
var cities = func() map[string]string {
	all := map[string]string{}
	for zone, names := range map[string]string{
		"Europe/Berlin": "munich munchen muenchen cologne koln koeln hamburg frankfurt frankfurt_am_main stuttgart " +
			"dusseldorf duesseldorf leipzig dortmund essen bremen dresden hanover hannover nuremberg nurnberg " +
			"nuernberg bonn mannheim karlsruhe freiburg kiel mainz munster muenster aachen augsburg bielefeld " +
			"potsdam erfurt",
		"Europe/Vienna":       "wien graz linz salzburg innsbruck",
		"Europe/Zurich":       "zuerich bern basel genf geneva geneve lausanne luzern",
		"Europe/Copenhagen":   "kopenhagen",
		"Europe/Rome":         "rom mailand milan milano venedig venice neapel naples florenz florence turin roma",
		"Europe/Prague":       "prag praha",
		"Europe/Warsaw":       "warschau krakau krakow danzig gdansk warszawa",
		"Europe/Brussels":     "brussel bruessel antwerpen antwerp",
		"Europe/Amsterdam":    "rotterdam den_haag the_hague",
		"Europe/Luxembourg":   "luxemburg",
		"Europe/Lisbon":       "lissabon lisboa porto",
		"Europe/Madrid":       "barcelona sevilla valencia",
		"Europe/Paris":        "lyon marseille strassburg strasbourg nizza",
		"Europe/Athens":       "athen",
		"Europe/Moscow":       "moskau sankt_petersburg st_petersburg saint_petersburg",
		"Europe/Kiev":         "kiew kyiv kyjiw",
		"Europe/Bucharest":    "bukarest",
		"Europe/Belgrade":     "belgrad",
		"Europe/London":       "manchester birmingham liverpool edinburgh glasgow oxford cambridge",
		"Europe/Stockholm":    "goteborg gothenburg",
		"Asia/Tokyo":          "tokio osaka kyoto",
		"Asia/Shanghai":       "peking beijing",
		"Asia/Hong_Kong":      "hongkong",
		"Asia/Singapore":      "singapur",
		"Asia/Kolkata":        "neu-delhi new_delhi delhi mumbai bangalore kalkutta",
		"Asia/Tehran":         "teheran",
		"Asia/Baghdad":        "bagdad",
		"Asia/Damascus":       "damaskus",
		"Asia/Kathmandu":      "kathmandu",
		"Africa/Cairo":        "kairo",
		"Africa/Johannesburg": "kapstadt cape_town",
		"America/Havana":      "havanna",
		"America/Mexico_City": "mexiko-stadt mexico",
		"America/Sao_Paulo":   "rio_de_janeiro rio",
		"America/New_York":    "washington boston miami philadelphia atlanta nyc",
		"America/Chicago":     "houston dallas austin",
		"America/Los_Angeles": "san_francisco seattle las_vegas san_diego",
		"America/Toronto":     "ottawa",
	} {
		for name := range strings.FieldsSeq(names) {
			all[name] = zone
		}
	}
	return all
}()
