package fakes_test

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"knobel/bot/fakes"
)

// Over a wire a server and its clients can live in a time of their own: an hour's
// sleep in a bubble is over as soon as nobody has anything else to do.
func TestWireCarriesRequests(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		wire := fakes.NewWire("memory:80")
		server := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			time.Sleep(time.Hour)
			body, _ := io.ReadAll(r.Body)
			_, _ = w.Write(body)
		})}
		go func() { _ = server.Serve(wire) }()
		client := &http.Client{Transport: &http.Transport{DialContext: wire.Dial}}
		began := time.Now()
		resp, err := client.Post("http://"+wire.Addr().String(), "text/plain", io.LimitReader(zeros{}, 1<<16))
		if err != nil {
			t.Fatal(err)
		}
		if body, err := io.ReadAll(resp.Body); err != nil || len(body) != 1<<16 {
			t.Errorf("%d bytes came back, %v", len(body), err)
		}
		resp.Body.Close()
		if took := time.Since(began); took != time.Hour {
			t.Errorf("an hour took %s", took)
		}
		if err := server.Close(); err != nil {
			t.Error(err)
		}
		if _, err := wire.Dial(context.Background(), "tcp", "memory:80"); !errors.Is(err, net.ErrClosed) {
			t.Errorf("dialling a closed wire: %v", err)
		}
		client.CloseIdleConnections()
		time.Sleep(time.Second) // connections take their time to end
	})
}

// zeros is an endless row of them.
type zeros struct{}

func (zeros) Read(p []byte) (int, error) {
	clear(p)
	return len(p), nil
}
