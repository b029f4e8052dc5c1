package demo

import _ "embed"

//go:embed rides.sql
var rides string

// Database returns the SQL that makes a small sample database in SQLite: a year of
// a bicycle hire, with stations, bikes, riders and rides.
func Database() string { return rides }
