package games

import "strings"

// Lookalikes replaces letters of other scripts that look like Latin ones: the small
// letters, and the capitals that differ from their small ones.
var Lookalikes = strings.NewReplacer(
	"а", "a", "в", "b", "с", "c", "ԁ", "d", "е", "e", "ё", "e", "һ", "h", "н", "h", "і", "i", "ї", "i", "ј", "j",
	"к", "k", "ӏ", "l", "м", "m", "о", "o",
	"р", "p", "ԛ", "q", "ѕ", "s", "т", "t", "ѵ", "v", "ԝ", "w", "х", "x", "у", "y",
	"α", "a", "β", "b", "ε", "e", "η", "n", "ι", "i", "κ", "k", "μ", "u",
	"ν", "v", "ο", "o", "ρ", "p", "τ", "t", "υ", "u", "χ", "x", "ζ", "z",
	"ı", "i", "ſ", "s", "ɑ", "a", "ɡ", "g", "|", "l",
)
