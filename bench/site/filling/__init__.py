"""Test data for sites: `seeding` creates rows through our own models, `growing` creates years of rows in PostgreSQL.

Long work while players submit: `importing` old rounds, `long_acts` of organisers.
"""
