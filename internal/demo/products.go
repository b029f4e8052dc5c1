package demo

import (
	"cmp"
	"encoding/json"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"time"
)

type product struct {
	SKU         string    `json:"sku"`
	Name        string    `json:"name"`
	Description *string   `json:"description,omitempty"`
	Category    string    `json:"category"`
	PriceCents  int       `json:"price_cents"`
	Stock       int       `json:"stock"`
	UpdatedAt   time.Time `json:"updated_at"`
}

func categories() []string {
	return []string{"tents", "sleeping", "clothing", "kitchen", "equipment"}
}

func (s *shop) listProducts(r *http.Request) (reply, error) {
	q := newQuery(r)
	words := q.words("q")
	category := q.oneOf("category", categories())
	maxPrice := q.number("max_price_cents", 1<<31, 0, 1<<31)
	inStock := q.truth("in_stock")
	order := q.oneOf("sort", []string{"name", "price", "-price"})
	var found []product
	for _, p := range s.products {
		switch {
		case words != "" && !p.mentions(words):
		case category != "" && p.Category != category:
		case p.PriceCents > maxPrice:
		case inStock != nil && *inStock != (p.Stock > 0):
		default:
			found = append(found, p)
		}
	}
	slices.SortStableFunc(found, func(a, b product) int { return compareProducts(order, a, b) })
	some, next := page(r, q, found)
	if err := q.faults.err(); err != nil {
		return reply{}, err
	}
	return jsonReply(http.StatusOK, struct {
		Products []product `json:"products"`
		Total    int       `json:"total"`
	}{list(some), len(found)}).with("Link", next), nil
}

// mentions reports whether the product's texts hold the words, which are in
// lower case.
func (p product) mentions(words string) bool {
	text := p.Name
	if p.Description != nil {
		text += "\n" + *p.Description
	}
	return strings.Contains(strings.ToLower(text), words)
}

func compareProducts(order string, a, b product) int {
	switch order {
	case "price":
		return cmp.Compare(a.PriceCents, b.PriceCents)
	case "-price":
		return cmp.Compare(b.PriceCents, a.PriceCents)
	}
	return cmp.Compare(a.Name, b.Name)
}

// list returns an empty list where a nil slice would be written as null.
func list[T any](items []T) []T {
	if items == nil {
		return []T{}
	}
	return items
}

func (s *shop) getProduct(r *http.Request) (reply, error) {
	p, err := s.product(r.PathValue("sku"))
	if err != nil {
		return reply{}, err
	}
	return jsonReply(http.StatusOK, p), nil
}

// product returns the product of this SKU, to be read or changed in place.
func (s *shop) product(sku string) (*product, error) {
	i := slices.IndexFunc(s.products, func(p product) bool { return p.SKU == sku })
	if i < 0 {
		return nil, notFound("there is no product %q", sku)
	}
	return &s.products[i], nil
}

func (s *shop) createProduct(r *http.Request) (reply, error) {
	var p product
	if err := decode(r, &p); err != nil {
		return reply{}, err
	}
	if err := p.check(); err != nil {
		return reply{}, err
	}
	if _, err := s.product(p.SKU); err == nil {
		return reply{}, conflict("there is a product %q already; update it instead", p.SKU)
	}
	p.UpdatedAt = s.tick()
	s.products = append(s.products, p)
	return jsonReply(http.StatusCreated, p).with("Location", "/products/"+p.SKU), nil
}

var skuPattern = regexp.MustCompile(`^[A-Z]{2,6}-[0-9A-Z]{1,4}$`)

// check says everything that the document does not allow in a product.
func (p product) check() error {
	var f faults
	if !skuPattern.MatchString(p.SKU) {
		f.add("/sku", "sku must be 2 to 6 capital letters, a dash and up to 4 capital letters or digits, like TENT-2P")
	}
	if p.Name == "" || len([]rune(p.Name)) > 80 {
		f.add("/name", "name must have 1 to 80 characters")
	}
	if p.Description != nil && len([]rune(*p.Description)) > 500 {
		f.add("/description", "description must have at most 500 characters")
	}
	if !slices.Contains(categories(), p.Category) {
		f.add("/category", "category may be %s", choice(categories()))
	}
	if p.PriceCents < 1 || p.PriceCents > 1000000 {
		f.add("/price_cents", "price_cents must be from 1 to 1000000")
	}
	if p.Stock < 0 || p.Stock > 100000 {
		f.add("/stock", "stock must be from 0 to 100000")
	}
	return f.err()
}

// updateProduct applies a merge patch (RFC 7396): absent keeps, null removes.
func (s *shop) updateProduct(r *http.Request) (reply, error) {
	p, err := s.product(r.PathValue("sku"))
	if err != nil {
		return reply{}, err
	}
	changed := struct {
		Name        *string         `json:"name"`
		Description json.RawMessage `json:"description"`
		Category    *string         `json:"category"`
		PriceCents  *int            `json:"price_cents"`
	}{}
	if err := decode(r, &changed); err != nil {
		return reply{}, err
	}
	after := *p
	set(&after.Name, changed.Name)
	set(&after.Category, changed.Category)
	set(&after.PriceCents, changed.PriceCents)
	if changed.Description != nil {
		after.Description = nil
		if json.Unmarshal(changed.Description, &after.Description) != nil {
			return reply{}, faults{{"/description", "description must be text or null"}}.err()
		}
	}
	if err := after.check(); err != nil {
		return reply{}, err
	}
	after.UpdatedAt = s.tick()
	*p = after
	return jsonReply(http.StatusOK, p), nil
}

func set[T any](to *T, from *T) {
	if from != nil {
		*to = *from
	}
}

func (s *shop) deleteProduct(r *http.Request) (reply, error) {
	p, err := s.product(r.PathValue("sku"))
	if err != nil {
		return reply{}, err
	}
	for _, o := range s.orders {
		if o.open() && slices.ContainsFunc(o.Lines, func(l line) bool { return l.SKU == p.SKU }) {
			return reply{}, conflict("order %d waits for this product; cancel the order or wait until it is shipped", o.ID)
		}
	}
	sku := p.SKU
	s.products = slices.DeleteFunc(s.products, func(p product) bool { return p.SKU == sku })
	s.tick()
	return reply{status: http.StatusNoContent}, nil
}

func (s *shop) setStock(r *http.Request) (reply, error) {
	p, err := s.product(r.PathValue("sku"))
	if err != nil {
		return reply{}, err
	}
	var count struct {
		Quantity *int `json:"quantity"`
	}
	if err := decode(r, &count); err != nil {
		return reply{}, err
	}
	if count.Quantity == nil || *count.Quantity < 0 || *count.Quantity > 100000 {
		return reply{}, faults{{"/quantity", "quantity must be a whole number from 0 to 100000"}}.err()
	}
	p.Stock, p.UpdatedAt = *count.Quantity, s.tick()
	return jsonReply(http.StatusOK, p), nil
}
