"""Queries: `bulk_statements` many rows in one, `compiled_queries` whose SQL is kept."""
