#!/usr/bin/env python
"""Django's command line for the contest, with the settings in `.env` unless the environment has a SECRET_KEY."""

import os
from pathlib import Path

import environ

from contest.__main__ import main

if __name__ == "__main__":
    env_file = Path(__file__).with_name(".env")
    # dev.py and containers set a key and all else that they need: a developer's file must not change their settings.
    if not os.environ.get("SECRET_KEY") and env_file.is_file():
        environ.Env.read_env(env_file)
    main()
