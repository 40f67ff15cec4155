package main

import (
	"log/slog"
	"slices"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"

	"knobel/bot"
)

// meter counts what the bot does, by platform.
type meter struct {
	registry  *prometheus.Registry
	platforms []string
	events    *prometheus.CounterVec
	handled   *prometheus.HistogramVec
	answered  *prometheus.HistogramVec
	logged    *prometheus.CounterVec
}

// The kinds of what is counted, apart from the platforms.
var (
	allDeeds    = []bot.Deed{bot.Commanded, bot.Pressed, bot.Came}
	allOutcomes = []bot.Outcome{bot.Done, bot.Refused, bot.Failed}
)

// waits are the buckets for the waits of people, in seconds.
var waits = []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10}

// newMeter makes a meter for platforms.
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
	// Each begins at 0, so that the first of its kind is a growth.
	for _, level := range []slog.Level{slog.LevelInfo, slog.LevelWarn, slog.LevelError} {
		m.logged.WithLabelValues(level.String())
	}
	for _, p := range platforms {
		m.answered.WithLabelValues(p)
		for _, did := range allDeeds {
			m.handled.WithLabelValues(p, string(did))
			for _, came := range allOutcomes {
				m.events.WithLabelValues(p, string(did), string(came))
			}
		}
	}
	return m
}

// Handled counts an event on one of the platforms.
func (m *meter) Handled(platform string, did bot.Deed, came bot.Outcome, took time.Duration) {
	if slices.Contains(m.platforms, platform) {
		m.events.WithLabelValues(platform, string(did), string(came)).Inc()
		m.handled.WithLabelValues(platform, string(did)).Observe(took.Seconds())
	}
}

// answering returns a function that counts how long an answer took on a platform.
func (m *meter) answering(platform string) func(time.Duration) {
	late := m.answered.WithLabelValues(platform)
	return func(took time.Duration) { late.Observe(took.Seconds()) }
}
