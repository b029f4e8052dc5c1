package demo_test

import (
	"bytes"
	"encoding/json"
	"image/png"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/google/go-cmp/cmp"

	"github.com/mcp-bridge/mcp-bridge/internal/demo"
)

// TestEveryAnswerOfTheDocument sends, to one shop and in this order, requests
// that bring about each answer which the document promises.
func TestEveryAnswerOfTheDocument(t *testing.T) {
	c := newClient(t)
	for _, step := range []struct {
		method, target, body string
		status               int
		says                 string // a part of the answer
	}{
		{"GET", "/shop", "", 200, `"Saturday"`},
		{"GET", "/products", "", 200, `"total":12`},
		{"GET", "/products?q=TENT&in_stock=true&sort=-price", "", 200, `"total":2`},
		{"GET", "/products?in_stock=false", "", 200, `"sku":"TARP-01"`},
		{"GET", "/products?category=kitchen&max_price_cents=2000", "", 200, `"total":1`},
		{"GET", "/products?q=unobtainium", "", 200, `"products":[]`},
		{"GET", "/products?sort=colour&limit=0", "", 422, `sort may be name, price or -price; limit must be a whole number from 1 to 50`},
		{"GET", "/products/TENT-2P", "", 200, `"Ridge 2 trail tent"`},
		{"GET", "/products/NONE-1", "", 404, `there is no product \"NONE-1\"`},
		{"GET", "/products/TENT-2P/image", "", 200, "PNG"},
		{"GET", "/products/NONE-1/image", "", 404, ""},

		{"POST", "/products", `{"sku":"LAMP-02","name":"Glow 200","category":"equipment","price_cents":3490,"stock":1}`, 201, `"LAMP-02"`},
		{"POST", "/products", `{"sku":"LAMP-02","name":"Glow 200","category":"equipment","price_cents":3490}`, 409, "update it instead"},
		{"POST", "/products", `{"sku":"lamp","category":"lamps"}`, 422, "sku must be"},
		{"POST", "/products", `{"sku":`, 422, "the body is not JSON"},
		{"POST", "/products", `{"price_cents":"12"}`, 422, "price_cents cannot be a string"},
		{"PATCH", "/products/LAMP-02", `{"price_cents":2990,"description":"Brighter."}`, 200, `"Brighter."`},
		{"PATCH", "/products/LAMP-02", `{"category":"lamps"}`, 422, "category may be tents"},
		{"PATCH", "/products/NONE-1", `{"price_cents":1}`, 404, ""},
		{"PUT", "/products/LAMP-02/stock", `{"quantity":3}`, 200, `"stock":3`},
		{"PUT", "/products/LAMP-02/stock", `{"quantity":-3}`, 422, "quantity must be"},
		{"PUT", "/products/NONE-1/stock", `{"quantity":3}`, 404, ""},

		{"GET", "/customers", "", 200, `"Hypatia"`},
		{"GET", "/customers?q=ADA", "", 200, `"c-1001"`},
		{"GET", "/customers?limit=many", "", 422, "limit must be"},
		{"GET", "/customers/c-1002", "", 200, "Erlangen"},
		{"GET", "/customers/c-9999", "", 404, ""},
		{"POST", "/customers", `{"name":"Mary Jackson","email":"mary@example.com","address":{"street":"4 Tunnel Road","city":"Hampton","postal_code":"23669","country":"US"}}`, 201, `"c-1007"`},
		{"POST", "/customers", `{"name":"Mary","email":"MARY@example.com","address":{"street":"a","city":"b","postal_code":"c","country":"US"}}`, 409, "customer c-1007"},
		{"POST", "/customers", `{"name":"Mary","email":"mary"}`, 422, "country must be two capital letters"},

		{"GET", "/orders", "", 200, `9007199254740993`},
		{"GET", "/orders?status=placed&status=packed", "", 200, `"next_cursor":null`},
		{"GET", "/orders?status=lost", "", 422, "status may be placed, packed"},
		{"GET", "/orders/9007199254740993", "", 200, `"id":9007199254740993`},
		{"GET", "/orders/9007199254740992", "", 404, "there is no order 9007199254740992"},
		{"GET", "/orders/first", "", 422, "order_id must be a whole number"},
		{"GET", "/orders/9007199254740993/invoice", "", 200, "Total in euros"},
		{"GET", "/orders/9007199254740997/invoice", "", 409, "is cancelled and has no invoice"},
		{"GET", "/orders/1/invoice", "", 404, ""},
		{"GET", "/orders/one/invoice", "", 422, ""},
		{"POST", "/orders", `{"customer_id":"c-1007","lines":[{"sku":"LAMP-02","quantity":2}],"shipping":"express"}`, 201, `"total_cents":6880`},
		{"POST", "/orders", `{"customer_id":"c-1007","lines":[{"sku":"LAMP-02","quantity":2}]}`, 409, "LAMP-02 has only 1 in stock"},
		{"POST", "/orders", `{"customer_id":"c-1","lines":[{"sku":"NONE-1","quantity":0}]}`, 422, `there is no customer \"c-1\"; quantity of line 1 must be from 1 to 100; there is no product \"NONE-1\"`},
		{"DELETE", "/products/LAMP-02", "", 409, "waits for this product"},
		{"POST", "/orders/9007199254741011/cancel", `{"reason":"boredom"}`, 422, "reason may be customer_request"},
		{"POST", "/orders/9007199254741011/cancel", `{"reason":"other","note":"Changed her mind."}`, 200, `"status":"cancelled"`},
		{"POST", "/orders/9007199254741011/cancel", `{"reason":"other"}`, 409, "is cancelled and cannot be cancelled"},
		{"POST", "/orders/1/cancel", `{"reason":"other"}`, 404, ""},
		{"GET", "/products/LAMP-02", "", 200, `"stock":3`},
		{"DELETE", "/products/LAMP-02", "", 204, ""},
		{"DELETE", "/products/LAMP-02", "", 404, ""},

		{"GET", "/search?q=trail", "", 200, `"Merino trail socks"`},
		{"GET", "/search", "", 422, "q is required"},
	} {
		got := c.do(t, step.method, step.target, step.body)
		if got.Code != step.status {
			t.Errorf("%s %s %s: status %d, want %d\n%s", step.method, step.target, step.body, got.Code, step.status, got.Body)
		}
		if !strings.Contains(got.Body.String(), step.says) {
			t.Errorf("%s %s %s: the answer does not say %q:\n%s", step.method, step.target, step.body, step.says, got.Body)
		}
	}
	for _, promise := range promises(t) {
		if !c.seen[promise] {
			t.Errorf("the document promises the answer %q, and no request above brings it about", promise)
		}
	}
}

// promises lists each answer of the document as "operationId status".
func promises(t *testing.T) []string {
	t.Helper()
	doc, err := openapi3.NewLoader().LoadFromData(demo.Document())
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, item := range doc.Paths.Map() {
		for _, op := range item.Operations() {
			for code := range op.Responses.Map() {
				status, err := strconv.Atoi(code)
				if err != nil {
					t.Fatalf("%s: response %q is no status", op.OperationID, code)
				}
				all = append(all, op.OperationID+" "+http.StatusText(status))
			}
		}
	}
	slices.Sort(all)
	return all
}

func TestPagesLeadToEachItemOnce(t *testing.T) {
	for _, list := range []struct {
		first, id string
		want      int
	}{
		{"/products?limit=5", "sku", 12},
		{"/customers?limit=4", "id", 6},
		{"/orders?limit=4", "id", 9},
		{"/orders?limit=3", "id", 9},
	} {
		c := newClient(t)
		seen := map[string]int{}
		for target := list.first; target != ""; {
			answer := c.do(t, "GET", target, "")
			for _, id := range ids(t, answer.Body.Bytes(), list.id) {
				seen[id]++
			}
			target = ""
			if link := answer.Header().Get("Link"); link != "" {
				target = strings.TrimSuffix(strings.TrimPrefix(link, "<"), `>; rel="next"`)
			}
		}
		for id, times := range seen {
			if times != 1 {
				t.Errorf("%s: %s came %d times", list.first, id, times)
			}
		}
		if len(seen) != list.want {
			t.Errorf("%s: %d items on all pages, want %d", list.first, len(seen), list.want)
		}
	}
}

// ids returns one property of each item of a page, which is an array or an
// object with one array in it.
func ids(t *testing.T, page []byte, property string) []string {
	t.Helper()
	var items []map[string]json.RawMessage
	if json.Unmarshal(page, &items) != nil {
		var object map[string]json.RawMessage
		if err := json.Unmarshal(page, &object); err != nil {
			t.Fatalf("not a page: %s", page)
		}
		for _, value := range object {
			if value[0] == '[' {
				if err := json.Unmarshal(value, &items); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	var all []string
	for _, item := range items {
		all = append(all, string(item[property]))
	}
	return all
}

func TestIdempotencyKeyPlacesOneOrder(t *testing.T) {
	c := newClient(t)
	basket := `{"customer_id":"c-1001","lines":[{"sku":"MUG-01","quantity":10}]}`
	first := c.do(t, "POST", "/orders", basket, "Idempotency-Key", "basket-0001")
	again := c.do(t, "POST", "/orders", basket, "Idempotency-Key", "basket-0001")
	if diff := cmp.Diff(first.Body.String(), again.Body.String()); diff != "" {
		t.Errorf("the same key gave another order (-first +again):\n%s", diff)
	}
	if stock := c.do(t, "GET", "/products/MUG-01", "").Body.String(); !strings.Contains(stock, `"stock":50`) {
		t.Errorf("60 mugs less 10 are not 50:\n%s", stock)
	}
}

func TestMergePatchKeepsAndRemoves(t *testing.T) {
	c := newClient(t)
	kept := c.do(t, "PATCH", "/products/MUG-01", `{"name":"Blue mug"}`).Body.String()
	if !strings.Contains(kept, "white specks") {
		t.Errorf("the description was not sent and is gone:\n%s", kept)
	}
	removed := c.do(t, "PATCH", "/products/MUG-01", `{"description":null}`).Body.String()
	if strings.Contains(removed, "description") {
		t.Errorf("a null description did not remove it:\n%s", removed)
	}
}

func TestEveryShopBeginsTheSame(t *testing.T) {
	story := func() string {
		c := newClient(t)
		var all bytes.Buffer
		for _, step := range [][3]string{
			{"GET", "/products", ""},
			{"POST", "/orders", `{"customer_id":"c-1001","lines":[{"sku":"MUG-01","quantity":1}]}`},
			{"GET", "/orders", ""},
			{"GET", "/products/MUG-01/image", ""},
		} {
			all.Write(c.do(t, step[0], step[1], step[2]).Body.Bytes())
		}
		return all.String()
	}
	if diff := cmp.Diff(story(), story()); diff != "" {
		t.Errorf("two shops tell different stories:\n%s", diff)
	}
}

func TestImageIsAPicture(t *testing.T) {
	c := newClient(t)
	pictures := map[string]bool{}
	for _, sku := range []string{"TENT-2P", "MUG-01"} {
		answer := c.do(t, "GET", "/products/"+sku+"/image", "")
		img, err := png.Decode(bytes.NewReader(answer.Body.Bytes()))
		if err != nil {
			t.Fatalf("%s: %v", sku, err)
		}
		if img.Bounds().Dx() != 96 || img.Bounds().Dy() != 64 {
			t.Errorf("%s: picture of %v", sku, img.Bounds())
		}
		pictures[answer.Body.String()] = true
	}
	if len(pictures) != 2 {
		t.Error("two products have one picture")
	}
}

func TestUnknownPathIsAProblem(t *testing.T) {
	answer := httptest.NewRecorder()
	demo.Handler().ServeHTTP(answer, httptest.NewRequestWithContext(t.Context(), "GET", "/nothing", nil))
	if answer.Code != http.StatusNotFound || answer.Header().Get("Content-Type") != "application/problem+json" {
		t.Errorf("status %d, type %q", answer.Code, answer.Header().Get("Content-Type"))
	}
}
