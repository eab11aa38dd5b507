"""Redis: `scripts` calls Lua scripts with low overhead."""
