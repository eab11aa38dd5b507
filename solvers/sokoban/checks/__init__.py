"""Static checks of a level, without search: `bounds`, `deadlocks`, `likeness` and `gate`, the publication check."""
