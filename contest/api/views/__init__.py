"""Views by subject: each reads a request, asks for rows or calls one act, and shows the answer."""
