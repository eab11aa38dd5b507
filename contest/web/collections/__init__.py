"""Published collections: `views` shows them, `playing` plays a level, `runs` plays many in a row, `files` are
downloads, `urls` their URLs.
"""
