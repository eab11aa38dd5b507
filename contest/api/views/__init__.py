"""Views by subject: each reads a request, fetches rows or calls one act (a function of the contest), and responds."""
