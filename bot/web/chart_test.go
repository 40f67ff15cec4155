package web

import (
	"fmt"
	"math"
	"testing"

	"github.com/chromedp/chromedp"

	"knobel/bot/chat"
)

// balances is a chart of ten lines, and scores one of bars.
func balances() *chat.Chart {
	c := &chat.Chart{Unit: "chips", Below: "Game", Labels: []string{"start"}}
	for k := range 14 {
		c.Labels = append(c.Labels, fmt.Sprint("#", k+3))
	}
	for i := range 10 {
		s := chat.Series{Name: fmt.Sprint(i+1, " <b>Player the Longest-Named"), Seat: i}
		for k := range c.Labels {
			s.Values = append(s.Values, math.Round(30*math.Sin(float64(k*i)/5)))
		}
		s.Last = fmt.Sprint(s.Values[len(s.Values)-1])
		c.Series = append(c.Series, s)
	}
	return c
}

func scores() *chat.Chart {
	c := &chat.Chart{Bars: true, Unit: "Games", Below: "Points", Series: []chat.Series{{Name: "Games"}}}
	for i := range 12 {
		c.Labels = append(c.Labels, fmt.Sprintf("%d–%d", 10*i, 10*i+9))
		c.Series[0].Values = append(c.Series[0].Values, float64(i*i%17))
	}
	return c
}

// A chart is drawn by the page: in the colours of its theme, with letters of its size, inside its card; who does not
// see it is told it, and everybody has its numbers.
func chartsDrawn(t *testing.T, tab *tab) {
	page := func(alt string, c *chat.Chart) chat.Reply {
		return chat.Reply{Private: &chat.Message{Lang: "en", Accent: -1, Head: "Chips won and lost here.",
			Picture: &chat.Picture{Name: "a.png", PNG: drawing(t, 900, 600), Alt: alt, Chart: c},
			Buttons: [][]chat.Button{{{Label: "Turn", Press: "/turn"}}}}}
	}
	b := &pretend{answer: page("Line chart. Anna +12.", balances())}
	tab.do(chromedp.Navigate(serve(t, New(Config{}), b) + "/table"))
	tab.until(welcomed)
	ask[bool](tab, `(document.getElementById("slash").click(), document.activeElement.id === "text")`)
	tab.do(chromedp.KeyEvent("stats\r"))
	tab.until(`document.querySelectorAll(".note .chart .series").length === 10`)
	check := func(what string, width int64, theme string) {
		tab.until(`(() => { const svg = document.querySelector(".note .chart svg"); return svg.clientWidth > 0 &&
			Math.abs(svg.clientWidth - svg.parentElement.clientWidth) < 2 })()`)
		accessible(t, tab, fmt.Sprintf("%s %d %s", what, width, theme))
		for _, fault := range ask[[]string](tab, chartFaults) {
			t.Errorf("%s at %d, %s: %s", what, width, theme, fault)
		}
		tab.picture(fmt.Sprintf("chart-%s-%d-%s", what, width, theme))
	}
	everyLook(func(width int64, theme string) {
		tab.look(width, theme)
		check("lines", width, theme)
	})
	const chart = `document.querySelector(".note .chart")`
	got := ask[string](tab, chart+`.querySelector("svg[role=img] > title").textContent`)
	if got != "Line chart. Anna +12." {
		t.Errorf("the chart is told as %q", got)
	}
	if ask[bool](tab, `Boolean(document.querySelector(".note img"))`) {
		t.Error("the picture is shown besides")
	}
	got = ask[string](tab, `(() => {
		const rows = [...`+chart+`.querySelectorAll("details table tr")]
			.map((r) => [...r.cells].slice(0, 3).map((c) => c.textContent));
		return rows.length + " " + rows[0].join("|") + " " + rows[2].join("|");
	})()`)
	if got != "16 Game|1 <b>Player the Longest-Named|2 <b>Player the Longest-Named #3|0|6" {
		t.Errorf("its numbers are %q", got)
	}
	b.says(page("Bar chart.", scores()))
	tab.press(labelled("Turn"))
	tab.until(`document.querySelectorAll(".note .chart .bar").length === 12`)
	everyLook(func(width int64, theme string) {
		tab.look(width, theme)
		check("bars", width, theme)
	})
	b.says(page("One bar.", &chat.Chart{Unit: "chips", Labels: []string{"start"}, Below: "Game",
		Series: []chat.Series{{Name: "Anna", Last: "0", Values: []float64{0}}}}))
	tab.press(labelled("Turn"))
	tab.until(chart + `.querySelector("svg title").textContent === "One bar."`)
	b.says(page("None.", nil))
	tab.press(labelled("Turn"))
	tab.until(`document.querySelector(".note .picture img")?.alt === "None." && ` + chart + `.hidden`)
}

// chartFaults are lines that are faint on their ground, and texts that are cut off, lie over each other or are not of
// the page's size.
const chartFaults = `(() => {
	const found = [];
	const paper = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
	paper.canvas.width = paper.canvas.height = 1;
	const light = (...colours) => {
		for (const colour of colours) { paper.fillStyle = colour; paper.fillRect(0, 0, 1, 1); }
		return [...paper.getImageData(0, 0, 1, 1).data].slice(0, 3).map((v) => v / 255)
			.map((v) => v <= .04045 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4)
			.reduce((sum, v, i) => sum + v * [.2126, .7152, .0722][i], 0);
	};
	const card = getComputedStyle(document.querySelector(".note .card")).backgroundColor;
	const contrast = (colour) => {
		const [a, b] = [light(card, colour), light(card)];
		return (Math.max(a, b) + .05) / (Math.min(a, b) + .05);
	};
	for (const line of document.querySelectorAll(".note .series, .note .bar")) {
		const style = getComputedStyle(line);
		const seen = contrast(line.matches(".bar") ? style.fill : style.stroke);
		if (seen < 3) found.push("series " + line.dataset.seat + " stands out " + seen.toFixed(2) + " to 1");
	}
	const all = [...document.querySelectorAll(".note .chart svg text")].map((n) => [n, n.getBoundingClientRect()]);
	const frame = document.querySelector(".note .chart svg").getBoundingClientRect();
	for (const [node, box] of all) {
		if (box.left < frame.left - 1 || box.right > frame.right + 1 || box.top < frame.top - 1 ||
			box.bottom > frame.bottom + 1) {
			found.push("cut off: " + node.textContent);
		}
		const size = parseFloat(getComputedStyle(node).fontSize);
		if (size < 14 || size > 18) found.push(size + " pixels: " + node.textContent);
	}
	const over = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1
		&& Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 4;
	all.forEach(([a, box], i) => all.slice(i + 1).forEach(([b, other]) => {
		if (over(box, other)) found.push(a.textContent + " lies over " + b.textContent);
	}));
	return found;
})()`
