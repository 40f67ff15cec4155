package books_test

import (
	"path/filepath"
	"testing"

	"knobel/bot/bare"
)

func TestStories(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("%d stories: %v", len(files), err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) { bare.Stories(t, file) })
	}
}
