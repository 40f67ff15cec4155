package bot

import (
	"context"
	"slices"
	"strings"

	"knobel/bot/chat"
	"knobel/bot/loop"
	"knobel/games"
	"knobel/store"
)

// What options are completed to, while somebody types them.

// Complete returns at most 25 values for an option that somebody is typing:
// what they have typed first, where that is a value, then what begins like
// it, then what contains it.
func (b *Bot) Complete(ctx context.Context, ev chat.Event, name, typed string) []chat.CommandChoice {
	c, err := b.Find(strings.ToLower(ev.Command))
	if err != nil {
		return nil
	}
	if row := b.Sub(c, ev.Row); row >= 0 {
		c = c.Subs[row]
	}
	i := slices.IndexFunc(c.Options, func(o Option) bool { return o.Name == name })
	if i < 0 {
		return nil
	}
	if c.AnyGame && name == OptionMore {
		game, named := ev.Options[OptionGame]
		if !named {
			game, _ = b.gameFirst(b.unnamed(c, strings.Fields(ev.Text)))
		}
		all := b.completeMore(game, strings.ToLower(typed), b.languageOf(ev, ""))
		return all[:min(len(all), maxChoices)]
	}
	typed = strings.ToLower(strings.TrimSpace(typed))
	var exact, begin, contain []chat.CommandChoice
	for _, offered := range slices.Concat(c.Options[i].Choices, b.meant(ctx, ev, c.Options[i]), b.rows(ctx, ev, c)) {
		d := chat.CommandChoice{Value: offered.Value, Label: b.inAll(offered.Label)}
		said := strings.ToLower(d.Value + " " + d.Label[b.languageOf(ev, "")])
		switch {
		case strings.ToLower(offered.Value) == typed:
			exact = append(exact, d)
		case strings.HasPrefix(said, typed):
			begin = append(begin, d)
		case strings.Contains(said, typed):
			contain = append(contain, d)
		}
	}
	if len(exact) == 0 {
		exact = b.typedValue(c, name, typed)
	}
	all := slices.Concat(exact, begin, contain)
	return all[:min(len(all), maxChoices)]
}

// completeMore completes the last word of what stands behind a game's own command: an option of its rules and a value,
// by what either is called in a language, too.
func (b *Bot) completeMore(game, typed, lang string) (all []chat.CommandChoice) {
	opens, err := b.OpeningCalled(game)
	if err != nil {
		return nil
	}
	own, err := b.Find(opens.Command)
	if err != nil {
		return nil
	}
	at := strings.LastIndexByte(typed, ' ') + 1
	before, last := typed[:at], typed[at:]
	for _, o := range own.Options {
		if strings.Contains(" "+before, " "+o.Name+"=") {
			continue
		}
		called := o.Label
		if called.Key == "" {
			called = games.Say("bot.text", games.Args{"Text": o.Name})
		}
		for _, value := range o.Choices {
			word := o.Name + "=" + value.Value
			label := b.inAll(games.Say("bot.option-value", games.Args{"Option": called, "Value": value.Label}))
			if !strings.HasPrefix(word, last) && !strings.HasPrefix(strings.ToLower(label[lang]), last) {
				continue
			}
			for lang := range label {
				label[lang] = before + label[lang]
			}
			all = append(all, chat.CommandChoice{Value: before + word, Label: label})
		}
	}
	return all
}

// meant are the values of an option that only its chat knows; none where they
// cannot be read.
func (b *Bot) meant(ctx context.Context, ev chat.Event, o Option) (all []Choice) {
	if o.More == nil {
		return nil
	}
	err := b.Store.View(ctx, func(tx *store.Tx) error {
		return loop.Safely(func() error {
			v, err := b.reads(tx, ev)
			if err == nil {
				all, err = o.More(v)
			}
			return err
		})
	})
	if err != nil {
		chat.LogFailure(ctx, b.Log.Error, "the values of an option cannot be completed", err, "option", o.Name)
		return nil
	}
	return all
}

// rows are what the first word of a command can ask for, before them with what is known to
// stand behind it.
func (b *Bot) rows(ctx context.Context, ev chat.Event, c Command) (all []Choice) {
	for _, s := range c.Subs {
		for _, o := range s.Options {
			for _, value := range b.meant(ctx, ev, o) {
				all = append(all, TextChoice(s.Name+" "+value.Value))
			}
		}
		if s.Word != "" {
			all = append(all, Choice{s.Name, games.Say(s.Word, nil)})
		}
	}
	return all
}

// typedValue offers what somebody has typed, where an open option of a game
// takes it.
func (b *Bot) typedValue(c Command, name, typed string) []chat.CommandChoice {
	if c.Game == nil || typed == "" {
		return nil
	}
	for _, o := range c.Game.Options() {
		if o.Name != name || o.Parse == nil {
			continue
		}
		if value, err := o.Parse(typed); err == nil {
			return []chat.CommandChoice{{Value: value, Label: b.inAll(SayValue(o, value))}}
		}
	}
	return nil
}

// TextChoice is a choice whose value is its label.
func TextChoice(text string) Choice {
	return Choice{text, games.Say("bot.text", games.Args{"Text": text})}
}
