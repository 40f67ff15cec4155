package discord

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"knobel/bot/chat"
	"knobel/bot/discord/discordtest"
	"knobel/bot/discord/emoji"
	"knobel/games"
)

// albumOf returns an album with the pictures of these kinds, or of all if none is given, with ids of the usual length.
func albumOf(kinds ...emoji.Kind) *album {
	there := map[string]string{}
	for i, p := range emoji.All() {
		if len(kinds) == 0 || slices.Contains(kinds, p.Kind) {
			there[p.FullName()] = fmt.Sprint(1198622483471925248 + int64(i))
		}
	}
	return newAlbum(emoji.All(), there)
}

// rowOf returns a row of this many tiles. Of every three, one is shut, one open and one chosen.
func rowOf(tiles int) chat.TileRow {
	row := chat.TileRow{}
	for n := 1; n <= tiles; n++ {
		row.Tiles = append(row.Tiles, chat.Tile{Number: n, Open: n%3 > 0, Picked: n%3 == 1})
	}
	return row
}

var emojiMarkup = regexp.MustCompile(`<:\w{2,32}:[0-9]{17,20}>`)

// unbroken checks that no emoji in the texts of b is cut in two.
func unbroken(t *testing.T, b body) {
	t.Helper()
	if rest := emojiMarkup.ReplaceAllString(texts(b), ""); strings.Contains(strings.ReplaceAll(rest, `\<`, ""), "<:") {
		t.Errorf("half an emoji in %q", rest)
	}
}

// TestRowsOfPictures checks that dice, tiles and seats are drawn as emoji, or as text if a picture is missing.
func TestRowsOfPictures(t *testing.T) {
	all := albumOf()
	for _, c := range []struct {
		name string
		a    *album
		m    chat.Message
		want string
	}{
		{"nine tiles in one line", all, chat.Message{Tiles: []chat.TileRow{rowOf(9)}},
			":tile_1_chosen::tile_2::tile_3_shut::tile_4_chosen::tile_5::tile_6_shut:" +
				":tile_7_chosen::tile_8::tile_9_shut:"},
		{"many tiles in several", all, chat.Message{Tiles: []chat.TileRow{{Tiles: rowOf(24).Tiles[10:]}}},
			":tile_11::tile_12_shut::tile_13_chosen::tile_14::tile_15_shut::tile_16_chosen::tile_17::tile_18_shut:\n" +
				":tile_19_chosen::tile_20::tile_21_shut::tile_22_chosen::tile_23::tile_24_shut:"},
		{"no half rows", albumOf(emoji.LowTiles), chat.Message{Tiles: []chat.TileRow{rowOf(14)}},
			"`[ 1] 2  ▁[ 4] 5  ▁[ 7] 8`\n` ▁[10]11 ▁▁[13]14`"},
		{"a large die", all, chat.Message{Dice: []chat.Die{{Face: 20, Sides: 20}}}, "# :large_die_20:"},
		{"a coin", all, chat.Message{Dice: []chat.Die{{Face: 1, Sides: 2}}}, "🎲 1"},
		{"a die and a coin", all, chat.Message{Dice: []chat.Die{{Face: 6, Sides: 6}, {Face: 1, Sides: 2}}}, "🎲 6 1"},
		{"seats beyond the tenth", all,
			chat.Message{People: []chat.Person{{Seat: 11, Name: "Ben", State: games.ToMove}}},
			":seat_red_square: ▸ **Ben**"},
		{"dice without seats", albumOf(emoji.Dice), chat.Message{Dice: []chat.Die{{Face: 3, Sides: 6, Kept: true}},
			People: []chat.Person{{Name: "Ben"}}}, "# :die_3_kept:\nBen"},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := c.a.draw(c.m, 0)
			unbroken(t, b)
			if got := plainly(texts(b)); got != c.want {
				t.Errorf("the board says\n%s\nwant\n%s", got, c.want)
			}
			if got := texts(b.withoutEmoji()); emojiMarkup.MatchString(got) {
				t.Errorf("in letters it says %q", got)
			}
		})
	}
}

func TestPicturesOnButtons(t *testing.T) {
	tiles := rowOf(3)
	m := chat.Message{Tiles: []chat.TileRow{tiles}, Dice: []chat.Die{{Face: 2, Sides: 6, Press: "d"}},
		Buttons: [][]chat.Button{
			{{Label: "1✓", Press: "t1"}, {Label: "2", Press: "t2"}},
			{{Label: "2", Press: "set"}, {Label: "2+1", Press: "sets"}},
			{{Label: "🎲🎲 Two dice", Press: "2"}, {Label: "🎲 One die", Press: "1"}, {Label: "Undo", Press: "u"}},
			{{Label: "🎲 ", Press: "odd"}, {Label: "3", Press: "shut"}},
			{{Label: "2", Press: "d"}},
		}}
	var got []string
	for _, row := range albumOf().buttonRows(m, m.Buttons) {
		for _, b := range row.Components {
			face := b.Label
			if b.Emoji != nil {
				face = strings.TrimSuffix(b.Emoji.Name, "_k1") + "|" + face
			}
			got = append(got, face)
		}
	}
	want := []string{"tile_1_chosen|1✓", "tile_2|2", "2", "2+1", "two_dice|Two dice", "one_die|One die", "Undo", "🎲",
		"3", "die_2|2"}
	if !slices.Equal(got, want) {
		t.Errorf("the buttons are\n%q\nwant\n%q", got, want)
	}
}

// TestPicturesLeaveWordsTheirRoom checks that a board is drawn as text if its emoji would displace words.
func TestPicturesLeaveWordsTheirRoom(t *testing.T) {
	m := chat.Message{Head: "Anna's turn to roll.", Tiles: []chat.TileRow{rowOf(24), rowOf(24)}, Small: "seal"}
	for range 10 {
		m.People = append(m.People, chat.Person{Seat: len(m.People), Name: strings.Repeat("W", 24), Text: "12 open"})
	}
	b := albumOf().draw(m, 0)
	unbroken(t, b)
	if n := len(emojiMarkup.FindAllString(texts(b), -1)); n != 2*24+10 {
		t.Errorf("%d pictures on the largest board", n)
	}
	for range 10 {
		m.Lines = append(m.Lines, strings.Repeat("word ", 30))
	}
	b = albumOf().draw(m, 0)
	unbroken(t, b)
	if got := texts(b); emojiMarkup.MatchString(got) || !strings.Contains(got, "seal") {
		t.Errorf("the board says %q", got)
	}
}

// drawing returns a picture of noise, size pixels high and wide, which is hard to compress. alt describes it.
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
	check(t, png.Encode(&b, img))
	return &chat.Picture{Name: name, PNG: b.Bytes(), Alt: alt}
}

// pageOf returns a page with the picture p and one button, which asks the core for the next page.
func pageOf(head string, p *chat.Picture) *chat.Message {
	return &chat.Message{Head: head, Picture: p, Accent: -1,
		Buttons: [][]chat.Button{{{Label: "Turn", Press: "1:0:0:/" + head}}}}
}

// sees returns the visible text of m, and the names and descriptions of its pictures.
func sees(m discordtest.Message) string {
	all := []string{m.Text()}
	for _, a := range m.Attachments {
		all = append(all, a.Name+" ("+a.Description+")")
	}
	return strings.Join(all, " | ")
}

// TestPicturesTurnWithTheirPage checks that pages with other pictures or none replace each other in a private message.
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
					private := s.hall.Private(s.anna)
					return len(private) == 1 && sees(private[0]) == want[i]
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

// TestPicturesOfAllKinds checks that pictures of any name and size arrive with descriptions, in private and in public.
func TestPicturesOfAllKinds(t *testing.T) {
	t.Parallel()
	large := drawing(t, "noise.png", "Noise.", 300)
	if len(large.PNG) <= maxQuickFile {
		t.Fatalf("%d bytes are not large", len(large.PNG))
	}
	long := strings.Repeat("Many words. ", 700)
	for _, c := range []struct {
		name   string
		m      chat.Message
		public bool
		want   string // the picture in the last message
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
