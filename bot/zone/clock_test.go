package zone

import "testing"

func TestClock(t *testing.T) {
	for text, want := range map[string]int{
		"10": 600, "10:00": 600, "10.05": 605, "10am": 600, "10 AM": 600, "12am": 0, "12 pm": 720, "9:30pm": 1290,
		"10 Uhr": 600, " 7:05  uhr ": 425, "21h": 1260, "0": 0, "23:59": 1439, "8 p.m.": 1200,
	} {
		if got, ok := Clock(text); !ok || got != want {
			t.Errorf("%q is %d, %t", text, got, ok)
		}
	}
	for _, text := range []string{"", "24", "10:60", "13pm", "0am", "ten", "10:0", "-1", "10:00:00", "uhr"} {
		if got, ok := Clock(text); ok {
			t.Errorf("%q is %d", text, got)
		}
	}
}
