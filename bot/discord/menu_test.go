package discord

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/bwmarrin/discordgo"

	"knobel/bot/chat"
	"knobel/bot/chat/plain"
	"knobel/bot/discord/discordtest"
)

// someLanguages returns the languages of the test core.
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
			{Name: "stake", About: label("For how much"), Called: map[string]string{"de": "der einsatz"},
				Type: chat.TypeAmount, Min: 0, Max: 1000000},
			{Name: "one-die", Type: chat.TypeChoice, About: label("One die"),
				Choices: []chat.CommandChoice{{Value: "never", Label: label("Never")}, {Value: "x", Label: nil}}},
			{Name: "tiles", Type: chat.TypeWord, About: label("Tiles"), Completes: true,
				Choices: []chat.CommandChoice{{Value: "9", Label: label("nine")}}},
			{Name: "word", Type: chat.TypeText},
			many,
		}},
		{Name: "help", About: label(strings.Repeat("long ", 40)), Called: map[string]string{"de": "hausregeln"}},
		{Name: "house", About: label("House"), Admins: true, Called: map[string]string{"de": "hausregeln"},
			Rows: []chat.Command{{Name: "list", About: label("List"), Called: map[string]string{"de": "liste"}},
				{Name: "drop", About: label("Drop"), Options: []chat.CommandOption{{Name: "name", Type: chat.TypeText,
					About: label("Its name"), Required: true, Called: map[string]string{"de": "name-davon"}}}}}},
	}
}

func TestMenu(t *testing.T) {
	all := newLocales(someLanguages()).menu(someCommands(), false)
	options := all[0].Options
	if *options[0].Least != 0 || *options[0].Most != 1000000 ||
		options[0].Type != discordgo.ApplicationCommandOptionInteger {
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
	if n := plain.Wide(all[1].About, utf16Width); n > maxAbout {
		t.Errorf("a description of %d characters", n)
	}
}

// TestRegistration checks that the commands are registered once, and again only if they differ.
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
			return len(s.server.Requests("GET /applications")) > asked+1 // it asks for its identity, too
		})
		s.stop() // after the bot has handled all responses
		if n := s.server.Registered(); n != writes {
			t.Errorf("written %d times, want %d", n, writes)
		}
	}
	again(1)
	var list []map[string]any // fields added or reordered by Discord make no difference
	check(t, json.Unmarshal(s.server.Commands(), &list))
	list[0], list[1] = list[1], list[0]
	for _, c := range list {
		c["guild_id"], c["handler"], c["nsfw"], c["contexts"] = nil, nil, false, []int{1, 0}
		c["default_permission"], c["dm_permission"] = true, true
		if c["options"] == nil {
			c["options"] = []any{}
		}
		for _, none := range []string{"name_localizations", "default_member_permissions"} {
			if c[none] == nil {
				c[none] = nil // null
			}
		}
	}
	option := list[1]["options"].([]any)[0].(map[string]any)
	option["required"], option["autocomplete"], option["name_localizations"], option["choices"] = false, false, nil, nil
	option["min_value"] = 0.0
	raw, _ := json.Marshal(list)
	raw = []byte(strings.Replace(string(raw), `"max_value":1000000`, `"max_value":1000000.0`, 1))
	s.server.SetCommands(raw)
	again(1)
	// The commands are written again if a description differs, and after another program has changed them.
	s.server.SetCommands([]byte(strings.Replace(string(raw), "For how much", "How much", 1)))
	again(2)
	s.server.SetCommands([]byte(`[{"id":"1","name":"other","type":1,"description":"x","options":[{"type":4,"name":"n","description":"n","choices":[{"name":"one","value":1}]}]}]`))
	again(3)
	s.server.SetCommands([]byte(`[]`))
	again(4)
}

// TestRegistrationKeepsTheEntryPoint checks that the command that opens an activity, which Discord has made, is kept
// beside the bot's commands, even if translations are refused, and does not count as a change.
func TestRegistrationKeepsTheEntryPoint(t *testing.T) {
	t.Parallel()
	for _, o := range []discordtest.Options{{}, {English: true}} {
		s := rehearse(t, o, &script{handle: says(chat.Reply{})})
		s.stop()
		s.core.commands = someCommands()
		s.server.SetCommands([]byte(`[{"id":"1234567890","application_id":"1","version":"7","type":4,"name":"launch",
			"name_localized":"launch","description":"","handler":2,"contexts":[0,1,2],"integration_types":[0],
			"default_member_permissions":"32","dm_permission":true,"nsfw":false}]`))
		s.play()
		s.until("the commands are written", func() bool { return s.server.Registered() == 1 })
		entry := func() map[string]any {
			var list []map[string]any
			if err := json.Unmarshal(s.server.Commands(), &list); err != nil || len(list) != len(someCommands())+1 {
				t.Fatalf("%v: %s", err, s.server.Commands())
			}
			return list[len(list)-1]
		}
		if e := entry(); e["id"] != "1234567890" || e["type"] != 4.0 || e["handler"] != 2.0 || e["name"] != "launch" ||
			e["default_member_permissions"] != "32" || e["dm_permission"] != true || e["integration_types"] == nil {
			t.Errorf("it has become %v", e)
		}
		s.stop() // after the bot has handled all responses
		puts, was := len(s.server.Requests("PUT /applications")), len(s.server.Requests("GET /applications"))
		s.play()
		s.until("they are looked at again", func() bool { return len(s.server.Requests("GET /applications")) > was+1 })
		s.stop()
		again := len(s.server.Requests("PUT /applications"))
		if want := puts + boolInt(o.English); again != want { // translations are tried first
			t.Errorf("%+v: written %d times, want %d", o, again, want)
		}
	}
}

// TestRegistrationInBadWeather checks that failed requests are repeated, and that commands are answered meanwhile.
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
	s.hears() // without waiting for the menu
	s.until("the commands are written", func() bool { return s.server.Registered() == 1 })
}

// TestRegistrationIsRefused checks that commands that Discord refuses are not sent repeatedly.
func TestRegistrationIsRefused(t *testing.T) {
	t.Parallel()
	s := rehearse(t, discordtest.Options{}, &script{handle: says(chat.Reply{Toast: "Noted."})})
	s.stop()
	s.core.commands = someCommands()
	refused := discordtest.Fault{On: "PUT /applications", Status: 400, Code: 50035, Message: "Invalid Form Body"}
	s.server.Fail(refused, refused)
	s.play()
	s.logs("register commands failed")
	s.until("the bot listens", s.server.Listening)
	s.hears()
	if n := len(s.server.Requests("PUT /applications")); n != 2 { // the second time without translations
		t.Errorf("written %d times", n)
	}
}

// TestNamesInTheClientsLanguage checks that all names of commands and options are valid and unique in each language.
func TestNamesInTheClientsLanguage(t *testing.T) {
	all := newLocales(someLanguages()).menu(someCommands(), false)
	house := all[2]
	if all[1].Names["de"] != "hausregeln" || all[1].Names["en-GB"] != "" || house.Names != nil || house.Needs != "32" {
		t.Errorf("%v: %+v", all[1].Names, house)
	}
	if rows := house.Options; len(rows) != 2 || rows[0].Names["de"] != "liste" ||
		rows[0].Type != discordgo.ApplicationCommandOptionSubCommand || !rows[1].Options[0].Required ||
		rows[1].Options[0].Names["de"] != "name-davon" {
		t.Errorf("%+v", house.Options)
	}
	if got := all[0].Options[0].Names["de"]; got != "" {
		t.Errorf("an option is called %q", got)
	}
}

// TestCommandsAreLinked checks that a command in a sentence is spelled as people fill it in, and becomes a link once
// its id is known, but not on a button or in code.
func TestCommandsAreLinked(t *testing.T) {
	t.Parallel()
	why := Spell(chat.Typed{Command: "house", Row: "drop", Text: "house drop Friday",
		Given: []chat.TypedOption{{Name: "name", Value: "Friday"}}})
	unknown := Spell(chat.Typed{Command: "nothing", Text: "nothing"})
	help := Spell(chat.Typed{Command: "help", Text: "help"})
	m := chat.Message{Head: "Say " + why + " or " + unknown + ".", Accent: -1, Guide: help,
		Exact: []chat.Exact{{Text: help}}, Buttons: [][]chat.Button{{{Label: help, Press: "x"}}}}
	s := rehearse(t, discordtest.Options{}, &script{commands: someCommands(), handle: says(chat.Reply{Private: &m})})
	s.until("the commands are written", func() bool { return s.server.Registered() == 1 })
	var ids []struct{ ID, Name string }
	check(t, json.Unmarshal(s.server.Commands(), &ids))
	s.until("their ids are known", func() bool {
		known := s.discord.rest.commands.Load()
		return known != nil && len(*known) == len(ids)
	})
	a := s.answer(s.hall.Slash(s.anna, "help"))
	var texts []string
	for _, c := range a.Message.Components[0].Components {
		texts = append(texts, c.Content)
	}
	want := []string{"Say </house drop:" + ids[2].ID + "> name:Friday or /nothing.", "`/help`",
		"*</help:" + ids[1].ID + ">*"}
	if !slices.Equal(texts[:3], want) || a.Message.Buttons()[0].Label != "/help" {
		t.Errorf("%q, want %q; %v", texts, want, a.Message.Buttons())
	}
}
