"""The version of the package; the site sees it in the User-Agent."""

__version__ = "0.6.0"
