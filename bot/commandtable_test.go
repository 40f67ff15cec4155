package bot_test

import (
	"context"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"knobel/bot"
	"knobel/bot/bare"
	"knobel/bot/chat"
	"knobel/bot/words"
	"knobel/games"
	"knobel/games/gametest/coin"
	"knobel/games/sheet/sets"
	"knobel/games/shutbox"
	"knobel/games/wuerfelpoker"
	"knobel/games/zehntausend"
)

// Every row of the command table is complete: its name is unique, its options have different names and known types, and
// its descriptions have a sentence in every language.
func TestTheCommandTableIsWhole(t *testing.T) {
	h := bare.New(t, shutbox.Game{}, wuerfelpoker.New())
	sentences, err := words.New(coin.Game{}.Words(), shutbox.Game{}.Words(), wuerfelpoker.New().Words())
	check(t, err)
	checkKey := func(where, key string) {
		t.Helper()
		for _, lang := range sentences.Languages() {
			if !slices.Contains(sentences.Keys(lang), key) {
				t.Errorf("%s: %s lacks %s", where, lang, key)
			}
		}
	}
	named, options := map[string]bool{}, map[string]bool{}
	for _, c := range h.Bot.AllCommands {
		if named[c.Name] {
			t.Errorf("/%s is two commands: rename the game or the command", c.Name)
		}
		named[c.Name] = true
		if !c.Hidden && c.Game == nil {
			checkKey("/"+c.Name, "bot.command."+c.Name)
			checkKey("/"+c.Name, "bot.called."+c.Name)
		}
		for _, o := range c.Options {
			if !c.Hidden && o.About.Key != "" {
				checkKey("/"+c.Name+" "+o.Name, o.About.Key)
			}
			if o.About.Key != "" && o.Label.Key == "" && c.Name != "settings" {
				checkKey("/"+c.Name+" "+o.Name, "bot.option-called."+o.Name)
			}
			options[o.Name], options[strings.TrimPrefix(o.Label.Key, "bot.option-called.")] = true, true
		}
		for _, row := range append([]bot.Command{c}, c.Subs...) {
			where := "/" + c.Name
			for _, o := range row.Options {
				options[o.Name] = true
			}
			if row.Name != c.Name {
				where += " " + row.Name
				if row.Word != "" {
					checkKey(where, row.Word)
					checkKey(where, row.About.Key)
				}
			}
			checkOptions(t, where, c, row)
		}
		if rows := c.Rows(); len(rows) > 0 && !slices.ContainsFunc(rows, func(r bot.Command) bool {
			return r.Name == c.Bare
		}) {
			t.Errorf("/%s stands alone for no row, and so cannot be asked for where rows are listed", c.Name)
		}
	}
	for _, key := range sentences.Keys("en") {
		name, called := strings.CutPrefix(key, "bot.option-called.")
		if called && !options[strings.TrimSuffix(name, "-typed")] {
			t.Errorf("no option is called %s", name)
		}
	}
}

// checkOptions checks the options of row, which is the command c or one of its subcommands. where names it in messages.
func checkOptions(t *testing.T, where string, c, row bot.Command) {
	t.Helper()
	how := row.How != "" || c.How != ""
	if row.Run == nil {
		t.Errorf("%s does nothing", where)
	}
	if (row.Needs > 0 || len(c.Subs) > 0) && !how {
		t.Errorf("%s does not say how it is used where words make no sense", where)
	}
	names := map[string]bool{}
	for _, o := range row.Options {
		switch {
		case !regexp.MustCompile(`^[a-z0-9-]+$`).MatchString(o.Name) || names[o.Name]:
			t.Errorf("%s: option %q", where, o.Name)
		case o.Type < chat.TypeText || o.Type > chat.TypeThread:
			t.Errorf("%s: option %s has no type", where, o.Name)
		case o.Type == chat.TypeAmount && o.Min >= o.Max:
			t.Errorf("%s: %s goes from %d to %d", where, o.Name, o.Min, o.Max)
		}
		names[o.Name] = true
	}
}

// Words that people typed before a label changed are understood beside the new ones.
func TestEarlierWordsAreUnderstood(t *testing.T) {
	h := bare.New(t, shutbox.Game{}, wuerfelpoker.New(), zehntausend.New(), sets.Kniffel())
	for typed, want := range map[string]string{
		"leaderboard house=with": "house with", "leaderboard house-seats=with-house": "house with",
		"leaderboard hausplätze=mit-dem-haus": "house with", "leaderboard computers=with-computers": "house with",
		"leaderboard computer=mit-computer": "house with", "leaderboard with-the-house": "house with",
		"leaderboard dieser-abend": "period evening", "leaderboard tonight": "period evening",
		"leaderboard mittel": "rank mean", "leaderboard durchschnitt": "rank mean",
		"shutbox absent=the-house-plays": "absent house", "shutbox abwesend=spielt-das-haus": "absent house",
		"shutbox abwesend=der-computer-spielt": "absent house", "shutbox it-plays-perfectly": "absent perfect",
		"shutbox hinweise=yes": "hints yes", "shutbox hinweise-erlaubt": "hints yes",
		"shutbox tipps-erlaubt": "hints yes", "wuerfelpoker keine-hinweise": "hints no",
		"shutbox one-die=if-all-above-6-are-shut": "one-die high-shut",
		"wuerfelpoker erst-die-schule":            "order parts", "wuerfelpoker order=the-school-first": "order parts",
		"wuerfelpoker erst-der-obere-teil": "order parts", "wuerfelpoker miss=strike-a-row": "miss strike",
		"kniffel differenzen-zum-durchschnitt": "settle difference",
		"kniffel abstand-zum-durchschnitt":     "settle difference", "kniffel joker-frei-gesetzt": "joker free",
		"zehntausend straße-1500": "straight 1500", "zehntausend straight-1500": "straight 1500",
		"zehntausend 1500-für-1-bis-6": "straight 1500", "zehntausend up-to-10,000": "target 10000",
	} {
		name, text, _ := strings.Cut(typed, " ")
		c, err := h.Bot.Find(name)
		check(t, err)
		_, given, err := h.Bot.Read(c, chat.Event{Text: text})
		option, value, _ := strings.Cut(want, " ")
		if err != nil || given.Text(option) != value {
			t.Errorf("%s means %v, %v, want %s", typed, given, err, want)
		}
	}
}

// An exact name is preferred to similar ones, and a name that begins like a number is a name.
func TestNobodyElseIsMeant(t *testing.T) {
	names := []string{"Ben", "BEN 2", "@Ben", "#aBcD", "#AbCd"}
	called := func(i int) string { return names[i] }
	for said, want := range map[string]int{"@Ben": 2, "ben": 0, "@ben 2": 1, "#AbCd": 4, "#aBcD": 3, "Eve": -1} {
		if got := (bot.Person{Name: said}).Among(nil, len(names), nil, called); got != want {
			t.Errorf("%q means number %d, want %d", said, got, want)
		}
	}
	h := bare.New(t)
	anna, fan := h.Person("Anna"), h.Person("#1 Fan")
	anna.Writes("/coin 10")
	fan.Presses("Join")
	anna.Presses("▶ Start")
	anna.Presses("Roll")
	fan.Presses("Roll")
	if got := bare.Page(t, anna.Writes("/stats #1 Fan")); !strings.Contains(got, "1 Fan: 1 game here") {
		t.Error(got)
	}
}

// A mention always means another person, even if that person is called like the sender or like the computer player
// ("House"). A refusal shows the mentioned name without invisible characters.
func TestAMentionIsNoName(t *testing.T) {
	h := bare.New(t)
	anna := h.Person("Anna")
	bare.Owing(h, "chips", map[string]int64{"Anna": -15, "house": 15})
	before := h.Stands("chips")
	for name, c := range map[string]struct{ command, text, want string }{
		"House":       {"settle", "paid 5 <@9>", "“House” has no balance here. /settle lists everyone."},
		"House\u202e": {"settle", "paid 5 <@9>", "“House” has no balance here. /settle lists everyone."},
		"Anna":        {"leaderboard", "against=<@9>", "Only you have played here so far. Invite a friend."},
	} {
		ev := anna.Event()
		ev.Command, ev.Text = c.command, c.text
		ev.Mentions = map[string]chat.Mention{"<@9>": {User: "test:9", Name: name}}
		bare.Refused(t, h.Bot.Handle(context.Background(), ev), c.want)
	}
	if now := h.Stands("chips"); !maps.Equal(now, before) {
		t.Errorf("from %v to %v", before, now)
	}
}

// Any text behind a command is parsed or refused in a sentence, and a parsed value has its option's type.
func FuzzCommandText(f *testing.F) {
	h := bare.New(f, shutbox.Game{}, wuerfelpoker.New())
	all := h.Bot.AllCommands
	for _, text := range []string{
		"", "10 golf", "stake=99999999999999999999", "paid 7 Ben", "paid #7 #9 @x", "got 0 Ben", "why #3 2",
		"confirm #1 @a here", "41 moves 2",
		"before 7", "<@42>", "against=Ben Müller period=this month", "thread", "thread=ja", "least=0", "#AbCd scores 1",
		"#balances", "save ", "merken x",
		"yes", "name=Winter", "\u00a0", "−5", "1 000", "1.000", "1\u202f000", "paid 1 000 Ben",
		"paid 1.000 Ben", "tiles:4-9", "what=paid 3 Ben", "=", ":", "--", "wins me=hide",
		"de please", "#1 Fan",
	} {
		for i := range all {
			f.Add(i, text, i%2 == 0)
		}
	}
	mentions := map[string]chat.Mention{"<@42>": {User: "test:42", Name: "Ben"}}
	f.Fuzz(func(t *testing.T, which int, text string, apart bool) {
		c := all[uint(which)%uint(len(all))]
		ev := chat.Event{Text: text, Mentions: mentions}
		if apart && len(c.Options) > 0 {
			o := c.Options[uint(len(text))%uint(len(c.Options))]
			ev = chat.Event{Options: map[string]string{o.Name: text}, Mentions: mentions}
		}
		row, given, err := h.Bot.Read(c, ev)
		if err != nil {
			r, refused := games.Refused(err)
			if !refused || h.Bot.Words.Say("de", r.Line, words.Context{}) == "" || !h.Bot.Words.Has(r.Key) {
				t.Errorf("/%s %q is refused with %v", c.Name, text, err)
			}
			return
		}
		for name, value := range given {
			i := slices.IndexFunc(row.Options, func(o bot.Option) bool { return o.Name == name })
			if i < 0 {
				t.Fatalf("/%s %q has an option %s, which it does not know", c.Name, text, name)
			}
			o := row.Options[i]
			n, _ := given.Amount(name)
			who, _ := given.Person(name)
			switch {
			case o.Type == chat.TypeAmount && (n < o.Min || n > o.Max), o.Type == chat.TypeNumber && n < o.Min:
				t.Errorf("/%s %q: %s is %d", c.Name, text, name, n)
			case (o.Type == chat.TypeFlag || o.Type == chat.TypeThread) && value.Text != "true" &&
				value.Text != "false":
				t.Errorf("/%s %q: %s is %q", c.Name, text, name, value.Text)
			case o.Type == chat.TypePerson && who.User != "" && (who.User != "test:42" || who.Name != "Ben"):
				t.Errorf("/%s %q: %s is %v", c.Name, text, name, who)
			case o.Type == chat.TypeChoice && c.Game == nil && o.Reads == nil && value.Text != "" &&
				!slices.ContainsFunc(o.Choices, func(offered bot.Choice) bool { return offered.Value == value.Text }):
				t.Errorf("/%s %q: %s is %q", c.Name, text, name, value.Text)
			}
		}
	})
}
