"""Contact sheets: many screenshots in one image."""

from pathlib import Path

from PIL import Image, ImageDraw

GAP = 12
DOWN = 700


def make_sheets(folder: Path, name: str) -> None:
    columns = 6 if name.endswith("-360") else 3
    pictures = sorted((folder / name).glob("*.png"))
    for count, start in enumerate(range(0, len(pictures), 2 * columns), start=1):
        _sheet(pictures[start : start + 2 * columns], columns).save(folder / f"{name}-{count}.png")


def _sheet(pictures: list[Path], columns: int) -> Image.Image:
    width = 1_920 // columns
    sheet = Image.new("RGB", (columns * (width + GAP) + GAP, 2 * (DOWN + 2 * GAP) + GAP), "#888888")
    draw = ImageDraw.Draw(sheet)
    for place, path in enumerate(pictures):
        left, top = GAP + place % columns * (width + GAP), GAP + place // columns * (DOWN + 2 * GAP)
        with Image.open(path) as whole:
            small = whole.convert("RGB").resize((width, max(1, whole.height * width // whole.width)))
        draw.text((left, top - 1), path.stem, fill="white")
        sheet.paste(small.crop((0, 0, width, min(small.height, DOWN))), (left, top + GAP))
    return sheet
