package bot

import (
	"slices"
	"strings"

	"knobel/bot/chat"
	"knobel/games"
)

// helpCommand says what there is: on one screen, with buttons that do it; the
// commands of a subject; or one command with its options.
func (v *visit) helpCommand(w wishes) error {
	about, _, _ := strings.Cut(strings.ToLower(strings.TrimPrefix(w["about"], "/")), " ")
	if about == "" || v.ev.Command == "start" { // with whatever a link has put behind it
		v.helpScreen()
		return nil
	}
	if slices.Contains(subjects[:], about) {
		v.helpSubject(about)
		return nil
	}
	c, err := v.bot.find(about)
	if err != nil {
		return err
	}
	v.helpOn(c)
	return nil
}

// helpScreen is the first page: how it goes, and buttons.
func (v *visit) helpScreen() {
	m := v.private(games.Say("bot.help.head", nil), games.Say("bot.help.open", nil), games.Say("bot.help.sit", nil), games.Say("bot.help.play", nil))
	var open, often, more []chat.Button
	for _, g := range v.bot.games {
		open = append(open, v.button(games.Say("bot.button.open", games.Args{"Game": v.bot.gameLabel(g)}), "/"+g.Name(), games.Primary))
	}
	for _, name := range []string{"rules", "leaderboard", "settle", "privacy"} {
		often = append(often, v.button(games.Say("bot.help.often."+name, nil), "/"+name, games.Plain))
	}
	for _, subject := range subjects {
		more = append(more, v.button(games.Say("bot.help.more."+subject, nil), "/help "+subject, games.Plain))
	}
	m.Buttons = [][]chat.Button{open, often, more}
}

// helpSubject lists the commands of a subject, with a button for each.
func (v *visit) helpSubject(subject string) {
	m := v.private(games.Say("bot.help.subject."+subject, nil))
	var row []chat.Button
	for _, c := range v.bot.commands {
		if c.subject != subject {
			continue
		}
		m.Lines = append(m.Lines, v.say(v.bot.introduce(c)))
		row = append(row, v.button(games.Say("bot.help.command", games.Args{"Name": c.name}), "/help "+c.name, games.Plain))
	}
	m.Rows(4, append(row, v.button(games.Say("bot.button.back", nil), "/help", games.Primary))...)
}

// introduce says what a command does: "/rules – The rules, in words".
func (b *Bot) introduce(c command) games.Line {
	return games.Say("bot.help.line", games.Args{"Name": c.name, "About": b.aboutCommand(c)})
}

func (b *Bot) aboutCommand(c command) games.Line {
	if c.about.Key != "" {
		return c.about
	}
	return games.Say("bot.command."+c.name, nil)
}

// mostValues is how many values of an option /help lists.
const mostValues = 6

// helpOn explains one command: a line for each option, with its values.
func (v *visit) helpOn(c command) {
	m := v.private(v.bot.introduce(c))
	example := ""
	for _, o := range c.options {
		if c.whole != "" {
			m.Lines = append(m.Lines, v.say(games.Say("bot.help.whole", games.Args{"Name": c.name, "About": o.about})))
			continue
		}
		var values []string
		for _, offered := range o.choices[:min(len(o.choices), mostValues)] {
			values = append(values, offered.value)
		}
		if len(o.choices) > mostValues {
			values = append(values, "…")
		}
		if said, there := o.example(); there && example == "" {
			example = "/" + c.name + " " + said
		}
		line := games.Say("bot.help.option", games.Args{"Option": o.name, "About": o.about})
		if len(values) > 0 {
			line = games.Say("bot.help.values", games.Args{"Option": o.name, "About": o.about, "Values": strings.Join(values, " ")})
		}
		m.Lines = append(m.Lines, v.say(line))
	}
	if example != "" {
		m.Small = v.say(games.Say("bot.help.how", games.Args{"Example": example}))
	}
	m.Buttons = [][]chat.Button{{
		v.button(games.Say("bot.help.do", games.Args{"Name": c.name}), "/"+c.name, games.Plain),
		v.button(games.Say("bot.button.back", nil), strings.TrimSpace("/help "+c.subject), games.Primary),
	}}
}

// helpChoices are the commands that /help explains.
func (v *visit) helpChoices() ([]choice, error) {
	var all []choice
	for _, c := range v.bot.commands {
		if !c.hidden {
			all = append(all, choice{c.name, v.bot.introduce(c)})
		}
	}
	return all, nil
}
