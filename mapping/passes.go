package mapping

// inputPasses are the rules of what a model sends, in their order.
func inputPasses() []pass {
	return []pass{
		{name: "refs", do: passRefs},
	}
}

// exactPasses are the rules of answers that keep their schema.
func exactPasses() []pass {
	return []pass{
		{name: "refs", do: passRefs},
	}
}

// relaxedPasses are the rules of answers that may differ from their schema.
func relaxedPasses() []pass {
	return []pass{
		{name: "refs", do: passRefs},
	}
}
