"""The child process that reads captured style sheets and images."""

import io
from collections.abc import Iterator

import pytest
from PIL import Image

from extraction.asset_sandbox import AssetSandbox, CapturedSheet
from extraction.assets.errors import AssetRefused
from extraction.documents.view.captured_assets import Picture
from extraction.parsing.parse import parse
from tests.extraction.assets.files import bomb, png


@pytest.fixture(scope="module")
def sandbox() -> Iterator[AssetSandbox]:
    with AssetSandbox() as started:
        yield started


def test_an_image_becomes_one_of_ours(sandbox: AssetSandbox) -> None:
    made = sandbox.prepare(png(30, 20) + b"<script>alert(1)</script>", "text/html")
    assert (made.kind, made.media_type, made.width, made.height) == ("image", "image/webp", 30, 20)
    assert b"script" not in made.data
    assert Image.open(io.BytesIO(made.data)).size == (30, 20)


def test_a_sheet_is_told_by_its_bytes_and_type(sandbox: AssetSandbox) -> None:
    assert sandbox.prepare(b"p { color: red }", "text/css").kind == "sheet"
    assert sandbox.prepare(b"p { color: red }").kind == "sheet"
    with pytest.raises(AssetRefused, match="neither"):
        sandbox.prepare(b"<html>", "text/html")


def test_the_child_outlives_a_bomb(sandbox: AssetSandbox) -> None:
    with pytest.raises(AssetRefused, match="pixels"):
        sandbox.prepare(bomb(60_000, 60_000), "image/png")
    assert sandbox.prepare(png(2, 2)).kind == "image"


def test_what_takes_too_long_is_refused() -> None:
    with AssetSandbox(cpu_seconds=1) as impatient, pytest.raises(AssetRefused, match="CPU time"):
        impatient.build_view(
            parse(b"<p>x<link rel=stylesheet href=a>").pack(),
            url="https://news.example/",
            encoding="utf-8",
            sheets=[CapturedSheet("https://news.example/a", b"a{b:c}" * 900_000)],
            pictures={},
        )


def test_a_view_is_dressed(sandbox: AssetSandbox) -> None:
    html = b"<link rel=stylesheet href=main.css><link rel=stylesheet href=lost.css><p>x<img src=/a.png>"
    dressed = sandbox.build_view(
        parse(html).pack(),
        url="https://news.example/day/one",
        encoding="utf-8",
        sheets=[CapturedSheet("https://news.example/day/main.css", "p::before{content:'é'}".encode())],
        pictures={"https://news.example/a.png": Picture("f" * 64, 3, 4)},
    )
    assert (dressed.sheets, dressed.images) == (1, 1)
    assert dressed.missing_sheets == ("https://news.example/day/lost.css",)
