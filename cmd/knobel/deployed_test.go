package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"knobel/bot/discord/discordtest"
	"knobel/bot/fakes/needs"
	"knobel/bot/telegram/telegramtest"
)

// startDeployed sets up the services of deploy/replicas.yaml without Docker: secrets made by the commands in the head
// of that file, replicas (not started) with its environment, and nginx with its configuration. Docker's addresses and
// secrets folder are replaced by local ports and a folder of the test. The platforms are fakes.
func startDeployed(t *testing.T) *fleet {
	t.Helper()
	needs.Nginx(t)
	file := document(t, "../../deploy/replicas.yaml")
	f := newFleet(t, 2)
	at := strings.TrimPrefix(f.db, "postgres://knobel@")
	secrets := createSecrets(t, file, "@postgres/knobel", "@"+at)
	f.requirePassword(file, strings.TrimRight(document(t, filepath.Join(secrets, "database-password")), "\n"))
	f.secret = strings.TrimSpace(document(t, filepath.Join(secrets, "web-secret")))
	f.env = readEnvironment(t, file, secrets)
	telegram := telegramtest.Start(t, telegramtest.Options{Token: telegramToken})
	discord := discordtest.Start(t, discordtest.Options{Token: discordToken, Pace: -1})
	f.env = append(f.env, "KNOBEL_TELEGRAM_API_URL="+telegram.URL(), "KNOBEL_DISCORD_API_URL="+discord.URL())
	for _, service := range []string{"\n  knobel-1:\n    <<: *knobel\n", "\n  knobel-2:\n    <<: *knobel\n",
		`command: [nginx, -c, /etc/nginx/knobel.conf, -g, "daemon off;"]`,
		`volumes: ["./nginx.conf:/etc/nginx/knobel.conf:ro"]`} {
		if !strings.Contains(file, service) {
			t.Fatalf("replicas.yaml does not say %s", service)
		}
	}
	f.outside = startBalancer(t, []string{f.all[0].listen, f.all[1].listen})
	return f
}

// requirePassword makes the database server require password from the role knobel, and adds it to f.db. It fails unless
// file, the text of a compose file, configures PostgreSQL's image in the same way.
func (f *fleet) requirePassword(file, password string) {
	f.t.Helper()
	for _, said := range []string{"POSTGRES_USER: knobel\n",
		"POSTGRES_PASSWORD_FILE: /run/secrets/database-password\n"} {
		if !strings.Contains(file, said) {
			f.t.Fatalf("replicas.yaml does not say %s", said)
		}
	}
	open := f.db
	name := open[strings.LastIndexByte(open, '/')+1:]
	rules := fmt.Sprintf("host %s all 127.0.0.1/32 scram-sha-256\nhost all all 127.0.0.1/32 trust\n", name)
	check(f.t, os.WriteFile(filepath.Join(f.server.Folder, "data", "pg_hba.conf"), []byte(rules), 0o600))
	db := f.openDirect()
	defer db.Close()
	for _, statement := range []string{`ALTER ROLE knobel PASSWORD '` + password + `'`, `SELECT pg_reload_conf()`} {
		if _, err := db.ExecContext(f.t.Context(), statement); err != nil {
			f.t.Fatal(err)
		}
	}
	f.until("nobody is let in without the password", func() bool {
		conn, err := pgx.Connect(f.t.Context(), open)
		if err == nil {
			_ = conn.Close(f.t.Context())
		}
		return err != nil && strings.Contains(err.Error(), "password")
	})
	f.db = strings.Replace(open, "knobel@", "knobel:"+password+"@", 1) // the test connects with it, too
}

// createSecrets runs the commands in the head of a compose file, whose text is file; they create secret files. It adds
// files with the tokens, replaces old by address in the file with the database URL, and returns their folder.
func createSecrets(t *testing.T, file, old, address string) (folder string) {
	t.Helper()
	_, head, _ := strings.Cut(file, "In this folder:\n#\n")
	head, _, found := strings.Cut(head, "#   … and the tokens")
	if !found {
		t.Fatal("the head of replicas.yaml does not say how secrets are made")
	}
	const drawn = `command -v openssl >/dev/null || openssl() { od -An -N "$3" -tx1 /dev/urandom | tr -d " \n"; }` + "\n"
	folder = t.TempDir()
	run := exec.Command("sh", "-euc", drawn+strings.ReplaceAll(head, "#   ", ""))
	run.Dir = folder
	if out, err := run.CombinedOutput(); err != nil {
		t.Fatalf("the commands of the head: %v\n%s", err, out)
	}
	database := document(t, filepath.Join(folder, "database"))
	if !strings.Contains(database, old) || document(t, filepath.Join(folder, "database-password")) == "" {
		t.Fatalf("the address of the database has no %s", old)
	}
	for name, content := range map[string]string{"database": strings.Replace(database, old, address, 1),
		"telegram-token": telegramToken + "\n", "discord-token": discordToken + "\n"} {
		writePrivate(t, filepath.Join(folder, name), []byte(content))
	}
	return folder
}

// readEnvironment returns the environment of the replicas in file, the text of a compose file, with the secrets in the
// folder secrets and all services on this machine.
func readEnvironment(t *testing.T, file, secrets string) (env []string) {
	t.Helper()
	_, all, _ := strings.Cut(file, "\n  environment: ")
	for line := range strings.Lines(all) {
		line = strings.TrimRight(line, "\n")
		if strings.HasPrefix(line, "  secrets: ") {
			break
		}
		if m := regexp.MustCompile(`^    ([A-Z_]+): (.*?)(?: #.*)?$`).FindStringSubmatch(line); m != nil {
			value := strings.NewReplacer("/run/secrets", secrets, `"`, "").Replace(m[2])
			value = regexp.MustCompile(`172\.30\.77\.\d+`).ReplaceAllString(value, "127.0.0.1")
			env = append(env, fmt.Sprint(m[1], "=", value))
		}
	}
	if len(env) < 7 || !slices.Contains(env, "KNOBEL_DB=") ||
		!slices.Contains(env, "KNOBEL_DB_FILE="+filepath.Join(secrets, "database")) {
		t.Fatalf("the environment is %q", env)
	}
	return env
}
