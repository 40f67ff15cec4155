package money

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"knobel/games"
)

// MaxUnit is the largest number of characters in the name of a unit.
const MaxUnit = 24

// DefaultUnit is the name of the unit that a chat plays for until it chooses one.
const DefaultUnit = "chips"

// CleanUnit returns name, the name of a unit, without superfluous spaces. It must have 1 to MaxUnit characters, at
// least one of them visible, and no control characters. The error is a *games.Refusal.
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
	case !strings.ContainsFunc(name, isVisible):
		return "", games.Refuse("games.unit-empty", nil)
	case utf8.RuneCountInString(name) > MaxUnit:
		return "", games.Refuse("games.unit-long", games.Args{"N": MaxUnit})
	}
	return name, nil
}

// isVisible reports whether r is a letter, digit, punctuation mark or symbol.
func isVisible(r rune) bool {
	return unicode.In(r, unicode.L, unicode.N, unicode.P, unicode.S)
}

// LooksLikeMoney reports whether unit, the name of a unit, contains a sign, code or name of a currency. Some platforms
// forbid games of chance for currencies. unit must be in plain letters (see chat.Unstyled).
func LooksLikeMoney(unit string) bool {
	unit = strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Cf, r) { // invisible format characters
			return -1
		}
		return r
	}, unit)
	if strings.ContainsFunc(unit, func(r rune) bool { return unicode.Is(unicode.Sc, r) || r == '₿' }) {
		return true
	}
	return slices.ContainsFunc(append(splitWords(unit), splitWords(digits.Replace(unit))...), func(word string) bool {
		lower := strings.ToLower(word)
		return isListed(currencyCodes, word) || isListed(currencyNames, lower) ||
			isListed(currencyNames, games.Lookalikes.Replace(lower))
	})
}

// digits replaces digits by the letters that they resemble, as in "d0llar".
var digits = strings.NewReplacer("0", "o", "1", "l", "3", "e", "5", "s")

// splitWords returns the words of text. If all words are single letters, it appends the word that they form together.
func splitWords(text string) []string {
	words := strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.Is(unicode.M, r) })
	if !slices.ContainsFunc(words, func(word string) bool { return utf8.RuneCountInString(word) > 1 }) {
		words = append(words, strings.Join(words, "")) // such as "E u r o"
	}
	return words
}

// isListed reports whether list, words separated by spaces, contains word.
func isListed(list, word string) bool {
	return strings.Contains(" "+list+" ", " "+word+" ")
}

// currencyCodes lists the codes of ISO 4217 and of common tokens. They are compared in capitals, because in small
// letters many of them are ordinary words (all, cup, mad, pen, top).
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

// currencyNames lists in lower case names of currencies and of their parts, and codes that are not also ordinary words.
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
