package pgtest

import (
	"archive/tar"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"syscall"
)

// cluster is a fresh data folder as an archive, which every server unpacks:
// initdb takes ten times as long.
var cluster = sync.OnceValues(packCluster)

// packCluster runs initdb and packs what it made into a file without a name, which
// goes with the process.
func packCluster() (*io.SectionReader, error) {
	dir, err := os.MkdirTemp("", "pg")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	as, err := owner()
	if err != nil {
		return nil, err
	}
	if as != nil {
		if err := os.Chown(dir, int(as.Uid), int(as.Gid)); err != nil {
			return nil, err
		}
	}
	data := filepath.Join(dir, "data")
	cmd := exec.CommandContext(context.Background(), filepath.Join(binaries(), "initdb"), "-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync")
	cmd.SysProcAttr, cmd.Dir = &syscall.SysProcAttr{Credential: as}, dir
	if text, err := cmd.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("initdb: %w: %s", err, text)
	}
	file, err := os.CreateTemp("", "pg")
	if err != nil {
		return nil, err
	}
	if err := os.Remove(file.Name()); err != nil {
		return nil, err
	}
	w := tar.NewWriter(file)
	if err := errors.Join(w.AddFS(os.DirFS(data)), w.Close()); err != nil {
		return nil, fmt.Errorf("pack a data folder: %w", err)
	}
	size, err := file.Seek(0, io.SeekEnd)
	return io.NewSectionReader(file, 0, size), err
}

// unpack makes a data folder that belongs to whom PostgreSQL runs as.
func unpack(archive *io.SectionReader, data string, as *syscall.Credential) error {
	r := tar.NewReader(io.NewSectionReader(archive, 0, archive.Size()))
	if err := place(data, nil, as); err != nil {
		return err
	}
	for {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		var content io.Reader
		if h.Typeflag == tar.TypeReg {
			content = r
		}
		if err := place(filepath.Join(data, filepath.FromSlash(h.Name)), content, as); err != nil {
			return err
		}
	}
}

// place makes a file, or a folder for no content.
func place(path string, content io.Reader, as *syscall.Credential) error {
	if content == nil {
		if err := os.MkdirAll(path, 0o700); err != nil {
			return err
		}
	} else {
		f, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY, 0o600)
		if err != nil {
			return err
		}
		_, err = io.Copy(f, content)
		if err := errors.Join(err, f.Close()); err != nil {
			return err
		}
	}
	if as == nil {
		return nil
	}
	return os.Chown(path, int(as.Uid), int(as.Gid))
}

// owner is whom PostgreSQL runs as: nil is the test's own user, unless that is
// root, as whom PostgreSQL refuses to run.
func owner() (*syscall.Credential, error) {
	if os.Geteuid() != 0 {
		return nil, nil
	}
	for _, name := range []string{"postgres", "nobody"} {
		u, err := user.Lookup(name)
		if err != nil {
			continue
		}
		uid, err := strconv.ParseUint(u.Uid, 10, 32)
		if err != nil {
			return nil, err
		}
		gid, err := strconv.ParseUint(u.Gid, 10, 32)
		if err != nil {
			return nil, err
		}
		return &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}, nil
	}
	return nil, errors.New("running as root, and there is no user postgres or nobody to run PostgreSQL as")
}

// binaries is the folder of initdb and pg_ctl, the newest version's of several.
func binaries() string {
	found, _ := filepath.Glob("/usr/lib/postgresql/*/bin/initdb")
	slices.Sort(found)
	if len(found) > 0 {
		return filepath.Dir(found[len(found)-1])
	}
	if path, err := exec.LookPath("initdb"); err == nil {
		return filepath.Dir(path)
	}
	return ""
}
