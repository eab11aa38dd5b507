"""What leaves the site. For people: `cards`, `badges`, `certificates`, `animations`, `thumbnails`.

For other sites: `embeds` with `oembed`, `feeds`, `crawling`. To take away: `level_files`, `open_data`,
`checkpoints`.
"""
