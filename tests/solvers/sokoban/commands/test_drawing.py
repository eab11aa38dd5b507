import pytest
from PIL import Image

CORRIDOR = "######\n#@$-.#\n######\n"


@pytest.mark.parametrize(("name", "form", "frames"), [("a.png", "PNG", 1), ("a.GIF", "GIF", 3), ("a.apng", "PNG", 3)])
def test_the_file_extension_selects_the_format(run, tmp_path, name, form, frames):
    assert run("draw", "-", "-m", "rr", "-o", name, stdin=CORRIDOR) == (0, "", "")
    with Image.open(tmp_path / name) as image:
        assert (image.format, getattr(image, "n_frames", 1), image.size) == (form, frames, (144, 72))
