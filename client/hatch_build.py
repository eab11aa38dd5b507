"""Put a man page and shell completions of each command into the wheel, generated from its argument parser."""

import os
import shutil
import sys
import tempfile
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
        # The pages must not depend on who builds them, or when.
        os.environ.pop("LEITAI_URL", None)
        os.environ.update(COLUMNS="100", SOURCE_DATE_EPOCH="1580601600")
        self.folder = Path(tempfile.mkdtemp())
        for command, module in self.config["commands"].items():
            parser = import_module(module).read_arguments()
            parser.man_short_description = parser.description.partition(".")[0]
            for kind, place in PLACES.items():
                file = self.folder / f"{command}.{kind}"
                file.write_text(str(Manpage(parser)) if kind == "man" else shtab.complete(parser, kind), "utf-8")
                build_data["shared_data"][str(file)] = place.format(command)

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:  # noqa: ARG002 - the same
        shutil.rmtree(self.folder)
