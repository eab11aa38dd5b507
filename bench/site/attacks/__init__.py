"""Attacks by complete requests: expensive pages and trials, while one honest client reads and submits."""
