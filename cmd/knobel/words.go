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

// wordsCommand returns the command that counts translated messages and writes message files for translators.
func wordsCommand(w world) *cobra.Command {
	return &cobra.Command{
		Use:   "words [LANGUAGE]",
		Short: "Count translated sentences, or write files to translate",
		Long: "Without a language, counts the translated sentences of each. With one, such as fr, writes its\n" +
			"message files into the folder of the sources. Translations stay; missing sentences are in\n" +
			"English, behind a #.",
		Args: cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				return writeWords(w, args[0])
			}
			messages, err := sharedMessages()
			if err != nil {
				return err
			}
			for _, lang := range messages.Languages() {
				printCount(w, messages, lang, "")
			}
			for _, lang := range messages.Drafts() {
				printCount(w, messages, lang, ", a draft")
			}
			return nil
		},
	}
}

// printCount prints how many messages are translated into lang. suffix ends the line, such as ", a draft".
func printCount(w world, messages *words.Words, lang, suffix string) {
	translated, total := messages.Said(lang)
	fmt.Fprintf(w.out, "%s: %s of %s%s\n", lang, withThousands(translated), withThousands(total), suffix)
}

// withThousands returns n, from 0 to 999,999, as text with a comma before the last three digits: 1,260.
func withThousands(n int) string {
	if n < 1000 {
		return fmt.Sprint(n)
	}
	return fmt.Sprintf("%d,%03d", n/1000, n%1000)
}

// writeWords writes the message files of the language lang into the source folders below the working directory. They
// also list untranslated messages. writeWords prints how many messages are missing in each file.
func writeWords(w world, lang string) error {
	tag, err := tags.Parse(lang)
	if err != nil || tag.String() != lang || len(words.Forms(lang)) == 0 {
		return fmt.Errorf("unknown language %q; use one such as fr or pt-BR", lang)
	}
	const source = "bot/words/" + words.Default + ".toml"
	if _, err := os.Stat(source); err != nil {
		return fmt.Errorf("no sources here; run this in their folder, which contains %s", source)
	}
	files, err := words.Sources(os.DirFS("."))
	if err != nil {
		return err
	}
	var all, offered []fs.FS
	for _, file := range files {
		folder := filepath.Dir(file)
		system := words.Folder{FS: os.DirFS(folder), Path: folder}
		if all = append(all, system); !strings.Contains(file, "/gametest/") { // not a game that only tests use
			offered = append(offered, system)
		}
	}
	messages, err := words.Read(all...)
	if err != nil {
		return err
	}
	offeredMessages, err := words.Read(offered...)
	if err != nil {
		return err
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		text, missing := messages.Draft(lang, text)
		if missing == 0 {
			continue
		}
		name := strings.TrimSuffix(file, words.Default+".toml") + lang + ".toml"
		fmt.Fprintf(w.out, "%s: %s are missing\n", name, withThousands(missing))
		if err := os.WriteFile(name, text, 0o644); err != nil {
			return err
		}
	}
	printCount(w, offeredMessages, lang, "")
	if !slices.Contains(messages.Languages(), lang) {
		fmt.Fprintln(w.out, "Remove the # before a line that you translate, and “draft = true” once nothing is "+
			"missing.")
	}
	return nil
}
