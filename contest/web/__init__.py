"""The pages, a folder for each subject; `urls` has all their addresses, `author_urls` those of who make levels."""
