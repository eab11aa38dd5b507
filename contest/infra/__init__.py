"""The machine below the contest: nothing here knows a round, a level or a player.

`clock` what time it is · `client_ip` who asks · `rate_limits` how often they may, `attempts` at a secret too ·
`cache` · `kept` answers that are sent again while `database_state` is the same · `locks` taking turns · `job_queue`
work that rows stand for · `group_commit` what threads do together · `database` queries, `postgres` and `sqlite` its
engines · `outbound_http` calls to others · `mail` whether it leaves the site · `bundling` scripts in one file ·
`integers` · `logs`.
"""
