package main

// Metrics for operators. Some are counted when something happens, others are read when GET /metrics asks for them.

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

// metrics registers metrics and returns the handler of GET /metrics. No label names a chat, a table or a person.
func metrics(m *platformBuilder) http.Handler {
	factory, build := promauto.With(m.meter.registry), thisBuild()
	missing := factory.NewCounter(prometheus.CounterOpts{
		Name: "knobel_figures_missing_total", Help: "Requests for which the database returned its figures too late.",
	})
	factory.NewGauge(prometheus.GaugeOpts{
		Name: "knobel_build_info", Help: "1; the labels describe the build.",
		ConstLabels: prometheus.Labels{"version": build.version, "commit": build.commit, "go": build.goVersion},
	}).Set(1)
	m.meter.registry.MustRegister(
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}),
		&collector{m, missing})
	return promhttp.HandlerFor(m.meter.registry, promhttp.HandlerOpts{MaxRequestsInFlight: 2})
}

// newLogCounter returns a log handler that counts log lines by level in lines and passes them on to h.
func newLogCounter(h slog.Handler, lines *prometheus.CounterVec) slog.Handler {
	return filter{Handler: h, allow: func(_ string, r *slog.Record) bool {
		lines.WithLabelValues(r.Level.String()).Inc()
		return true
	}}
}

// meter counts the actions of people and measures the time to the answers, by platform.
type meter struct {
	registry  *prometheus.Registry
	platforms []string                 // names of the platforms that are counted
	events    *prometheus.CounterVec   // commands and presses
	handled   *prometheus.HistogramVec // from the event to its commit
	answered  *prometheus.HistogramVec // from the press to its answer
	logged    *prometheus.CounterVec   // log lines by level
	refused   *prometheus.CounterVec   // refused requests of embedded pages, by platform and reason
}

// waitBuckets holds the upper bounds, in seconds, of the histograms of how long people wait.
var waitBuckets = []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10}

// newMeter returns a meter for the platforms with the given names.
func newMeter(platforms ...string) *meter {
	registry := prometheus.NewRegistry()
	factory := promauto.With(registry)
	m := &meter{
		registry: registry, platforms: platforms,
		events: factory.NewCounterVec(prometheus.CounterOpts{
			Name: "knobel_events_total", Help: "Commands and presses of people, by outcome.",
		}, []string{"platform", "did", "came"}),
		handled: factory.NewHistogramVec(prometheus.HistogramOpts{
			Name: "knobel_handle_seconds", Help: "Time from an event to its commit, without the platform.",
			Buckets: waitBuckets,
		}, []string{"platform", "did"}),
		answered: factory.NewHistogramVec(prometheus.HistogramOpts{
			Name: "knobel_answer_seconds", Help: "Time from a press to its answer, with the platform.",
			Buckets: waitBuckets,
		}, []string{"platform"}),
		logged: factory.NewCounterVec(prometheus.CounterOpts{
			Name: "knobel_log_lines_total", Help: "Log lines, by level.",
		}, []string{"level"}),
		refused: factory.NewCounterVec(prometheus.CounterOpts{
			Name: "knobel_embed_refused_total", Help: "Refused requests of pages inside platforms' clients, by reason.",
		}, []string{"door", "refused"}),
	}
	// Each counter exists with 0 before its first event, so that this event shows as an increase.
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

// Handled counts an event by platform, deed and outcome, and records its duration, took. It ignores unknown platforms.
func (m *meter) Handled(platform string, deed bot.Deed, outcome bot.Outcome, took time.Duration) {
	if slices.Contains(m.platforms, platform) {
		m.events.WithLabelValues(platform, string(deed), string(outcome)).Inc()
		m.handled.WithLabelValues(platform, string(deed)).Observe(took.Seconds())
	}
}

// countRefused counts a refused request of an embedded page by the platform ("" if it is unknown) and the reason.
func (m *meter) countRefused(door, why string) { m.refused.WithLabelValues(door, why).Inc() }

// answerRecorder returns a function that records how long one answer on the platform took.
func (m *meter) answerRecorder(platform string) func(time.Duration) {
	histogram := m.answered.WithLabelValues(platform)
	return func(took time.Duration) { histogram.Observe(took.Seconds()) }
}

// collector collects the metrics that are read when GET /metrics asks for them.
type collector struct {
	*platformBuilder
	missing prometheus.Counter // counts failed reads of the database
}

// Describe implements prometheus.Collector. It sends no descriptions, because labels are known only when collecting.
func (g *collector) Describe(chan<- *prometheus.Desc) {}

// Collect implements prometheus.Collector: it sends all values to metrics. If the database cannot be read, it leaves
// out the values from there and counts the failure.
func (g *collector) Collect(metrics chan<- prometheus.Metric) {
	out := metricSender{metrics}
	g.sendPlatforms(out)
	for door, pages := range g.page.Embedded() {
		out.gauge("knobel_embed_pages", "Open pages inside the platform's client.", float64(pages), "door", door)
	}
	commits := g.store.Commits()
	out.histogram("knobel_commit_changes", "Changes in one commit.", commits.Sizes, 9, 1)
	out.histogram("knobel_commit_seconds", "Time until a commit was on disk.", commits.Lengths, 25,
		1e-6)
	out.histogram("knobel_change_wait_seconds",
		"Time that changes waited on a server for other changes of the chat, or for a free connection.",
		commits.Waits, 25, 1e-6)
	out.counter("knobel_commit_failures_total", "Commits that failed on disk.", commits.Failed)
	out.counter("knobel_change_again_total",
		"Changes that were retried on a server after a conflict or a lost connection.", commits.Again)
	out.counter("knobel_database_round_trips_total",
		"Round trips to the database server; 0 with a file.", commits.RoundTrips)
	out.counter("knobel_lease_refusals_total",
		"Writes of loops that were refused because another replica has the lease.",
		g.bot.Leases.Refusals())
	out.gauge("knobel_replicas", "Replicas that use the database, as seen by this one.",
		float64(g.bot.Leases.Part("").Replicas))
	held := map[string]float64{}
	for kind, n := range g.bot.Leases.Held() {
		held[kind] = float64(n)
	}
	out.gauges("knobel_leases_held",
		"Leases that this replica holds, of chats and of connections.", "kind", held)
	waiting := map[string]float64{"solving": float64(g.bot.Tables.Solutions.Open())}
	for name, places := range g.bot.Outbox.Queued() {
		waiting["drawing "+name] = float64(places)
	}
	g.sendFigures(out, waiting)
	out.gauges("knobel_waiting",
		"Waiting work of background loops: places to draw, problems to solve, computer moves, "+
			"reviews.", "loop", waiting)
}

// sendPlatforms sends the state of each platform's connection and how much the bot has written there.
func (g *collector) sendPlatforms(out metricSender) {
	for _, p := range g.others {
		link, name, s := p.Link(), p.Name(), p.Budget("")
		if link.Lasting() {
			continue // the browser page has no connection to a server and no rate limits
		}
		out.gauge("knobel_platform_connected", "1 if the platform is connected, else 0.", boolValue(link.Up),
			"platform", name)
		out.gauge("knobel_platform_state_seconds", "Time since the connection was made or lost.",
			secondsSince(link.Since), "platform", name)
		out.gauge("knobel_writes_waiting", "Boards and reminders that wait for the rate limit.", float64(s.Waiting),
			"platform", name)
		out.gauge("knobel_writes_busiest", "Messages written in the busiest chat within the last minute.",
			float64(s.Busiest), "platform", name)
		for what, n := range map[string]int{"send": s.Sends, "edit": s.Edits, "call": s.Calls, "slowed": s.Slowed} {
			out.counter("knobel_writes_total", "Messages sent and edited, reminders (also counted as sent), and how "+
				"often the platform asked to wait.", int64(n), "platform", name, "what", what)
		}
	}
}

// sendFigures sends the values that are read from the database. It adds to waiting, by the name of the loop that
// handles them, how many computer moves and reviews are waiting.
func (g *collector) sendFigures(out metricSender, waiting map[string]float64) {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	names, prefixes := g.configured(), []string(nil)
	for _, name := range names {
		prefixes = append(prefixes, name+":")
	}
	f, err := g.store.Figures(ctx, time.Now().UnixMilli(), prefixes...)
	out.gauge("knobel_database_up", "1 if the database is reachable and writable, else 0.",
		boolValue(err == nil && !g.outage.isActive()))
	if err != nil {
		g.missing.Inc()
		g.log.Debug("read database metrics failed", "error", err)
		return
	}
	waiting["house"], waiting["reviews"] = float64(f.House), float64(f.Reviews)
	out.gauges("knobel_tables", "Open tables, by state.", "state",
		map[string]float64{"lobby": float64(f.Lobby), "playing": float64(f.Playing)})
	out.gauges("knobel_deadlines",
		"Turns with a running clock, and those that are overdue.", "state",
		map[string]float64{"running": float64(f.Clocks), "late": float64(f.Late)})
	out.gauge("knobel_push_subscriptions", "Subscriptions of browsers to Web Push.", float64(f.Pushed))
	for outcome, n := range f.Pushes {
		out.counter("knobel_pushes_total", "Web Push messages sent, endpoints refused and removed, of all replicas.", n,
			"outcome", outcome)
	}
	out.gauges("knobel_database_bytes", "Size of the database file and of its write-ahead log.", "part",
		map[string]float64{"file": float64(f.File), "log": float64(f.Log)})
	for _, name := range names {
		since, d := time.Time{}, f.Lagging[name+":"]
		if d.Boards > 0 {
			since = time.UnixMilli(d.Since)
		}
		out.gauge("knobel_boards_lagging", "Outdated boards.", float64(d.Boards), "platform", name)
		out.gauge("knobel_boards_lagging_seconds", "Age of the oldest outdated board.",
			secondsSince(since), "platform", name)
	}
}

// metricSender sends metric values to the registry.
type metricSender struct{ metrics chan<- prometheus.Metric }

// send sends one value. labels holds the name of a label, its value, the name of the next label, and so on.
func (c metricSender) send(kind prometheus.ValueType, name, help string, value float64, labels []string) {
	var names, values []string
	for pair := range slices.Chunk(labels, 2) {
		names, values = append(names, pair[0]), append(values, pair[1])
	}
	c.metrics <- prometheus.MustNewConstMetric(prometheus.NewDesc(name, help, names, nil), kind, value, values...)
}

// counter sends n as the value of a counter; labels are as in send.
func (c metricSender) counter(name, help string, n int64, labels ...string) {
	c.send(prometheus.CounterValue, name, help, float64(n), labels)
}

// gauge sends the value of a gauge; labels are as in send.
func (c metricSender) gauge(name, help string, value float64, labels ...string) {
	c.send(prometheus.GaugeValue, name, help, value, labels)
}

// gauges sends several values of one gauge. Each key of values is a value of label.
func (c metricSender) gauges(name, help, label string, values map[string]float64) {
	for labelValue, value := range values {
		c.gauge(name, help, value, label, labelValue)
	}
}

// histogram sends spread as a histogram with buckets up to 2^maxExponent. unit converts the numbers in spread to those
// of the histogram: 1e-6 if spread counts microseconds and the histogram seconds.
func (c metricSender) histogram(name, help string, spread store.Spread, maxExponent int, unit float64) {
	buckets := map[float64]uint64{}
	var all uint64
	for i, n := range spread.Counts {
		all += uint64(n)
		if i <= maxExponent {
			buckets[math.Ldexp(unit, i)] = all
		}
	}
	c.metrics <- prometheus.MustNewConstHistogram(prometheus.NewDesc(name, help, nil, nil), all,
		float64(spread.Sum)*unit, buckets)
}

// boolValue returns 1 for true and 0 for false.
func boolValue(value bool) float64 {
	if value {
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
