"""Texts that organisers write for the public: posts, their pictures and series, and prizes."""
