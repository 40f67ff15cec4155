package web

import (
	"bytes"
	"compress/flate"
	"compress/gzip"
	"encoding/binary"
	"hash/crc32"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// Answers compressed on their way. Cookies are strict: another site can have nothing asked that
// belongs to a visitor, so that the length of an answer tells it nothing.

// minPacked is the length in bytes from which an answer is compressed: a shorter one is
// one packet either way.
const minPacked = 1000

// acceptsGzip reports whether who asks understands gzip.
func acceptsGzip(r *http.Request) bool {
	for coding := range strings.SplitSeq(r.Header.Get("Accept-Encoding"), ",") {
		name, parameter, _ := strings.Cut(coding, ";")
		if !strings.EqualFold(strings.TrimSpace(name), "gzip") {
			continue
		}
		weight, given := strings.CutPrefix(strings.ToLower(strings.TrimSpace(parameter)), "q=")
		q, err := strconv.ParseFloat(weight, 64)
		return !given || err == nil && q > 0
	}
	return false
}

// pack compresses as well as gzip can, for what is sent often.
func pack(body []byte) []byte {
	var packed bytes.Buffer
	z, _ := gzip.NewWriterLevel(&packed, gzip.BestCompression) // an error is one of the level
	z.Write(body)
	z.Close()
	return packed.Bytes()
}

// compressed compresses those answers of a handler that are worth it. A handler that has
// set a Content-Encoding has done so itself.
func compressed(h http.Handler) http.Handler {
	return http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		if !acceptsGzip(r) || r.Method == http.MethodHead {
			h.ServeHTTP(rw, r)
			return
		}
		c := &compressing{ResponseWriter: rw}
		h.ServeHTTP(c, r)
		c.close()
	})
}

// compressing is an answer of which the first write decides whether it is compressed: ours
// are written at once.
type compressing struct {
	http.ResponseWriter
	status int // 0: none was said
	begun  bool
	to     *gzip.Writer // nil: it goes out as it is
}

var zips = sync.Pool{New: func() any { return gzip.NewWriter(io.Discard) }}

// WriteHeader keeps the status until it is known how the body is sent.
func (c *compressing) WriteHeader(status int) {
	if c.status == 0 {
		c.status = status
	}
}

// Write sends, compressed or not.
func (c *compressing) Write(body []byte) (int, error) {
	if !c.begun {
		c.begin(body)
	}
	if c.to != nil {
		return c.to.Write(body)
	}
	return c.ResponseWriter.Write(body)
}

// Unwrap is for http.ResponseController. What is flushed has been compressed by its own handler.
func (c *compressing) Unwrap() http.ResponseWriter { return c.ResponseWriter }

func (c *compressing) begin(body []byte) {
	c.begun = true
	head := c.Header()
	if head.Get("Content-Encoding") == "" && compressible(head.Get("Content-Type")) {
		head.Add("Vary", "Accept-Encoding")
		if len(body) >= minPacked {
			head.Set("Content-Encoding", "gzip")
			head.Del("Content-Length")
			c.to = zips.Get().(*gzip.Writer)
			c.to.Reset(c.ResponseWriter)
		}
	}
	if c.status != 0 {
		c.ResponseWriter.WriteHeader(c.status)
	}
}

// close sends what is left.
func (c *compressing) close() {
	if !c.begun {
		c.begin(nil)
	}
	if c.to != nil {
		c.to.Close() // that who asked has gone is known to the server
		zips.Put(c.to)
	}
}

func compressible(kind string) bool {
	kind, _, _ = strings.Cut(kind, ";")
	return strings.HasPrefix(kind, "text/") || slices.Contains([]string{"application/json", "application/x-ndjson",
		"application/manifest+json", "image/svg+xml"}, kind)
}

// gzipHead begins a gzip stream that says nothing about where it is from.
var gzipHead = []byte{0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255}

var flaters = sync.Pool{New: func() any {
	f, _ := flate.NewWriter(io.Discard, flate.BestSpeed) // an error is one of the level
	return f
}}

// packedStream is a gzip stream in which each event is compressed by itself and ends on a whole byte:
// it is understood at once, and a quiet stream holds no compressor, which takes a megabyte.
type packedStream struct {
	to        io.Writer
	sum, size uint32
}

// write sends one event.
func (p *packedStream) write(text string) error {
	if p.size == 0 {
		if _, err := p.to.Write(gzipHead); err != nil {
			return err
		}
	}
	p.sum = crc32.Update(p.sum, crc32.IEEETable, []byte(text))
	p.size += uint32(len(text))
	f := flaters.Get().(*flate.Writer)
	defer flaters.Put(f)
	f.Reset(p.to)
	if _, err := io.WriteString(f, text); err != nil {
		return err
	}
	return f.Flush()
}

// close ends the stream as gzip demands: an empty last block, the checksum, the length.
func (p *packedStream) close() error {
	if p.size == 0 {
		return nil
	}
	end := binary.LittleEndian.AppendUint32([]byte{3, 0}, p.sum)
	_, err := p.to.Write(binary.LittleEndian.AppendUint32(end, p.size))
	return err
}
