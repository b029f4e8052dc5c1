package mapping

// inputPasses are the rules of what a model sends, in their order.
func inputPasses() []pass {
	return []pass{
		{name: "drafts", do: passDrafts},
		{name: "faults", do: passFaults},
		{name: "refs", do: passRefs},
		{name: "readonly", do: passReadOnly},
		{name: "merge", up: true, do: passMerge},
		{name: "closed", up: true, do: passClosed},
		{name: "alternatives", up: true, do: passAlternatives},
		{name: "enums", up: true, do: passEnums},
		{name: "arrays", up: true, do: passArrays},
		{name: "words", up: true, do: passWords},
		{name: "bytes", up: true, do: passBytes},
		{name: "lean", up: true, do: passLean},
	}
}

// exactPasses are the rules of answers that keep their schema.
func exactPasses() []pass {
	return []pass{
		{name: "drafts", do: passDrafts},
		{name: "faults", do: passFaults},
		{name: "refs", do: passRefs},
		{name: "arrays", up: true, do: passArrays},
		{name: "words", up: true, do: passWords},
		{name: "lean", up: true, do: passLean},
	}
}

// relaxedPasses are the rules of answers that may differ from their schema.
func relaxedPasses() []pass {
	return []pass{
		{name: "drafts", do: passDrafts},
		{name: "faults", do: passFaults},
		{name: "refs", do: passRefs},
		{name: "writeonly", do: passWriteOnly},
		{name: "merge", up: true, do: passMerge},
		{name: "alternatives", up: true, do: passAlternatives},
		{name: "relaxed", up: true, do: passRelaxed},
		{name: "arrays", up: true, do: passArrays},
		{name: "words", up: true, do: passWords},
		{name: "lean", up: true, do: passLean},
	}
}
