package discordtest_test

import (
	"net/http"
	"strings"
	"testing"

	"knobel/bot/discord/discordtest"
)

// selects is a message with a select of these options, with further fields, and what stands beside it.
func selects(options, more, beside string) string {
	return `{"flags":32768,` + nobody + `,"components":[{"type":1,"components":[{"type":3,"custom_id":"s","options":[` +
		options + `]` + more + `}` + beside + `]}]}`
}

func TestSelectsThatDiscordRefuses(t *testing.T) {
	const a, b = `{"label":"A","value":"a"}`, `{"label":"B","value":"b","default":true}`
	for name, c := range map[string]struct{ body, why string }{
		"as it is meant":   {selects(a+","+b, `,"placeholder":"Which?","min_values":0,"max_values":2`, ""), ""},
		"25 options":       {selects(many(25, `{"label":"x","value":"%d"}`), "", ""), ""},
		"no option":        {selects("", "", ""), "Invalid"},
		"26 options":       {selects(many(26, `{"label":"x","value":"%d"}`), "", ""), "Invalid"},
		"a value twice":    {selects(a+","+a, "", ""), "twice"},
		"no value":         {selects(`{"label":"A"}`, "", ""), "Invalid"},
		"an empty label":   {selects(`{"label":"","value":"a"}`, "", ""), "Invalid"},
		"a blank label":    {selects(`{"label":" ","value":"a"}`, "", ""), "without letters"},
		"a long label":     {selects(`{"label":"`+strings.Repeat("x", 101)+`","value":"a"}`, "", ""), "Invalid"},
		"a long value":     {selects(`{"label":"A","value":"`+strings.Repeat("x", 101)+`"}`, "", ""), "Invalid"},
		"much to hold it":  {selects(a, `,"placeholder":"`+strings.Repeat("x", 151)+`"`, ""), "Invalid"},
		"two defaults":     {selects(b+`,{"label":"C","value":"c","default":true}`, "", ""), "2 defaults"},
		"more than it has": {selects(a, `,"max_values":2`, ""), "1 to 2 of 1"},
		"more than most":   {selects(a+","+b, `,"min_values":2`, ""), "2 to 1 of 2"},
		"beside a button":  {selects(a, "", ","+button("b", "B")), "beside something"},
		"outside a row": {`{"flags":32768,` + nobody + `,"components":[{"type":3,"custom_id":"s","options":[` + a +
			`]}]}`, "Invalid"},
		"an unknown field": {selects(a, `,"colour":1`, ""), "colour"},
		"a button's name": {`{"flags":32768,` + nobody + `,"components":[` + row("s", 1) + `,` +
			`{"type":1,"components":[{"type":3,"custom_id":"s0","options":[` + a + `]}]}]}`, "twice"},
	} {
		t.Run(name, func(t *testing.T) {
			s := discordtest.Start(t, discordtest.Options{})
			hall := s.Guild("The Dice").Channel("table")
			status, said := ask(t, s, "POST", "/channels/"+hall.ID+"/messages", c.body)
			violations := s.Forgive()
			if c.why == "" {
				if status != http.StatusOK || len(violations) > 0 {
					t.Errorf("%d: %s %v", status, said, violations)
				}
				return
			}
			if status != http.StatusBadRequest || !strings.Contains(said, c.why) || len(violations) != 1 {
				t.Errorf("%d: %s %v, want %s", status, said, violations, c.why)
			}
		})
	}
}

// What a menu does not offer no client sends.
func TestWhatASelectDoesNotOfferIsNotChosen(t *testing.T) {
	s := discordtest.Start(t, discordtest.Options{})
	anna, hall := s.Person("Anna", "de"), s.Guild("The Dice").Channel("table")
	ask(t, s, "POST", "/channels/"+hall.ID+"/messages", selects(many(3, `{"label":"x","value":"%d"}`), "", ""))
	m, _ := hall.Last()
	for _, c := range []struct {
		of     string
		values []string
		wrong  int
	}{
		{"s", []string{"2"}, 0}, {"s", []string{"3"}, 1}, {"t", []string{"1"}, 1}, {"s", nil, 1},
		{"s", []string{"1", "2"}, 1},
	} {
		hall.Pick(anna, m.ID, c.of, c.values...)
		if all := s.Forgive(); len(all) != c.wrong {
			t.Errorf("%v of %s: %v", c.values, c.of, all)
		}
	}
}
