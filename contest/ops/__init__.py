"""Operation of the site: `health`, `metrics`, `outages`, `delivered` rows · `backups`, `keeping` (scheduled backups), startup `checks`.

`asked_backups` are requested by organisers. `released`: migrations by released version.
"""
