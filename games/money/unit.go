package money

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"knobel/games"
)

// Units: the names of the tokens that a chat plays for.

// MaxUnit is the largest number of characters in the name of a unit.
const MaxUnit = 24

// DefaultUnit is the unit of a chat that has not chosen one.
const DefaultUnit = "chips"

// CleanUnit returns the name of a unit with its spaces tidied. It must have 1 to MaxUnit characters, some of them
// visible, and no controls of the text direction. The error is a *games.Refusal.
func CleanUnit(name string) (string, error) {
	if !utf8.ValidString(name) {
		return "", games.Refuse("games.unit-unreadable", nil)
	}
	for _, r := range name {
		if unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) || r == '\u2028' || r == '\u2029' {
			return "", games.Refuse("games.unit-unreadable", nil)
		}
	}
	name = strings.Join(strings.Fields(name), " ")
	switch {
	case !strings.ContainsFunc(name, visible):
		return "", games.Refuse("games.unit-empty", nil)
	case utf8.RuneCountInString(name) > MaxUnit:
		return "", games.Refuse("games.unit-long", games.Args{"N": MaxUnit})
	}
	return name, nil
}

func visible(r rune) bool {
	return unicode.In(r, unicode.L, unicode.N, unicode.P, unicode.S)
}

// LooksLikeMoney reports whether the name of a unit contains a sign, a code or a name of a currency. Some platforms
// forbid games of chance for such a unit. unit must be in usual letters (chat.Unstyled).
func LooksLikeMoney(unit string) bool {
	unit = strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Cf, r) { // invisible
			return -1
		}
		return r
	}, unit)
	if strings.ContainsFunc(unit, func(r rune) bool { return unicode.Is(unicode.Sc, r) || r == '₿' }) {
		return true
	}
	return slices.ContainsFunc(append(wordsOf(unit), wordsOf(digits.Replace(unit))...), func(word string) bool {
		lower := strings.ToLower(word)
		return listed(currencyCodes, word) || listed(currencyNames, lower) ||
			listed(currencyNames, games.Lookalikes.Replace(lower))
	})
}

// digits replaces digits that are used as letters: "d0llar".
var digits = strings.NewReplacer("0", "o", "1", "l", "3", "e", "5", "s")

// wordsOf returns the words of a text. If each is a single letter, it appends all of them joined as one word.
func wordsOf(text string) []string {
	words := strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.Is(unicode.M, r) })
	if !slices.ContainsFunc(words, func(word string) bool { return utf8.RuneCountInString(word) > 1 }) {
		words = append(words, strings.Join(words, "")) // E u r o
	}
	return words
}

func listed(list, word string) bool {
	return strings.Contains(" "+list+" ", " "+word+" ")
}

// currencyCodes are the codes of ISO 4217 and of common tokens, in capitals:
// in small letters many of them are ordinary words (all, cup, mad, pen, top).
const currencyCodes = "AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BRL BSD BTN BWP " +
	"BYN BZD " +
	"CAD CDF CHF CLP CNY COP CRC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GNF GTQ " +
	"GYD HKD HNL HTG HUF " +
	"IDR ILS INR IQD IRR ISK JMD JOD JPY KES KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL LYD MAD MDL MGA " +
	"MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN " +
	"NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD RUB RWF SAR SBD SCR SDG SEK SGD SHP SLE " +
	"SOS SRD SSP STN SVC SYP SZL " +
	"THB TJS TMT TND TOP TRY TTD TWD TZS UAH UGX USD UYU UZS VED VES VND VUV WST XAF XCD XOF XPF YER ZAR ZMW ZWG " +
	"BTC XBT ETH SOL XRP LTC DOGE USDT USDC DEM ATS XMR"

// currencyNames are names of currencies and their parts, in lower case, and those codes that are
// not also common words.
const currencyNames = "euro euros eurocent eurocents eur dollar dollars dollaro usd aud cad nzd cent cents buck " +
	"bucks dime dimes nickel nickels " +
	"pound pounds pfund sterling quid penny pennies pence gbp franken schweizerfranken rappen franc francs franco " +
	"chf sfr " +
	"mark dmark pfennig pfennige schilling yen jpy yuan renminbi rmb cny won krw rupee rupees rupie rupien rupiah " +
	"rupiahs inr paisa " +
	"rubel rubl ruble rubles rouble roubles rub kopeke kopeken kopeck kopecks hryvnia hrywnja griwna uah " +
	"krone kronen krona kronor kroner króna øre öre sek nok dkk zloty zlotys złoty złote złotych pln grosz forint " +
	"huf koruna koruny czk " +
	"leu lei lewa lev dinar dinars drachme drachmen drachma lira lire liras peso pesos real reais peseta peseten " +
	"shekel shekels schekel baht rand dirham dirhams riyal riyals rial rials ringgit dong naira cedi lari manat " +
	"tenge " +
	"bitcoin bitcoins btc satoshi satoshis sats ether ethereum eth dogecoin dogecoins litecoin solana tether usdt " +
	"usdc monero crypto krypto kryptowährung kryptowahrung stablecoin " +
	"money cash geld bargeld echtgeld доллар доллара долларов рубль рубля рублей евро"
