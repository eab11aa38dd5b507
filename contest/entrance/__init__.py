"""Requests that are answered before Django: posts of submissions, and pages for readers of whom nothing is known.

Each part has a switch in `settings.FAST_PATHS`; with all of them off Django alone answers, with the same bytes.
docs/performance.md says what each part buys. `posts`: receipts, for many posts at once · `pages`: kept answers and 304
· `keys`: what in a request these answers depend on · `packing`: gzip.
"""
