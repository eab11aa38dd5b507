"""What is true of a level without a search: `bounds`, `deadlocks`, and `gate`: what keeps it from being published."""
