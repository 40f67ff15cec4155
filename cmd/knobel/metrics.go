package main

// Metrics for operators.

import (
	"context"
	"log/slog"
	"math"
	"net/http"
	"slices"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promauto"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"knobel/bot"
	"knobel/store"
)

// metrics returns the handler of GET /metrics. Its labels name platforms, but never a chat, a table or a person.
func metrics(m *making) http.Handler {
	made, build := promauto.With(m.meter.registry), thisBuild()
	missing := made.NewCounter(prometheus.CounterOpts{
		Name: "knobel_figures_missing_total", Help: "How often the database did not tell its figures in time.",
	})
	made.NewGauge(prometheus.GaugeOpts{
		Name: "knobel_build_info", Help: "1; its labels say what runs.",
		ConstLabels: prometheus.Labels{"version": build.version, "commit": build.commit, "go": build.goes},
	}).Set(1)
	m.meter.registry.MustRegister(
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}),
		&gauges{m, missing})
	return promhttp.HandlerFor(m.meter.registry, promhttp.HandlerOpts{MaxRequestsInFlight: 2})
}

// countedLog returns a log handler that counts the lines by level in lines and passes them on to h.
func countedLog(h slog.Handler, lines *prometheus.CounterVec) slog.Handler {
	return filter{Handler: h, lets: func(_ string, r *slog.Record) bool {
		lines.WithLabelValues(r.Level.String()).Inc()
		return true
	}}
}

// meter counts events and measures their durations, by platform.
type meter struct {
	registry  *prometheus.Registry
	platforms []string
	events    *prometheus.CounterVec
	handled   *prometheus.HistogramVec
	answered  *prometheus.HistogramVec
	logged    *prometheus.CounterVec
}

// waits holds the histogram buckets for times that people wait, in seconds.
var waits = []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10}

// newMeter returns a meter for the platforms with these names.
func newMeter(platforms ...string) *meter {
	registry := prometheus.NewRegistry()
	made := promauto.With(registry)
	m := &meter{
		registry: registry, platforms: platforms,
		events: made.NewCounterVec(prometheus.CounterOpts{
			Name: "knobel_events_total", Help: "What people did: commands and presses, and what came of them.",
		}, []string{"platform", "did", "came"}),
		handled: made.NewHistogramVec(prometheus.HistogramOpts{
			Name: "knobel_handle_seconds", Help: "From what a person did to its commit, the platform left out.",
			Buckets: waits,
		}, []string{"platform", "did"}),
		answered: made.NewHistogramVec(prometheus.HistogramOpts{
			Name: "knobel_answer_seconds", Help: "From a press to its answer, the platform's own time included.",
			Buckets: waits,
		}, []string{"platform"}),
		logged: made.NewCounterVec(prometheus.CounterOpts{
			Name: "knobel_log_lines_total", Help: "Lines of the log, by level.",
		}, []string{"level"}),
	}
	// Counters start at 0 before the first event, so that it shows as an increase.
	for _, level := range []slog.Level{slog.LevelInfo, slog.LevelWarn, slog.LevelError} {
		m.logged.WithLabelValues(level.String())
	}
	for _, p := range platforms {
		m.answered.WithLabelValues(p)
		for _, did := range []bot.Deed{bot.Commanded, bot.Pressed, bot.Came} {
			m.handled.WithLabelValues(p, string(did))
			for _, came := range []bot.Outcome{bot.Done, bot.Refused, bot.Failed} {
				m.events.WithLabelValues(p, string(did), string(came))
			}
		}
	}
	return m
}

// Handled counts an event on one of the platforms and its duration. Other platforms are ignored.
func (m *meter) Handled(platform string, did bot.Deed, came bot.Outcome, took time.Duration) {
	if slices.Contains(m.platforms, platform) {
		m.events.WithLabelValues(platform, string(did), string(came)).Inc()
		m.handled.WithLabelValues(platform, string(did)).Observe(took.Seconds())
	}
}

// answering returns a function that records how long an answer on a platform took.
func (m *meter) answering(platform string) func(time.Duration) {
	late := m.answered.WithLabelValues(platform)
	return func(took time.Duration) { late.Observe(took.Seconds()) }
}

// gauges collects the metrics that are read on each request rather than counted when they happen.
type gauges struct {
	*making
	missing prometheus.Counter // counts failed reads of the database
}

// Describe implements prometheus.Collector. It describes nothing, because the labels are known only when collecting.
func (g *gauges) Describe(chan<- *prometheus.Desc) {}

// Collect implements prometheus.Collector: it sends all values. It leaves out and counts those it cannot read.
func (g *gauges) Collect(all chan<- prometheus.Metric) {
	to := collecting{all}
	g.links(to)
	commits := g.store.Commits()
	to.histogram("knobel_commit_changes", "How many changes shared a commit.", commits.Sizes, 9, 1)
	to.histogram("knobel_commit_seconds", "How long a commit took until it was on the disk.", commits.Lengths, 25,
		1e-6)
	to.histogram("knobel_change_wait_seconds",
		"How long changes waited on a server for others of the same chat, here or on other replicas, or for room.",
		commits.Waits, 25, 1e-6)
	to.counter("knobel_commit_failures_total", "Commits that the disk did not take.", commits.Failed)
	to.counter("knobel_change_again_total",
		"How often changes ran again on a server, as others were in their way or a connection was lost.", commits.Again)
	to.counter("knobel_database_round_trips_total",
		"How often changes and views have waited for the server of the database; 0 with a file.", commits.RoundTrips)
	to.counter("knobel_lease_refusals_total",
		"How often a loop wanted to write what another replica does by now: nothing was written.",
		g.bot.Leases.Refusals())
	to.gauge("knobel_replicas", "Replicas that work with the database, as far as this one knows.",
		float64(g.bot.Leases.Part("").Replicas))
	held := map[string]float64{}
	for kind, n := range g.bot.Leases.Held() {
		held[kind] = float64(n)
	}
	to.gauges("knobel_leases_held",
		"Leases that this replica holds: of chats, whose loops run here, and of connections.", "kind", held)
	waiting := map[string]float64{"solving": float64(g.bot.Tables.Solutions.Open())}
	for name, places := range g.bot.Outbox.Queued() {
		waiting["drawing "+name] = float64(places)
	}
	g.figures(to, waiting)
	to.gauges("knobel_waiting",
		"What loops beside the presses have to do: places to draw in, problems to solve, tables that wait for the "+
			"house, reviews that are wanted.", "loop", waiting)
}

// links sends the state of each platform's connection and its counts of writes.
func (g *gauges) links(to collecting) {
	for _, p := range g.others {
		link, name, s := p.Link(), p.Name(), p.Budget("")
		if link.Lasting() {
			continue // the program's own platforms have no limits
		}
		to.gauge("knobel_platform_connected", "Whether people are heard there: 1 or 0.", oneIf(link.Up),
			"platform", name)
		to.gauge("knobel_platform_state_seconds", "How long people have been heard there, or have not.",
			secondsSince(link.Since), "platform", name)
		to.gauge("knobel_writes_waiting", "Boards and calls that wait until they may be written.", float64(s.Waiting),
			"platform", name)
		to.gauge("knobel_writes_busiest", "The most that was written in any chat within the last minute.",
			float64(s.Busiest), "platform", name)
		for what, n := range map[string]int{"send": s.Sends, "edit": s.Edits, "call": s.Calls, "slowed": s.Slowed} {
			to.counter("knobel_writes_total", "What was written on a platform: sends, edits, calls (which are sends, "+
				"too), and how often it asked to wait.", int64(n), "platform", name, "what", what)
		}
	}
}

// figures sends the values read from the database, and adds those about waiting work to waiting.
func (g *gauges) figures(to collecting, waiting map[string]float64) {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	names, prefixes := g.configured(), []string(nil)
	for _, name := range names {
		prefixes = append(prefixes, name+":")
	}
	f, err := g.store.Figures(ctx, time.Now().UnixMilli(), prefixes...)
	to.gauge("knobel_database_up", "Whether the database can be reached and takes changes: 1 or 0.",
		oneIf(err == nil && !g.away.lasts()))
	if err != nil {
		g.missing.Inc()
		g.log.Debug("read database figures failed", "error", err)
		return
	}
	waiting["house"], waiting["reviews"] = float64(f.House), float64(f.Reviews)
	to.gauges("knobel_tables", "Tables that are being set up or played at.", "state",
		map[string]float64{"lobby": float64(f.Lobby), "playing": float64(f.Playing)})
	to.gauges("knobel_deadlines",
		"Turns whose clock runs, and those of them whose time is over and that are about to be played for.", "state",
		map[string]float64{"running": float64(f.Clocks), "late": float64(f.Late)})
	to.gauges("knobel_database_bytes", "Size of the database file and of its write-ahead log.", "part",
		map[string]float64{"file": float64(f.File), "log": float64(f.Log)})
	for _, name := range names {
		since, d := time.Time{}, f.Lagging[name+":"]
		if d.Boards > 0 {
			since = time.UnixMilli(d.Since)
		}
		to.gauge("knobel_boards_lagging", "Boards that are behind their tables.", float64(d.Boards), "platform", name)
		to.gauge("knobel_boards_lagging_seconds", "How long the board has been behind that is longest.",
			secondsSince(since), "platform", name)
	}
}

// collecting sends metric values to the registry.
type collecting struct{ to chan<- prometheus.Metric }

// send sends a value. labels alternates names and values.
func (c collecting) send(kind prometheus.ValueType, name, help string, value float64, labels []string) {
	var names, values []string
	for pair := range slices.Chunk(labels, 2) {
		names, values = append(names, pair[0]), append(values, pair[1])
	}
	c.to <- prometheus.MustNewConstMetric(prometheus.NewDesc(name, help, names, nil), kind, value, values...)
}

func (c collecting) counter(name, help string, n int64, labels ...string) {
	c.send(prometheus.CounterValue, name, help, float64(n), labels)
}

func (c collecting) gauge(name, help string, value float64, labels ...string) {
	c.send(prometheus.GaugeValue, name, help, value, labels)
}

// gauges sends one value for each value of a label.
func (c collecting) gauges(name, help, label string, values map[string]float64) {
	for of, value := range values {
		c.gauge(name, help, value, label, of)
	}
}

// histogram sends a distribution with buckets up to 2^most units; one is the size of a unit.
func (c collecting) histogram(name, help string, s store.Spread, most int, one float64) {
	buckets := map[float64]uint64{}
	var all uint64
	for i, n := range s.Counts {
		all += uint64(n)
		if i <= most {
			buckets[math.Ldexp(one, i)] = all
		}
	}
	c.to <- prometheus.MustNewConstHistogram(prometheus.NewDesc(name, help, nil, nil), all, float64(s.Sum)*one, buckets)
}

func oneIf(yes bool) float64 {
	if yes {
		return 1
	}
	return 0
}

// secondsSince returns the seconds since t, 0 if t is zero or in the future.
func secondsSince(t time.Time) float64 {
	if t.IsZero() {
		return 0
	}
	return max(0, time.Since(t).Seconds())
}
