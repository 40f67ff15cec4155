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
			return nil, fmt.Errorf("%q is not an address or network: use one such as 127.0.0.1 or 10.0.0.0/8", part)
		}
		all = append(all, network.Masked())
	}
	return all, nil
}

// isProxy reports whether ip is the address of a trusted proxy.
func (p Proxies) isProxy(ip netip.Addr) bool {
	return slices.ContainsFunc(p, func(network netip.Prefix) bool { return network.Contains(ip) })
}

// clientKey returns the key by which limits count the client of r: its IPv4 address, or the /64 network of an IPv6
// household. The client is the peer of the connection. If the peer is a trusted proxy, it is the last address in
// X-Forwarded-For that is not a trusted proxy: addresses before it could be forged. All clients behind an untrusted
// proxy share one limit; a warning says so at most once an hour.
func (w *Web) clientKey(r *http.Request) string {
	at, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil {
		return r.RemoteAddr
	}
	ip, forwarded := at.Addr().Unmap().WithZone(""), strings.Join(r.Header.Values("X-Forwarded-For"), ",")
	if forwarded != "" && !w.config.Proxies.isProxy(ip) {
		w.warns.Do(func() {
			from := "an address of the internet" // not logged, because it may be a stranger's
			if ip.IsLoopback() || ip.IsPrivate() || ip.IsLinkLocalUnicast() {
				from = ip.String()
			}
			w.config.Log.Warn("unknown proxy; its clients share one rate limit", "proxy", from)
		})
	}
	for _, said := range slices.Backward(strings.Split(forwarded, ",")) {
		next, err := netip.ParseAddr(strings.TrimSpace(said))
		if err != nil || !w.config.Proxies.isProxy(ip) {
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

// The most event streams at the same time: in all, of one client address (IPv4, or a /64 of IPv6), of the larger
// networks that one household may have, of a visitor, and of a room.
const (
	maxStreams        = 2048
	maxStreamsEach    = 64
	maxStreams56      = 128
	maxStreams48      = 256
	maxStreamsVisitor = 16
	maxStreamsRoom    = 256
)

// reservedShare sets how many of maxStreams are reserved for hosts and seated people: one in reservedShare.
const reservedShare = 8

// streams counts the open event streams. Those of hosts and seated people count separately, and have a reserved share.
type streams struct {
	mu         sync.Mutex
	most, each int // limits: in all, and of one address
	all        int
	counts     map[string]int // open streams, by countKey
}

// claim is a key by which a stream is counted, such as its address, and the limit of that count.
type claim struct {
	key   string
	limit int
}

// newStreams returns a count of streams: most is the limit for all of them, each the limit for one client address.
func newStreams(most, each int) *streams {
	return &streams{most: most, each: each, counts: map[string]int{}}
}

// claimsOf returns the keys by which a stream of v is counted: address, visitor, room and larger networks.
func (w *Web) claimsOf(r *http.Request, v visitor) []claim {
	from := w.clientKey(r)
	all := []claim{{from, w.streams.each}, {"room " + string(w.roomOf(r).place), maxStreamsRoom}}
	if !v.Screen {
		all = append(all, claim{"visitor " + v.ID, maxStreamsVisitor})
	}
	if household, err := netip.ParsePrefix(from); err == nil { // an IPv6 network
		all = append(all, claim{netip.PrefixFrom(household.Addr(), 56).Masked().String(), maxStreams56},
			claim{netip.PrefixFrom(household.Addr(), 48).Masked().String(), maxStreams48})
	}
	return all
}

// slot is one counted stream.
type slot struct {
	streams    *streams
	claims     []claim
	privileged bool // its viewer is a host or seated
}

// acquire counts a stream against each of claims. It returns its slot, or nil if one has reached its limit, which is
// higher if privileged is set: the viewer is a host or seated. The caller must call release on the slot.
func (s *streams) acquire(claims []claim, privileged bool) *slot {
	s.mu.Lock()
	defer s.mu.Unlock()
	l := &slot{s, claims, privileged}
	if !l.isAllowed() {
		return nil
	}
	l.add(1)
	return l
}

// setPrivileged recounts the stream after its viewer has become host or seated (true), or a guest again (false);
// privileged must differ from before. If the limits allow no further stream of hosts and seated people, it still counts
// as a guest's. It returns false if they allow no further stream of guests: the caller must then close the stream.
func (l *slot) setPrivileged(privileged bool) bool {
	l.streams.mu.Lock()
	defer l.streams.mu.Unlock()
	l.add(-1)
	l.privileged = privileged
	fits := l.isAllowed()
	if !fits {
		l.privileged = !privileged
	}
	l.add(1)
	return fits || privileged
}

// release removes the stream from all counts. It must be called once.
func (l *slot) release() {
	l.streams.mu.Lock()
	defer l.streams.mu.Unlock()
	l.add(-1)
}

// isAllowed reports whether the limits allow the stream. The caller holds streams.mu.
func (l *slot) isAllowed() bool {
	most := l.streams.most
	if !l.privileged {
		most -= most / reservedShare
	}
	return l.streams.all < most &&
		!slices.ContainsFunc(l.claims, func(c claim) bool { return l.streams.counts[l.countKey(c)] >= c.limit })
}

// add adds delta, 1 or -1, to the counts of all streams and of the stream's claims. The caller holds streams.mu.
func (l *slot) add(delta int) {
	l.streams.all += delta
	for _, c := range l.claims {
		if l.streams.counts[l.countKey(c)] += delta; l.streams.counts[l.countKey(c)] == 0 {
			delete(l.streams.counts, l.countKey(c))
		}
	}
}

// countKey returns the key of c in streams.counts. Streams of hosts and seated people have separate keys.
func (l *slot) countKey(c claim) string { return fmt.Sprint(l.privileged, " ", c.key) }
