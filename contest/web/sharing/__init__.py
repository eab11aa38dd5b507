"""Content for use outside the site. For people: `cards`, `badges`, `certificates`, `animations`, `thumbnails`.

For other sites: `embeds` with `oembed`, `feeds`, `crawling`. Downloads: `level_files`, `open_data`,
`checkpoints`, `tiles`.
"""
