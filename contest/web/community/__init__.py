"""Votes and comments on levels, comments on posts (`talk`), following (`stars`), notifications (`news`), and
the page of `sponsors`.
"""
