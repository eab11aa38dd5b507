"""Certificates: why a level has no solution, or none with fewer pushes or moves, for a program that trusts no solver.

`writing` makes the certificate of a proved answer from a search with only such tests as a checker can repeat, by the
bounds of `tables`. `check_certificate` is that checker: one file for bare Python that imports nothing of this project;
`checking` runs it with limits. docs/reference/certificates.md defines the format.
"""
