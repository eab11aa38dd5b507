"""Installing, examining and upgrading a site in one folder, by the commands `init`, `doctor`, `upgrade` and `rollback`.

`questions`: what `init` asks · `files`: what it writes, `containers`: what it
writes for Docker · `faults`: what `doctor` looks for · `versions`: upgrades and
the way back · `management`: the commands.
"""
