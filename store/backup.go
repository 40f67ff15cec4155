package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

// Backup writes a consistent copy of the running database into a new file,
// which it checks and makes sure of on the disk before the file has its name.
// It refuses a file that exists. Players may go on meanwhile: what is
// committed after it began is not in the copy.
func (s *Store) Backup(ctx context.Context, file string) error {
	if err := s.backup(ctx, file); err != nil {
		return fmt.Errorf("backup: %w", err)
	}
	return nil
}

func (s *Store) backup(ctx context.Context, file string) error { return s.copied(ctx, file, false) }

// copied writes the copy; older says that an older schema is no fault.
func (s *Store) copied(ctx context.Context, file string, older bool) error {
	file, err := locate(file)
	if err != nil {
		return err
	}
	if _, err := os.Lstat(file); err == nil {
		return fmt.Errorf("%s is there already: %w", file, fs.ErrExist)
	}
	part, err := os.CreateTemp(filepath.Dir(file), filepath.Base(file)+".part-*")
	if err != nil {
		return err
	}
	defer os.Remove(part.Name())
	defer part.Close()
	if err := s.copyInto(ctx, part.Name()); err != nil {
		return err
	}
	if _, err := inspect(ctx, part.Name(), s.key, older); err != nil {
		return err
	}
	faults, err := checkFile(ctx, part.Name())
	if err != nil {
		return err
	}
	if len(faults) > 0 {
		return fmt.Errorf("the copy is damaged: %s", strings.Join(faults, "; "))
	}
	if err := part.Sync(); err != nil {
		return err
	}
	if err := part.Close(); err != nil {
		return err
	}
	return give(part.Name(), file)
}

// give names a finished file, unless the name has been taken meanwhile, and
// makes sure of the name on the disk.
func give(part, file string) error {
	err := os.Link(part, file)
	if errors.Is(err, fs.ErrExist) {
		return err
	}
	if err != nil { // a file system without links
		if err := os.Rename(part, file); err != nil {
			return err
		}
	}
	return syncFolder(file)
}

// syncFolder makes sure of a file's name on the disk.
func syncFolder(file string) error {
	if runtime.GOOS == "windows" {
		return nil // folders cannot be synced there, and need not be
	}
	folder, err := os.Open(filepath.Dir(file))
	if err != nil {
		return err
	}
	return errors.Join(folder.Sync(), folder.Close())
}
