package telegram

import (
	"bytes"
	"fmt"
	"image"
	"image/png"
	"strings"
	"testing"

	"knobel/bot/chat"
	"knobel/bot/telegram/telegramtest"
)

// drawing returns a picture of this width with the description alt.
func drawing(t *testing.T, alt string, width int) *chat.Picture {
	t.Helper()
	var b bytes.Buffer
	check(t, png.Encode(&b, image.NewGray(image.Rect(0, 0, width, 40))))
	return &chat.Picture{Name: "balance.png", PNG: b.Bytes(), Alt: alt, More: alt}
}

// pageOf returns a page with a heading, a picture (nil: none), lines and a button.
func pageOf(head string, p *chat.Picture, lines ...string) *chat.Message {
	return &chat.Message{Head: head, Lines: lines, Picture: p, Accent: -1,
		Buttons: [][]chat.Button{{{Label: "Turn", Press: "1:0:0:/x"}}}}
}

// shown returns the first lines of the bot's messages in c, oldest first, joined by " / ". A picture is its [width].
func shown(c *telegramtest.Chat) string {
	var all []string
	for _, m := range c.Messages() {
		text, _, _ := strings.Cut(m.Text, "\n")
		if m.Photo != nil {
			size, _ := png.DecodeConfig(bytes.NewReader(m.Photo)) // 0 if it is not a picture
			text = fmt.Sprintf("[%d] %s", size.Width, text)
		}
		all = append(all, text)
	}
	return strings.Join(all, " / ")
}

// TestPagesTurnInPlace checks that the content of a page is replaced in place: by a picture, by another one, by a text
// too long for a caption, and by a text. Nothing of the earlier content stays.
func TestPagesTurnInPlace(t *testing.T) {
	long := strings.Repeat("Many words. ", 100)
	pages := []*chat.Message{
		pageOf("One.", nil), pageOf("Two.", drawing(t, "Rising.", 60)), pageOf("Three.", drawing(t, "Falling.", 70)),
		pageOf("Four.", nil), pageOf("Five.", drawing(t, "Flat.", 80), long), pageOf("Six.", nil),
		pageOf("Seven.", drawing(t, "Steep.", 90), long), pageOf("Eight.", drawing(t, "Even.", 50)),
	}
	want := []string{"One.", "[60] Two.", "[70] Three.", "Four.", "[80] Flat. / Five.", "Six.", "[90] Steep. / Seven.",
		"[50] Eight."}
	for name, place := range map[string]func(*stage) (*telegramtest.Chat, int64){
		"in a group": func(s *stage) (*telegramtest.Chat, int64) { return s.server.Group("Friends"), 0 },
		"with one":   func(s *stage) (*telegramtest.Chat, int64) { return s.server.Private(ben), 0 },
		"in a topic": func(s *stage) (*telegramtest.Chat, int64) {
			c := s.server.Supergroup("F", true)
			return c, c.Topic("Dice")
		},
		"in its first": func(s *stage) (*telegramtest.Chat, int64) { return s.server.Supergroup("F", true), 0 },
	} {
		t.Run(name, func(t *testing.T) {
			s := open(t)
			n := 0
			s.core.answer = func(chat.Event) chat.Reply { n++; return chat.Reply{Private: pages[n-1]} }
			s.core.commands = menuOf("stats")
			s.run()
			chat, topic := place(s)
			chat.SayIn(topic, ben, "/stats")
			for i, w := range want {
				if i > 0 {
					m, _ := chat.With("Turn")
					query, err := chat.Press(ben, m.ID, "Turn")
					check(t, err)
					s.answer(query)
				}
				s.until("there is "+w, func() bool { return shown(chat) == w })
				for _, m := range chat.Messages() {
					if m.Thread != topic {
						t.Errorf("%q stands in topic %d", m.Text, m.Thread)
					}
				}
			}
			last, _ := chat.With("Turn")
			if last.Text != "Eight.\n\nEven." {
				t.Errorf("the words for the picture do not stand below it: %q", last.Text)
			}
		})
	}
}

// TestPagesOfOthersStay checks that only the person who asked for a page replaces it, and only by a page with buttons.
func TestPagesOfOthersStay(t *testing.T) {
	s := open(t)
	n := 0
	s.core.commands = menuOf("stats")
	s.core.answer = func(ev chat.Event) chat.Reply {
		n++
		m := pageOf(fmt.Sprintf("%s %d.", ev.Name, n), drawing(t, "Words.", 60))
		if ev.Press == "end" {
			m.Buttons = nil
		}
		return chat.Reply{Private: m, Public: ev.Press == "news"}
	}
	s.run()
	group := s.server.Group("Friends")
	group.Say(anna, "/stats")
	s.until("Anna's page", func() bool { return shown(group) == "[60] Anna 1." })
	first, _ := group.With("Turn")
	s.answer(group.PressData(clara, first.ID, "x"))
	s.until("Clara has her own", func() bool { return shown(group) == "[60] Anna 1. / [60] Clara 2." })
	second, _ := group.With("Turn")
	s.answer(group.PressData(clara, second.ID, "x"))
	s.until("she turns it", func() bool { return shown(group) == "[60] Anna 1. / [60] Clara 3." })
	s.answer(group.PressData(anna, first.ID, "end"))
	s.until("a dead end is a message", func() bool {
		return shown(group) == "[60] Anna 1. / [60] Clara 3. / [60] Anna 4."
	})
	s.answer(group.PressData(anna, first.ID, "news"))
	s.until("and so is what all are to see", func() bool {
		return strings.HasSuffix(shown(group), "Anna 4. / [60] Anna 5.")
	})
}

// TestNewsStandWhereTheyWereToldOf checks that a public answer to a press replaces the pressed message, even a reply.
func TestNewsStandWhereTheyWereToldOf(t *testing.T) {
	s := open(t)
	s.core.commands = menuOf("settle")
	s.core.answer = func(ev chat.Event) chat.Reply {
		r := chat.Reply{Private: pageOf("Told.", nil), Public: true, Instead: ev.Press != ""}
		if ev.Press != "" {
			r.Private.Head = "Paid."
		}
		if ev.Press == "late" {
			r.Toast, r.Refused, r.Private.Head = "Moved on.", true, "Paid, and so."
		}
		return r
	}
	s.run()
	group := s.server.Group("Friends")
	group.Say(anna, "/settle")
	s.until("it is told of", func() bool { return shown(group) == "Told." })
	m, _ := group.With("Turn")
	s.answer(group.PressData(clara, m.ID, "confirm"))
	s.until("it stands there", func() bool { return shown(group) == "Paid." })
	if a := s.answer(group.PressData(ben, m.ID, "late")); a.Text != "Moved on." {
		t.Errorf("the late press is answered %q", a.Text)
	}
	s.until("and the late press draws it", func() bool { return shown(group) == "Paid, and so." })
}

// TestPagesPressedAgainBeforeTheyTurn checks that presses from before a page changed are answered in its place, even if
// it is now a picture, a text or another message. The newest press wins.
func TestPagesPressedAgainBeforeTheyTurn(t *testing.T) {
	long := strings.Repeat("Many words. ", 100)
	kinds := []func(head string) *chat.Message{
		func(head string) *chat.Message { return pageOf(head, nil) },
		func(head string) *chat.Message { return pageOf(head, drawing(t, "Rising.", 60)) },
		func(head string) *chat.Message { return pageOf(head, drawing(t, "Falling.", 70), long) },
	}
	s := open(t)
	s.core.commands = menuOf("stats")
	s.core.answer = func(ev chat.Event) chat.Reply {
		kind := 0
		if ev.Press != "" {
			kind = int(ev.Press[0] - '0')
		}
		return chat.Reply{Private: kinds[kind](ev.Press + ".")}
	}
	s.run()
	group := s.server.Group("Friends")
	group.Say(anna, "/stats")
	s.until("there is a page", func() bool { return shown(group) == "." })
	for first := range kinds {
		for second := range kinds {
			for third := range kinds {
				m, _ := group.With("Turn")
				name := fmt.Sprintf("%d%d%d", first, second, third)
				var presses []string
				for i, kind := range []int{first, second, third} {
					presses = append(presses, fmt.Sprintf("%d of %s, %d", kind, name, i))
				}
				group.PressQuickly(anna, m.ID, presses...)
				last := fmt.Sprintf("%d of %s, 2.", third, name)
				want := []string{last, "[60] " + last, "[70] Falling. / " + last}[third]
				s.until("there is only "+want, func() bool {
					return shown(group) == want && len(s.server.Unanswered()) == 0
				})
			}
		}
	}
}

// TestPicturesThatAreNotTaken checks that descriptions replace refused pictures.
func TestPicturesThatAreNotTaken(t *testing.T) {
	for name, far := range map[string]telegramtest.Fault{
		"not permitted": {},
		"too large":     {On: "sendPhoto", Status: 413, Message: "Request Entity Too Large"},
		"too soon":      {On: "sendPhoto", Status: 429, Message: "Too Many Requests: retry after 3", RetryAfter: 3},
	} {
		t.Run(name, func(t *testing.T) {
			s := open(t)
			s.core.commands = menuOf("stats")
			s.core.answer = func(chat.Event) chat.Reply {
				return chat.Reply{Private: &chat.Message{Head: "Stats.", Lines: []string{"Line."},
					Picture: drawing(t, "<b>Rising</b>.", 60)}}
			}
			s.run()
			group := s.server.Group("Friends")
			if far.Status == 0 {
				group.NoPhotos()
			} else {
				s.server.Fail(far)
			}
			group.Say(anna, "/stats")
			want := "Stats.\n\nLine.\n<b>Rising</b>."
			s.until("the words are there", func() bool { m, ok := group.Find("Stats."); return ok && m.Text == want })
			if m, _ := group.Find("Stats."); (m.Photo != nil) != (far.RetryAfter > 0) {
				t.Errorf("a picture: %v", m.Photo != nil)
			}
		})
	}
}

// TestACaptionSaysNothingTwice checks that a caption repeats none of the message's lines.
func TestACaptionSaysNothingTwice(t *testing.T) {
	m := chat.Message{Head: "Who has won what.", Lines: []string{"1. Ben +7"}, Picture: drawing(t, "", 60)}
	m.Picture.Alt = "A chart: Who has won what. 1. Ben +7"
	if got := linesHTML(messageLines(withoutPicture(m)), longestCaption); got != "Who has won what.\n\n1. Ben +7" {
		t.Errorf("the caption is %q", got)
	}
}
