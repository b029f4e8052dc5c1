package mysql

import (
	"context"
	"database/sql"
	"slices"
	"strings"

	"github.com/mcp-bridge/mcp-bridge/mapping"
)

// reading are the privileges that a role may hold and still only read.
var reading = []string{"USAGE", "SELECT", "SHOW VIEW", "SHOW DATABASES", "REFERENCES"}

// readerRole is the mend of all findings.
const readerRole = "connect as a user that can only read: CREATE USER bridge IDENTIFIED BY '…'; GRANT SELECT, SHOW VIEW ON DATABASE.* TO bridge"

// Audit reads the grants of the user that the server is reached as. Anything
// beyond reading is a finding: FILE, PROCESS and SUPER, writing, and EXECUTE,
// because a stored function may do anything.
func (e *engine) Audit(ctx context.Context) ([]mapping.Finding, error) {
	if err := e.connect(ctx); err != nil {
		return nil, err
	}
	var more []string
	err := e.each(ctx, "SHOW GRANTS", nil, func(r *sql.Rows) error {
		var grant string
		if err := r.Scan(&grant); err != nil {
			return err
		}
		for _, p := range privileges(grant) {
			if !slices.Contains(reading, p) && !slices.Contains(more, p) {
				more = append(more, p)
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	var found []mapping.Finding
	if len(more) > 0 {
		found = append(found, mapping.Finding{Text: "the user may do more than read: " + strings.Join(more, ", "), Mend: readerRole})
	}
	if e.given != nil {
		found = append(found, mapping.Finding{Text: "the pool was handed over, so no session of its own can run ad-hoc SQL", Mend: "give the source a DSN to have ad-hoc SQL"})
	}
	if found == nil {
		found = append(found, mapping.Finding{OK: true, Text: "the user can only read"})
	}
	return found, nil
}

// privileges lists what one line of SHOW GRANTS grants. A role that is granted
// counts as a privilege of its own, because its grants are not shown here.
func privileges(grant string) []string {
	list, ok := strings.CutPrefix(grant, "GRANT ")
	if !ok {
		return nil // SET DEFAULT ROLE
	}
	what, _, ok := strings.Cut(list, " ON ")
	if !ok {
		what, _, _ = strings.Cut(list, " TO ")
		return []string{"role " + what}
	}
	var names []string
	depth := 0
	start := 0
	for i, c := range what + "," {
		switch {
		case c == '(':
			depth++
		case c == ')':
			depth--
		case c == ',' && depth == 0:
			word, _, _ := strings.Cut(what[start:min(i, len(what))], "(") // SELECT (column, …)
			names = append(names, strings.TrimSpace(word))
			start = i + 1
		}
	}
	if strings.Contains(list, "WITH GRANT OPTION") {
		names = append(names, "GRANT OPTION")
	}
	return names
}
