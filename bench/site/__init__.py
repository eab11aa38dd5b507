"""Benches of a whole site, with the code that starts it, fills it and puts load on it."""
