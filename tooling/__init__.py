"""What dev.py does, with nothing but the standard library.

terminal     what is said, and how a wish to stop is heard
folders      where things are kept
processes    start, wait, stop
apt          Debian packages
environment  .venv, exactly as a lock lists it
redis        a server of our own
postgres     the same
site         `run` and `manage`
reports      what came of each suite
extension    the browser extension
sync_client  the synchronous client, generated from the asyncio one
world_map    contest/rendering/world.json, by hand
suites       `test` and the other runs of tests
"""
