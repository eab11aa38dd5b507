"""Operation of the site: `health`, `metrics`, `outages`, `backups`, `keeping` (scheduled backups), startup `checks`.

`asked_backups` are requested by organisers. `backup_files`: the file of a backup. `delivered`: rows that come with
the site. `released`: migrations by released version.
"""
