package main

import (
	"context"
	"log/slog"
	"math"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"knobel/bot/chat"
	"knobel/cmd/wiring"
	"knobel/store"
)

// gauges reads the metrics that are not counted as they happen, at every request.
type gauges struct {
	store     *store.Store
	bot       *wiring.Bot
	names     []string        // of all platforms
	platforms []chat.Platform // that may be connected or not
	away      *blackout
	log       *slog.Logger
	missing   prometheus.Counter // how often the database could not be asked
}

// gaugeWithin is the timeout for the database's figures.
const gaugeWithin = 5 * time.Second

// The metrics that Collect sends.
var (
	tablesNow  = described("knobel_tables", "Tables that are being set up or played at.", "state")
	waitingNow = described("knobel_waiting",
		"What loops beside the presses have to do: places to draw in, problems to solve, tables that wait for the "+
			"house, reviews that are wanted.", "loop")
	laggingNow   = described("knobel_boards_lagging", "Boards that are behind their tables.", "platform")
	laggingSince = described("knobel_boards_lagging_seconds", "How long the board has been behind that is longest.",
		"platform")
	connectedNow = described("knobel_platform_connected", "Whether people are heard there: 1 or 0.", "platform")
	connectedFor = described("knobel_platform_state_seconds", "How long people have been heard there, or have not.",
		"platform")
	deadlinesNow = described("knobel_deadlines",
		"Turns whose clock runs, and those of them whose time is over and that are about to be played for.", "state")
	writesSoFar = described("knobel_writes_total",
		"What was written on a platform: sends, edits, calls (which are sends, too), and how often it asked to wait.",
		"platform", "what")
	writesWait = described("knobel_writes_waiting", "Boards and calls that wait until they may be written.",
		"platform")
	writesMost = described("knobel_writes_busiest", "The most that was written in any chat within the last minute.",
		"platform")
	databaseUp = described("knobel_database_up",
		"Whether the database can be reached and takes changes: 1 or 0.")
	databaseNow = described("knobel_database_bytes", "Size of the database file and of its write-ahead log.", "part")
	commitSizes = described("knobel_commit_changes", "How many changes shared a commit.")
	commitTimes = described("knobel_commit_seconds", "How long a commit took until it was on the disk.")
	commitsLost = described("knobel_commit_failures_total", "Commits that the disk did not take.")
	tripsSoFar  = described("knobel_database_round_trips_total",
		"How often changes and views have waited for the server of the database; 0 with a file.")
	turnsTook = described("knobel_change_wait_seconds",
		"How long changes waited on a server for others of the same chat, here or on other replicas, or for room.")
	leasesNow = described("knobel_leases_held",
		"Leases that this replica holds: of chats, whose loops run here, and of connections.", "kind")
	replicasNow  = described("knobel_replicas", "Replicas that work with the database, as far as this one knows.")
	refusedSoFar = described("knobel_lease_refusals_total",
		"How often a loop wanted to write what another replica does by now: nothing was written.")
	againSoFar = described("knobel_change_again_total",
		"How often changes ran again on a server, as others were in their way or a connection was lost.")
)

func described(name, help string, labels ...string) *prometheus.Desc {
	return prometheus.NewDesc(name, help, labels, nil)
}

// Describe implements prometheus.Collector: which platforms there are is known at the requests.
func (g *gauges) Describe(chan<- *prometheus.Desc) {}

// Collect implements prometheus.Collector. Values that cannot be read are left out, and counted.
func (g *gauges) Collect(to chan<- prometheus.Metric) {
	tell := func(d *prometheus.Desc, x float64, labels ...string) {
		to <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, x, labels...)
	}
	for _, p := range g.platforms {
		link := p.Link()
		if link.Lasting() {
			continue // what is ours takes whatever is written
		}
		tellBudget(to, p.Name(), p.Budget(""))
		tell(connectedNow, oneIf(link.Up), p.Name())
		tell(connectedFor, secondsSince(link.Since), p.Name())
	}
	for name, places := range g.bot.Outbox.Queued() {
		tell(waitingNow, float64(places), "drawing "+name)
	}
	tell(waitingNow, float64(g.bot.Tables.Solutions.Open()), "solving")
	commits := g.store.Commits()
	to <- histogram(commitSizes, commits.Sizes, 9, 1)
	to <- histogram(commitTimes, commits.Lengths, 25, 1e-6)
	to <- histogram(turnsTook, commits.Waits, 25, 1e-6)
	count := func(d *prometheus.Desc, n int64) {
		to <- prometheus.MustNewConstMetric(d, prometheus.CounterValue, float64(n))
	}
	count(commitsLost, commits.Failed)
	count(againSoFar, commits.Again)
	count(tripsSoFar, g.store.RoundTrips())
	count(refusedSoFar, g.bot.Leases.Refusals())
	tell(replicasNow, float64(g.bot.Leases.Replicas()))
	for kind, n := range g.bot.Leases.Held() {
		tell(leasesNow, float64(n), kind)
	}
	g.figures(tell)
}

// tellBudget sends what was written on a platform.
func tellBudget(to chan<- prometheus.Metric, platform string, s chat.Budget) {
	for _, w := range []struct {
		what string
		n    int
	}{{"send", s.Sends}, {"edit", s.Edits}, {"call", s.Calls}, {"slowed", s.Slowed}} {
		to <- prometheus.MustNewConstMetric(writesSoFar, prometheus.CounterValue, float64(w.n), platform, w.what)
	}
	to <- prometheus.MustNewConstMetric(writesWait, prometheus.GaugeValue, float64(s.Waiting), platform)
	to <- prometheus.MustNewConstMetric(writesMost, prometheus.GaugeValue, float64(s.Busiest), platform)
}

// figures sends what the database knows.
func (g *gauges) figures(tell func(*prometheus.Desc, float64, ...string)) {
	ctx, cancel := context.WithTimeout(context.Background(), gaugeWithin)
	defer cancel()
	var prefixes []string
	for _, name := range g.names {
		prefixes = append(prefixes, name+":")
	}
	f, err := g.store.Figures(ctx, time.Now().UnixMilli(), prefixes...)
	tell(databaseUp, oneIf(err == nil && !g.away.lasts()))
	if err != nil {
		g.missing.Inc()
		g.log.Debug("read database figures failed", "error", err)
		return
	}
	tell(tablesNow, float64(f.Lobby), "lobby")
	tell(tablesNow, float64(f.Playing), "playing")
	tell(deadlinesNow, float64(f.Clocks), "running")
	tell(deadlinesNow, float64(f.Late), "late")
	tell(waitingNow, float64(f.House), "house")
	tell(waitingNow, float64(f.Reviews), "reviews")
	tell(databaseNow, float64(f.File), "file")
	tell(databaseNow, float64(f.Log), "log")
	for _, name := range g.names {
		d := f.Lagging[name+":"]
		tell(laggingNow, float64(d.Boards), name)
		since := time.Time{}
		if d.Boards > 0 {
			since = time.UnixMilli(d.Since)
		}
		tell(laggingSince, secondsSince(since), name)
	}
}

// histogram returns a spread as a metric, up to its bucket of 2^most, in units of one.
func histogram(d *prometheus.Desc, s store.Spread, most int, one float64) prometheus.Metric {
	buckets := map[float64]uint64{}
	var all uint64
	for i, n := range s.Counts {
		all += uint64(n)
		if i <= most {
			buckets[math.Ldexp(one, i)] = all
		}
	}
	return prometheus.MustNewConstHistogram(d, all, float64(s.Sum)*one, buckets)
}

func oneIf(yes bool) float64 {
	if yes {
		return 1
	}
	return 0
}

// secondsSince is 0 for the zero time, and for what is yet to come.
func secondsSince(t time.Time) float64 {
	if t.IsZero() {
		return 0
	}
	return max(0, time.Since(t).Seconds())
}
