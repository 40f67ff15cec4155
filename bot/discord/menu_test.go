package discord

import (
	"encoding/json"
	"strings"
	"testing"

	"knobel/bot/chat"
	"knobel/bot/discord/discordtest"
)

func someLanguages() []chat.Language {
	return []chat.Language{{Code: "en", Locales: []string{"en-US", "en-GB"}},
		{Code: "de", Locales: []string{"de", "tlh"}}}
}

func someCommands() []chat.Command {
	label := func(text string) map[string]string { return map[string]string{"en": text, "de": text + " (de)"} }
	many := chat.CommandOption{Name: "variant", Type: chat.TypeChoice, Completes: true, About: label("Which one")}
	for _, name := range strings.Split("abcdefghijklmnopqrstuvwxyz", "") {
		many.Choices = append(many.Choices, chat.CommandChoice{Value: name, Label: label(name)})
	}
	return []chat.Command{
		{Name: "shutbox", About: label("Open a table"), Options: []chat.CommandOption{
			{Name: "stake", About: label("For how much"), Type: chat.TypeAmount, Min: 0, Max: 1000000},
			{Name: "one-die", Type: chat.TypeChoice, About: label("One die"),
				Choices: []chat.CommandChoice{{Value: "never", Label: label("Never")}, {Value: "x", Label: nil}}},
			{Name: "tiles", Type: chat.TypeWord, About: label("Tiles"), Completes: true,
				Choices: []chat.CommandChoice{{Value: "9", Label: label("nine")}}},
			{Name: "word", Type: chat.TypeText},
			many,
		}},
		{Name: "help", About: label(strings.Repeat("long ", 40))},
	}
}

func TestMenu(t *testing.T) {
	all := newLocales(someLanguages()).menu(someCommands())
	options := all[0].Options
	if *options[0].Least != 0 || *options[0].Most != 1000000 || options[0].Type != kindInteger {
		t.Errorf("a whole number: %+v", options[0])
	}
	if len(options[1].Choices) != 2 || options[1].Choices[1].Name != "x" ||
		options[1].Choices[0].Names["de"] != "Never (de)" || options[1].Choices[0].Names["en-GB"] != "Never" {
		t.Errorf("choices: %+v", options[1])
	}
	if !options[2].Complete || options[3].Complete || options[3].About != "word" || !options[4].Complete ||
		options[4].Choices != nil {
		t.Errorf("completion: %+v", options[2:])
	}
	if size(all[1].About) > maxAbout {
		t.Errorf("a description of %d characters", size(all[1].About))
	}
}

// Commands are written once, and again only when they differ.
func TestRegistration(t *testing.T) {
	t.Parallel()
	s := rehearse(t, discordtest.Options{}, &script{commands: someCommands(), handle: says(chat.Reply{})})
	s.until("the commands are written", func() bool { return s.server.Registered() == 1 })
	again := func(writes int) {
		t.Helper()
		asked := len(s.server.Requests("GET /applications"))
		s.stop()
		s.play()
		s.until("the commands are looked at", func() bool {
			return len(s.server.Requests("GET /applications")) > asked
		})
		if writes > 0 {
			s.until("they are written", func() bool { return s.server.Registered() >= writes })
		}
		s.stop()
		if n := s.server.Registered(); n != max(writes, 1) && writes >= 0 {
			t.Errorf("written %d times, want %d", n, writes)
		}
	}
	again(1)
	// What Discord may add or turn round means nothing.
	var list []map[string]any
	if err := json.Unmarshal(s.server.Commands(), &list); err != nil {
		t.Fatal(err)
	}
	list[0], list[1] = list[1], list[0]
	for _, c := range list {
		c["guild_id"], c["handler"], c["nsfw"], c["default_member_permissions"] = nil, nil, false, nil
		c["name_localizations"], c["default_permission"], c["dm_permission"] = nil, true, true
		c["contexts"] = []int{1, 0}
		if c["options"] == nil {
			c["options"] = []any{}
		}
	}
	option := list[1]["options"].([]any)[0].(map[string]any)
	option["required"], option["autocomplete"], option["name_localizations"], option["choices"] = false, false, nil, nil
	option["min_value"] = 0.0
	raw, _ := json.Marshal(list)
	raw = []byte(strings.Replace(string(raw), `"max_value":1000000`, `"max_value":1000000.0`, 1))
	s.server.SetCommands(raw)
	again(1)
	// Another description is another menu; so is what somebody else has written.
	s.server.SetCommands([]byte(strings.Replace(string(raw), "For how much", "How much", 1)))
	again(2)
	s.server.SetCommands([]byte(`[{"id":"1","name":"other","type":1,"description":"x","options":[{"type":4,"name":"n","description":"n","choices":[{"name":"one","value":1}]}]}]`))
	again(3)
	s.server.SetCommands([]byte(`[]`))
	again(4)
}

func TestRegistrationInBadWeather(t *testing.T) {
	t.Parallel()
	s := rehearse(t, discordtest.Options{}, &script{handle: says(chat.Reply{Toast: "Noted."})})
	s.stop()
	s.core.commands = someCommands()
	s.server.Fail(
		discordtest.Fault{On: "GET /applications", Status: 502, HTML: true},
		discordtest.Fault{On: "PUT /applications", Status: 429, RetryAfter: 0.2},
	)
	s.play()
	s.until("the bot listens", s.server.Listening)
	s.hears() // it does not wait for the menu
	s.until("the commands are written", func() bool { return s.server.Registered() == 1 })
}

// A set that is refused is not written again and again.
func TestRegistrationIsRefused(t *testing.T) {
	t.Parallel()
	s := rehearse(t, discordtest.Options{}, &script{handle: says(chat.Reply{Toast: "Noted."})})
	s.stop()
	s.core.commands = someCommands()
	s.server.Fail(discordtest.Fault{On: "PUT /applications", Status: 400, Code: 50035, Message: "Invalid Form Body"})
	s.play()
	s.logs("the commands could not be written")
	s.until("the bot listens", s.server.Listening)
	s.hears()
	if n := len(s.server.Requests("PUT /applications")); n != 1 {
		t.Errorf("written %d times", n)
	}
}
