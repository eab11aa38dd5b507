"""Kill, pause and restart the parts of a real site while people send to it, then count: nothing lost, nothing doubled.

`site` runs the parts, `senders` are the people, `sabotage` lives inside the parts, `oracle` counts without the site's
code, `disturbances` are what is done to it. The short form is a test; `python3 dev.py chaos` is the long one.
"""
