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

// Disk holds hooks for the writes of databases; nil: no hook. Write is called before a write, Flush before a flush, and
// Grow before a file or the index of the log gets larger. If the hook returns false, the operation fails as on a full
// or broken disk. Flushed is called after a flush. log reports whether the file is the write-ahead log, to which
// commits are written. Calls may be concurrent.
type Disk struct {
	Write   func(log bool) bool
	Grow    func() bool
	Flush   func(log bool) bool
	Flushed func(log bool)
	// Lazy skips flushes but reports success. It saves most of the time of a test in which no machine stops.
	Lazy bool
}

// Slow returns a Disk whose flushes take longer by the duration longer.
func Slow(longer time.Duration) Disk {
	return Disk{Flush: func(bool) bool {
		time.Sleep(longer)
		return true
	}}
}

// Use installs d for all databases that this process opens until the test ends. They must be closed before that.
func Use(tb testing.TB, d Disk) {
	tb.Helper()
	stop, err := Install(d)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(stop)
}

// Install is like Use, but for a process without a test, such as one that a test has started. stop removes d again.
func Install(d Disk) (stop func(), err error) {
	tls := libc.NewTLS()
	base := sqlite3.Xsqlite3_vfs_find(tls, 0)
	if base == 0 {
		return nil, fmt.Errorf("SQLite has no default VFS")
	}
	name, err := libc.CString(fmt.Sprintf("sqlitetest-%d-%d", os.Getpid(), time.Now().UnixNano()))
	if err != nil {
		return nil, err
	}
	l := &layer{disk: d, base: base, methods: map[methodsKey]uintptr{}}
	installed.Store(l, nil)
	vfs := duplicate[sqlite3.Tsqlite3_vfs](tls, base)
	pointer[sqlite3.Tsqlite3_vfs](vfs).FzName = name
	pointer[sqlite3.Tsqlite3_vfs](vfs).FxOpen = l.pin(pointerTo(l.open))
	if rc := sqlite3.Xsqlite3_vfs_register(tls, vfs, 1); rc != sqlite3.SQLITE_OK {
		return nil, fmt.Errorf("SQLite rejected the VFS: code %d", rc)
	}
	return func() {
		sqlite3.Xsqlite3_vfs_unregister(tls, vfs)
		sqlite3.Xsqlite3_vfs_register(tls, base, 1)
		tls.Close()
		installed.Delete(l)
	}, nil
}

// installed keeps all layers from the garbage collector, which does not see that SQLite refers to them.
var installed sync.Map

// layer is a file system (VFS) for SQLite that calls the hooks of a Disk and then the usual file system.
type layer struct {
	disk Disk
	base uintptr // the usual file system

	mu      sync.Mutex
	methods map[methodsKey]uintptr // results of wrapMethods
	pinned  []unsafe.Pointer       // functions to which only SQLite refers
}

// methodsKey is a key of layer.methods: the usual methods of a file, and whether it is the write-ahead log.
type methodsKey struct {
	base uintptr
	log  bool
}

// open is SQLite's method xOpen: it opens a file by the usual file system and replaces the methods of the file.
func (l *layer) open(tls *libc.TLS, _, name, file uintptr, flags int32, out uintptr) int32 {
	open := *(*func(*libc.TLS, uintptr, uintptr, uintptr, int32,
		uintptr) int32)(goFunction(&pointer[sqlite3.Tsqlite3_vfs](l.base).FxOpen))
	rc := open(tls, l.base, name, file, flags, out)
	opened := pointer[sqlite3.Tsqlite3_file](file)
	if rc == sqlite3.SQLITE_OK && opened.FpMethods != 0 {
		opened.FpMethods = l.wrapMethods(tls, methodsKey{opened.FpMethods, flags&sqlite3.SQLITE_OPEN_WAL != 0})
	}
	return rc
}

// wrapMethods returns the address of methods for the files of key, which call the hooks of the disk and then key.base.
func (l *layer) wrapMethods(tls *libc.TLS, key methodsKey) uintptr {
	l.mu.Lock()
	defer l.mu.Unlock()
	if wrapped := l.methods[key]; wrapped != 0 {
		return wrapped
	}
	usual := pointer[sqlite3.Tsqlite3_io_methods](key.base)
	flush := *(*func(*libc.TLS, uintptr, int32) int32)(goFunction(&usual.FxSync))
	write := *(*func(*libc.TLS, uintptr, uintptr, int32, int64) int32)(goFunction(&usual.FxWrite))
	wrapped := duplicate[sqlite3.Tsqlite3_io_methods](tls, key.base)
	pointer[sqlite3.Tsqlite3_io_methods](wrapped).FxSync = l.pin(pointerTo(func(tls *libc.TLS, file uintptr,
		flags int32) int32 {
		if l.disk.Flush != nil && !l.disk.Flush(key.log) {
			return sqlite3.SQLITE_IOERR_FSYNC
		}
		rc := int32(sqlite3.SQLITE_OK)
		if !l.disk.Lazy {
			rc = flush(tls, file, flags)
		}
		if l.disk.Flushed != nil {
			l.disk.Flushed(key.log)
		}
		return rc
	}))
	pointer[sqlite3.Tsqlite3_io_methods](wrapped).FxWrite = l.pin(pointerTo(func(tls *libc.TLS, file, from uintptr,
		length int32, offset int64) int32 {
		if l.disk.Write != nil && !l.disk.Write(key.log) || !l.mayWrite(tls, key, file, offset+int64(length)) {
			return sqlite3.SQLITE_FULL
		}
		return write(tls, file, from, length, offset)
	}))
	if usual.FiVersion >= 2 {
		pointer[sqlite3.Tsqlite3_io_methods](wrapped).FxShmMap = l.pin(pointerTo(l.wrapMap(usual)))
	}
	l.methods[key] = wrapped
	return wrapped
}

// mayWrite reports whether a file may be written up to the offset end: that does not enlarge it, or Grow returns true.
func (l *layer) mayWrite(tls *libc.TLS, key methodsKey, file uintptr, end int64) bool {
	if l.disk.Grow == nil {
		return true
	}
	sizeOf := *(*func(*libc.TLS, uintptr,
		uintptr) int32)(goFunction(&pointer[sqlite3.Tsqlite3_io_methods](key.base).FxFileSize))
	size := libc.Xmalloc(tls, 8)
	defer libc.Xfree(tls, size)
	return sizeOf(tls, file, size) != sqlite3.SQLITE_OK || end <= *pointer[int64](size) || l.disk.Grow()
}

// wrapMap returns a method that maps a part of the log's index into memory. It calls Grow before a new part.
func (l *layer) wrapMap(usual *sqlite3.Tsqlite3_io_methods) func(*libc.TLS, uintptr, int32, int32, int32,
	uintptr) int32 {
	share := *(*func(*libc.TLS, uintptr, int32, int32, int32, uintptr) int32)(goFunction(&usual.FxShmMap))
	return func(tls *libc.TLS, file uintptr, part, size, extend int32, out uintptr) int32 {
		if extend != 0 && l.disk.Grow != nil {
			rc := share(tls, file, part, size, 0, out)
			if rc != sqlite3.SQLITE_OK || *pointer[uintptr](out) != 0 {
				return rc
			}
			if !l.disk.Grow() {
				return sqlite3.SQLITE_IOERR_SHMSIZE
			}
		}
		return share(tls, file, part, size, extend, out)
	}
}

// pin returns the address of the function f. It protects f from the garbage collector, since SQLite may call f.
func (l *layer) pin(f unsafe.Pointer) uintptr {
	l.pinned = append(l.pinned, f)
	return uintptr(f)
}

// Conversions between Go and SQLite's translated C code, in which a pointer to a function is the address to which a Go
// function value points, and memory outside of Go is a number.

// pointerTo returns the pointer by which SQLite calls the Go function f.
func pointerTo[F any](f F) unsafe.Pointer { return *(*unsafe.Pointer)(unsafe.Pointer(&f)) }

// goFunction returns a pointer to a Go function value that calls the function of SQLite whose address is in field.
func goFunction(field *uintptr) unsafe.Pointer { return unsafe.Pointer(field) }

// pointer returns a Go pointer to the value at an address of SQLite's memory.
func pointer[T any](address uintptr) *T { return *(**T)(unsafe.Pointer(&address)) }

// duplicate copies the value at address into new memory, which is never freed, and returns its address.
func duplicate[T any](tls *libc.TLS, address uintptr) uintptr {
	copied := libc.Xmalloc(tls, libc.Tsize_t(unsafe.Sizeof(*pointer[T](address))))
	*pointer[T](copied) = *pointer[T](address)
	return copied
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
