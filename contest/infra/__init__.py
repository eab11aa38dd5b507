"""The machine below the contest: nothing here knows a round, a level or a player.

`clock` what time it is · `client_ip` who asks · `rate_limits` how often they may, `attempts` at a secret too ·
`cache` · `kept` answers that are sent again while the database is the same · `job_queue` work that rows stand for ·
`database` queries and turns, `postgres` and `sqlite` its engines · `redis` ·
`circuit_breaker` for what is down · `outbound_http` calls to others · `mail` whether it leaves the site ·
`site_address` of what does · `bundling` scripts in one file · `integers` · `logs`.
"""
