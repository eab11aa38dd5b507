"""Verify an archive of a round without the site (docs/reference/archive.md)."""

import sys

from contest.archive.verify import main

if __name__ == "__main__":
    sys.exit(main())
