"""Test data for sites: `seeding` creates rows through our own models, `growing` creates years of rows in PostgreSQL."""
