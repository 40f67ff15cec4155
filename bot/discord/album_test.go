package discord

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"knobel/bot/chat"
	"knobel/bot/discord/emoji"
	"knobel/games"
)

// albumOf returns the pictures of some kinds, or of all, with ids of the usual length.
func albumOf(kinds ...emoji.Kind) *album {
	there := map[string]string{}
	for i, p := range emoji.All() {
		if len(kinds) == 0 || slices.Contains(kinds, p.Kind) {
			there[p.FullName()] = fmt.Sprint(1198622483471925248 + int64(i))
		}
	}
	return newAlbum(emoji.All(), there)
}

// rowOf returns a row of that many tiles: one of three is shut, one chosen.
func rowOf(tiles int) chat.TileRow {
	row := chat.TileRow{}
	for n := 1; n <= tiles; n++ {
		row.Tiles = append(row.Tiles, chat.Tile{Number: n, Open: n%3 > 0, Picked: n%3 == 1})
	}
	return row
}

var emojiMarkup = regexp.MustCompile(`<:\w{2,32}:[0-9]{17,20}>`)

// unbroken checks that no emoji in a text is cut in two.
func unbroken(t *testing.T, b body) {
	t.Helper()
	if rest := emojiMarkup.ReplaceAllString(texts(b), ""); strings.Contains(strings.ReplaceAll(rest, `\<`, ""), "<:") {
		t.Errorf("half an emoji in %q", rest)
	}
}

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
			b := c.a.drawn(c.m, 0)
			unbroken(t, b)
			if got := plainly(texts(b)); got != c.want {
				t.Errorf("the board says\n%s\nwant\n%s", got, c.want)
			}
			if got := texts(b.letters()); emojiMarkup.MatchString(got) {
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
	for _, row := range albumOf().rows(m, m.Buttons) {
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

// Pictures never displace words: if both do not fit, the board is in letters.
func TestPicturesLeaveWordsTheirRoom(t *testing.T) {
	m := chat.Message{Head: "Anna is to throw.", Tiles: []chat.TileRow{rowOf(24), rowOf(24)}, Small: "seal"}
	for range 10 {
		m.People = append(m.People, chat.Person{Seat: len(m.People), Name: strings.Repeat("W", 24), Text: "12 open"})
	}
	b := albumOf().drawn(m, 0)
	unbroken(t, b)
	if n := len(emojiMarkup.FindAllString(texts(b), -1)); n != 2*24+10 {
		t.Errorf("%d pictures on the largest board", n)
	}
	for range 10 {
		m.Lines = append(m.Lines, strings.Repeat("word ", 30))
	}
	b = albumOf().drawn(m, 0)
	unbroken(t, b)
	if got := texts(b); emojiMarkup.MatchString(got) || !strings.Contains(got, "seal") {
		t.Errorf("the board says %q", got)
	}
}
