package openapi

import (
	"encoding/base64"
	"errors"
	"mime"
	"net/url"
	"path"
	"strings"
)

// A file is bytes that a model sent as text.
type file struct {
	bytes     []byte
	mediaType string // "" if the model did not say
	name      string // "" if the model did not say
}

// parseFile reads base64 (standard or URL alphabet, padded or not, with or without
// line breaks) or a data: URI by RFC 2397, whose parameters name and filename say
// what the file is called. The error continues a sentence about the argument.
func parseFile(s string) (file, error) {
	head, data, isURI := strings.Cut(s, ",")
	if !isURI || len(head) < 5 || !strings.EqualFold(head[:5], "data:") {
		b, err := decodeBase64(s)
		return file{bytes: b}, err
	}
	head, encoded := strings.CutSuffix(head[5:], ";base64")
	f := file{mediaType: "text/plain"} // RFC 2397's default
	if t, params, err := mime.ParseMediaType(head); err == nil {
		f.mediaType = t
		f.name = baseName(params["name"] + params["filename"])
		delete(params, "name")
		delete(params, "filename")
		if len(params) > 0 {
			f.mediaType = mime.FormatMediaType(t, params)
		}
	}
	plain, err := url.PathUnescape(data)
	if err != nil {
		return file{}, errors.New("is a data: URI with a bad percent-encoding; write base64 after \";base64,\"")
	}
	if !encoded {
		f.bytes = []byte(plain)
		return f, nil
	}
	f.bytes, err = decodeBase64(plain)
	return f, err
}

// baseName is the last part of a file's name, which says nothing of a folder.
func baseName(name string) string {
	if unescaped, err := url.PathUnescape(name); err == nil {
		name = unescaped
	}
	name = path.Base(strings.ReplaceAll(name, `\`, "/"))
	if name == "." || name == "/" || name == ".." {
		return ""
	}
	return name
}

func decodeBase64(s string) ([]byte, error) {
	s = strings.Map(func(r rune) rune {
		switch r {
		case ' ', '\t', '\r', '\n':
			return -1
		case '-':
			return '+'
		case '_':
			return '/'
		}
		return r
	}, s)
	b, err := base64.RawStdEncoding.DecodeString(strings.TrimRight(s, "="))
	if err != nil {
		return nil, errors.New("is neither base64 nor a data: URI; for a text write data:text/plain, followed by it")
	}
	return b, nil
}

// extension is what the name of a file of this type ends in, "" if unknown. It is
// a table of ours because mime's depends on the machine.
func extension(mediaType string) string {
	switch essence(mediaType) {
	case "image/png":
		return ".png"
	case "image/jpeg":
		return ".jpg"
	case "image/gif":
		return ".gif"
	case "image/webp":
		return ".webp"
	case "image/svg+xml":
		return ".svg"
	case "application/pdf":
		return ".pdf"
	case "application/zip":
		return ".zip"
	case "application/gzip":
		return ".gz"
	case "application/json":
		return ".json"
	case "application/xml", "text/xml":
		return ".xml"
	case "text/plain":
		return ".txt"
	case "text/csv":
		return ".csv"
	case "text/html":
		return ".html"
	case "text/markdown":
		return ".md"
	case "audio/mpeg":
		return ".mp3"
	case "audio/wav", "audio/x-wav":
		return ".wav"
	case "video/mp4":
		return ".mp4"
	}
	return ".bin"
}
