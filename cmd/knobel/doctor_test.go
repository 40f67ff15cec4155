package main

import (
	"errors"
	"io"
	"path/filepath"
	"strings"
	"testing"

	"knobel/bot/discord/discordtest"
	"knobel/bot/telegram/telegramtest"
	"knobel/bot/terminal"
	"knobel/store"
)

// runCommand runs a command line with its own environment, and returns the exit code and both outputs.
func runCommand(t *testing.T, env map[string]string, args ...string) (code int, out, err string) {
	t.Helper()
	var said, complained strings.Builder
	code = run(t.Context(), worldOf(&said, &complained, env), args)
	return code, said.String(), complained.String()
}

// checkDoctor fails unless doctor prints each of want and exits with 0, or with another code if well is false.
func checkDoctor(t *testing.T, env map[string]string, well bool, want ...string) {
	t.Helper()
	env["KNOBEL_DB"] = filepath.Join(t.TempDir(), "none.db")
	code, out, complained := runCommand(t, env, "doctor")
	if (code == 0) != well {
		t.Errorf("doctor ends with %d", code)
	}
	for _, line := range want {
		if !strings.Contains(out, line) {
			t.Errorf("doctor does not say %q", line)
		}
	}
	checkNoToken(t, out+complained)
	if t.Failed() {
		t.Logf("%s%s", out, complained)
	}
}

func TestDoctorAsksTelegram(t *testing.T) {
	server := telegramtest.Start(t, telegramtest.Options{Token: telegramToken})
	env := map[string]string{"KNOBEL_TELEGRAM_TOKEN": telegramToken, "KNOBEL_TELEGRAM_API_URL": server.URL()}
	checkDoctor(t, env, true, "ok     telegram: connected as @KnobelBot\n",
		"ok     telegram: receives updates by polling\n",
		"off    discord: KNOBEL_DISCORD_TOKEN is not set\n", "Everything is fine.\n",
		"warn   encryption: off, but Telegram's terms for bots require it: ")
	if polls := server.Calls("getUpdates"); len(polls) > 0 {
		t.Error("doctor takes updates that are not its own")
	}

	server.Webhook("https://example.org/hook")
	checkDoctor(t, env, false, "FAIL   telegram: updates go to a webhook, so polling fails: ", "1 problem found.\n")
	server.Webhook("")
	server.Fail(telegramtest.Fault{On: "getMe", Status: 500, Message: "Internal Server Error"})
	checkDoctor(t, env, false, "FAIL   telegram: unreachable: ", "Internal Server Error")
	server.Fail(telegramtest.Fault{On: "getWebhookInfo", Cut: true})
	checkDoctor(t, env, false, "ok     telegram: connected as @KnobelBot\n",
		"FAIL   telegram: read webhook failed: ")
	server.Away(true)
	checkDoctor(t, env, false, "FAIL   telegram: unreachable: ")
	server.Away(false)
	env["KNOBEL_TELEGRAM_TOKEN"] = "4839574812:AAFD39kkanother"
	checkDoctor(t, env, false, "FAIL   telegram: unknown token: ask @BotFather for the current one\n")
}

func TestDoctorAsksDiscord(t *testing.T) {
	server := discordtest.Start(t, discordtest.Options{Token: discordToken})
	env := map[string]string{"KNOBEL_DISCORD_TOKEN": discordToken, "KNOBEL_DISCORD_API_URL": server.URL()}
	checkDoctor(t, env, false, "FAIL   discord: the bot is in no server: ") // a bot in no server is useless
	friends := server.Guild("Friends")
	checkDoctor(t, env, true, "ok     discord: connected as ", "ok     discord: servers: 1\n",
		"off    telegram: KNOBEL_TELEGRAM_TOKEN is not set\n", "Everything is fine.\n")
	if opened, _, _ := server.Connections(); opened > 0 {
		t.Error("doctor connects to the gateway, as if it were the bot")
	}

	server.Fail(discordtest.Fault{On: "GET /users/@me", Status: 500, Message: "Internal Server Error"})
	checkDoctor(t, env, false, "FAIL   discord: unreachable: ", "Internal Server Error")
	server.Fail(discordtest.Fault{On: "GET /gateway/bot", Status: 503})
	checkDoctor(t, env, false, "ok     discord: connected as ", "FAIL   discord: read gateway address failed: ",
		"1 problem found.\n")
	friends.Deny(discordtest.SendMessages)
	checkDoctor(t, env, false, "FAIL   discord: Missing on the server Friends: Send Messages. To change that: Server "+
		"Settings → Roles\n", "ok     discord: servers: 1\n")
	server.Away(true)
	checkDoctor(t, env, false, "FAIL   discord: unreachable: ")
	server.Away(false)
	env["KNOBEL_DISCORD_TOKEN"] = "MTI3ODQwNTU5MDE4.GhYw2k.another"
	checkDoctor(t, env, false, "FAIL   discord: unknown token: ")
}

func TestDoctorAsksForTheActivity(t *testing.T) {
	server := discordtest.Start(t, discordtest.Options{Token: discordToken, Secret: clientSecret})
	server.Guild("Friends")
	server.EnableActivities()
	env := map[string]string{"KNOBEL_DISCORD_TOKEN": discordToken, "KNOBEL_DISCORD_API_URL": server.URL(),
		"KNOBEL_DISCORD_CLIENT_SECRET": clientSecret}
	checkDoctor(t, env, false, "FAIL   discord: KNOBEL_DISCORD_CLIENT_SECRET needs KNOBEL_PUBLIC_URL, ",
		"1 problem found.\n")
	env["KNOBEL_PUBLIC_URL"], env["KNOBEL_LISTEN"] = "https://dice.example.org", nobody
	checkDoctor(t, env, true, "ok     discord: try the activity: ", "must lead to dice.example.org")
	server.Fail(discordtest.Fault{On: "POST /oauth2/token", Status: 500, Message: "not " + clientSecret})
	checkDoctor(t, env, false, "FAIL   discord: check client secret failed: ", "1 problem found.\n")
	env["KNOBEL_DISCORD_CLIENT_SECRET"] += "x"
	checkDoctor(t, env, false, "FAIL   discord: the client secret is not that of the application", "1 problem found.\n")
}

// Payments booked on one person's word by old versions stay. Doctor warns and names the command that undoes them.
func TestDoctorNamesPaymentsThatOneWordMadeGrow(t *testing.T) {
	file := filepath.Join(t.TempDir(), "knobel.db")
	s, err := store.Open(t.Context(), file)
	check(t, err)
	err = s.Update(t.Context(), func(tx *store.Tx) error {
		p := store.Payment{Chat: "test:1", Unit: "chips", Payer: "player:test:ben", Payee: store.House,
			Amount: 1_000_000, Teller: "test:ben"}
		err := errors.Join(tx.Chats.SaveChat(store.Chat{ID: p.Chat}), tx.Chats.SavePlayer(store.Player{ID: p.Teller}))
		if err == nil {
			p.ID, err = tx.Books.TellPayment(p)
		}
		return errors.Join(err, tx.Books.Confirm(p, 0))
	})
	check(t, errors.Join(err, s.Close()))
	code, out, complained := runCommand(t, map[string]string{"KNOBEL_DB": file}, "doctor")
	const want = "warn   payment 1 in chat test:1: 1000000 chips from player:test:ben to house increased or " +
		"reversed a balance, and only one person confirmed it; an admin of the chat can undo it with /settle back 1\n"
	if code != 0 || !strings.Contains(out, want) {
		t.Errorf("doctor ends with %d\n%s%s", code, out, complained)
	}
}

// Every configured platform has a line, even without findings.
func TestDoctorNamesAPlatformThatFindsNothing(t *testing.T) {
	var said strings.Builder
	d := doctor{world: world{out: &said}}
	d.checkPlatform(t.Context(), "Terminal",
		terminal.New(nil, nil, strings.NewReader(""), io.Discard, terminal.Table{}), nil)
	if said.String() != "ok     Terminal: configured\n" || d.faults > 0 {
		t.Errorf("doctor says %q", said.String())
	}
}

// Doctor reports a feature that Telegram lacked in the latest run.
func TestDoctorTellsWhatTelegramLacks(t *testing.T) {
	file := filepath.Join(t.TempDir(), "knobel.db")
	s, err := store.Open(t.Context(), file)
	check(t, err)
	m := &platformBuilder{ctx: t.Context(), store: s}
	for _, state := range []string{"off", ""} {
		check(t, m.storeState(settingEphemeral, state))
		_, out, complained := runCommand(t, map[string]string{"KNOBEL_DB": file}, "doctor")
		if strings.Contains(out, "warn   telegram: the Bot API has no ephemeral messages") != (state == "off") {
			t.Errorf("noted %q:\n%s%s", state, out, complained)
		}
	}
	closeOrFail(t, s)
}
