"""Benches of a whole site, and what they start, fill and press it with."""
