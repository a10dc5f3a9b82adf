"""Files that are served: read once, by path, with their types and tags."""

import gzip
from pathlib import Path

import pytest

from dormie_server.assets import ASK_AGAIN, FOR_EVER, Asset, load


@pytest.fixture
def found(tmp_path: Path) -> dict[str, Asset]:
    (tmp_path / "assets").mkdir()
    (tmp_path / "index.html").write_text("<p>page</p>", "utf-8")
    (tmp_path / "assets" / "app-1a2b.js").write_text("let a = 1;\n" * 1000, "utf-8")
    (tmp_path / "assets" / "index.html").write_text("<p>inner</p>", "utf-8")
    (tmp_path / "card.PNG").write_bytes(b"\x89PNG")
    (tmp_path / "notes.py").write_text("secret = 1", "utf-8")
    return load(tmp_path)


def test_only_files_of_the_web_are_served(found: dict[str, Asset]) -> None:
    paths = {"/", "/index.html", "/card.PNG", "/assets/", "/assets/index.html"}

    assert paths | {"/assets/app-1a2b.js"} == set(found)


def test_a_file_has_its_type(found: dict[str, Asset]) -> None:
    assert "text/html; charset=utf-8" == found["/"].type
    assert "text/javascript; charset=utf-8" == found["/assets/app-1a2b.js"].type
    assert "image/png" == found["/card.PNG"].type


def test_a_file_whose_name_says_what_is_in_it_is_kept_for_ever(found: dict[str, Asset]) -> None:
    assert FOR_EVER == found["/assets/app-1a2b.js"].cache
    assert ASK_AGAIN == found["/"].cache


def test_a_file_is_packed_where_that_pays(found: dict[str, Asset]) -> None:
    script = found["/assets/app-1a2b.js"]

    assert found["/"].packed is None
    assert script.packed is not None
    assert script.body == gzip.decompress(script.packed)
    assert len(script.packed) < len(script.body)


def test_two_bodies_have_two_tags_and_the_same_ones_every_time(
    tmp_path: Path, found: dict[str, Asset]
) -> None:
    again = load(tmp_path)["/assets/app-1a2b.js"]
    script = found["/assets/app-1a2b.js"]
    tags = {script.tag(packed=True), script.tag(packed=False), found["/"].tag(packed=False)}

    assert 3 == len(tags)
    assert again == script
