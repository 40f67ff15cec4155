package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"knobel/bot/fakes/needs"
)

func TestReachable(t *testing.T) {
	addrs := func(all ...string) (parsed []netip.Addr) {
		for _, a := range all {
			parsed = append(parsed, netip.MustParseAddr(a))
		}
		return parsed
	}
	const up = net.FlagUp
	lan := networkInterface{"wlan0", up, addrs("192.168.1.5")}
	for name, c := range map[string]struct {
		all  []networkInterface
		want []netip.Addr
	}{
		"loopback": {[]networkInterface{{"lo", up | net.FlagLoopback, addrs("127.0.0.1", "::1", "10.0.0.1")}}, nil},
		"down":     {[]networkInterface{{"eth1", 0, addrs("10.0.0.7")}}, nil},
		"containers": {[]networkInterface{{"docker0", up, addrs("172.17.0.1")}, {"br-1f2e", up, addrs("172.18.0.1")}},
			nil},
		"link-local":    {[]networkInterface{{"eth0", up, addrs("169.254.3.4", "fe80::1%eth0", "224.0.0.1")}}, nil},
		"private":       {[]networkInterface{lan}, addrs("192.168.1.5")},
		"carrier's":     {[]networkInterface{{"eth0", up, addrs("100.64.3.4")}}, addrs("100.64.3.4")},
		"documentation": {[]networkInterface{{"eth0", up, addrs("192.0.2.2")}}, addrs("192.0.2.2")},
		"IPv6 alone": {[]networkInterface{{"eth0", up, addrs("2001:db8::5", "fd00::2")}},
			addrs("fd00::2", "2001:db8::5")},
		"all kinds": {[]networkInterface{{"wlan0", up, addrs("2001:db8::5", "fe80::1", "fd00::2", "203.0.113.9",
			"100.64.3.4", "192.168.1.5")}, {"eth0", up, addrs("10.0.0.7")}},
			addrs("192.168.1.5", "10.0.0.7", "203.0.113.9", "100.64.3.4", "fd00::2", "2001:db8::5")},
		"a tunnel after the network": {[]networkInterface{
			{"tun0", up | net.FlagPointToPoint, addrs("10.8.0.2", "100.64.3.4")}, lan},
			addrs("192.168.1.5", "10.8.0.2", "100.64.3.4")},
	} {
		t.Run(name, func(t *testing.T) {
			if got := reachableAddrs(c.all); !slices.Equal(got, c.want) {
				t.Errorf("others are told %v, not %v", got, c.want)
			}
		})
	}
}

func TestPages(t *testing.T) {
	addrs := []netip.Addr{netip.MustParseAddr("192.168.1.5"), netip.MustParseAddr("fd00::2")}
	four, six := "http://192.168.1.5:8080/", "http://[fd00::2]:8080/"
	for listen, want := range map[string][]string{
		":8080": {four, six}, "[::]:8080": {four, six}, "0.0.0.0:8080": {four}, "127.0.0.1:8080": nil,
		"192.168.1.5:8080": nil, "localhost:8080": nil,
	} {
		if d := cmp.Diff(want, networkURLs(listen, "http://localhost:8080/", addrs)); d != "" {
			t.Errorf("%s: (-want +got)\n%s", listen, d)
		}
	}
}

func TestLANKeepsThePort(t *testing.T) {
	for listen, want := range map[string]string{"": ":8080", "127.0.0.1:9000": ":9000", "localhost:9000": ":9000",
		"192.168.1.5:9000": "192.168.1.5:9000", ":9000": ":9000"} {
		s := settings{values: map[string]*string{"KNOBEL_LISTEN": &listen}}
		if s.openToNetwork(); s.listen() != want {
			t.Errorf("it listens on %q, not %q", s.listen(), want)
		}
	}
}

// TestTellNetwork compares the output of printLinks with testdata/network.txt: with and without a password, with and
// without URLs for other devices, on wide terminals (with a QR code) and narrow ones.
func TestTellNetwork(t *testing.T) {
	var told strings.Builder
	for _, secret := range []string{"", "SECRET"} {
		for _, others := range [][]string{nil, {"http://192.168.1.5:8080/", "http://[fd00::2]:8080/"}} {
			for _, columns := range []int{80, 20} {
				fmt.Fprintf(&told, "== secret %q, %d others, %d columns\n", secret, len(others), columns)
				printLinks(&told, columns, "http://localhost:8080/", secret, others)
			}
		}
	}
	if d := cmp.Diff(document(t, "testdata/network.txt"), told.String()); d != "" {
		t.Errorf("it says otherwise (-want +got):\n%s", d)
	}
}

// With KNOBEL_LOG=json the output at the start is JSON, too.
func TestAProgramReadsWhereThePageIs(t *testing.T) {
	for secret, want := range map[string]string{"": "", "SECRET": "http://localhost:8080/?secret=SECRET"} {
		var told strings.Builder
		logLinks(&told, "http://localhost:8080/", secret, []string{"http://192.168.1.5:8080/"})
		var line map[string]any
		if err := json.Unmarshal([]byte(told.String()), &line); err != nil {
			t.Fatalf("%q is no JSON: %v", told.String(), err)
		}
		if own, _ := line["with_secret"].(string); line["at"] != "http://localhost:8080/" || own != want {
			t.Errorf("%v", line)
		}
	}
}

// TestLAN opens the browser page like another device in the local network.
func TestLAN(t *testing.T) {
	t.Parallel()
	found, err := interfaces()
	check(t, err)
	needs.Network(t, len(reachableAddrs(found)) > 0)
	listen, db := freePort(t), filepath.Join(t.TempDir(), "knobel.db")
	s := launch(t, build(t), []string{"KNOBEL_LISTEN=" + listen, "KNOBEL_DB=" + db}, "--lan")
	s.waitForOutput("Friends get ")
	link := regexp.MustCompile(`devices in this network:\n  (http://\S+/)\?secret=(\S+)\n`)
	s.until("it prints a link", func() bool { return link.MatchString(s.said.String()) })
	printed := link.FindStringSubmatch(s.said.String())
	page, secret := printed[1], printed[2]
	if strings.Contains(s.said.String(), "█") {
		t.Errorf("a file gets a QR code:\n%s", s.said)
	}
	local, err := net.InterfaceAddrs()
	check(t, err)
	ours := slices.ContainsFunc(local, func(a net.Addr) bool {
		prefix, err := netip.ParsePrefix(a.String())
		return err == nil && !prefix.Addr().IsLoopback() && strings.Contains(page, prefix.Addr().String())
	})
	if !ours {
		t.Errorf("%s is no address of this machine that others can use", page)
	}
	_, port, err := net.SplitHostPort(listen)
	check(t, err)
	own := "http://localhost:" + port
	answer, err := checkGuarded(t, own, secret).Get(own + "/table")
	check(t, err)
	defer answer.Body.Close()
	table, err := io.ReadAll(answer.Body)
	if err != nil || !strings.Contains(string(table), `data-reach="`+strings.TrimSuffix(page, "/")+`"`) {
		t.Errorf("who invites from this computer does not get %s", page)
	}
	guest := checkGuarded(t, strings.TrimSuffix(page, "/"), secret)
	host := &visitor{client: guest, base: strings.TrimSuffix(page, "/")}
	friend, invited := browser(t), host.base+host.createRoom(t)
	for path, want := range map[string]int{invited: http.StatusOK, invited + "/me": http.StatusOK,
		host.base + "/metrics": http.StatusUnauthorized, host.base + "/table": http.StatusUnauthorized} {
		if got := status(t, friend, path); got != want {
			t.Errorf("a friend who got the link that is behind Invite gets %d from %s, not %d", got, path, want)
		}
	}
	s.leave()
	s = launch(t, build(t), []string{"KNOBEL_LISTEN=" + listen, "KNOBEL_DB=" + db}, "serve", "--lan")
	s.waitForOutput("  " + page + "\n")
	if got := status(t, guest, page+"me"); got != http.StatusOK {
		t.Errorf("after a restart who was in gets %d", got)
	}
	checkGuarded(t, strings.TrimSuffix(page, "/"), secret)
	s.leave()
	if strings.Contains(s.said.String(), secret) {
		t.Errorf("the secret is told again:\n%s", s.said)
	}
}

// TestOpenNow opens the browser page of a running program to the network, like a press in the browser.
func TestOpenNow(t *testing.T) {
	t.Parallel()
	found, err := interfaces()
	check(t, err)
	needs.Network(t, len(reachableAddrs(found)) > 0)
	listen, db := freePort(t), filepath.Join(t.TempDir(), "knobel.db")
	s := launch(t, build(t), []string{"KNOBEL_LISTEN=" + listen, "KNOBEL_DB=" + db})
	s.waitForOutput("The browser page is open")
	_, port, err := net.SplitHostPort(listen)
	check(t, err)
	own := "http://localhost:" + port
	host := newVisitor(t, "localhost:"+port)
	room := host.createRoom(t)
	answer, err := host.client.Post(own+room+"/open", "application/json", strings.NewReader("{}"))
	check(t, err)
	defer answer.Body.Close()
	var opened struct{ Reach string }
	check(t, json.NewDecoder(answer.Body).Decode(&opened))
	link := regexp.MustCompile(`devices in this network:\n  (http://\S+)/\?secret=(\S+)\n`)
	s.until("it prints a link", func() bool { return link.MatchString(s.said.String()) })
	printed := link.FindStringSubmatch(s.said.String())
	page, secret := printed[1], printed[2]
	if opened.Reach != page {
		t.Errorf("the page shows %q, the terminal %q", opened.Reach, page)
	}
	friend := browser(t)
	for path, want := range map[string]int{page + room: http.StatusOK, page + "/table": http.StatusUnauthorized,
		own + "/table": http.StatusUnauthorized, page + "/metrics": http.StatusUnauthorized} {
		if got := status(t, friend, path); got != want {
			t.Errorf("a friend gets %d from %s, not %d", got, path, want)
		}
	}
	if got := status(t, host.client, own+"/table"); got != http.StatusOK {
		t.Errorf("who has opened it gets %d", got)
	}
	checkGuarded(t, page, secret)
	s.leave()
}

func TestLANCommand(t *testing.T) {
	for typed, want := range map[string]string{
		"/tmp/go-build12/b001/exe/knobel":                 "go run ./cmd/knobel --lan",
		"/tmp/go-build12/b001/exe/knobel serve --db x.db": "go run ./cmd/knobel serve --db x.db --lan",
		"knobel": "knobel --lan", "./knobel serve": "./knobel serve --lan", "knobel --games a;b": "knobel --lan",
	} {
		if got := lanCommand(strings.Fields(typed), false); got != want {
			t.Errorf("%s: %q, not %q", typed, got, want)
		}
	}
	if got := lanCommand([]string{"knobel", "--web-secret", "swans"}, true); got != "knobel --lan" {
		t.Errorf("a password on the command line: %q", got)
	}
	if got := lanCommand(nil, false); got != "" {
		t.Errorf("without a command line: %q", got)
	}
}
