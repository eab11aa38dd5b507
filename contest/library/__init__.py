"""Levels before they are in a round: the organisers' `shelf`, the `collection_import` that fills it, what authors bring
as `proposals`, and the `series` that takes the next one. `publishing` lets everybody play a collection.
"""
