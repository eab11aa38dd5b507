"""The organisers' desk: pages that call the same acts as the other entry points (docs/how-to/organising.md).

`access` permissions and proofs · `actions` how an act is requested, previewed and done · `retries` forms sent twice.
`rounds` with `drafts`, `places`, `rejudgings`, `submissions` · `levels` · `people`, `players` · `writing`, `comments` ·
`care`, `health`.
"""
