"""The protocol of MF8's programs for desktop and phone; its quirks stay in this folder (docs/legacy.md).

`views` the four addresses · `bodies` reads what they send · `lists` what they are shown · `answers` the sentences
they look for · `hosts` by plain http. `letslogic` has the calls of another site's programs, so that they need only
another address (docs/letslogic.md).
"""
