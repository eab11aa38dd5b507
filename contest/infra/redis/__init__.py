"""Redis: `scripts` calls Lua scripts with low overhead; `signed_cache` reads no cached value of others."""
