"""Published collections: `views` their pages, `playing` in the page, `files` to take away, `urls` their addresses."""
