// Package demo is a backend to try mcp-bridge on: the API of a small outdoor
// shop, with an OpenAPI document of its own and all data in memory.
//
// It is deterministic. Every [Handler] begins with the same data, and its clock
// moves only when something is written.
package demo

import (
	"net/http"
	"sync"
	"time"
)

// A shop is the data behind one handler. Its mutex is held for the whole of each
// request.
type shop struct {
	mu        sync.Mutex
	now       time.Time
	products  []product
	customers []customer
	orders    []order // oldest first
	placed    map[string]int64
}

// Handler returns the API of a shop with fresh data. It may serve any number of
// requests at once.
func Handler() http.Handler {
	s := newShop()
	mux := http.NewServeMux()
	for pattern, answer := range map[string]func(*http.Request) (reply, error){
		"GET /shop":                      getShop,
		"GET /products":                  s.listProducts,
		"POST /products":                 s.createProduct,
		"GET /products/{sku}":            s.getProduct,
		"PATCH /products/{sku}":          s.updateProduct,
		"DELETE /products/{sku}":         s.deleteProduct,
		"PUT /products/{sku}/stock":      s.setStock,
		"GET /products/{sku}/image":      s.getProductImage,
		"GET /customers":                 s.listCustomers,
		"POST /customers":                s.createCustomer,
		"GET /customers/{customer_id}":   s.getCustomer,
		"GET /orders":                    s.listOrders,
		"POST /orders":                   s.placeOrder,
		"GET /orders/{order_id}":         s.getOrder,
		"POST /orders/{order_id}/cancel": s.cancelOrder,
		"GET /orders/{order_id}/invoice": s.getInvoice,
		"GET /search":                    s.searchEverything,
		"/":                              nothingHere,
	} {
		mux.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) {
			a := s.answer(r, answer)
			a.write(w)
		})
	}
	return mux
}

// answer answers one request while the shop stands still.
func (s *shop) answer(r *http.Request, by func(*http.Request) (reply, error)) reply {
	s.mu.Lock()
	defer s.mu.Unlock()
	a, err := by(r)
	if err == nil {
		err = a.encode()
	}
	if err == nil {
		return a
	}
	a = problemReply(err)
	if err := a.encode(); err != nil {
		return reply{status: http.StatusInternalServerError}
	}
	return a
}

// getShop is what never changes.
func getShop(*http.Request) (reply, error) {
	type hours struct {
		Days string `json:"days"`
		From string `json:"from"`
		To   string `json:"to"`
	}
	type shipping struct {
		Kind       string `json:"kind"`
		PriceCents int    `json:"price_cents"`
		Days       int    `json:"days"`
	}
	return jsonReply(http.StatusOK, struct {
		Name     string     `json:"name"`
		Address  address    `json:"address"`
		Hours    []hours    `json:"opening_hours"`
		Shipping []shipping `json:"shipping"`
	}{
		Name:     "Pine & Bramble",
		Address:  address{"7 Mill Lane", "Keswick", "CA12 5NS", "GB"},
		Hours:    []hours{{"Monday to Friday", "10:00", "18:00"}, {"Saturday", "09:00", "16:00"}},
		Shipping: []shipping{{"standard", 0, 4}, {"express", expressCents, 1}},
	}), nil
}

func nothingHere(r *http.Request) (reply, error) {
	return reply{}, notFound("there is nothing at %s %s", r.Method, r.URL.Path)
}

// tick moves the shop's clock by a minute and returns the new time.
func (s *shop) tick() time.Time {
	s.now = s.now.Add(time.Minute)
	return s.now
}
