"""The archive of a round (docs/reference/archive.md).

Modules without Django, so that anyone can verify at home: `format` · `checks` of the files' contents · `reader` ·
`packing` of the ZIP · `proof` of draw, texts and revisions · `proofs` of chain, entries and closings · `sealed`
answers · `collected` links and checkpoints · `verify` · its `report` · `verifier`, all in one file. Modules that use
the database: `writer`, with `one_state` of the results, `bound` for the receipt chain and `certified` for proofs about
levels · `imports` of old rounds · `witnesses` of the receipt chain.
This `__init__` imports nothing, so that the others do not need Django.
"""
