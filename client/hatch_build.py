"""Put a man page and shell completions of each command into the wheel, generated from its argument parser."""

import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import shtab
from argparse_manpage.manpage import Manpage
from hatchling.builders.hooks.plugin.interface import BuildHookInterface

PLACES = {
    "man": "share/man/man1/{}.1",
    "bash": "share/bash-completion/completions/{}",
    "zsh": "share/zsh/site-functions/_{}",
    "fish": "share/fish/vendor_completions.d/{}.fish",
}


class ManualsHook(BuildHookInterface[Any]):
    """Build hook of both wheels; `commands` maps each command to the module that has its `read_arguments`."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002 - hatchling's signature
        sys.path.insert(0, self.root)
        folder = Path(self.directory) / "manuals"
        folder.mkdir(parents=True, exist_ok=True)
        for command, module in self.config["commands"].items():
            parser = import_module(module).read_arguments()
            parser.man_short_description = parser.description.partition(".")[0]
            for kind, place in PLACES.items():
                file = folder / f"{command}.{kind}"
                file.write_text(str(Manpage(parser)) if kind == "man" else shtab.complete(parser, kind))
                build_data["shared_data"][str(file)] = place.format(command)
