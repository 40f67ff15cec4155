package telegramtest

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"mime"
	"mime/multipart"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"knobel/bot/fakes"
)

// refusal is an error response of Telegram.
type refusal struct {
	code       int
	text       string
	parameters map[string]any
}

// badRequest returns a refusal with the status 400.
func badRequest(format string, args ...any) *refusal {
	return &refusal{code: http.StatusBadRequest, text: "Bad Request: " + fmt.Sprintf(format, args...)}
}

// serve answers one request: with a fault if one is due, else by its method, after a check against the description.
func (s *Server) serve(w http.ResponseWriter, r *http.Request) {
	method, ok := s.method(r.URL.Path)
	if !ok {
		answer(w, nil, &refusal{code: http.StatusUnauthorized, text: "Unauthorized"})
		return
	}
	params, files, err := read(r)
	if err != nil {
		answer(w, nil, badRequest("can't parse the request: %v", err))
		return
	}
	n, text := s.begin(method, params), "fault"
	s.Serve(w, r, fakes.Exchange{
		What: method,
		Trouble: func() (f Fault, struck bool) {
			if s.trouble != nil {
				return s.trouble(method, params)
			}
			return f, false
		},
		Do: func(w http.ResponseWriter) {
			result, no := s.call(r, method, params, files)
			if text = ""; no != nil {
				text = no.text
			}
			answer(w, result, no)
		},
		Refuse: func(w http.ResponseWriter, f Fault) {
			no := &refusal{code: f.Status, text: f.Message}
			if f.RetryAfter > 0 {
				no.parameters = map[string]any{"retry_after": int(f.RetryAfter)}
			}
			answer(w, nil, no)
		},
		Ended: func(f *Fault, status int) {
			if f != nil {
				text = "fault"
			}
			s.end(n, status, text)
		},
	})
}

// method returns the method in path, /bot<token>/<method>; false if the token is wrong.
func (s *Server) method(path string) (string, bool) {
	rest, ok := strings.CutPrefix(path, "/bot"+s.token+"/")
	return rest, ok && rest != ""
}

// read returns the parameters of a request in any encoding, and its files by name.
func read(r *http.Request) (params map[string]string, files map[string][]byte, err error) {
	params, files = map[string]string{}, map[string][]byte{}
	kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	switch kind {
	case "application/json":
		var body map[string]json.RawMessage
		if err := json.NewDecoder(io.LimitReader(r.Body, 1<<20)).Decode(&body); err != nil {
			return nil, nil, err
		}
		for name, raw := range body {
			var text string
			if json.Unmarshal(raw, &text) != nil {
				text = string(raw)
			}
			params[name] = text
		}
	case "multipart/form-data":
		if err := r.ParseMultipartForm(maxFile); err != nil {
			return nil, nil, err
		}
		for name, sent := range r.MultipartForm.File {
			if files[name], err = content(sent); err != nil {
				return nil, nil, err
			}
		}
	}
	if err := r.ParseForm(); err != nil {
		return nil, nil, err
	}
	for name := range r.Form {
		params[name] = r.Form.Get(name)
	}
	return params, files, nil
}

// content returns the content of the only file in files.
func content(files []*multipart.FileHeader) ([]byte, error) {
	if len(files) != 1 {
		return nil, fmt.Errorf("%d files of one name", len(files))
	}
	f, err := files[0].Open()
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(f)
}

// begin records a request and returns its index in s.calls.
func (s *Server) begin(method string, params map[string]string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.forget {
		s.calls = append(s.calls, Call{Method: method, Params: params, At: s.now()})
	}
	s.Tell()
	return len(s.calls) - 1
}

// end stores the response to the request with this index.
func (s *Server) end(index, status int, refusalText string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if status == http.StatusTooManyRequests {
		s.refusedTooMany++
	}
	if s.forget {
		return
	}
	s.calls[index].Status, s.calls[index].Error = status, refusalText
	s.Tell()
}

// call checks a request against the description and carries it out.
func (s *Server) call(r *http.Request, method string, params map[string]string, files map[string][]byte) (any,
	*refusal) {
	if s.spec != nil {
		if wrong := s.spec.Check(method, params, slices.Collect(maps.Keys(files))); len(wrong) > 0 {
			s.mu.Lock()
			defer s.mu.Unlock()
			s.violate(method, strings.Join(wrong, "; "), params)
			return nil, badRequest("%s", wrong[0])
		}
	}
	if !s.api.method(method) {
		return nil, &refusal{code: http.StatusNotFound, text: "Not Found: method not found"}
	}
	if method == "getUpdates" {
		return s.getUpdates(r, params)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if do, known := uploads()[method]; known {
		return do(s, params, files)
	}
	do, known := methods()[method]
	if !known {
		s.violate(method, "this server does not play the method", params)
		return nil, &refusal{code: http.StatusNotImplemented, text: "Not Implemented: " + method}
	}
	return do(s, params)
}

// answer writes a response of the Bot API: result, or refused unless nil.
func answer(w http.ResponseWriter, result any, refused *refusal) {
	w.Header().Set("Content-Type", "application/json")
	body := map[string]any{"ok": true, "result": result}
	if refused != nil {
		body = map[string]any{"ok": false, "error_code": refused.code, "description": refused.text}
		if refused.parameters != nil {
			body["parameters"] = refused.parameters
		}
		w.WriteHeader(refused.code)
	}
	_ = json.NewEncoder(w).Encode(body)
}

// parseInt parses a whole number that Check has accepted, 0 for "".
func parseInt(text string) int64 {
	n, _ := strconv.ParseInt(text, 10, 64)
	return n
}
