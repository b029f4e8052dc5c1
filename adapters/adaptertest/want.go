package adaptertest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"

	"github.com/mcp-bridge/mcp-bridge/mapping"
)

// A Want says what is wrong with an answer, nil if it is as it should be.
type Want func(*mapping.Result, error) error

// Works wants any answer that is no failure.
func Works() Want {
	return func(_ *mapping.Result, err error) error {
		if err != nil {
			return fmt.Errorf("failed with %s", words(err))
		}
		return nil
	}
}

// JSON wants this value, with its numbers digit for digit. White space and the
// order of properties do not count.
func JSON(text string) Want {
	return func(r *mapping.Result, err error) error {
		if err != nil {
			return fmt.Errorf("failed with %s", words(err))
		}
		want, err := decoded([]byte(text))
		if err != nil {
			return fmt.Errorf("the harness wants %q, which is not JSON: %w", text, err)
		}
		if r == nil {
			return errors.New("answered with a nil result")
		}
		got, err := decoded(r.JSON)
		if err != nil || !reflect.DeepEqual(got, want) {
			return fmt.Errorf("answered with the JSON %s, want %s", excerpt(string(r.JSON)), excerpt(text))
		}
		return nil
	}
}

// Holds wants an answer that has each of these texts in its JSON or its blocks.
func Holds(parts ...string) Want {
	return func(r *mapping.Result, err error) error {
		if err != nil {
			return fmt.Errorf("failed with %s", words(err))
		}
		if r == nil {
			return errors.New("answered with a nil result")
		}
		content := contentOf(r)
		for _, part := range parts {
			if !strings.Contains(content, part) {
				return fmt.Errorf("answered without %q: %s", part, excerpt(content))
			}
		}
		return nil
	}
}

// Fails wants a *mapping.Error with this code.
func Fails(code mapping.Code) Want {
	return func(r *mapping.Result, err error) error {
		if err == nil {
			return fmt.Errorf("worked, want a failure with code %s; the answer: %s", code, excerpt(contentOf(r)))
		}
		if got := mapping.CodeOf(err); got != code {
			return fmt.Errorf("failed with %s, want code %s", words(err), code)
		}
		return nil
	}
}

// decoded reads one JSON value and keeps the digits of its numbers.
func decoded(text []byte) (any, error) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	var v any
	err := d.Decode(&v)
	return v, err
}

// contentOf joins everything that a result carries to a model.
func contentOf(r *mapping.Result) string {
	if r == nil {
		return ""
	}
	parts := []string{string(r.JSON), r.Note}
	for _, b := range r.Blocks {
		parts = append(parts, b.Text, string(b.Data), b.URI, fmt.Sprint(b.Meta))
	}
	if r.Next != nil {
		for _, a := range r.Next.Args {
			parts = append(parts, a.Name, string(a.Value))
		}
		parts = append(parts, string(r.Next.Body))
	}
	return strings.Join(parts, "\n")
}

// words tells of an error with its code.
func words(err error) string {
	var e *mapping.Error
	if errors.As(err, &e) {
		return fmt.Sprintf("%s: %s", e.Code, excerpt(e.Error()))
	}
	return fmt.Sprintf("a plain error: %s", excerpt(err.Error()))
}

// excerpt keeps a text short enough for a test's output.
func excerpt(text string) string {
	const most = 200
	if len(text) <= most {
		return strings.TrimSpace(text)
	}
	return fmt.Sprintf("%s… (%d bytes)", strings.ToValidUTF8(text[:most], ""), len(text))
}
