package main

import (
	"context"
	"log/slog"
	"net/http"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// metrics answers GET /metrics. Metrics name platforms, and never a chat, a table or a person.
func metrics(m *making) http.Handler {
	r := prometheus.NewRegistry()
	m.meter.register(r)
	missing := prometheus.NewCounter(prometheus.CounterOpts{
		Name: "knobel_figures_missing_total", Help: "How often the database did not tell its figures in time.",
	})
	built := prometheus.NewGauge(prometheus.GaugeOpts{
		Name: "knobel_build_info", Help: "1; its labels say what runs.",
		ConstLabels: prometheus.Labels(thisBuild().labels()),
	})
	built.Set(1)
	r.MustRegister(missing, built,
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}),
		&gauges{store: m.store, bot: m.bot, names: m.configured(), platforms: m.others, away: m.away, log: m.log,
			missing: missing})
	return promhttp.HandlerFor(r, promhttp.HandlerOpts{MaxRequestsInFlight: 2})
}

// counting is a log that counts its lines.
type counting struct {
	slog.Handler
	lines *prometheus.CounterVec
}

// Handle counts a line and passes it on.
func (c counting) Handle(ctx context.Context, r slog.Record) error {
	c.lines.WithLabelValues(r.Level.String()).Inc()
	return c.Handler.Handle(ctx, r)
}

// WithAttrs is a log that counts beside this one.
func (c counting) WithAttrs(attrs []slog.Attr) slog.Handler {
	return counting{c.Handler.WithAttrs(attrs), c.lines}
}

// WithGroup is a log that counts beside this one.
func (c counting) WithGroup(name string) slog.Handler {
	return counting{c.Handler.WithGroup(name), c.lines}
}
