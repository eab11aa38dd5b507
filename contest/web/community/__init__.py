"""Votes and comments on levels (`talk`), following (`stars`), notifications (`news`), and the page of `sponsors`."""
