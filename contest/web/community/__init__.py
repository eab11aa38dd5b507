"""Votes and comments on levels (`talk`), following (`stars`), and notifications (`news`)."""
