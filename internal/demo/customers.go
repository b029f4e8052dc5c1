package demo

import (
	"cmp"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
)

type customer struct {
	ID      string  `json:"id"`
	Name    string  `json:"name"`
	Email   string  `json:"email"`
	Address address `json:"address"`
	Since   string  `json:"since"`
}

type address struct {
	Street     string `json:"street"`
	City       string `json:"city"`
	PostalCode string `json:"postal_code"`
	Country    string `json:"country"`
}

func (s *shop) listCustomers(r *http.Request) (reply, error) {
	q := newQuery(r)
	words := q.words("q")
	var found []customer
	for _, c := range s.customers {
		if c.mentions(words) {
			found = append(found, c)
		}
	}
	slices.SortStableFunc(found, func(a, b customer) int { return cmp.Compare(a.Name, b.Name) })
	some, next := page(r, q, found)
	if err := q.faults.err(); err != nil {
		return reply{}, err
	}
	return jsonReply(http.StatusOK, list(some)).with("Link", next), nil
}

// mentions reports whether name or address hold the words, which are in lower
// case.
func (c customer) mentions(words string) bool {
	return strings.Contains(strings.ToLower(c.Name+"\n"+c.Email), words)
}

func (s *shop) getCustomer(r *http.Request) (reply, error) {
	c, err := s.customer(r.PathValue("customer_id"))
	if err != nil {
		return reply{}, err
	}
	return jsonReply(http.StatusOK, c), nil
}

func (s *shop) customer(id string) (customer, error) {
	i := slices.IndexFunc(s.customers, func(c customer) bool { return c.ID == id })
	if i < 0 {
		return customer{}, notFound("there is no customer %q", id)
	}
	return s.customers[i], nil
}

func (s *shop) createCustomer(r *http.Request) (reply, error) {
	var c customer
	if err := decode(r, &c); err != nil {
		return reply{}, err
	}
	if err := c.check(); err != nil {
		return reply{}, err
	}
	for _, other := range s.customers {
		if strings.EqualFold(other.Email, c.Email) {
			return reply{}, conflict("customer %s is registered with this e-mail address already", other.ID)
		}
	}
	c.ID = fmt.Sprintf("c-%d", 1001+len(s.customers))
	c.Since = s.tick().Format("2006-01-02")
	s.customers = append(s.customers, c)
	return jsonReply(http.StatusCreated, c).with("Location", "/customers/"+c.ID), nil
}

var (
	emailPattern   = regexp.MustCompile(`^[^@\s]+@[^@\s]+$`)
	countryPattern = regexp.MustCompile(`^[A-Z]{2}$`)
)

// check says everything that the document does not allow in a customer.
func (c customer) check() error {
	var f faults
	if c.Name == "" || len([]rune(c.Name)) > 80 {
		f.add("/name", "name must have 1 to 80 characters")
	}
	if !emailPattern.MatchString(c.Email) || len(c.Email) > 120 {
		f.add("/email", "email must be an address like ada@example.com of at most 120 characters")
	}
	c.Address.check("/address", &f)
	return f.err()
}

// check adds what is wrong with the address at this place of a body.
func (a address) check(at string, f *faults) {
	for _, field := range []struct {
		name, value string
		longest     int
	}{{"street", a.Street, 100}, {"city", a.City, 60}, {"postal_code", a.PostalCode, 12}} {
		if field.value == "" || len([]rune(field.value)) > field.longest {
			f.add(at+"/"+field.name, "%s must have 1 to %d characters", field.name, field.longest)
		}
	}
	if !countryPattern.MatchString(a.Country) {
		f.add(at+"/country", "country must be two capital letters like DE")
	}
}

// searchEverything is the deprecated search over products and customers.
func (s *shop) searchEverything(r *http.Request) (reply, error) {
	q := newQuery(r)
	words := q.words("q")
	if !q.values.Has("q") {
		q.faults.add("q", "q is required: the word to look for")
	}
	if err := q.faults.err(); err != nil {
		return reply{}, err
	}
	type match struct {
		Kind  string `json:"kind"`
		ID    string `json:"id"`
		Title string `json:"title"`
	}
	matches := []match{}
	for _, p := range s.products {
		if p.mentions(words) {
			matches = append(matches, match{"product", p.SKU, p.Name})
		}
	}
	for _, c := range s.customers {
		if c.mentions(words) {
			matches = append(matches, match{"customer", c.ID, c.Name})
		}
	}
	return jsonReply(http.StatusOK, matches[:min(10, len(matches))]), nil
}
