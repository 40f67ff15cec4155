package telegram

import (
	"context"
	"fmt"
	"regexp"
	"strings"

	tg "github.com/go-telegram-bot-api/telegram-bot-api/v5"

	"knobel/bot/chat"
	"knobel/bot/words"
	"knobel/games"
)

// The ways into the Mini App: a button below each board, and the menu button of private chats.

// App configures the Mini App. The zero value means that there is none.
type App struct {
	// Name is the short name of the Mini App that its operator has made, or MainApp for the bot's main one.
	Name string
	// URL is the public address of the app's page: https, except on loopback.
	URL string
	// Words are the sentences of the bot, for the labels of buttons.
	Words *words.Words
}

// MainApp is the App.Name of the bot's main Mini App.
const MainApp = "main"

// appNames matches short names of Mini Apps.
var appNames = regexp.MustCompile(`^[A-Za-z0-9_]{3,30}$`)

// ParseApp returns an error if name is not valid as App.Name; "" is valid.
func ParseApp(name string) (string, error) {
	if name != "" && !appNames.MatchString(name) {
		return "", fmt.Errorf("%q is no short name of a Mini App, such as dice: @BotFather lists them by /myapps", name)
	}
	return name, nil
}

// on reports whether there is a Mini App.
func (a App) on() bool { return a.Name != "" && a.URL != "" }

// label returns the label of the app's buttons in a language.
func (a App) label(lang string) string {
	return a.Words.Say(lang, games.Say("bot.page.open", nil), words.Context{})
}

// link returns the link that opens the app of bot, a user name, at a table.
func (a App) link(bot string, table int64) string {
	if a.Name == MainApp {
		return fmt.Sprintf("https://t.me/%s?startapp=t%d", bot, table)
	}
	return fmt.Sprintf("https://t.me/%s/%s?startapp=t%d", bot, a.Name, table)
}

// boardParams returns the parameters with which a request sends or edits message m in a chat, 0: in an inline message.
// The last row of a board's buttons opens the Mini App, if there is one.
func (t *Telegram) boardParams(chatNumber int64, m chat.Message) tg.Params {
	params, username := messageParams(chatNumber, m), t.username.Load()
	if !t.options.App.on() || m.Table == 0 || username == nil {
		return params
	}
	opens := key{Text: t.options.App.label(m.Lang), URL: t.options.App.link(*username, m.Table)}
	if chatNumber > 0 { // there, and only there, a button opens the page by itself
		opens.URL, opens.App = "", &webPage{t.options.App.URL}
	}
	k := newKeyboard(m.Buttons)
	k.Rows = append(k.Rows, []key{opens})
	params["reply_markup"] = inJSON(k)
	return params
}

// webPage is the page of a Mini App in Telegram's JSON (WebAppInfo).
type webPage struct {
	URL string `json:"url"`
}

// menuButton is the button beside the text field in private chats, in Telegram's JSON.
type menuButton struct {
	Type string   `json:"type"`
	Text string   `json:"text,omitempty"`
	App  *webPage `json:"web_app,omitempty"`
}

// AppPath ends the addresses of pages of Mini Apps that Knobel serves.
const AppPath = "/embed/" + name

// writeMenuButton makes the button beside the text field open the Mini App or, without one, list the commands. A button
// that an operator has set to open another page stays.
func (t *Telegram) writeMenuButton(ctx context.Context) error {
	var have menuButton
	if err := t.callInto(ctx, "getChatMenuButton", nil, &have); err != nil {
		return err
	}
	ours := have.Type == "web_app" && have.App != nil && strings.HasSuffix(have.App.URL, AppPath)
	want := menuButton{Type: "commands"}
	if app := t.options.App; app.on() {
		want = menuButton{"web_app", strings.TrimPrefix(app.label(words.Default), "▶ "), &webPage{app.URL}}
		ours = ours || have.Type == "commands" // which Knobel has set before there was an app
	}
	same := have.Type == want.Type && (want.App == nil || have.App != nil && *have.App == *want.App)
	if same || have.Type != "default" && !ours {
		return nil
	}
	return t.execute(ctx, "setChatMenuButton", tg.Params{"menu_button": inJSON(want)})
}

// examineApp returns findings for the operator about the Mini App: main is whether the bot has a main one.
func (t *Telegram) examineApp(ctx context.Context, username string, main bool) (all []chat.Finding) {
	app := t.options.App
	wrong := func(text string) { all = append(all, chat.Finding{Text: text, Wrong: true}) }
	switch {
	case app.Name == "":
		return nil
	case app.URL == "":
		wrong("KNOBEL_TELEGRAM_APP needs KNOBEL_PUBLIC_URL, the https address of this program")
		return all
	case app.Name == MainApp && !main:
		wrong("the bot has no main Mini App: set it with @BotFather, Bot Settings, or name another one " +
			"in KNOBEL_TELEGRAM_APP")
	}
	var menu menuButton
	if err := t.callInto(ctx, "getChatMenuButton", nil, &menu); err == nil && menu.Type != "web_app" {
		all = append(all, chat.Finding{Text: "the menu button of private chats does not open the Mini App: " +
			"knobel serve sets it, unless @BotFather has another one"})
	}
	return append(all, chat.Finding{Text: "try the Mini App: open " + strings.TrimSuffix(app.link(username, 0), "=t0")})
}
