"""The organisers' desk: their own pages, on the same acts as every other door (docs/organising.md).

`access` who comes in · `actions` how an act is asked for, shown and done. `rounds` with `drafts`, `places`,
`rejudgings`, `submissions` · `levels` · `people` with `players` · `writing` with `comments` · `care` and `health`.
"""
