"""Fast paths before Django: submissions through the API, and cached pages for anonymous clients.

Each part has a switch in `settings.FAST_PATHS`; with all of them off Django serves every request, with the same bytes.
docs/explanation/performance.md lists the gain of each part. `posts`: receipts, batched · `pages`: cached responses, 304
· `keys`: cache keys from requests · `packing`: gzip.
"""
