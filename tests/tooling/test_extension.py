import re
import zipfile

import pytest

from tooling import extension
from tooling.terminal import Problem


def test_the_zip_is_reproducible_and_contains_every_imported_module(tmp_path):
    packed = []
    for name in ("one", "other"):
        (tmp_path / name).mkdir()
        extension.build_extension(tmp_path / name)
        packed.append(tmp_path / name / f"{extension.NAME}.zip")
    assert packed[0].read_bytes() == packed[1].read_bytes()
    files = zipfile.ZipFile(packed[0])
    for name in [name for name in files.namelist() if name.endswith(".js")]:
        folder = name.rpartition("/")[0]
        for imported in re.findall(r'from "\./([^"]+)"', files.read(name).decode()):
            assert f"{folder}/{imported}".lstrip("/") in files.namelist()


def test_the_extension_links_to_its_site_and_loads_nothing_from_elsewhere(tmp_path):
    folder = extension.build_extension(tmp_path, "https://leitai.example")
    assert 'DEFAULT_HOST = "https://leitai.example"' in (folder / "acts.js").read_text()
    for path in [*folder.rglob("*.html"), *folder.rglob("*.css"), *folder.rglob("*.js")]:
        assert not re.search(r"""(?:src|href|from|import\(|url\()\s*=?\s*["'(]?https?:""", path.read_text()), path


@pytest.mark.parametrize("host", ["leitai.example", "https://a/b", 'https://a";alert(1)//', "-"])
def test_an_invalid_site_address_is_refused(tmp_path, host):
    with pytest.raises(Problem):
        extension.build_extension(tmp_path, host)


def test_somebody_elses_folder_is_left_alone(tmp_path):
    (tmp_path / extension.NAME).mkdir()
    (tmp_path / extension.NAME / "mine.txt").write_text("mine")
    with pytest.raises(Problem):
        extension.build_extension(tmp_path)
    assert (tmp_path / extension.NAME / "mine.txt").exists()
