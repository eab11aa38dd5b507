"""`python -m contest.verify ARCHIVE` is `contest.archive.verify`."""
