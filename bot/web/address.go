package web

import (
	"fmt"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"sync"
)

// Proxies are the networks of proxies before the browser table whose word on a request's address is
// believed.
type Proxies []netip.Prefix

// ParseProxies reads addresses and networks, such as "127.0.0.1" or
// "10.0.0.0/8, fd00::/8". "" are none.
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

// trust reports whether an address is one of the proxies'.
func (p Proxies) trust(ip netip.Addr) bool {
	return slices.ContainsFunc(p, func(network netip.Prefix) bool { return network.Contains(ip) })
}

// from returns the address of the client of a request: the one that connected or, as long as it is
// one of the proxies, the one before it in X-Forwarded-For, read from the end. What stands before
// the proxies there could be forged. It is not valid if the address is unknown.
func (p Proxies) from(r *http.Request) netip.Addr {
	at, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil {
		return netip.Addr{}
	}
	ip := at.Addr().Unmap().WithZone("")
	named := strings.Split(strings.Join(r.Header.Values("X-Forwarded-For"), ","), ",")
	for _, said := range slices.Backward(named) {
		if !p.trust(ip) {
			break
		}
		next, err := netip.ParseAddr(strings.TrimSpace(said))
		if err != nil {
			break
		}
		ip = next.Unmap().WithZone("")
	}
	return ip
}

// address is what limits count by: an IPv4 address, or the network that one
// IPv6 household has.
func (w *Web) address(r *http.Request) string {
	ip := w.config.Proxies.from(r)
	w.unnamed(r)
	switch {
	case !ip.IsValid():
		return r.RemoteAddr
	case ip.Is4():
		return ip.String()
	}
	return netip.PrefixFrom(ip, 64).Masked().String()
}

// unnamed warns now and then of a proxy that is not configured: all clients behind it count as one.
func (w *Web) unnamed(r *http.Request) {
	at, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil || r.Header.Get("X-Forwarded-For") == "" || w.config.Proxies.trust(at.Addr().Unmap().WithZone("")) {
		return
	}
	w.warns.Do(func() {
		from := "an address of the internet" // it may be a stranger's, and is not kept
		if ip := at.Addr().Unmap(); ip.IsLoopback() || ip.IsPrivate() || ip.IsLinkLocalUnicast() {
			from = ip.String()
		}
		w.config.Log.Warn("X-Forwarded-For is not believed: limits count all who come through one proxy as one, "+
			"unless KNOBEL_PROXIES names it", "from", from)
	})
}

// passedOn reports whether a request shows signs of a proxy. An empty header is one too: it may
// hide what the proxy adds behind it. So is HTTP/1.0, which browsers have not used for decades, but
// nginx uses towards its backends by default.
func passedOn(r *http.Request) bool {
	return !r.ProtoAtLeast(1, 1) ||
		slices.ContainsFunc([]string{"Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Real-Ip", "Via"},
			func(name string) bool {
				return len(r.Header.Values(name)) > 0
			})
}

// The most pages that follow rooms at once: of all, of one address (an IPv4 address, or a network /64 of IPv6), of
// larger networks, which one household may have, of one visitor, and of one room.
const (
	maxStreams        = 2048
	maxStreamsEach    = 64
	maxStreams56      = 128
	maxStreams48      = 256
	maxStreamsVisitor = 16
	maxStreamsRoom    = 256
)

// keptStreams is the part of all streams, one in so many, that only hosts and seated people may use.
const keptStreams = 8

// streams counts the pages that follow the rooms. Hosts and seated people are counted apart from others, and have a
// part of all for themselves: guests cannot take their places.
type streams struct {
	mu         sync.Mutex
	most, each int // of all, and of one address
	all        int
	by         map[claim]int
}

// claim is one of the things by which a stream is counted, and how many it may have.
type claim struct {
	of    string
	most  int
	leads bool // of hosts and seated people
}

func newStreams(most, each int) *streams {
	return &streams{most: most, each: each, by: map[claim]int{}}
}

// claims returns what a stream of a visitor is counted by.
func (w *Web) claims(r *http.Request, v visitor) []claim {
	all := []claim{{of: w.address(r), most: w.streams.each}, {of: "visitor " + v.ID, most: maxStreamsVisitor},
		{of: "room " + string(w.roomOf(r).place), most: maxStreamsRoom}}
	if ip := w.config.Proxies.from(r); ip.Is6() {
		for bits, most := range map[int]int{56: maxStreams56, 48: maxStreams48} {
			all = append(all, claim{of: netip.PrefixFrom(ip, bits).Masked().String(), most: most})
		}
	}
	return all
}

// slot is the place that a stream has.
type slot struct {
	of     *streams
	claims []claim
	leads  bool // of a host or a seated person
}

// enter counts one more stream and returns its place, nil where there is none; leads is that a host or a seated person
// follows. Every place is given back by leave.
func (s *streams) enter(claims []claim, leads bool) *slot {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.fits(claims, leads) {
		return nil
	}
	s.count(1, claims, leads)
	return &slot{s, claims, leads}
}

// follows counts the stream by who follows now, and returns false where it can stay no longer: who has got up since
// is a guest like others. Who has sat down keeps the place of a guest where those who sit have none left.
func (l *slot) follows(leads bool) bool {
	s := l.of
	s.mu.Lock()
	defer s.mu.Unlock()
	if l.leads == leads {
		return true
	}
	s.count(-1, l.claims, l.leads)
	fits := s.fits(l.claims, leads)
	if fits {
		l.leads = leads
	}
	s.count(1, l.claims, l.leads)
	return fits || leads
}

// leave counts one stream less.
func (l *slot) leave() {
	l.of.mu.Lock()
	defer l.of.mu.Unlock()
	l.of.count(-1, l.claims, l.leads)
}

// fits reports whether there is room for one more stream. The lock is held.
func (s *streams) fits(claims []claim, leads bool) bool {
	most := s.most
	if !leads {
		most -= s.most / keptStreams
	}
	return s.all < most && !slices.ContainsFunc(claims, func(c claim) bool { return s.by[c.by(leads)] >= c.most })
}

// count adds to what is counted. The lock is held.
func (s *streams) count(more int, claims []claim, leads bool) {
	s.all += more
	for _, c := range claims {
		if s.by[c.by(leads)] += more; s.by[c.by(leads)] == 0 {
			delete(s.by, c.by(leads))
		}
	}
}

// by returns the claim as it is counted.
func (c claim) by(leads bool) claim {
	c.leads = leads
	return c
}
