"""The protocol of MF8's programs for desktop and phone; its quirks stay in this folder (docs/reference/legacy.md).

`views` has the four endpoints · `bodies` parses request bodies · `lists` builds the JSON they read · `answers` has the
sentences they search for · `hosts` allows plain http. `letslogic` offers the calls of another site's programs, which
then need only another address (docs/reference/letslogic.md).
"""
