"""Implementation of dev.py; uses only the standard library.

terminal     output to the terminal and signal handling
folders      paths of the project and of the data folder
processes    start, wait for and stop child processes
apt          Debian packages
environment  .venv, exactly as a lock file lists it
redis        a private Redis server
postgres     a private PostgreSQL server
site         `run` and `manage`
reports      results of each test suite
extension    the browser extension
sync_client  the synchronous client, generated from the asyncio one
assets       contest/rendering/world.json and the fonts of pictures, run by hand
suites       `test` and the other runs of tests
"""
