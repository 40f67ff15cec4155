package main

import (
	"context"
	"log/slog"
	"net/http"
	"net/http/pprof"

	"knobel/bot/web"
)

// profiling serves profiles of the running program to this machine alone, until ctx is done. They
// contain the program's memory, so there is no secret that would admit others: the settings allow
// no other address.
func profiling(ctx context.Context, listen string, log *slog.Logger) error {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /debug/pprof/", pprof.Index)
	mux.HandleFunc("GET /debug/pprof/profile", pprof.Profile)
	mux.HandleFunc("GET /debug/pprof/trace", pprof.Trace)
	mux.HandleFunc("GET /debug/pprof/symbol", pprof.Symbol)
	local := web.Local(mux)
	return web.Serve(ctx, listen, "--profile or KNOBEL_PROFILE", local, func(url string) {
		log.Info("serving profiles", "at", url+"debug/pprof/")
	})
}
