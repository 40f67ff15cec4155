package discord

import (
	"bytes"
	"context"
	"image"
	"image/color"
	"image/png"
	"math/rand/v2"
	"strings"
	"testing"

	"knobel/bot/chat"
	"knobel/bot/discord/discordtest"
)

// drawing returns a picture; a noisy one is hard to compress.
func drawing(t *testing.T, name, alt string, size int) *chat.Picture {
	t.Helper()
	chance := rand.New(rand.NewPCG(7, uint64(size)))
	img := image.NewRGBA(image.Rect(0, 0, size, size))
	for x := range size {
		for y := range size {
			img.Set(x, y, color.RGBA{uint8(chance.Uint32()), uint8(chance.Uint32()), uint8(chance.Uint32()), 255})
		}
	}
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		t.Fatal(err)
	}
	return &chat.Picture{Name: name, PNG: b.Bytes(), Alt: alt}
}

// pageOf returns a page with a button that turns it.
func pageOf(head string, p *chat.Picture) *chat.Message {
	return &chat.Message{Head: head, Picture: p, Accent: -1,
		Buttons: [][]chat.Button{{{Label: "Turn", Press: "1:0:0:/" + head}}}}
}

// sees returns a message's text and picture.
func sees(m discordtest.Message) string {
	all := []string{m.Text()}
	for _, a := range m.Attachments {
		all = append(all, a.Name+" ("+a.Description+")")
	}
	return strings.Join(all, " | ")
}

// A page with a picture is turned to one with another, to one without, and back, in the same private message; its
// files change, too.
func TestPicturesTurnWithTheirPage(t *testing.T) {
	t.Parallel()
	balance := drawing(t, "balance.png", "Anna is at +12 in the end.", 40)
	scores := drawing(t, "scores.png", "Most scores are 12.", 50)
	pages := []*chat.Message{pageOf("First.", balance), pageOf("Second.", scores), pageOf("Third.", nil),
		pageOf("Fourth.", scores)}
	want := []string{
		"First. | balance.png (Anna is at +12 in the end.)", "Second. | scores.png (Most scores are 12.)",
		"Third.", "Fourth. | scores.png (Most scores are 12.)",
	}
	for name, late := range map[string]bool{"at once": false, "put off": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			turned := 0
			core := &script{late: late}
			core.handle = func(context.Context, chat.Event) chat.Reply {
				turned++
				return chat.Reply{Private: pages[turned-1]}
			}
			s := rehearse(t, discordtest.Options{}, core)
			page := s.answer(s.hall.Slash(s.anna, "stats")).Message
			for i := range pages {
				if i > 0 {
					s.answer(s.pressOn(page))
				}
				s.until("page "+want[i], func() bool {
					alone := s.hall.Private(s.anna)
					return len(alone) == 1 && sees(alone[0]) == want[i]
				})
				page = s.hall.Private(s.anna)[0]
			}
			if last := page.Attachments[0]; !bytes.Equal(last.Content, scores.PNG) {
				t.Error("the picture did not come as it was sent")
			}
			if len(s.hall.Messages()) > 0 {
				t.Error("a private page was seen by all")
			}
		})
	}
}

// Pictures of any name and size arrive with their descriptions, in private and in public.
func TestPicturesOfAllKinds(t *testing.T) {
	t.Parallel()
	large := drawing(t, "noise.png", "Noise.", 300)
	if len(large.PNG) <= quickPicture {
		t.Fatalf("%d bytes are not large", len(large.PNG))
	}
	long := strings.Repeat("Many words. ", 700)
	for _, c := range []struct {
		name   string
		m      chat.Message
		public bool
		want   string // the last message besides its text
	}{
		{"hostile", chat.Message{Head: "x", Picture: drawing(t, "../\"\r\n@everyone.png", "<@1>\x00\u202e", 8)}, false,
			"picture.png (<@1>)"},
		{"without words", chat.Message{Head: "x", Picture: drawing(t, "a.png", "", 8)}, false, "a.png ()"},
		{"with too many words", chat.Message{Head: "x", Picture: drawing(t, "a.png", strings.Repeat("ä", 2000),
			8)}, false,
			"a.png (" + strings.Repeat("ä", 1023) + "…)"},
		{"large", chat.Message{Head: "x", Picture: large}, false, "noise.png (Noise.)"},
		{"large and for all", chat.Message{Head: "x", Picture: large}, true, "noise.png (Noise.)"},
		{"for all", chat.Message{Head: "x", Picture: drawing(t, "a.png", "Words.", 8)}, true, "a.png (Words.)"},
		{"below a long text", chat.Message{Head: "x", Lines: []string{long}, Picture: drawing(t, "a.png", "Words.", 8)},
			false, "a.png (Words.)"},
		{"of nothing", chat.Message{Head: "x", Picture: &chat.Picture{Name: "a.png"}}, false, ""},
	} {
		for _, press := range []bool{false, true} {
			name := c.name + ", for a command"
			if press {
				name = c.name + ", for a press"
			}
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				m := c.m
				s := rehearse(t, discordtest.Options{},
					&script{handle: says(chat.Reply{Private: &m, Public: c.public})})
				if press {
					s.answer(s.pressOn(s.posted()))
				} else {
					s.answer(s.hall.Slash(s.anna, "stats"))
				}
				s.stop() // messages after the answer have arrived, too
				read := s.hall.Private(s.anna)
				if c.public {
					read = s.hall.Messages()
				}
				if len(read) == 0 {
					t.Fatalf("nothing is to be seen\n%s", s.log)
				}
				last := read[len(read)-1]
				if _, got, _ := strings.Cut(sees(last), " | "); got != c.want {
					t.Errorf("shows %q, want %q", got, c.want)
				}
				for _, before := range read[:len(read)-1] {
					if len(before.Attachments) > 0 {
						t.Errorf("a picture more: %q", sees(before))
					}
				}
			})
		}
	}
}
