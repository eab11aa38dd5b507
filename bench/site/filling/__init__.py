"""Sites filled with rows: `seeding` through our own models, `growing` years of them inside PostgreSQL."""
