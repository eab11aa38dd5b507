"""Infrastructure below the contest: nothing here knows about rounds, levels or players.

`clock` the current time · `client_ip` the client's address · `rate_limits` requests per minute, `attempts` sign-in
attempts · `cache` · `kept` responses cached until the database changes · `job_queue` job rows claimed by workers ·
`database` queries and locks, `postgres` and `sqlite` its engines · `redis` · `circuit_breaker` for services that are
down · `outbound_http` requests to other sites · `mail` whether mail is sent · `site_address` absolute URLs and names of
this machine, `identity` the site's own name and time zone · `bundling` JavaScript modules in one file · `integers` ·
`logs` · `monitoring` error reports and traces.
"""
