package mapping

import (
	"crypto/sha256"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
)

func TestSnake(t *testing.T) {
	for _, c := range []struct{ name, want string }{
		{"getPetById", "get_pet_by_id"},
		{"repos/list-for-org", "repos_list_for_org"},
		{"HTTPServerURL", "http_server_url"},
		{"list-requests", "list_requests"},
		{"a.b c", "a_b_c"},
		{"GET_/noid", "get_noid"},
		{"already_snake_case", "already_snake_case"},
		{"__private__thing__", "private_thing"},
		{"listV2Pets", "list_v2_pets"},
		{"oauth2Token", "oauth2_token"},
		{"getS3Bucket", "get_s3_bucket"},
		{"getAPet", "get_a_pet"},
		{"reservedIPs_get", "reserved_ips_get"},
		{"reservedIPsActions", "reserved_ips_actions"},
		{"reservedIPv6_list", "reserved_ipv6_list"},
		{"XMLToJSON", "xml_to_json"},
		{"ID", "id"},
		{"café_list", "caf_list"},
		{"获取宠物", ""},
		{"", ""},
		{"///", ""},
	} {
		if got := snake(c.name); got != c.want {
			t.Errorf("snake(%q) = %q, want %q", c.name, got, c.want)
		}
	}
}

// settled settles one claim for each operation of a source and returns the names
// by key.
func settled(prefix string, ops ...Operation) map[string]string {
	var claims []claim
	for _, op := range ops {
		claims = append(claims, newClaim("src", op.Key, op.Name, prefix, ""))
	}
	settle(claims)
	byKey := map[string]string{}
	for _, c := range claims {
		byKey[c.key] = c.name
	}
	return byKey
}

// hash is the tail that DESIGN §5 gives a name: six hexadecimal digits of the
// SHA-256 of source and key.
func hash(source, key string) string {
	return fmt.Sprintf("%x", sha256.Sum256([]byte(source+"\x00"+key)))[:6]
}

func TestNameLongerThan64(t *testing.T) {
	const own = "retrieve_the_complete_archived_section_history_of_a_shared_workspace_project_v2"
	got := settled("", Operation{Key: "GET /h", Name: own})["GET /h"]
	if want := own[:57] + "_" + hash("src", "GET /h"); got != want || len(got) != 64 {
		t.Errorf("name = %q, want %q", got, want)
	}
}

func TestNameOfExactly64Stays(t *testing.T) {
	own := strings.Repeat("a", 64)
	if got := settled("", Operation{Key: "k", Name: own})["k"]; got != own {
		t.Errorf("name = %q, want it as it is", got)
	}
}

func TestSharedNamesAreBothHashed(t *testing.T) {
	ops := []Operation{{Key: "GET /a", Name: "getPets"}, {Key: "GET /b", Name: "get_pets"}, {Key: "GET /c", Name: "get-cats"}}
	got := settled("", ops...)
	want := map[string]string{
		"GET /a": "get_pets_" + hash("src", "GET /a"),
		"GET /b": "get_pets_" + hash("src", "GET /b"),
		"GET /c": "get_cats",
	}
	for key := range want {
		if got[key] != want[key] {
			t.Errorf("name of %s = %q, want %q", key, got[key], want[key])
		}
	}
}

// A name that is by chance what a hash makes of another pair gives way too.
func TestHashedNameIsTakenAlready(t *testing.T) {
	squatter := "get_pets_" + hash("src", "GET /a")
	got := settled("", Operation{Key: "GET /a", Name: "getPets"}, Operation{Key: "GET /b", Name: "get_pets"}, Operation{Key: "GET /c", Name: squatter})
	seen := map[string]bool{}
	for _, name := range got {
		if seen[name] {
			t.Errorf("%q is the name of two: %v", name, got)
		}
		seen[name] = true
	}
}

func TestNamesWithoutLatinLetters(t *testing.T) {
	got := settled("", Operation{Key: "GET /pets/{id}", Name: "获取宠物"}, Operation{Key: "查", Name: "查询"}, Operation{Key: "GET /2fa", Name: "2fa-enable"})
	for key, want := range map[string]string{
		"GET /pets/{id}": "get_pets_id",
		"查":              "tool_" + hash("src", "查"),
		"GET /2fa":       "_2fa_enable",
	} {
		if got[key] != want {
			t.Errorf("name of %s = %q, want %q", key, got[key], want)
		}
	}
}

func TestOverrideStandsAndTheOtherMoves(t *testing.T) {
	claims := []claim{
		newClaim("src", "GET /a", "listThings", "src_", "get_pets"),
		newClaim("src", "GET /b", "get-pets", "", ""),
	}
	settle(claims)
	if got := claims[0].name; got != "get_pets" {
		t.Errorf("the overridden name = %q, want get_pets", got)
	}
	if got, want := claims[1].name, "get_pets_"+hash("src", "GET /b"); got != want {
		t.Errorf("the other name = %q, want %q", got, want)
	}
}

func FuzzNames(f *testing.F) {
	f.Add("getPetById", "repos/list-for-org", "GET /pets")
	f.Add("获取宠物", "查询", "")
	f.Add(strings.Repeat("x", 80), strings.Repeat("x", 79), "POST /x")
	f.Add("a", "A", "0")
	legal := regexp.MustCompile(`^[a-z_][a-z0-9_]{0,63}$`)
	f.Fuzz(func(t *testing.T, first, second, key string) {
		ops := []Operation{{Key: key + "1", Name: first}, {Key: key + "2", Name: second}, {Key: key + "3", Name: first}}
		got := settled("", ops...)
		for _, op := range ops {
			if name := got[op.Key]; !legal.MatchString(name) {
				t.Errorf("%q is published as %q, which is not legal", op.Name, name)
			}
			for _, other := range ops {
				if op.Key != other.Key && got[op.Key] == got[other.Key] {
					t.Errorf("%q and %q are both %q", op.Name, other.Name, got[op.Key])
				}
			}
		}
		slices.Reverse(ops)
		for key, name := range settled("", ops...) {
			if name != got[key] {
				t.Errorf("name of %q moved from %q to %q when the operations were reordered", key, got[key], name)
			}
		}
	})
}
