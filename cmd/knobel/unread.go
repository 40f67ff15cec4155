package main

import (
	"slices"
	"strings"
)

// noting returns a world that notes which variables are read, and a function that returns the set
// variables with the program's prefix that were not: a misspelt one would otherwise be ignored
// silently.
func noting(w world) (world, func() []string) {
	asked, getenv := map[string]bool{}, w.getenv
	w.getenv = func(name string) string {
		asked[name] = true
		return getenv(name)
	}
	return w, func() (unread []string) {
		for _, set := range w.environ {
			name, value, _ := strings.Cut(set, "=")
			if strings.HasPrefix(name, "KNOBEL_") && value != "" && !asked[name] {
				unread = append(unread, name)
			}
		}
		slices.Sort(unread)
		return unread
	}
}

// vain returns sentences about settings without effect: nothing reads them, or their platform is not configured.
func (s *settings) vain() (all []string) {
	for _, name := range s.unread {
		all = append(all, name+" is set, and nothing reads it: is it misspelt?")
	}
	for _, e := range entries() {
		on := e.settings[0]
		for _, t := range e.settings[1:] {
			if on.holds == token && t.holds == plain && s.value(on.env) == "" && s.value(t.env) != "" {
				all = append(all, t.flag()+" is set, and does nothing without "+on.env)
			}
		}
	}
	return all
}
