// Package help has the commands that explain the bot: /help, /doctor, /language and the like.
package help

import (
	"cmp"
	"slices"
	"strings"

	"knobel/bot"
	"knobel/bot/chat"
	"knobel/bot/table"
	"knobel/games"
	"knobel/store"
)

// Help is the feature with the commands that explain the bot and its state.
type Help struct{ *table.Tables }

// Feature returns the commands that explain the bot.
func (b *Help) Feature() bot.Feature {
	var languages []bot.Choice
	var names []string
	for _, lang := range b.Words.Languages() {
		languages = append(languages, bot.Choice{Value: lang, Label: b.LanguageLabel(lang)})
		names = append(names, b.Words.Language(lang).Name)
	}
	return bot.Feature{Commands: []bot.Command{
		{Name: "doctor", Subject: bot.OfChat, Admins: true, Hosted: "bot.hosted.doctor", Equals: "bot.equals.doctor",
			Run: bot.As(b.Visit, b.doctorCommand)},
		{Name: "help", Subject: bot.OfChat, Run: bot.As(b.Visit, b.helpCommand), Aliases: []string{"start"},
			Brief: bot.As(b.Visit, b.helpCommand),
			Options: []bot.Option{{Name: "about", Type: chat.TypeText, About: games.Say("bot.option.help", nil),
				More: bot.Offers(b.Visit, b.helpChoices)}}},
		{Hidden: true, Name: "hello", Run: bot.As(b.Visit, b.helloCommand)},
		{Name: "language", Subject: bot.OfChat, Run: bot.As(b.Visit, b.languageCommand),
			Options: []bot.Option{{
				Name: "language", Type: chat.TypeChoice, About: games.Say("bot.option.language", nil),
				Choices: languages,
				Reads:   func(word string) bool { return b.Words.Called(word) != "" },
				Refuse:  func(asked string) error { return bot.NoSuchWord(asked, names) },
			}}},
	}}
}

// helpCommand shows the first page of help. If the command names a subject, it lists the commands of that subject; if
// it names a command, it explains that command with its options.
func (b *Help) helpCommand(v *table.Visit, w bot.Args) error {
	about, _, _ := strings.Cut(strings.ToLower(strings.TrimPrefix(w.Text("about"), "/")), " ")
	if about == "" || v.Event.Command == "start" { // a link may have put a text behind /start
		return b.helpScreen(v)
	}
	if slices.Contains(bot.Subjects[:], about) {
		b.helpSubject(v, about)
		return nil
	}
	c, err := b.Find(about)
	if err != nil {
		return err
	}
	b.helpOn(v, c)
	return nil
}

// helpScreen shows the first page of help: how to play, with buttons. In a private chat it also explains how to invite
// others. If the place has an unfinished table that a new one may not replace, it explains that table instead.
func (b *Help) helpScreen(v *table.Visit) error {
	t, goesOn, err := v.GoesOn()
	if err != nil {
		return err
	}
	var m *chat.Message
	var first []chat.Button
	if !goesOn || v.MakesRoom(t) {
		sit, play := "bot.help.sit", "bot.help.play"
		switch {
		case v.Event.Typed:
			sit, play = "bot.help.sit-typed", "bot.help.play-typed"
		case v.Event.Own:
			sit = "bot.help.sit-alone"
		}
		m, first = v.Private(games.Say("bot.help.head", nil), games.Say("bot.help.open", nil), games.Say(sit, nil),
			games.Say(play, nil)), v.OpenButtons()
	} else if m, first, err = b.helpHere(v, t); err != nil {
		return err
	}
	var often, more []chat.Button
	for _, name := range []string{"rules", "leaderboard", "settle", "privacy"} {
		often = append(often, v.Button(games.Say("bot.help.often."+name, nil), "/"+name, games.Plain))
	}
	for _, subject := range bot.Subjects {
		more = append(more, v.Button(games.Say("bot.help.more."+subject, nil), "/help "+subject, games.Plain))
	}
	m.Buttons = [][]chat.Button{first, often, more}
	links(v, m, v.Event.Own || v.Event.Guest)
	return nil
}

// links adds to m links by which the person adds the bot to their account and, if invite, to a group.
func links(v *table.Visit, m *chat.Message, invite bool) {
	var row []chat.Button
	if invite && v.Event.Invite != "" {
		row = append(row, linkButton(v, "bot.button.invite", v.Event.Invite, games.Success))
	}
	if v.Event.Install != "" {
		row = append(row, linkButton(v, "bot.button.install", v.Event.Install, games.Plain))
	}
	m.Row(row...)
}

// linkButton returns a button that opens url. key is the key of its label.
func linkButton(v *table.Visit, key, url string, style games.Style) chat.Button {
	b := v.Button(games.Say(key, nil), "", style)
	b.Press, b.Link = "", url
	return b
}

// helpHere returns an answer that explains the unfinished table t, and its buttons: one shows the board and, if the
// acting person may end the game, another ends it.
func (b *Help) helpHere(v *table.Visit, t store.Table) (*chat.Message, []chat.Button, error) {
	g, err := b.Game(t.Game)
	if err != nil {
		return nil, nil, err
	}
	move, end := "bot.help.move", "bot.help.end"
	if v.Event.Typed {
		move = "bot.help.move-typed"
	}
	lines := []games.Line{games.Say(move, nil), games.Say("bot.help.over", nil)}
	head := games.Say("bot.help.on", games.Args{"Game": b.TableLabel(g, t.Rules)})
	if t.State == store.Lobby {
		head, end = games.Say("bot.help.waits", games.Args{"Game": b.TableLabel(g, t.Rules)}), "bot.button.end"
		lines = []games.Line{games.Say("bot.help.join", nil), games.Say("bot.help.start", nil)}
	}
	buttons := []chat.Button{v.Button(games.Say("bot.help.board", nil), "/table", games.Primary)}
	if v.OffersEnd(t) {
		buttons = append(buttons, v.Button(games.Say(end, nil), "/abandon", games.Plain))
	}
	return v.Private(head, lines...), buttons, nil
}

// helloCommand greets a group that has added the bot or written to it. The greeting names the games and how to begin
// one or, during a game, has a button for the table. In a private chat it is the first page of help.
func (b *Help) helloCommand(v *table.Visit, _ bot.Args) error {
	if v.Event.Own {
		return b.helpScreen(v)
	}
	t, _, err := v.GoesOn()
	if err != nil {
		return err
	}
	return v.Public(func() error {
		if t.State == store.Playing {
			m := v.Private(games.Say("bot.hello.head", nil), games.Say("bot.hello.goes-on", nil))
			m.Row(v.Button(games.Say("bot.hello.table", nil), "/table", games.Primary),
				v.Button(games.Say("bot.hello.help", nil), "/help", games.Plain))
			links(v, m, false)
			return nil
		}
		m := v.Private(games.Say("bot.hello.head", nil), games.Say("bot.hello.open", nil),
			games.Say("bot.hello.more", nil))
		m.Row(v.OpenButtons()...)
		m.Row(v.Button(games.Say("bot.hello.help", nil), "/help", games.Plain))
		links(v, m, false)
		return nil
	})
}

// helpSubject lists the commands of a subject, one of bot.Subjects, with a button for each.
func (b *Help) helpSubject(v *table.Visit, subject string) {
	m := v.Private(games.Say("bot.help.subject."+subject, nil))
	var row []chat.Button
	var all []bot.Command
	for _, o := range b.FirstOpenings(v.Lang) { // /play lists the other games
		if c, err := b.Find(o.Command); err == nil {
			all = append(all, c)
		}
	}
	for _, c := range b.AllCommands {
		if c.Game == nil {
			all = append(all, c)
		}
	}
	for _, c := range all {
		if c.Subject != subject {
			continue
		}
		m.Lines = append(m.Lines, v.Say(b.introduce(v, c)))
		row = append(row, v.Button(games.Say("bot.help.command", games.Args{"Name": c.Name}), "/help "+c.Name,
			games.Plain))
	}
	m.Rows(4, append(row, v.Button(games.Say("bot.button.back", nil), "/help", games.Primary))...)
}

// introduce returns a line with the name and the description of command c: "/rules – The rules, in words".
func (b *Help) introduce(v *table.Visit, c bot.Command) games.Line {
	return games.Say("bot.help.line", games.Args{"Name": c.Name, "About": v.AboutCommand(c)})
}

// maxValues is the most values that /help lists for an option.
const maxValues = 6

// helpOn explains the command c: with a line for each subcommand or, without these, for each option and its values.
func (b *Help) helpOn(v *table.Visit, c bot.Command) {
	m := v.Private(b.introduce(v, c))
	m.Folds = true
	example := ""
	rows := c.Rows()
	for _, r := range rows {
		m.Lines = append(m.Lines, v.Say(games.Say("bot.help.row",
			games.Args{"Name": c.Name, "Row": r.Name, "About": v.AboutCommand(r)})))
	}
	for i, o := range c.Options {
		if len(rows) > 0 || o.About.Key == "" {
			continue
		}
		if i == 0 && c.Game == nil && len(o.Choices) == 0 {
			m.Lines = append(m.Lines, v.Say(games.Say("bot.help.whole", games.Args{"Name": c.Name, "About": o.About})))
			continue // the option takes the whole text, unless others are named
		}
		var values []string
		for _, offered := range o.Choices[:min(len(o.Choices), maxValues)] {
			values = append(values, b.WrittenValue(v.Lang, offered))
		}
		if len(o.Choices) > maxValues {
			values = append(values, "…")
		}
		name := b.Written(v.Lang, o)
		if example == "" && len(values) > 1 {
			example = name + "=" + values[1]
		}
		line := games.Say("bot.help.option", games.Args{"Option": name, "About": o.About})
		if len(values) > 0 {
			line = games.Say("bot.help.values",
				games.Args{"Option": name, "About": o.About, "Values": strings.Join(values, " ")})
		}
		m.Lines = append(m.Lines, v.Say(line))
	}
	if example != "" {
		how := v.Say(games.Say("bot.help.how", games.Args{"Name": c.Name, "Example": example}))
		if strings.Contains(how, example) { // else people fill in options from the platform's list
			m.Small = how
		}
	}
	m.Buttons = [][]chat.Button{{
		v.Button(games.Say("bot.help.do", games.Args{"Name": c.Name}), "/"+c.Name, games.Plain),
		v.Button(games.Say("bot.button.back", nil), strings.TrimSpace("/help "+c.Subject), games.Primary),
	}}
}

// helpChoices returns the commands that /help explains, as possible values of the option of /help.
func (b *Help) helpChoices(v *table.Visit) ([]bot.Choice, error) {
	var all []bot.Choice
	for _, c := range b.AllCommands {
		if !c.Hidden {
			all = append(all, bot.Choice{Value: c.Name, Label: b.introduce(v, c)})
		}
	}
	return all, nil
}

// The language of a chat.

// languageCommand shows the language of the chat, or stores another one and redraws the chat's boards in it.
func (b *Help) languageCommand(v *table.Visit, w bot.Args) error {
	asked := w.Text("language")
	if asked == "" {
		m := v.Private(games.Say("bot.language-now",
			games.Args{"Language": b.LanguageLabel(cmp.Or(v.Chat.Language, v.Lang))}))
		var row []chat.Button
		for _, lang := range b.Words.Languages() {
			row = append(row, v.Button(b.LanguageLabel(lang), "/language "+lang, games.Plain))
		}
		m.Rows(chat.ChoiceRow, row...)
		return nil
	}
	lang := b.Words.Called(asked)
	if err := v.AdminsOnly("bot.admins-change"); err != nil {
		return err
	}
	v.Chat.Language = lang
	if err := v.Tx.Chats.SaveChat(v.Chat); err != nil {
		return err
	}
	v.Receipt("bot.language-set", games.Args{"Language": b.LanguageLabel(lang)})
	v.Tell(games.Say("bot.language-set", games.Args{"Language": b.LanguageLabel(lang)}))
	tables, err := v.Active(v.Chat.ID)
	if err != nil {
		return err
	}
	for _, t := range tables { // boards of unfinished tables; after the loop, the last one here
		if t.Board.Away {
			continue // it is redrawn once its place can be reached
		}
		if err := v.Redraw(&t); err != nil {
			return err
		}
	}
	t, err := v.Here()
	if _, none := games.Refused(err); none {
		return nil
	}
	if err != nil || slices.ContainsFunc(tables, func(drawn store.Table) bool { return drawn.ID == t.ID }) {
		return err
	}
	return v.Redraw(&t)
}
