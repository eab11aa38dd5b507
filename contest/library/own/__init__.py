"""Levels that come with the site: the `course` of techniques, 120 `graded` levels, and `installing` both."""
