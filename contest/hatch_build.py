"""Add the templates and texts that lie beside the package in a checkout; a source distribution has them inside."""

from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class TextsHook(BuildHookInterface[Any]):
    """Build hook of the source distribution and the wheel; `paths` lists the files and folders."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002 - hatchling's signature
        if (Path(self.root) / "templates").is_dir():
            return
        checkout = Path(self.root).parent
        found = [checkout / path for path in self.config["paths"]]
        files = [file for path in found for file in ([path] if path.is_file() else path.rglob("*")) if file.is_file()]
        names = [file.relative_to(checkout).as_posix() for file in files]
        # hatchling adds forced files even if git ignores them.
        wanted = [name for name in names if not self.build_config.path_is_excluded(name)]
        build_data["force_include"] |= {f"../{name}": name for name in wanted}
