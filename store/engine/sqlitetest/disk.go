// Package sqlitetest replaces the disk under SQLite in tests: it makes flushes slow, fails them, stops in the middle of
// them, and counts them. It has no effect on a program that does not import it.
package sqlitetest

import (
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"
	"unsafe"

	"modernc.org/libc"
	sqlite3 "modernc.org/sqlite/lib"
)

// Disk holds hooks for the writes of databases; nil: no hook. Write and Flush are called before a write or flush, which
// fails as on a full or broken disk if they return false. Grow is called before a file, or the index of the log, gets
// larger, which fails as without room if it returns false. Flushed is called after a flush. log reports whether the
// file is the write-ahead log, to which commits are written. Calls may be concurrent.
type Disk struct {
	Write   func(log bool) bool
	Grow    func() bool
	Flush   func(log bool) bool
	Flushed func(log bool)
	// Lazy skips flushes but reports success. It saves most of the time of a test in which no machine stops.
	Lazy bool
}

// Slow returns a Disk whose flushes take longer by that much.
func Slow(longer time.Duration) Disk {
	return Disk{Flush: func(bool) bool {
		time.Sleep(longer)
		return true
	}}
}

// Use puts d under all databases that this process opens until the test ends. They must be closed before that.
func Use(tb testing.TB, d Disk) {
	tb.Helper()
	stop, err := Install(d)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(stop)
}

// Install is Use for a process without a test, such as one that a test has started. stop ends it.
func Install(d Disk) (stop func(), err error) {
	tls := libc.NewTLS()
	base := sqlite3.Xsqlite3_vfs_find(tls, 0)
	if base == 0 {
		return nil, fmt.Errorf("SQLite has no way to files")
	}
	name, err := libc.CString(fmt.Sprintf("sqlitetest-%d-%d", os.Getpid(), time.Now().UnixNano()))
	if err != nil {
		return nil, err
	}
	l := &layer{disk: d, base: base, methods: map[methodsOf]uintptr{}}
	installed.Store(l, nil)
	own := duplicate[sqlite3.Tsqlite3_vfs](tls, base)
	at[sqlite3.Tsqlite3_vfs](own).FzName = name
	at[sqlite3.Tsqlite3_vfs](own).FxOpen = l.keep(pointerTo(l.open))
	if rc := sqlite3.Xsqlite3_vfs_register(tls, own, 1); rc != sqlite3.SQLITE_OK {
		return nil, fmt.Errorf("SQLite does not take another way to files: %d", rc)
	}
	return func() {
		sqlite3.Xsqlite3_vfs_unregister(tls, own)
		sqlite3.Xsqlite3_vfs_register(tls, base, 1)
		tls.Close()
		installed.Delete(l)
	}, nil
}

// installed keeps all layers from the garbage collector: SQLite refers to them in a list that the process has once.
var installed sync.Map

// layer is a file system (VFS) for SQLite that calls the hooks of a Disk and then the usual file system.
type layer struct {
	disk Disk
	base uintptr // the usual file system

	mu      sync.Mutex
	methods map[methodsOf]uintptr
	kept    []unsafe.Pointer // functions to which only SQLite refers
}

// methodsOf identifies the methods of files: the usual methods, and whether the file is the write-ahead log.
type methodsOf struct {
	base uintptr
	log  bool
}

// open opens a file by the usual file system and replaces the methods of the file.
func (l *layer) open(tls *libc.TLS, _, name, file uintptr, flags int32, out uintptr) int32 {
	open := *(*func(*libc.TLS, uintptr, uintptr, uintptr, int32,
		uintptr) int32)(function(&at[sqlite3.Tsqlite3_vfs](l.base).FxOpen))
	rc := open(tls, l.base, name, file, flags, out)
	opened := at[sqlite3.Tsqlite3_file](file)
	if rc == sqlite3.SQLITE_OK && opened.FpMethods != 0 {
		opened.FpMethods = l.over(tls, methodsOf{opened.FpMethods, flags&sqlite3.SQLITE_OPEN_WAL != 0})
	}
	return rc
}

// over returns methods for a kind of files, which call the hooks of the disk and then the usual methods in of.
func (l *layer) over(tls *libc.TLS, of methodsOf) uintptr {
	l.mu.Lock()
	defer l.mu.Unlock()
	if own := l.methods[of]; own != 0 {
		return own
	}
	usual := at[sqlite3.Tsqlite3_io_methods](of.base)
	flush := *(*func(*libc.TLS, uintptr, int32) int32)(function(&usual.FxSync))
	write := *(*func(*libc.TLS, uintptr, uintptr, int32, int64) int32)(function(&usual.FxWrite))
	own := duplicate[sqlite3.Tsqlite3_io_methods](tls, of.base)
	at[sqlite3.Tsqlite3_io_methods](own).FxSync = l.keep(pointerTo(func(tls *libc.TLS, file uintptr,
		flags int32) int32 {
		if l.disk.Flush != nil && !l.disk.Flush(of.log) {
			return sqlite3.SQLITE_IOERR_FSYNC
		}
		rc := int32(sqlite3.SQLITE_OK)
		if !l.disk.Lazy {
			rc = flush(tls, file, flags)
		}
		if l.disk.Flushed != nil {
			l.disk.Flushed(of.log)
		}
		return rc
	}))
	at[sqlite3.Tsqlite3_io_methods](own).FxWrite = l.keep(pointerTo(func(tls *libc.TLS, file, from uintptr,
		length int32, offset int64) int32 {
		if l.disk.Write != nil && !l.disk.Write(of.log) || !l.room(tls, of, file, offset+int64(length)) {
			return sqlite3.SQLITE_FULL
		}
		return write(tls, file, from, length, offset)
	}))
	if usual.FiVersion >= 2 {
		at[sqlite3.Tsqlite3_io_methods](own).FxShmMap = l.keep(pointerTo(l.share(usual)))
	}
	l.methods[of] = own
	return own
}

// room reports whether a write may take place that ends at the offset size: it does not enlarge the file, or Grow
// allows it.
func (l *layer) room(tls *libc.TLS, of methodsOf, file uintptr, size int64) bool {
	if l.disk.Grow == nil {
		return true
	}
	sizeOf := *(*func(*libc.TLS, uintptr,
		uintptr) int32)(function(&at[sqlite3.Tsqlite3_io_methods](of.base).FxFileSize))
	is := libc.Xmalloc(tls, 8)
	defer libc.Xfree(tls, is)
	return sizeOf(tls, file, is) != sqlite3.SQLITE_OK || size <= *at[int64](is) || l.disk.Grow()
}

// share returns the method that maps a part of the log's index into memory. If the part is new, it first calls Grow.
func (l *layer) share(usual *sqlite3.Tsqlite3_io_methods) func(*libc.TLS, uintptr, int32, int32, int32, uintptr) int32 {
	share := *(*func(*libc.TLS, uintptr, int32, int32, int32, uintptr) int32)(function(&usual.FxShmMap))
	return func(tls *libc.TLS, file uintptr, part, size, extend int32, out uintptr) int32 {
		if extend != 0 && l.disk.Grow != nil {
			rc := share(tls, file, part, size, 0, out)
			if rc != sqlite3.SQLITE_OK || *at[uintptr](out) != 0 {
				return rc
			}
			if !l.disk.Grow() {
				return sqlite3.SQLITE_IOERR_SHMSIZE
			}
		}
		return share(tls, file, part, size, extend, out)
	}
}

// keep returns the address of the function f and keeps f from the garbage collector, since SQLite may call it.
func (l *layer) keep(f unsafe.Pointer) uintptr {
	l.kept = append(l.kept, f)
	return uintptr(f)
}

// Conversions between Go and SQLite's translated C code, in which a pointer to a function is the address to which a Go
// function value points, and memory outside of Go is a number.

// pointerTo returns the pointer by which SQLite calls the Go function f.
func pointerTo[F any](f F) unsafe.Pointer { return *(*unsafe.Pointer)(unsafe.Pointer(&f)) }

// function returns a pointer to a Go function value that calls SQLite's function in field.
func function(field *uintptr) unsafe.Pointer { return unsafe.Pointer(field) }

// at returns a pointer to the value at an address of SQLite's memory.
func at[T any](address uintptr) *T { return *(**T)(unsafe.Pointer(&address)) }

// duplicate copies the value at address into new memory, which is never freed, and returns its address.
func duplicate[T any](tls *libc.TLS, address uintptr) uintptr {
	to := libc.Xmalloc(tls, libc.Tsize_t(unsafe.Sizeof(*at[T](address))))
	*at[T](to) = *at[T](address)
	return to
}

// FlushesPerSecond measures how often a second a page can be appended to a file and flushed, on the disk of the test's
// folder: the largest possible number of commits if each is flushed by itself.
func FlushesPerSecond(tb testing.TB) float64 {
	tb.Helper()
	file, err := os.Create(filepath.Join(tb.TempDir(), "bare"))
	if err != nil {
		tb.Fatal(err)
	}
	defer file.Close()
	page := make([]byte, 4096)
	began, flushes := time.Now(), 0
	for ; flushes < 20 || time.Since(began) < 300*time.Millisecond; flushes++ {
		if _, err := file.Write(page); err != nil {
			tb.Fatal(err)
		}
		if err := flush(file); err != nil {
			tb.Fatal(err)
		}
	}
	return float64(flushes) / time.Since(began).Seconds()
}
