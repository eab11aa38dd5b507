"""`python -m contest.verify ARCHIVE` runs `contest.archive.verify`."""
