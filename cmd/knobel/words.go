package main

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	tags "golang.org/x/text/language"

	"knobel/bot/words"
)

// Command words.

func wordsCommand(w world) *cobra.Command {
	return &cobra.Command{
		Use:   "words [LANGUAGE]",
		Short: "Count what is said in each language, or write the files of what one lacks",
		Long: "Without a language, counts the sentences of each. With one, such as fr, writes its message " +
			"files in the\n" +
			"folder of the sources: what is translated stays, what is not stands there in English, behind a sign (#).",
		Args: cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				return writeWords(w, args[0])
			}
			said, err := sentences()
			if err != nil {
				return err
			}
			for _, lang := range said.Languages() {
				count(w, said, lang, "")
			}
			for _, lang := range said.Drafts() {
				count(w, said, lang, ", a draft")
			}
			return nil
		},
	}
}

// count prints how many messages of a language are translated, followed by more.
func count(w world, said *words.Words, lang, more string) {
	n, all := said.Said(lang)
	fmt.Fprintf(w.out, "%s: %s of %s%s\n", lang, grouped(n), grouped(all), more)
}

// grouped returns n, of at most six digits, with a thousands separator: 1,260.
func grouped(n int) string {
	if n < 1000 {
		return fmt.Sprint(n)
	}
	return fmt.Sprintf("%d,%03d", n/1000, n%1000)
}

// writeWords writes the message files of a language for translators into the source folders under the working folder.
func writeWords(w world, lang string) error {
	tag, err := tags.Parse(lang)
	if err != nil || tag.String() != lang || len(words.Forms(lang)) == 0 {
		return fmt.Errorf("%q is no language; take one such as fr or pt-BR", lang)
	}
	const own = "bot/words/" + words.Default + ".toml"
	if _, err := os.Stat(own); err != nil {
		return fmt.Errorf("the sources are not here; run this in their folder, where %s is", own)
	}
	files, err := words.Sources(os.DirFS("."))
	if err != nil {
		return err
	}
	var all, offered []fs.FS
	for _, file := range files {
		folder := filepath.Dir(file)
		system := words.Folder{FS: os.DirFS(folder), Path: folder}
		if all = append(all, system); !strings.Contains(file, "/gametest/") { // games that only tests use
			offered = append(offered, system)
		}
	}
	said, err := words.Read(all...)
	if err != nil {
		return err
	}
	counted, err := words.Read(offered...)
	if err != nil {
		return err
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		text, lacks := said.Draft(lang, text)
		if lacks == 0 {
			continue
		}
		name := strings.TrimSuffix(file, words.Default+".toml") + lang + ".toml"
		fmt.Fprintf(w.out, "%s: %s are missing\n", name, grouped(lacks))
		if err := os.WriteFile(name, text, 0o644); err != nil {
			return err
		}
	}
	count(w, counted, lang, "")
	if !slices.Contains(said.Languages(), lang) {
		fmt.Fprintln(w.out, "Take the sign (#) away before a line that you translate, and “draft = true” once "+
			"nothing is missing.")
	}
	return nil
}
