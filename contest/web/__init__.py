"""The views, one folder per subject. `urls` lists all URLs; `author_urls` lists the pages for level authors."""
