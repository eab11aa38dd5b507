"""The organisers' desk: their own pages, which call the same acts as the other entry points (docs/organising.md).

`access` permissions and proofs · `actions` how an act is requested, previewed and done. `rounds` with `drafts`,
`places`, `rejudgings`, `submissions` · `levels` · `people`, `players` · `writing`, `comments` · `care`, `health`.
"""
