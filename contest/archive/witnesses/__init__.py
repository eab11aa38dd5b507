"""Witnesses of the receipt chain (rule 24.2): others store and countersign checkpoints (docs/reference/archive.md).

`checkpoints` makes this site's own once an hour · `countersigning` signs those of other sites · `asking` asks others
to countersign ours · `records` of who signed what and when · `tiles` publishes the tree for monitors ·
`witness` is the program that anybody can run, and `one_file` builds it.
"""
