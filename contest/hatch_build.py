"""Add the templates and texts that lie beside the package in a checkout; a source distribution has them inside."""

from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class TextsHook(BuildHookInterface[Any]):
    """Build hook of the source distribution and the wheel; `paths` lists the files and folders."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002 - hatchling's signature
        if not (Path(self.root) / "templates").is_dir():
            build_data["force_include"] |= {f"../{path}": path for path in self.config["paths"]}
