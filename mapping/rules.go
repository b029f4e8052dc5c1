package mapping

// Rules are what an operator decides about the surface. The zero Rules allow
// everything and ask for no confirmation.
//
// An entry of Allow, Deny, Confirm and Scopes is KIND:GLOB, with kind one of
// name (the published tool name), key, group (or tag, the same), effect, table,
// column, repo; without a kind it is a name. A glob has * for any run of
// characters and ? for one. Deny wins over Allow; an empty Allow allows all. What
// touches several tables, columns or repos is allowed by entries of that kind only
// if they cover each one. Resources that no operation answers are asked for by
// name (Resource.Name), key (Resource.Path) and labels, and are reads; prompts by
// name and key, and by Deny, Scopes and Access alone. An unknown effect is destroys as well, and in Deny,
// Confirm and Scopes writes means all three.
type Rules struct {
	// ReadOnly drops every operation that is not known to be a read.
	ReadOnly bool     `json:"readOnly,omitempty"`
	Allow    []string `json:"allow,omitempty"`
	Deny     []string `json:"deny,omitempty"`
	// Confirm names the operations that a user must confirm before each call.
	Confirm []string `json:"confirm,omitempty"`
	// Scopes are what a caller must hold to see and call what an entry matches.
	Scopes map[string][]string `json:"scopes,omitempty"`
	// Access says which callers see what; none lets every caller see everything.
	Access []Access `json:"access,omitempty"`
	// OutputSchemas is "auto" (also ""), "always" or "never".
	OutputSchemas string `json:"outputSchemas,omitempty"`
	// ResultBytes bounds the text of an answer; 0 is 60,000.
	ResultBytes int `json:"resultBytes,omitempty"`
	// BlobBytes bounds each binary block; 0 is 10 MB.
	BlobBytes int `json:"blobBytes,omitempty"`
	// Prompts are the operator's own, beside those of the sources. Their names
	// stand as they are.
	Prompts []Prompt `json:"prompts,omitempty"`
	// Sources are the rules of single sources, by their names.
	Sources map[string]SourceRules `json:"sources,omitempty"`
}

// SourceRules apply to one source, on top of the Rules around them: what either
// drops is dropped.
type SourceRules struct {
	// Prefix stands before each tool and prompt name. nil is "source_" where there
	// are several sources and nothing where there is one; "" is none.
	Prefix    *string             `json:"prefix,omitempty"`
	ReadOnly  bool                `json:"readOnly,omitempty"`
	Allow     []string            `json:"allow,omitempty"`
	Deny      []string            `json:"deny,omitempty"`
	Overrides map[string]Override `json:"overrides,omitempty"` // by Operation.Key
}

// An Override replaces what mapping would decide about one operation. Zero
// fields replace nothing.
type Override struct {
	// Name is used as it stands, without prefix.
	Name        string `json:"name,omitempty"`
	Description string `json:"description,omitempty"`
	Effect      Effect `json:"effect,omitempty"`
	// Hidden keeps the tool callable but off the list.
	Hidden bool `json:"hidden,omitempty"`
}
