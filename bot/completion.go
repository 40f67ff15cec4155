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

// Completion of options while a person types them.

// Complete returns at most 25 values for an option that is being typed: the typed text, if it is a value, then values
// with this prefix, then those that contain it.
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

// completeMore completes the last word after a game's own command: an option of its rules and a value, also by their
// names in a language.
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

// meant returns the values of an option that only its chat knows; none where they cannot be read.
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

// rows returns the first words of a command, preceded by those with known arguments.
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

// typedValue offers the typed text if an open option of a game takes it.
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

// TextChoice returns a choice whose value is its label.
func TextChoice(text string) Choice {
	return Choice{text, games.Say("bot.text", games.Args{"Text": text})}
}
