"""Levels before they are in a round: the organisers' `shelf`, the `collection_import` that fills it from
`packed_files`, what authors bring as `proposals`, the `queueing` of what was brought, and the `series` that takes the
next one, with its `series_letters`, unless it is `standing` in a round. `publishing` lets everybody play a collection,
`collection_files` lets them take it away.
"""
