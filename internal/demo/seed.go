package demo

import "time"

// firstOrder is 2^53 + 1, the smallest whole number that a float64 cannot hold:
// whoever reads order numbers as floats finds out at once.
const firstOrder = 1<<53 + 1

func newShop() *shop {
	opened := time.Date(2026, time.May, 4, 9, 0, 0, 0, time.UTC)
	s := &shop{now: opened, placed: map[string]int64{}, customers: seedCustomers()}
	for i, p := range seedProducts() {
		p.UpdatedAt = opened.AddDate(0, 0, -3*(i+1))
		s.products = append(s.products, p)
	}
	for i, o := range seedOrders() {
		o.ID = firstOrder + int64(2*i)
		o.PlacedAt = opened.AddDate(0, 0, -5*(len(seedOrders())-i))
		c, _ := s.customer(o.CustomerID)
		o.ShipTo = c.Address
		for j, l := range o.Lines {
			p, _ := s.product(l.SKU)
			o.Lines[j].Name, o.Lines[j].PriceCents = p.Name, p.PriceCents
			o.TotalCents += l.Quantity * p.PriceCents
		}
		if o.Shipping == "express" {
			o.TotalCents += expressCents
		}
		s.orders = append(s.orders, o)
	}
	return s
}

func seedProducts() []product {
	text := func(s string) *string { return &s }
	return []product{
		{SKU: "TENT-2P", Name: "Ridge 2 trail tent", Description: text("Two people, three seasons, 1.9 kg."), Category: "tents", PriceCents: 18900, Stock: 7},
		{SKU: "TENT-4P", Name: "Ridge 4 family tent", Description: text("Four people and a porch that fits two bicycles."), Category: "tents", PriceCents: 32900, Stock: 2},
		{SKU: "TARP-01", Name: "Canopy tarp", Description: text("3 by 3 metres with eight loops."), Category: "tents", PriceCents: 5900, Stock: 0},
		{SKU: "BAG-W", Name: "Winter sleeping bag", Description: text("Down, comfortable to -12 °C."), Category: "sleeping", PriceCents: 27900, Stock: 4},
		{SKU: "BAG-S", Name: "Summer sleeping bag", Description: text("Synthetic, comfortable to 8 °C, packs to the size of a loaf."), Category: "sleeping", PriceCents: 8900, Stock: 15},
		{SKU: "MAT-01", Name: "Fold-out mat", Category: "sleeping", PriceCents: 3490, Stock: 22},
		{SKU: "JKT-R", Name: "Drizzle rain jacket", Description: text("Taped seams, pit zips, packs into its own pocket."), Category: "clothing", PriceCents: 12900, Stock: 9},
		{SKU: "SOCK-M", Name: "Merino trail socks", Description: text("Two pairs."), Category: "clothing", PriceCents: 2490, Stock: 40},
		{SKU: "MUG-01", Name: "Enamel mug", Description: text("0.35 litres, blue with white specks."), Category: "kitchen", PriceCents: 1290, Stock: 60},
		{SKU: "STOVE-1", Name: "Pocket gas stove", Description: text("Boils half a litre in three minutes. Gas is sold separately."), Category: "kitchen", PriceCents: 4590, Stock: 11},
		{SKU: "LAMP-01", Name: "Glow 100 head lamp", Description: text("100 lumen, red light for maps."), Category: "equipment", PriceCents: 2990, Stock: 18},
		{SKU: "ROPE-30", Name: "Utility rope, 30 m", Category: "equipment", PriceCents: 1990, Stock: 1},
	}
}

func seedCustomers() []customer {
	return []customer{
		{"c-1001", "Ada Lovelace", "ada@example.com", address{"12 St James Square", "London", "SW1Y 4JH", "GB"}, "2024-03-11"},
		{"c-1002", "Emmy Noether", "emmy@example.org", address{"Hauptstraße 23", "Erlangen", "91054", "DE"}, "2024-06-02"},
		{"c-1003", "Maryam Mirzakhani", "maryam@example.com", address{"8 Valiasr Street", "Tehran", "11369", "IR"}, "2025-01-19"},
		{"c-1004", "Sophie Germain", "sophie@example.net", address{"13 rue de Savoie", "Paris", "75006", "FR"}, "2025-04-01"},
		{"c-1005", "Katherine Johnson", "katherine@example.com", address{"101 Mercury Boulevard", "Hampton", "23666", "US"}, "2025-08-26"},
		{"c-1006", "Hypatia", "hypatia@example.net", address{"1 Museum Road", "Alexandria", "21500", "EG"}, "2026-02-14"},
	}
}

// seedOrders are the orders of the last weeks, oldest first, without what
// follows from customer and products.
func seedOrders() []order {
	parcel := func(s string) *string { return &s }
	return []order{
		{Status: "delivered", CustomerID: "c-1001", Shipping: "standard", Tracking: parcel("PB100271"), Lines: []line{{SKU: "TENT-2P", Quantity: 1}, {SKU: "MAT-01", Quantity: 2}}},
		{Status: "delivered", CustomerID: "c-1004", Shipping: "express", Tracking: parcel("PB100288"), Lines: []line{{SKU: "JKT-R", Quantity: 1}}},
		{Status: "cancelled", CustomerID: "c-1002", Shipping: "standard", Lines: []line{{SKU: "TARP-01", Quantity: 1}}, Cancelled: &cancellation{"out_of_stock", "The tarp comes back in June."}},
		{Status: "delivered", CustomerID: "c-1003", Shipping: "standard", Tracking: parcel("PB100310"), Lines: []line{{SKU: "STOVE-1", Quantity: 1}, {SKU: "MUG-01", Quantity: 4}}},
		{Status: "shipped", CustomerID: "c-1005", Shipping: "express", Tracking: parcel("PB100342"), Lines: []line{{SKU: "BAG-W", Quantity: 2}}},
		{Status: "shipped", CustomerID: "c-1001", Shipping: "standard", Tracking: parcel("PB100355"), Lines: []line{{SKU: "SOCK-M", Quantity: 3}, {SKU: "LAMP-01", Quantity: 1}}},
		{Status: "packed", CustomerID: "c-1006", Shipping: "standard", Note: "Please leave it with the librarian.", Lines: []line{{SKU: "ROPE-30", Quantity: 1}}},
		{Status: "placed", CustomerID: "c-1002", Shipping: "express", Lines: []line{{SKU: "TENT-4P", Quantity: 1}, {SKU: "BAG-S", Quantity: 4}}},
		{Status: "placed", CustomerID: "c-1001", Shipping: "standard", Lines: []line{{SKU: "MUG-01", Quantity: 2}}},
	}
}
