"""Pages to draw and play levels and to submit moves.

`playing` with `offline`, `lessons`, `links` · `editor` · `sending` answers a form using `receipts`; `entering` and
`sentences` let the page judge pasted moves · `practice` · `sealing` · `testing` · `coaching`: where a solution loses.
"""
