package main

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// Before the database is open only the process is well: whoever delivers something is to deliver it again.
func TestWhoeverComesBeforeTheDatabaseIsOpenComesAgain(t *testing.T) {
	for _, test := range []struct {
		method, path string
		status       int
		says         string
	}{
		{http.MethodGet, "/healthz", http.StatusOK, "ok"},
		{http.MethodGet, "/healthz?database=off", http.StatusOK, "ok"},
		{http.MethodGet, "/readyz", http.StatusServiceUnavailable, "not open yet"},
		{http.MethodGet, "/readyz?platforms=off", http.StatusServiceUnavailable, "not open yet"},
		{http.MethodGet, "/", http.StatusServiceUnavailable, "try again"},
		{http.MethodPost, "/telegram", http.StatusServiceUnavailable, "try again"},
		{http.MethodPost, "/discord", http.StatusServiceUnavailable, "try again"},
	} {
		answer := httptest.NewRecorder()
		notOpen().ServeHTTP(answer, httptest.NewRequest(test.method, test.path, strings.NewReader("{}")))
		if answer.Code != test.status || !strings.Contains(answer.Body.String(), test.says) {
			t.Errorf("%s %s: %d %s", test.method, test.path, answer.Code, answer.Body)
		}
	}
}
