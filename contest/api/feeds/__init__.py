"""What programs follow, and take as a whole: `events` in order, `bulk` lists as NDJSON, `webhooks` that tell them.

`lines` are those lists without a request; `nightly` dumps them, and `dumps` offers that.
"""
