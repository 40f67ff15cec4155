package push

import "net/netip"

// Which addresses are public, by the registries of special-purpose addresses (RFC 6890).

// special holds the networks in which no push service of the public network can be, beside those that netip knows.
var special = parsePrefixes("0.0.0.0/8", "100.64.0.0/10", "192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24",
	"198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24", "240.0.0.0/4",
	"2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20")

var (
	// unicast is the network of all public addresses of IPv6.
	unicast = netip.MustParsePrefix("2000::/3")
	// translated is the network in which networks without IPv4 reach its addresses, which are in the last four bytes.
	translated = netip.MustParsePrefix("64:ff9b::/96")
)

func parsePrefixes(texts ...string) (all []netip.Prefix) {
	for _, text := range texts {
		all = append(all, netip.MustParsePrefix(text))
	}
	return all
}

// IsPublic reports whether an address is one of the public network: no private, local, shared or reserved one.
func IsPublic(ip netip.Addr) bool {
	ip = ip.Unmap().WithZone("")
	if translated.Contains(ip) {
		all := ip.As16()
		ip = netip.AddrFrom4([4]byte(all[12:]))
	}
	if !ip.IsGlobalUnicast() || ip.IsPrivate() || ip.Is6() && !unicast.Contains(ip) {
		return false
	}
	for _, network := range special {
		if network.Contains(ip) {
			return false
		}
	}
	return true
}
