// Package sheet plays the games of dice on a score sheet: some dice, some throws a turn, any dice kept, one
// row of the sheet filled each turn. Würfelpoker, Kniffel and Yatzy are such games, each a Set: a rule set as
// data. Like every game it knows no chat, no clock and no database.
//
// What a set can say stands in set.go and paper.go, what dice are worth in need.go and points.go, how a match goes
// on in match.go and moves.go. Nothing here asks which set is played.
package sheet
