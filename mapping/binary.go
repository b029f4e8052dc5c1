package mapping

import (
	"encoding/base64"
	"errors"
	"net/url"
	"slices"
	"strings"
)

// plainBytes makes plain base64 of a body that is bytes: a model sends base64 of
// either alphabet, with or without padding and line breaks, or a data: URI. It
// returns what is wrong in words.
func plainBytes(given *object) (fixed *object, problems []string) {
	content, ok := given.get(bodyName).(string)
	if !ok {
		return given, nil // the check says what is wrong
	}
	bytes, err := decodeBytes(content)
	if err != nil {
		return given, []string{bodyName + ` is neither base64 nor a data: URI (a text may be sent as "data:text/plain,hello")`}
	}
	fixed = &object{members: slices.Clone(given.members)}
	fixed.set(bodyName, base64.StdEncoding.EncodeToString(bytes))
	return fixed, nil
}

// decodeBytes reads base64 or a data: URI (RFC 2397).
func decodeBytes(s string) ([]byte, error) {
	const scheme = "data:"
	if len(s) < len(scheme) || !strings.EqualFold(s[:len(scheme)], scheme) {
		return decodeBase64(s)
	}
	media, data, ok := strings.Cut(s[len(scheme):], ",")
	if !ok {
		return nil, errors.New("a data: URI without a comma")
	}
	data, err := url.PathUnescape(data)
	if err != nil {
		return nil, err
	}
	if strings.HasSuffix(strings.ToLower(strings.TrimSpace(media)), ";base64") {
		return decodeBase64(data)
	}
	return []byte(data), nil
}

func decodeBase64(s string) ([]byte, error) {
	s = strings.Map(func(r rune) rune {
		switch r {
		case ' ', '\n', '\r', '\t', '=':
			return -1
		case '-':
			return '+'
		case '_':
			return '/'
		}
		return r
	}, s)
	return base64.RawStdEncoding.DecodeString(s)
}
