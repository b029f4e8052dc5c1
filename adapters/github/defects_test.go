package github_test

import (
	"bytes"
	"encoding/json"
	"net/url"
	"strings"
	"testing"

	"github.com/mcp-bridge/mcp-bridge/internal/githubfake"
	"github.com/mcp-bridge/mcp-bridge/mapping"
)

// What a well-known server for GitHub got wrong, defect by defect.

// One: a picture that is read as a resource comes back as it is, once.
func TestAPictureIsReadAsItIs(t *testing.T) {
	h := newHub(t, world())
	for path, want := range map[string]string{"logo.png": png, "latin1.txt": "caf\xe9\n", "utf16.txt": "\xff\xfeh\x00i\x00"} {
		r, err := h.read("octo/hello/contents/" + path)
		if err != nil || len(r.Blocks) != 1 || !bytes.Equal(r.Blocks[0].Data, []byte(want)) || r.Blocks[0].Text != "" {
			t.Errorf("%s is read as %v (%v), want the %d bytes of it", path, r, err, len(want))
		}
	}
}

// Two and three: each branch and each path that git allows is read for what it
// is, whether or not the client escapes it, by resource and by tool.
func TestEveryRefAndPathIsReached(t *testing.T) {
	h := newHub(t, world())
	for i, ref := range hardRefs {
		want := "ref " + number(t, &mapping.Result{JSON: encoded(t, i)}) + "\n"
		args := encoded(t, map[string]string{"owner": "octo", "repo": "hello", "path": "here.txt", "ref": ref})
		if got := text(t, h.must("get_file", string(args)), "text"); got != want {
			t.Errorf("get_file at %q is %q, want %q", ref, got, want)
		}
		h.readsText("octo/hello/contents/here.txt?ref="+url.QueryEscape(ref), want)
	}
	h.readsText("octo/hello/contents/here.txt?ref=feature/x", "ref 0\n")
	for i, path := range hardPaths {
		want := "path " + number(t, &mapping.Result{JSON: encoded(t, i)}) + "\n"
		args := encoded(t, map[string]string{"owner": "octo", "repo": "hello", "path": path})
		if strings.Contains(path, `\`) { // GitHub's own web page cannot show it, and a server may take it for a slash
			_, err := h.call("get_file", string(args))
			if err == nil {
				t.Errorf("get_file %q works", path)
			}
			continue
		}
		if got := text(t, h.must("get_file", string(args)), "text"); got != want {
			t.Errorf("get_file %q is %q, want %q", path, got, want)
		}
		parts := strings.Split(path, "/")
		for i := range parts {
			parts[i] = url.PathEscape(parts[i])
		}
		h.readsText("octo/hello/contents/"+strings.Join(parts, "/"), want)
	}
}

func (h *hub) readsText(path, want string) {
	h.t.Helper()
	r, err := h.read(path)
	if err != nil || len(r.Blocks) != 1 || r.Blocks[0].Text != want {
		h.t.Errorf("%s is read as %+v (%v), want %q", path, r, err, want)
	}
}

func encoded(t testing.TB, v any) json.RawMessage {
	t.Helper()
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// Four: a directory is a list, and what is not there is not found.
func TestADirectoryIsAList(t *testing.T) {
	h := newHub(t, world())
	for _, path := range []string{"octo/hello/contents", "octo/hello/contents/src", "octo/hello/contents/src?ref=topic"} {
		r, err := h.read(path)
		if err != nil || !strings.Contains(content(r), "src") {
			t.Errorf("%s is read as %v (%v)", path, r, err)
		}
	}
	for _, path := range []string{"octo/hello/contents/none", "octo/hello/contents/src/none", "octo/hello/contents/README.md?ref=none"} {
		_, err := h.read(path)
		refused(t, path, err, mapping.NotFound)
	}
}

// Seven: what an organization wants, and which permission is missing, is said.
func TestARefusalSaysWhatIsMissing(t *testing.T) {
	h := newHub(t, world())
	const address = "https://github.example/orgs/octo/sso?authorization_request=ABC"
	for _, c := range []struct {
		fault githubfake.Fault
		code  mapping.Code
		words []string
	}{
		{githubfake.SSO(address), mapping.Denied, []string{"single sign-on", address}},
		{githubfake.Denied("issues=read"), mapping.Denied, []string{"issues: read", "do not retry"}},
		{complaint(404, "Not Found", "X-Accepted-GitHub-Permissions", "issues=read"), mapping.NotFound, []string{"issues: read"}},
		{complaint(401, "Bad credentials"), mapping.Unauthenticated, []string{"token", "do not retry"}},
		{complaint(403, "Although you appear to have the correct authorization credentials, the `octo` organization has an IP allow list enabled, and your IP address is not permitted to access this resource."), mapping.Denied, []string{"address"}},
		{complaint(403, "Repository access blocked"), mapping.Denied, []string{"blocked"}},
		{complaint(403, "Repository was archived so is read-only."), mapping.Conflict, []string{"archived"}},
		{complaint(451, "Repository access blocked"), mapping.Denied, []string{"legal"}},
		{complaint(410, "Issues are disabled for this repo"), mapping.NotFound, []string{"issues are disabled"}},
	} {
		h.Mend()
		h.Fail(c.fault)
		_, err := h.call("get_issue", hello(`{"number": 1}`))
		refused(t, c.fault.Body, err, c.code, c.words...)
	}
}

// complaint is a failure with GitHub's own body.
func complaint(status int, message string, headers ...string) githubfake.Fault {
	body, _ := json.Marshal(map[string]string{"message": message, "documentation_url": "https://docs.github.com/rest"})
	f := githubfake.Fault{Status: status, Body: string(body), Header: map[string]string{}}
	for i := 0; i < len(headers); i += 2 {
		f.Header[headers[i]] = headers[i+1]
	}
	return f
}

// Nine: a file that could not be read for another reason is not looked for
// elsewhere, an unknown branch is not the default one, and reading a file takes
// two requests: the second tells whether it is a link.
func TestAFileIsNotGuessed(t *testing.T) {
	h := newHub(t, world())
	h.Forget()
	h.must("get_file", hello(`{"path": "README.md", "ref": "topic"}`))
	if n := len(h.Requests()); n > 2 {
		t.Errorf("reading a file took %d requests, want at most 2: %v", n, h.Requests())
	}
	_, err := h.call("get_file", hello(`{"path": "README.md", "ref": "master"}`))
	refused(t, "an unknown branch", err, mapping.NotFound, "master")
	for _, f := range []githubfake.Fault{
		complaint(403, "Resource not accessible by personal access token"), complaint(500, "Server Error"), complaint(429, "You have exceeded a secondary rate limit."),
	} {
		f.Path = "/contents/"
		other := newHub(t, world())
		other.Fail(f)
		if r, err := other.call("get_file", hello(`{"path": "main.go"}`)); err == nil {
			t.Errorf("GitHub answered %d, and the file is %s", f.Status, r.JSON)
		}
		if n := len(other.Requests()); n > 1 {
			t.Errorf("after a %d for a file %d more requests were made", f.Status, n-1)
		}
	}
}
