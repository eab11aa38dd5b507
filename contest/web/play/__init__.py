"""The pages on which levels are drawn and played, and moves are sent.

`playing` with `offline`, `lessons`, `links` · `editor` · `sending` answers a form by `receipts`; `entering` and
`sentences` let the page judge what is pasted · `practice` · `sealing` · `testing`.
"""
