"""Levels before they are used in a round: the organisers' library (`shelf`), `collection_import` into it with
`packed_files` and the solver's `collection_solutions`, `proposals` of authors, `queueing` of collections, and the
`series` that use queued levels, with their `series_letters`, unless a level is `standing` in a round; `clashes` of
times. `publishing` opens a collection to all players, `collection_files` to downloads. `own` holds the levels that come
with the site.
"""
