"""The contest: a Django project and its one app."""
