"""Published collections: `views` shows them, `playing` plays a level, `files` are downloads, `urls` their URLs."""
