import pytest
from PIL import Image

CORRIDOR = "######\n#@$-.#\n######\n"


@pytest.mark.parametrize(("name", "form", "frames"), [("a.png", "PNG", 1), ("a.GIF", "GIF", 3), ("a.apng", "PNG", 3)])
def test_the_file_extension_selects_the_format(run, tmp_path, name, form, frames):
    assert run("draw", "-", "-m", "rr", "-o", name, stdin=CORRIDOR) == (0, "", "")
    with Image.open(tmp_path / name) as image:
        assert (image.format, getattr(image, "n_frames", 1), image.size) == (form, frames, (144, 72))


def test_an_svg_file_has_its_colours_and_its_title(run, tmp_path):
    assert run("draw", "-", "-o", "a.svg", "--theme", "dark", "--title", "推箱子", "--ruler", stdin=CORRIDOR)[0] == 0
    picture = (tmp_path / "a.svg").read_text("utf-8")
    assert "<title>推箱子</title>" in picture
    assert 'fill="#' in picture


def test_a_step_of_the_replay_is_drawn(run, tmp_path):
    for name, step in [("0.svg", "0"), ("1.svg", "1"), ("2.svg", "2"), ("9.svg", "9")]:
        assert run("draw", "-", "-m", "rr", "--step", step, "-o", name, stdin=CORRIDOR)[0] == 0
    pictures = [(tmp_path / f"{step}.svg").read_text() for step in (0, 1, 2, 9)]
    assert len(set(pictures[:3])) == 3
    assert pictures[2] == pictures[3]


@pytest.mark.parametrize(
    "arguments",
    [
        ("-o", "a.bmp"),
        ("-o", "no/a.png"),
        ("-o", "a.png", "--cell", "0"),
        ("-o", "a.gif", "-"),
        ("-o", "a.png", "-n", "2"),
    ],
)
def test_an_undrawable_request_is_refused_with_a_message(run, arguments):
    code, out, err = run("draw", "-", *arguments, stdin=CORRIDOR)
    assert (code, out) == (2, "")
    assert err
