"""Rules of this project that no published linter checks."""
