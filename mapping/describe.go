package mapping

// maxDescription is the number of characters that vendors take for sure.
const maxDescription = 1024

// describe writes every tool's description.
func (b *builder) describe() {
	for _, t := range b.tools {
		t.Description, _ = cutSentences(t.source.words(t.op.Summary), maxDescription)
	}
}
