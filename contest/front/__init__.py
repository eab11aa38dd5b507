"""The front room: who connects waits here, and nobody takes a thread before the whole request is there.

`__main__` starts the server (uvicorn) · `connections` how long and how many from one address · `bodies` how slowly a
request may come · `doors` what an address takes and how soon it is its turn · `turns` the threads, and who waits for
one · `shares` which sender's turn is next · `listening` who waits for what happens next · `gateway` from there to the
application and back · `answers` what goes back, and what is said to who must come again · `memory` one heap for all
threads, and what of it is free given back · `draining` the end of a process that a proxy must notice first.
"""
