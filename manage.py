#!/usr/bin/env python
"""Django's command line for the contest."""

from contest.__main__ import main

if __name__ == "__main__":
    main()
