"""Operation of the site: `health`, `metrics`, `outages`, `backups`, `keeping` (scheduled backups), startup `checks`.

`asked_backups` are requested by organisers. `delivered`: rows that come with the site.
`released`: migrations by released version.
"""
