"""Contact sheets: many pictures of pages on one."""

from pathlib import Path

from PIL import Image, ImageDraw

COLUMN = 300
ROWS = 620
GAP = 12
PER_SHEET = 12


def make_sheets(folder: Path, name: str) -> None:
    """Lay the pictures of *folder*/*name* out on sheets of twelve beside it."""
    pictures = sorted((folder / name).glob("*.png"))
    for start in range(0, len(pictures), PER_SHEET):
        _sheet(pictures[start : start + PER_SHEET]).save(folder / f"{name}-{start // PER_SHEET + 1}.png")


def _sheet(pictures: list[Path]) -> Image.Image:
    columns = 6
    rows = -(-len(pictures) // columns)
    sheet = Image.new("RGB", (columns * (COLUMN + GAP) + GAP, rows * (ROWS + 2 * GAP) + GAP), "#888888")
    draw = ImageDraw.Draw(sheet)
    for place, path in enumerate(pictures):
        left = GAP + place % columns * (COLUMN + GAP)
        top = GAP + place // columns * (ROWS + 2 * GAP)
        with Image.open(path) as whole:
            small = whole.convert("RGB").resize((COLUMN, max(1, whole.height * COLUMN // whole.width)))
        draw.text((left, top - 1), path.stem, fill="white")
        sheet.paste(small.crop((0, 0, COLUMN, min(small.height, ROWS))), (left, top + GAP))
    return sheet
