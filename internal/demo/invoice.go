package demo

import (
	"fmt"
	"net/http"
	"strings"
)

func (s *shop) getInvoice(r *http.Request) (reply, error) {
	o, err := s.order(r)
	if err != nil {
		return reply{}, err
	}
	if o.Status == "cancelled" {
		return reply{}, conflict("order %d is cancelled and has no invoice", o.ID)
	}
	c, err := s.customer(o.CustomerID)
	if err != nil {
		return reply{}, err
	}
	return reply{
		status: http.StatusOK,
		mime:   "text/plain; charset=utf-8",
		body:   []byte(invoice(*o, c)),
	}, nil
}

// invoice is laid out for a fixed-width font.
func invoice(o order, c customer) string {
	var b strings.Builder
	fmt.Fprintf(&b, "Pine & Bramble\nInvoice for order %d of %s\n\n", o.ID, o.PlacedAt.Format("2 January 2006"))
	fmt.Fprintf(&b, "%s\n%s\n%s %s, %s\n\n", c.Name, o.ShipTo.Street, o.ShipTo.PostalCode, o.ShipTo.City, o.ShipTo.Country)
	for _, l := range o.Lines {
		fmt.Fprintf(&b, "%3d x %-32s %10s\n", l.Quantity, l.Name, euros(l.Quantity*l.PriceCents))
	}
	if o.Shipping == "express" {
		fmt.Fprintf(&b, "      %-32s %10s\n", "Express shipping", euros(expressCents))
	}
	fmt.Fprintf(&b, "      %-32s %10s\n", "Total in euros, tax included", euros(o.TotalCents))
	return b.String()
}

func euros(cents int) string { return fmt.Sprintf("%d.%02d", cents/100, cents%100) }
