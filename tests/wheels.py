"""The wheels of this checkout."""

from pathlib import Path

from hatchling.builders.wheel import WheelBuilder

from tooling.folders import ROOT

FOLDERS = {"leitai-solvers": ".", "leitai": "client", "leitai-gym": "gym", "leitai-server": "contest"}


def build_wheels(folder: Path) -> dict[str, Path]:
    builders = {name: WheelBuilder(str(ROOT / source)) for name, source in FOLDERS.items()}
    return {
        name: Path(next(builder.build(directory=str(folder), versions=["standard"])))
        for name, builder in builders.items()
    }
