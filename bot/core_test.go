package bot_test

import (
	"context"
	"slices"
	"testing"

	"knobel/bot"
	"knobel/bot/chat"
	"knobel/bot/words/wordstest"
	"knobel/games"
	"knobel/store/storetest"
)

// What is carried out, what is refused and what completes a word are asked for with an event
// that can ask the platform. In their transactions it cannot.
func TestATransactionCannotAskThePlatform(t *testing.T) {
	var seen []string
	look := func(v *bot.Visit) {
		if seen = append(seen, v.Event.Text); v.Event.Admin != nil || v.Event.Thread != nil ||
			v.Event.Confide != nil {
			t.Errorf("%q can ask the platform", v.Event.Text)
		}
	}
	core := bot.New(bot.Config{Store: storetest.Open(t), Words: wordstest.Of(t)})
	core.Add(nil, bot.Feature{
		Before: func(v *bot.Visit) error {
			look(v)
			return nil
		},
		Commands: []bot.Command{{Name: "ask", Options: []bot.Option{{
			Name: "what", Type: chat.TypeWord,
			More: func(v *bot.Visit) ([]bot.Choice, error) {
				look(v)
				return nil, nil
			},
		}}, Run: func(v *bot.Visit, w bot.Args) error {
			if w.Text("what") == "refused" {
				return games.Refuse("bot.no-table", nil)
			}
			_, err := v.IsAdmin(true)
			return err
		}}},
	})
	asked := 0
	ev := chat.Event{ID: "test:1", Chat: "test:1", Place: "test:1/1", User: "test:Anna", Name: "Anna", Command: "ask",
		Admin: func(context.Context) bool {
			asked++
			return true
		},
		Thread:  func(context.Context, string) (chat.Place, error) { return "test:1/2", nil },
		Confide: func(context.Context, chat.Message) bool { return true }}
	ev.Text = "done"
	if r := core.Handle(t.Context(), ev); r.Refused {
		t.Errorf("refused: %+v", r)
	}
	ev.ID, ev.Text = "test:2", "refused"
	if r := core.Handle(t.Context(), ev); !r.Refused {
		t.Errorf("not refused: %+v", r)
	}
	ev.ID, ev.Text = "", "completed"
	core.Complete(t.Context(), ev, "what", "")
	want := []string{"done", "done", "refused", "refused", "completed"} // twice: what was asked, what was refused
	if !slices.Equal(seen, want) || asked != 1 {
		t.Errorf("seen %q, want %q; asked %d times", seen, want, asked)
	}
}
