package zone

import (
	"strings"
	"testing"
	"time"
)

func TestFind(t *testing.T) {
	for said, want := range map[string]string{
		"Berlin": "Europe/Berlin", "europe/berlin": "Europe/Berlin", "UTC": "UTC", "utc": "UTC",
		"Etc/GMT+5": "Etc/GMT+5",
		"New York":  "America/New_York", `"new  york"`: "America/New_York", "new_york": "America/New_York",
		"Los Angeles": "America/Los_Angeles", "São Paulo": "America/Sao_Paulo", "Sa\u0303o Paulo": "America/Sao_Paulo",
		"Buenos Aires": "America/Buenos_Aires", "Ho Chi Minh": "Asia/Ho_Chi_Minh", "Bogotá": "America/Bogota",
		"Wien": "Europe/Vienna", "Zürich": "Europe/Zurich", "München": "Europe/Berlin", "muenchen": "Europe/Berlin",
		"KÖLN": "Europe/Berlin", "Europe/Wien": "Europe/Vienna", "St. Petersburg": "Europe/Moscow",
		"Port-au-Prince": "America/Port-au-Prince",
		"Port of Spain":  "America/Port_of_Spain",
		"Dar es Salaam":  "Africa/Dar_es_Salaam", "Tokio": "Asia/Tokyo", "Kiew": "Europe/Kiev",
		"Argentina/Buenos Aires": "America/Argentina/Buenos_Aires",
		"posixrules":             "", "localtime": "", "Local": "", "Factory": "", "posix/Europe/Berlin": "",
		"right/UTC": "",
		"Neu Delhi": "Asia/Kolkata", "mexiko stadt": "America/Mexico_City", "Washington, D.C.": "America/New_York",
		"Hồ Chí Minh": "Asia/Ho_Chi_Minh", "port au prince": "America/Port-au-Prince",
		"Nukuʻalofa":     "Pacific/Tongatapu",
		"Europe/Luebeck": "Europe/Berlin", "europe / berlin": "Europe/Berlin", "Asia/Berlin": "",
		"Europe/../Berlin": "", "Europe//Berlin": "", "Europe/./Berlin": "", "Europe/Berlin/": "", "/Berlin": "",
		"Europe/'/Berlin": "",
		"zone.tab":        "", "../UTC": "", "Atlantis": "", "": "", " ": "",
	} {
		if got, ok := Find(said); got != want || ok != (want != "") {
			t.Errorf("%q is %q, %v, want %q", said, got, ok, want)
		}
	}
}

// TestCities finds all names of cities.txt in several spellings.
func TestCities(t *testing.T) {
	zone, named := "", map[string]string{}
	for line := range strings.Lines(table) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		if name, rest, found := strings.Cut(line, ":"); found {
			zone, line = name, rest
			if _, err := time.LoadLocation(zone); err != nil {
				t.Error(err)
			}
		}
		for _, city := range strings.FieldsFunc(line, func(r rune) bool { return r == ',' || r == '\n' }) {
			city = strings.TrimSpace(city)
			if before := named[city]; before != "" {
				t.Errorf("%s is of %s and of %s", city, before, zone)
			}
			named[city] = zone
			area, _, _ := strings.Cut(zone, "/")
			for _, said := range []string{city, strings.ToUpper(city), strings.ReplaceAll(city, " ", "-"),
				strings.ReplaceAll(city, "-", " "), umlauts.Replace(city), plain(city), area + "/" + city} {
				if got, _ := Find(said); got != zone {
					t.Errorf("%q is %q, want %q", said, got, zone)
				}
			}
		}
	}
	if len(named) < 1400 {
		t.Errorf("only %d names were read", len(named))
	}
}

func TestLabelIsFound(t *testing.T) {
	for name, want := range map[string]string{
		"America/Sao_Paulo": "America/São Paulo", "America/New_York": "America/New York",
		"Europe/Berlin": "Europe/Berlin", "America/Bogota": "America/Bogotá", "Africa/Sao_Tome": "Africa/São Tomé",
	} {
		if got := Label(name); got != want {
			t.Errorf("%s is called %s, want %s", name, got, want)
		}
		if found, _ := Find(want); found != name {
			t.Errorf("%s is %s, want %s", want, found, name)
		}
	}
}
