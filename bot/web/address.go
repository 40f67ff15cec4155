package web

import (
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"sync"
)

// Proxies are the networks of proxies whose X-Forwarded-For is trusted.
type Proxies []netip.Prefix

// ParseProxies parses addresses and networks, such as "127.0.0.1" or "10.0.0.0/8, fd00::/8". It returns none for "".
func ParseProxies(text string) (Proxies, error) {
	var all Proxies
	for part := range strings.SplitSeq(text, ",") {
		part = strings.TrimSpace(part)
		if part == "" {
			continue
		}
		network, err := netip.ParsePrefix(part)
		if one, err2 := netip.ParseAddr(part); err != nil && err2 == nil {
			network, err = one.Prefix(one.BitLen())
		}
		if err != nil {
			return nil, fmt.Errorf("%q is no address and no network: give some, such as 127.0.0.1 or 10.0.0.0/8", part)
		}
		all = append(all, network.Masked())
	}
	return all, nil
}

// trust reports whether ip is the address of a trusted proxy.
func (p Proxies) trust(ip netip.Addr) bool {
	return slices.ContainsFunc(p, func(network netip.Prefix) bool { return network.Contains(ip) })
}

// address returns the key by which limits count the client of r: its IPv4 address, or the /64 network of an IPv6
// household. The client is the peer of the connection or, as long as that is a trusted proxy, the one named before it
// in X-Forwarded-For, read from the end: entries before that could be forged. If a proxy is not configured, all clients
// behind it share one limit, and a warning is logged at most once an hour.
func (w *Web) address(r *http.Request) string {
	at, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil {
		return r.RemoteAddr
	}
	ip, forwarded := at.Addr().Unmap().WithZone(""), strings.Join(r.Header.Values("X-Forwarded-For"), ",")
	if forwarded != "" && !w.config.Proxies.trust(ip) {
		w.warns.Do(func() {
			from := "an address of the internet" // not logged, as it may be a stranger's
			if ip.IsLoopback() || ip.IsPrivate() || ip.IsLinkLocalUnicast() {
				from = ip.String()
			}
			w.config.Log.Warn("X-Forwarded-For is not believed: limits count all who come through one proxy as one, "+
				"unless KNOBEL_PROXIES names it", "from", from)
		})
	}
	for _, said := range slices.Backward(strings.Split(forwarded, ",")) {
		next, err := netip.ParseAddr(strings.TrimSpace(said))
		if err != nil || !w.config.Proxies.trust(ip) {
			break
		}
		ip = next.Unmap().WithZone("")
	}
	if ip.Is4() {
		return ip.String()
	}
	return netip.PrefixFrom(ip, 64).Masked().String()
}

// Loopback reports whether a host, with or without a port, is a loopback name: reachable from this machine alone.
func Loopback(hostport string) bool {
	host, _, err := net.SplitHostPort(hostport)
	if err != nil {
		host = strings.Trim(hostport, "[]")
	}
	ip, err := netip.ParseAddr(host)
	return strings.EqualFold(host, "localhost") || err == nil && ip.IsLoopback()
}

// The most event streams at once: in all, of an address (IPv4, or a /64 of IPv6), of larger networks that one household
// may have, of a visitor, and of a room.
const (
	maxStreams        = 2048
	maxStreamsEach    = 64
	maxStreams56      = 128
	maxStreams48      = 256
	maxStreamsVisitor = 16
	maxStreamsRoom    = 256
)

// keptStreams is the part of maxStreams, one in so many, that is reserved for hosts and seated people.
const keptStreams = 8

// streams counts the open event streams. Those of hosts and seated people are counted apart and have a reserved part.
type streams struct {
	mu         sync.Mutex
	most, each int // limits in all, and of one address
	all        int
	by         map[string]int
}

// claim is a key by which streams are counted, such as an address, and its limit.
type claim struct {
	of   string
	most int
}

func newStreams(most, each int) *streams {
	return &streams{most: most, each: each, by: map[string]int{}}
}

// claims returns the keys by which a stream of v is counted: address, visitor, room and larger networks.
func (w *Web) claims(r *http.Request, v visitor) []claim {
	from := w.address(r)
	all := []claim{{from, w.streams.each}, {"visitor " + v.ID, maxStreamsVisitor},
		{"room " + string(w.roomOf(r).place), maxStreamsRoom}}
	if household, err := netip.ParsePrefix(from); err == nil { // an IPv6 network
		all = append(all, claim{netip.PrefixFrom(household.Addr(), 56).Masked().String(), maxStreams56},
			claim{netip.PrefixFrom(household.Addr(), 48).Masked().String(), maxStreams48})
	}
	return all
}

// slot is one counted stream.
type slot struct {
	of     *streams
	claims []claim
	leads  bool // of a host or a seated person
}

// enter counts a stream and returns its slot, or nil if a limit is reached; leads marks a host or a seated person. The
// caller must release the slot by leave.
func (s *streams) enter(claims []claim, leads bool) *slot {
	s.mu.Lock()
	defer s.mu.Unlock()
	l := &slot{s, claims, leads}
	if !l.fits() {
		return nil
	}
	l.count(1)
	return l
}

// follows recounts the stream when its viewer becomes a host or seated person (leads is true) or a guest again; leads
// must differ from before. It returns false if a limit leaves no place for the new guest. A viewer who takes a seat
// keeps the guest's place if the reserved ones are full.
func (l *slot) follows(leads bool) bool {
	l.of.mu.Lock()
	defer l.of.mu.Unlock()
	l.count(-1)
	l.leads = leads
	fits := l.fits()
	if !fits {
		l.leads = !leads
	}
	l.count(1)
	return fits || leads
}

// leave releases the slot.
func (l *slot) leave() {
	l.of.mu.Lock()
	defer l.of.mu.Unlock()
	l.count(-1)
}

// fits reports whether one more stream is allowed. The caller holds streams.mu.
func (l *slot) fits() bool {
	most := l.of.most
	if !l.leads {
		most -= most / keptStreams
	}
	return l.of.all < most && !slices.ContainsFunc(l.claims, func(c claim) bool { return l.of.by[l.key(c)] >= c.most })
}

// count adds more, 1 or -1, to the number of all streams and of each claim. The caller holds streams.mu.
func (l *slot) count(more int) {
	l.of.all += more
	for _, c := range l.claims {
		if l.of.by[l.key(c)] += more; l.of.by[l.key(c)] == 0 {
			delete(l.of.by, l.key(c))
		}
	}
}

// key returns the map key of the claim c. Streams of hosts and seated people have separate keys.
func (l *slot) key(c claim) string { return fmt.Sprint(l.leads, " ", c.of) }
