"""Kill, pause and restart the processes of a real site under load, then count: nothing is lost or duplicated.

`site` runs the parts, `senders` are its clients, `sabotage` runs inside the parts, `oracle` counts without the site's
code, `disturbances` are the faults. The short form is a test; `python3 dev.py chaos` is the long one.
"""
