"""Published collections: `views` their pages, `tiles` levels as a list shows them, `playing` in the page, `files` to
take away, `urls` their addresses.
"""
