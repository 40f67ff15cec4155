package discordtest_test

import (
	"bytes"
	"image"
	"image/png"
	"io"
	"mime/multipart"
	"net/http"
	"strings"
	"testing"

	"knobel/bot/discord/discordtest"
)

// form sends parts as a bot would, "name=file" or a name alone, with contents.
func form(t *testing.T, s *discordtest.Server, path string, parts ...[2]string) (int, string) {
	t.Helper()
	var body bytes.Buffer
	w := multipart.NewWriter(&body)
	for _, p := range parts {
		name, file, isFile := strings.Cut(p[0], "=")
		var to io.Writer
		var err error
		if isFile {
			to, err = w.CreateFormFile(name, file)
		} else {
			to, err = w.CreateFormField(name)
		}
		if err == nil {
			_, err = to.Write([]byte(p[1]))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.URL()+"/api/v9"+path, &body)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bot "+s.Token())
	r.Header.Set("User-Agent", "DiscordBot (https://example.org, 1)")
	r.Header.Set("Content-Type", w.FormDataContentType())
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	said, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer.StatusCode, string(said)
}

func TestFilesThatDiscordRefuses(t *testing.T) {
	var dot bytes.Buffer
	if err := png.Encode(&dot, image.NewGray(image.Rect(0, 0, 1, 1))); err != nil {
		t.Fatal(err)
	}
	gallery := `{"type":12,"items":[{"media":{"url":"attachment://a.png"}}]}`
	shows := `"flags":32768,` + nobody + `,"components":[` + gallery + `]`
	list := `,"attachments":[{"id":"0","filename":"a.png","description":"A dot."}]`
	file := [2]string{"files[0]=a.png", dot.String()}
	for name, c := range map[string]struct {
		parts [][2]string
		why   string // "": it is taken
	}{
		"as it should be": {[][2]string{{"payload_json", "{" + shows + list + "}"}, file}, ""},
		"no payload":      {[][2]string{file}, "payload_json"},
		"another part":    {[][2]string{{"payload_json", "{" + shows + list + "}"}, file, {"more", "x"}}, "more"},
		"no list":         {[][2]string{{"payload_json", "{" + shows + "}"}, file}, "not in the list"},
		"no file": {[][2]string{{"payload_json", "{" + shows + list + "}"},
			{"files[1]=b.png", dot.String()}}, "not in the form"},
		"another name": {[][2]string{{"payload_json", "{" + shows + list + "}"},
			{"files[0]=b.png", dot.String()}}, "b.png"},
		"no picture": {[][2]string{{"payload_json", "{" + shows + list + "}"}, {"files[0]=a.png", "text"}},
			"png"},
		"nowhere shown": {[][2]string{{"payload_json",
			`{"flags":32768,` + nobody + `,"components":[{"type":10,"content":"x"}]` + list + "}"}, file}, "nowhere"},
		"too long a text": {[][2]string{{"payload_json",
			"{" + shows + strings.Replace(list, "A dot.", strings.Repeat("x", 1025), 1) + "}"}, file},
			"1025 characters"},
		"an unknown key": {[][2]string{{"payload_json", "{" + shows + strings.Replace(list, "description", "alt",
			1) + "}"}, file}, "alt"},
		"a gallery of others": {[][2]string{{"payload_json", "{" + strings.Replace(shows, "a.png", "z.png", 1) + list +
			"}"}, file}, "not attached"},
	} {
		t.Run(name, func(t *testing.T) {
			s := discordtest.Start(t, discordtest.Options{})
			channel := s.Guild("G").Channel("c")
			status, said := form(t, s, "/channels/"+channel.ID+"/messages", c.parts...)
			wrong := s.Forgive()
			if c.why == "" {
				if m, ok := channel.Last(); status != 200 || len(wrong) > 0 || !ok ||
					m.Attachments[0].Description != "A dot." {
					t.Errorf("%d %s %v", status, said, wrong)
				}
				return
			}
			if status != 400 || len(wrong) != 1 || !strings.Contains(wrong[0].Why, c.why) {
				t.Errorf("%d %v, want %q", status, wrong, c.why)
			}
		})
	}
}
