"""Who else saw the receipt chain (rule 24.2): signed checkpoints that others keep and countersign (docs/archive.md).

`checkpoints` are this site's own, made once an hour · `countersigning` those of other sites · `asking` others to
countersign ours.
"""
