package help

import (
	"slices"
	"strings"

	"knobel/bot"
	"knobel/bot/chat"
	"knobel/games"
)

// helpCommand says what there is: on one screen, with buttons that do it; the
// commands of a subject; or one command with its options.
func (v *visit) helpCommand(w bot.Args) error {
	about, _, _ := strings.Cut(strings.ToLower(strings.TrimPrefix(w.Text("about"), "/")), " ")
	if about == "" || v.Event.Command == "start" { // with whatever a link has put behind it
		v.helpScreen()
		return nil
	}
	if slices.Contains(bot.Subjects[:], about) {
		v.helpSubject(about)
		return nil
	}
	c, err := v.bot.Find(about)
	if err != nil {
		return err
	}
	v.helpOn(c)
	return nil
}

// helpScreen is the first page: how it goes, and buttons.
func (v *visit) helpScreen() {
	m := v.Private(games.Say("bot.help.head", nil), games.Say("bot.help.open", nil), games.Say("bot.help.sit", nil),
		games.Say("bot.help.play", nil))
	var open, often, more []chat.Button
	for _, g := range v.bot.Games {
		open = append(open, v.Button(games.Say("bot.button.open", games.Args{"Game": v.bot.GameLabel(g)}), "/"+g.Name(),
			games.Primary))
	}
	for _, name := range []string{"rules", "leaderboard", "settle", "privacy"} {
		often = append(often, v.Button(games.Say("bot.help.often."+name, nil), "/"+name, games.Plain))
	}
	for _, subject := range bot.Subjects {
		more = append(more, v.Button(games.Say("bot.help.more."+subject, nil), "/help "+subject, games.Plain))
	}
	m.Buttons = [][]chat.Button{open, often, more}
}

// helpSubject lists the commands of a subject, with a button for each.
func (v *visit) helpSubject(subject string) {
	m := v.Private(games.Say("bot.help.subject."+subject, nil))
	var row []chat.Button
	for _, c := range v.bot.AllCommands {
		if c.Subject != subject {
			continue
		}
		m.Lines = append(m.Lines, v.Say(v.bot.introduce(c)))
		row = append(row, v.Button(games.Say("bot.help.command", games.Args{"Name": c.Name}), "/help "+c.Name,
			games.Plain))
	}
	m.Rows(4, append(row, v.Button(games.Say("bot.button.back", nil), "/help", games.Primary))...)
}

// introduce says what a command does: "/rules – The rules, in words".
func (b *Help) introduce(c bot.Command) games.Line {
	return games.Say("bot.help.line", games.Args{"Name": c.Name, "About": b.AboutCommand(c)})
}

// maxValues is how many values of an option /help lists.
const maxValues = 6

// helpOn explains one command: a line for each option, with its values.
func (v *visit) helpOn(c bot.Command) {
	m := v.Private(v.bot.introduce(c))
	example := ""
	for _, o := range c.Options {
		if c.Ordered {
			m.Lines = append(m.Lines, v.Say(games.Say("bot.help.whole", games.Args{"Name": c.Name, "About": o.About})))
			break // it stands for all of them
		}
		var values []string
		for _, offered := range o.Choices[:min(len(o.Choices), maxValues)] {
			values = append(values, offered.Value)
		}
		if len(o.Choices) > maxValues {
			values = append(values, "…")
		}
		if said, there := o.Example(); there && example == "" {
			example = v.bot.Sign(v.Event.Place) + c.Name + " " + said
		}
		line := games.Say("bot.help.option", games.Args{"Option": o.Name, "About": o.About})
		if len(values) > 0 {
			line = games.Say("bot.help.values",
				games.Args{"Option": o.Name, "About": o.About, "Values": strings.Join(values, " ")})
		}
		m.Lines = append(m.Lines, v.Say(line))
	}
	if example != "" {
		m.Small = v.Say(games.Say("bot.help.how", games.Args{"Example": example}))
	}
	m.Buttons = [][]chat.Button{{
		v.Button(games.Say("bot.help.do", games.Args{"Name": c.Name}), "/"+c.Name, games.Plain),
		v.Button(games.Say("bot.button.back", nil), strings.TrimSpace("/help "+c.Subject), games.Primary),
	}}
}

// helpChoices are the commands that /help explains.
func (v *visit) helpChoices() ([]bot.Choice, error) {
	var all []bot.Choice
	for _, c := range v.bot.AllCommands {
		if !c.Hidden {
			all = append(all, bot.Choice{Value: c.Name, Label: v.bot.introduce(c)})
		}
	}
	return all, nil
}
