package demo

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

type order struct {
	ID         int64         `json:"id"`
	Status     string        `json:"status"`
	CustomerID string        `json:"customer_id"`
	Lines      []line        `json:"lines"`
	ShipTo     address       `json:"ship_to"`
	Shipping   string        `json:"shipping"`
	Note       string        `json:"note,omitempty"`
	TotalCents int           `json:"total_cents"`
	PlacedAt   time.Time     `json:"placed_at"`
	Tracking   *string       `json:"tracking"`
	Cancelled  *cancellation `json:"cancelled,omitempty"`
}

type line struct {
	SKU        string `json:"sku"`
	Quantity   int    `json:"quantity"`
	Name       string `json:"name"`
	PriceCents int    `json:"price_cents"`
}

type cancellation struct {
	Reason string `json:"reason"`
	Note   string `json:"note,omitempty"`
}

// expressCents is what express shipping costs.
const expressCents = 900

// open reports whether the order's pieces are still in the house.
func (o order) open() bool { return o.Status == "placed" || o.Status == "packed" }

func statuses() []string {
	return []string{"placed", "packed", "shipped", "delivered", "cancelled"}
}

func (s *shop) listOrders(r *http.Request) (reply, error) {
	q := newQuery(r)
	status := q.someOf("status", statuses())
	customerID := q.values.Get("customer_id")
	after := q.moment("placed_after")
	limit := q.number("limit", 10, 1, 50)
	before := q.cursor("cursor")
	if err := q.faults.err(); err != nil {
		return reply{}, err
	}
	answer := struct {
		Orders     []order `json:"orders"`
		NextCursor *string `json:"next_cursor"`
	}{Orders: []order{}}
	link := ""
	for _, o := range slices.Backward(s.orders) {
		switch {
		case before != 0 && o.ID >= before:
		case len(status) > 0 && !slices.Contains(status, o.Status):
		case customerID != "" && o.CustomerID != customerID:
		case !o.PlacedAt.After(after):
		case len(answer.Orders) == limit:
			cursor := "before-" + strconv.FormatInt(answer.Orders[limit-1].ID, 36)
			answer.NextCursor, link = &cursor, nextLink(r, "cursor", cursor)
			return jsonReply(http.StatusOK, answer).with("Link", link), nil
		default:
			answer.Orders = append(answer.Orders, o)
		}
	}
	return jsonReply(http.StatusOK, answer), nil
}

func (s *shop) getOrder(r *http.Request) (reply, error) {
	o, err := s.order(r)
	if err != nil {
		return reply{}, err
	}
	return jsonReply(http.StatusOK, o), nil
}

// order returns the order that the path names, to be read or changed in place.
func (s *shop) order(r *http.Request) (*order, error) {
	id, err := strconv.ParseInt(r.PathValue("order_id"), 10, 64)
	if err != nil || id < 1 {
		return nil, faults{{"order_id", "order_id must be a whole number from 1 to 9223372036854775807"}}.err()
	}
	i := slices.IndexFunc(s.orders, func(o order) bool { return o.ID == id })
	if i < 0 {
		return nil, notFound("there is no order %d", id)
	}
	return &s.orders[i], nil
}

// A newOrder is what a client sends to place an order.
type newOrder struct {
	CustomerID string   `json:"customer_id"`
	Lines      []line   `json:"lines"`
	ShipTo     *address `json:"ship_to"`
	Shipping   string   `json:"shipping"`
	Note       string   `json:"note"`
}

func (s *shop) placeOrder(r *http.Request) (reply, error) {
	key := r.Header.Get("Idempotency-Key")
	if id := s.placed[key]; key != "" && id != 0 {
		i := slices.IndexFunc(s.orders, func(o order) bool { return o.ID == id })
		return orderCreated(s.orders[i]), nil
	}
	var wanted newOrder
	if err := decode(r, &wanted); err != nil {
		return reply{}, err
	}
	o, err := s.plan(wanted)
	if err != nil {
		return reply{}, err
	}
	for _, l := range o.Lines {
		p, _ := s.product(l.SKU) // plan has found it
		p.Stock -= l.Quantity
	}
	o.ID = s.orders[len(s.orders)-1].ID + 2
	o.PlacedAt = s.tick()
	s.orders = append(s.orders, o)
	if key != "" {
		s.placed[key] = o.ID
	}
	return orderCreated(o), nil
}

func orderCreated(o order) reply {
	return jsonReply(http.StatusCreated, o).with("Location", "/orders/"+strconv.FormatInt(o.ID, 10))
}

// plan turns a wish into an order without number and time, and takes nothing
// from stock. The error names everything that is wrong with the wish; one about
// stock comes only if the rest is right.
func (s *shop) plan(w newOrder) (order, error) {
	var f faults
	o := order{Status: "placed", CustomerID: w.CustomerID, Shipping: w.Shipping, Note: w.Note}
	c, err := s.customer(w.CustomerID)
	if err != nil {
		f.add("/customer_id", "there is no customer %q", w.CustomerID)
	}
	o.ShipTo = c.Address
	if w.ShipTo != nil {
		o.ShipTo = *w.ShipTo
		o.ShipTo.check("/ship_to", &f)
	}
	switch w.Shipping {
	case "":
		o.Shipping = "standard"
	case "express":
		o.TotalCents = expressCents
	case "standard":
	default:
		f.add("/shipping", "shipping may be standard or express")
	}
	if len([]rune(w.Note)) > 300 {
		f.add("/note", "note must have at most 300 characters")
	}
	o.Lines = s.planLines(w.Lines, &f)
	if err := f.err(); err != nil {
		return order{}, err
	}
	for _, l := range o.Lines {
		o.TotalCents += l.Quantity * l.PriceCents
		if p, _ := s.product(l.SKU); p.Stock < l.Quantity {
			return order{}, conflict("%s has only %d in stock; order fewer or another product", l.SKU, p.Stock)
		}
	}
	return o, nil
}

// planLines returns the lines with name and price of today.
func (s *shop) planLines(wanted []line, f *faults) []line {
	if len(wanted) == 0 || len(wanted) > 20 {
		f.add("/lines", "an order has 1 to 20 lines")
		return nil
	}
	var lines []line
	for i, l := range wanted {
		at := "/lines/" + strconv.Itoa(i)
		if l.Quantity < 1 || l.Quantity > 100 {
			f.add(at+"/quantity", "quantity of line %d must be from 1 to 100", i+1)
		}
		if slices.ContainsFunc(lines, func(other line) bool { return other.SKU == l.SKU }) {
			f.add(at+"/sku", "%s is in two lines; add the quantities", l.SKU)
		}
		p, err := s.product(l.SKU)
		if err != nil {
			f.add(at+"/sku", "there is no product %q", l.SKU)
			continue
		}
		lines = append(lines, line{l.SKU, l.Quantity, p.Name, p.PriceCents})
	}
	return lines
}

func (s *shop) cancelOrder(r *http.Request) (reply, error) {
	o, err := s.order(r)
	if err != nil {
		return reply{}, err
	}
	var c cancellation
	if err := decode(r, &c); err != nil {
		return reply{}, err
	}
	reasons := []string{"customer_request", "out_of_stock", "payment_failed", "other"}
	if !slices.Contains(reasons, c.Reason) {
		return reply{}, faults{{"/reason", "reason may be " + choice(reasons)}}.err()
	}
	if !o.open() {
		return reply{}, conflict("order %d is %s and cannot be cancelled any more", o.ID, o.Status)
	}
	for _, l := range o.Lines {
		if p, err := s.product(l.SKU); err == nil {
			p.Stock += l.Quantity
		}
	}
	o.Status, o.Cancelled = "cancelled", &c
	s.tick()
	return jsonReply(http.StatusOK, o), nil
}

// cursor returns the order number that the page before ended with, 0 if absent.
func (q *query) cursor(name string) int64 {
	if !q.values.Has(name) {
		return 0
	}
	text, ok := strings.CutPrefix(q.values.Get(name), "before-")
	id, err := strconv.ParseInt(text, 36, 64)
	if !ok || err != nil || id < 1 {
		q.faults.add(name, "%s must be the next_cursor of an earlier answer", name)
	}
	return id
}
