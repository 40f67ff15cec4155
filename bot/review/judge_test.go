package review

import (
	"math/rand/v2"
	"testing"
)

// player returns a player whose decisions have random costs.
func player(name string, often float64, n int, chance *rand.Rand) skilled {
	s := skilled{name: name, n: float64(n)}
	for range n {
		if chance.Float64() < often {
			cost := chance.ExpFloat64()
			s.costs += cost
			s.square += cost * cost
		}
	}
	return s
}

// TestEqualPlayersAreNotRanked looks at many evenings of people who are all
// alike: rarely may one of them be called better, however many there are.
func TestEqualPlayersAreNotRanked(t *testing.T) {
	chance := rand.New(rand.NewPCG(1, 2))
	for _, people := range []int{2, 6} {
		wrong := 0
		const evenings = 400
		for range evenings {
			var list []skilled
			for range people {
				list = append(list, player("x", 0.3, 200, chance))
			}
			if said := judged(list); said[0].Key != "bot.skill.chance" {
				wrong++
			}
		}
		if wrong > evenings/10 {
			t.Errorf("of %d evenings of %d equals %d ended in a verdict", evenings, people, wrong)
		}
	}
}

func TestBetterDecisionsAreNamed(t *testing.T) {
	chance := rand.New(rand.NewPCG(1, 2))
	list := []skilled{player("Anna", 0.05, 500, chance), player("Ben", 0.5, 500, chance),
		player("Clara", 0.5, 500, chance)}
	said := judged(list)
	if len(said) != 3 || said[0].Args["Better"] != "Anna" || said[1].Args["Worse"] != "Clara" ||
		said[2].Key != "bot.skill.others-chance" {
		t.Errorf("%v", said)
	}
	few := []skilled{player("Anna", 0, 500, chance), player("Ben", 1, leastDecisions-1, chance)}
	if said := judged(few); len(said) != 1 || said[0].Key != "bot.skill.too-few" {
		t.Errorf("of few decisions it is said: %v", said)
	}
	flawless := []skilled{player("Anna", 0, 500, chance), player("Ben", 0, 500, chance)}
	if said := judged(flawless); said[0].Key != "bot.skill.chance" {
		t.Errorf("of two who never err it is said: %v", said)
	}
}
