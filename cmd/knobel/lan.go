package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/netip"
	"net/url"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"knobel/bot/qr"
	"knobel/bot/web"
)

// The browser page in a local network: the flag --lan, and the URLs that are printed, with a QR code.

// openToNetwork makes the page listen on all interfaces, at the same port, if it listens only on loopback or nowhere.
func (s *settings) openToNetwork() {
	listen := s.values["KNOBEL_LISTEN"]
	if _, port, err := net.SplitHostPort(cmp.Or(*listen, web.DefaultListen)); err == nil && (*listen == "" ||
		web.Loopback(*listen)) {
		*listen = net.JoinHostPort("", port)
	}
}

// openNow opens listeners for the other machines in this network, at the port of the page, and prints the URLs and the
// password, as --lan does. The page listens on loopback already, so each address gets a separate listener.
func (m *platformBuilder) openNow(ctx context.Context) (listeners []net.Listener, secret string, err error) {
	defer func() {
		if err != nil {
			closeAll(listeners)
		}
	}()
	page, err := url.Parse(m.localURL)
	if err != nil {
		return nil, "", fmt.Errorf("read page address: %w", err)
	}
	found, err := interfaces()
	if err != nil {
		return nil, "", err
	}
	var urls []string
	for _, addr := range reachableAddrs(found) {
		page.Host = net.JoinHostPort(addr.String(), page.Port())
		l, failed := new(net.ListenConfig).Listen(context.WithoutCancel(ctx), "tcp", page.Host)
		if err = errors.Join(err, failed); failed == nil {
			listeners, urls = append(listeners, l), append(urls, page.String())
		}
	}
	if len(listeners) == 0 {
		return nil, "", fmt.Errorf("listen in network: %w", cmp.Or(err, errNoNetwork))
	}
	secret, unshown, err := pagePassword(ctx, m.store)
	if err != nil {
		return listeners, "", err
	}
	m.opened.Store(&urls)
	m.printURL(m.localURL, secret, unshown)
	return listeners, secret, nil
}

// errNoNetwork is the error for a machine without an address that others can reach.
var errNoNetwork = errors.New("this machine has no address in a network")

// closeAll closes listeners.
func closeAll(listeners []net.Listener) {
	for _, l := range listeners {
		l.Close()
	}
}

// lanCommand returns the command line args with --lan, as it can be typed, "" without args. It leaves out the arguments
// if one is a password or needs quotes.
func lanCommand(args []string, secret bool) string {
	if len(args) == 0 {
		return ""
	}
	program := args[0]
	if strings.Contains(filepath.ToSlash(program), "/go-build") { // go run has built it
		program = "go run ./cmd/knobel"
	}
	typed := append([]string{program}, args[1:]...)
	if secret || slices.ContainsFunc(typed[1:], func(arg string) bool { return !unquoted.MatchString(arg) }) {
		typed = typed[:1]
	}
	return strings.Join(append(typed, "--lan"), " ")
}

// unquoted matches arguments that need no quotes in a shell.
var unquoted = regexp.MustCompile(`^[\w@%+=:,./-]+$`)

// networkInterface is a network interface with its addresses.
type networkInterface struct {
	name  string
	flags net.Flags
	addrs []netip.Addr
}

// interfaces returns the network interfaces of this machine.
func interfaces() ([]networkInterface, error) {
	found, err := net.Interfaces()
	if err != nil {
		return nil, fmt.Errorf("list network interfaces: %w", err)
	}
	var all []networkInterface
	for _, i := range found {
		addrs, err := i.Addrs()
		if err != nil {
			continue // the interface has just disappeared
		}
		one := networkInterface{name: i.Name, flags: i.Flags}
		for _, a := range addrs {
			if prefix, err := netip.ParsePrefix(a.String()); err == nil {
				one.addrs = append(one.addrs, prefix.Addr().Unmap())
			}
		}
		all = append(all, one)
	}
	return all, nil
}

// bridges holds prefixes of the names of interfaces that only containers and virtual machines can reach.
var bridges = []string{"docker", "br-", "veth", "virbr", "vmnet", "vboxnet", "cni", "flannel", "cali", "podman", "lxc",
	"lxdbr", "vethernet", "bridge10", "awdl", "llw"}

// reachableAddrs returns the addresses in adapters at which other machines can reach this one. Those that are easiest
// to type come first: private IPv4, other IPv4, private IPv6, other IPv6. Within each kind, tunnels come last.
func reachableAddrs(adapters []networkInterface) (addrs []netip.Addr) {
	var tunnelled []netip.Addr
	for _, i := range adapters {
		inner := slices.ContainsFunc(bridges, func(begins string) bool {
			return strings.HasPrefix(strings.ToLower(i.name), begins)
		})
		if inner || i.flags&net.FlagUp == 0 || i.flags&net.FlagLoopback != 0 {
			continue
		}
		for _, a := range i.addrs {
			switch a = a.WithZone(""); {
			case !a.IsGlobalUnicast():
			case i.flags&net.FlagPointToPoint != 0:
				tunnelled = append(tunnelled, a)
			default:
				addrs = append(addrs, a)
			}
		}
	}
	addrs = append(addrs, tunnelled...)
	slices.SortStableFunc(addrs, func(a, b netip.Addr) int { return typingRank(a) - typingRank(b) })
	return slices.Compact(addrs)
}

// typingRank returns how hard it is to type an address, from 0 (easiest) to 3.
func typingRank(a netip.Addr) int {
	switch {
	case a.Is4() && a.IsPrivate():
		return 0
	case a.Is4():
		return 1
	case a.IsPrivate():
		return 2
	}
	return 3
}

// networkURLs returns the URLs of the page for other machines, one for each address in addrs. If the page listens at a
// single address only, it returns nil. listen is the page's listen address, and localURL its URL on this machine.
func networkURLs(listen, localURL string, addrs []netip.Addr) (all []string) {
	host, _, err := net.SplitHostPort(listen)
	if err != nil {
		return nil
	}
	ip, err := netip.ParseAddr(host)
	if host != "" && (err != nil || !ip.IsUnspecified()) {
		return nil
	}
	page, err := url.Parse(localURL)
	if err != nil {
		return nil
	}
	for _, a := range addrs {
		if !ip.Is4() || a.Is4() {
			page.Host = net.JoinHostPort(a.String(), page.Port())
			all = append(all, page.String())
		}
	}
	return all
}

// printLinks prints the URLs of the page for the operator's own devices, and how to invite friends. secret is the
// password, or "" if it was shown before. If the terminal has enough columns, printLinks adds a QR code.
func printLinks(out io.Writer, columns int, localURL, secret string, otherURLs []string) {
	fmt.Fprintf(out, "The browser page is open: %s\n", localURL)
	if secret != "" {
		fmt.Fprintln(out, "Your own link, with your new password. It is shown only once:")
		fmt.Fprintf(out, "  %s\n", addSecret(localURL, secret))
	}
	if len(otherURLs) > 0 {
		fmt.Fprintln(out, "On your other devices in this network:")
	}
	for _, page := range otherURLs {
		fmt.Fprintf(out, "  %s\n", addSecret(page, secret))
	}
	if secret != "" && len(otherURLs) == 0 {
		fmt.Fprintln(out, "Keep this link private: it gives full access.")
	} else if secret != "" {
		fmt.Fprintln(out, "Keep these links private: they give full access.")
	}
	if secret != "" || len(otherURLs) > 0 {
		fmt.Fprintln(out, "Friends get theirs from “Invite” in your room.")
	}
	if len(otherURLs) == 0 {
		return
	}
	code, err := qr.Encode(addSecret(otherURLs[0], secret))
	if err != nil {
		return
	}
	if drawn := halfBlocks(code); columns >= utf8.RuneCountInString(drawn[0]) {
		fmt.Fprintf(out, "Scan this to open it on your own phone:\n\n%s\n\n", strings.Join(drawn, "\n"))
	}
}

// logLinks writes a line of JSON, like those of the log, with the URLs that printLinks would print. Programs read it.
func logLinks(out io.Writer, localURL, secret string, otherURLs []string) {
	args := []any{"at", localURL}
	if secret != "" {
		args = append(args, "with_secret", addSecret(localURL, secret))
	}
	slog.New(slog.NewJSONHandler(out, nil)).Info("browser page is open", append(args, "in_network", otherURLs)...)
}

// addSecret returns the URL page with the password secret as a parameter. If secret is "", it returns page unchanged.
func addSecret(page, secret string) string {
	if secret == "" {
		return page
	}
	return page + "?secret=" + url.QueryEscape(secret)
}

// halfBlocks returns a QR code as lines of text, each for two rows of its squares. It draws the light squares, which is
// right on dark terminals; phones also read inverted codes.
func halfBlocks(code qr.Code) (lines []string) {
	for y := -qr.Margin; y < code.Size()+qr.Margin; y += 2 {
		var b strings.Builder
		for x := -qr.Margin; x < code.Size()+qr.Margin; x++ {
			switch above, below := code.Dark(x, y), code.Dark(x, y+1); {
			case above && below:
				b.WriteRune(' ')
			case above:
				b.WriteRune('▄')
			case below:
				b.WriteRune('▀')
			default:
				b.WriteRune('█')
			}
		}
		lines = append(lines, b.String())
	}
	return lines
}
