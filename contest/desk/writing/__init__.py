"""Texts that organisers write for the public: `posts`, their `pictures`, categories and series, `prizes` and sponsors,
the list of Sokoban `programs`, and the `site`'s own name and words.
"""
