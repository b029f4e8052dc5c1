package mapping

// limits bound what an answer may take, in bytes.
type limits struct{ text, blob int }

// Budget returns how many bytes of text an answer may take, for Call.Budget and
// Read.Budget.
func (s *Surface) Budget() int64 { return int64(s.limits.text) }

// Shape turns what an adapter returned for call, a call of this tool, into what
// the model sees: JSON wrapped and cut to the budget, names of the surface in
// notes, binary content exact or refused.
func (t *Tool) Shape(call *Call, r *Result) *Answer { return &Answer{} }

// ShapeError turns a failure of a call of this tool into words for the model.
// An error that is no *Error shows as an internal error, without its text.
func (t *Tool) ShapeError(err error) *Answer { return &Answer{IsError: true} }

// Shape turns what an adapter returned for this target into the contents of the
// resource: TextResource and Blob blocks with URI and MIME set, never none. The
// error is a *Error.
func (t *Target) Shape(r *Result) ([]Block, error) { return nil, nil }

// ShapeError returns the failure of a read in the words of the surface. Its
// code is kept.
func (t *Target) ShapeError(err error) *Error { return &Error{Code: CodeOf(err)} }
