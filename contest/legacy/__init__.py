"""The protocol of the older desktop and phone programs; its quirks stay in this folder (docs/legacy.md).

`letslogic` has the calls of another site's programs, so that they need only another address (docs/letslogic.md).
"""
