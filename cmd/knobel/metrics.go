package main

import (
	"log/slog"
	"net/http"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promauto"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// metrics answers GET /metrics. Metrics name platforms, and never a chat, a table or a person.
func metrics(m *making) http.Handler {
	made := promauto.With(m.meter.registry)
	missing := made.NewCounter(prometheus.CounterOpts{
		Name: "knobel_figures_missing_total", Help: "How often the database did not tell its figures in time.",
	})
	made.NewGauge(prometheus.GaugeOpts{
		Name: "knobel_build_info", Help: "1; its labels say what runs.",
		ConstLabels: prometheus.Labels(thisBuild().labels()),
	}).Set(1)
	m.meter.registry.MustRegister(
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}),
		&gauges{store: m.store, bot: m.bot, names: m.configured(), platforms: m.others, away: m.away, log: m.log,
			missing: missing})
	return promhttp.HandlerFor(m.meter.registry, promhttp.HandlerOpts{MaxRequestsInFlight: 2})
}

// countedLog returns a log handler that counts its lines.
func countedLog(h slog.Handler, lines *prometheus.CounterVec) slog.Handler {
	return filter{Handler: h, lets: func(_ string, r *slog.Record) bool {
		lines.WithLabelValues(r.Level.String()).Inc()
		return true
	}}
}
