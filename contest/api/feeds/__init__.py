"""Feeds and bulk data: `events` in order, `bulk` lists as NDJSON, `webhooks` of a player.

`lines` builds the lists without a request; `nightly` dumps them, and `dumps` serves the dumps.
"""
