"""Pages saved as MHTML, as Chromium writes it and as others do."""

import base64
import gzip
from pathlib import Path

import pytest

from extraction import formats
from extraction.formats import mhtml
from extraction.formats.records import Asset, BadRecord, Cause, FormatError, PageRecord
from tests.extraction.assets.files import png

IMAGE = png(3, 2)
BY_CHROMIUM = b"""From: <Saved by Blink>
Snapshot-Content-Location: https://news.example/day/bridge?a=1
Subject: =?utf-8?Q?Br=C3=BCcke?=
Date: Mon, 23 Nov 2026 09:41:07 +0100
MIME-Version: 1.0
Content-Type: multipart/related;
\ttype="text/html";
\tboundary="----MultipartBoundary--xyz----"


------MultipartBoundary--xyz----
Content-Type: text/html
Content-ID: <frame-1@mhtml.blink>
Content-Transfer-Encoding: quoted-printable
Content-Location: https://news.example/day/bridge?a=1

<!doctype html><meta charset=3D"utf-8"><link rel=3D"stylesheet" href=3D"cid=
:css-1@mhtml.blink"><p>Br=C3=BCcke<img src=3D"https://news.example/a.png">
------MultipartBoundary--xyz----
Content-Type: text/css
Content-Transfer-Encoding: quoted-printable
Content-Location: cid:css-1@mhtml.blink

p { color: red }
------MultipartBoundary--xyz----
Content-Type: image/png
Content-Transfer-Encoding: base64
Content-Location: https://news.example/a.png

IMAGE
------MultipartBoundary--xyz----
Content-Type: text/html
Content-ID: <frame-2@mhtml.blink>
Content-Transfer-Encoding: quoted-printable
Content-Location: https://ads.example/frame

<p>An advertisement
------MultipartBoundary--xyz------
""".replace(b"\n", b"\r\n").replace(b"IMAGE", base64.encodebytes(IMAGE).replace(b"\n", b"\r\n").strip())

BY_OTHERS = b"""MIME-Version: 1.0
Content-Type: multipart/related; type="text/html"; start="<main>"; boundary=b

This is a message in several parts.
--b
Content-Type: multipart/alternative; boundary=inner

--inner
Content-Type: text/plain

words
--inner
Content-Type: text/html; charset=iso-8859-1
Content-ID: <main>
Content-Location: http://news.example/

<p>caf\xe9<img src="cid:photo"><link rel=stylesheet href=main.css>
--inner--
--b
Content-Type: image/png
Content-ID: <photo>
Content-Transfer-Encoding: base64

!!!
--b
Content-Type: image/gif
Content-ID: <photo>
Content-Transfer-Encoding: BASE64

R0lG
--b
Content-Type: text/css
Content-Location: main.css

p{}
--b--
"""


def test_a_page_that_chromium_saved() -> None:
    record = mhtml.record_of("bridge.mhtml", BY_CHROMIUM)
    assert record.raw.decode().startswith(
        '<!doctype html><meta charset="utf-8"><link rel="stylesheet" href="cid:css-1'
    )
    assert "Brücke" in record.raw.decode()
    assert (record.url, record.captured_at) == (
        "https://news.example/day/bridge?a=1",
        "2026-11-23T09:41:07+01:00",
    )
    assert record.assets == (
        Asset("cid:css-1@mhtml.blink", b"p { color: red }", "text/css"),
        Asset("https://news.example/a.png", IMAGE, "image/png"),
    )


def test_a_page_that_another_program_saved() -> None:
    record = mhtml.record_of("a.mht", BY_OTHERS)
    assert (record.url, record.charset, record.captured_at) == ("http://news.example/", "iso-8859-1", None)
    assert record.raw.startswith(b"<p>caf\xe9")
    assert record.assets == (
        Asset("cid:photo", b"GIF", "image/gif"),
        Asset("http://news.example/main.css", b"p{}", "text/css"),
    )


def test_a_date_that_no_calendar_has_is_none() -> None:
    raw = BY_CHROMIUM.replace(b"Nov 2026", b"Nov 99999999999999999999")
    assert mhtml.record_of("a.mhtml", raw).captured_at is None


@pytest.mark.parametrize(
    ("raw", "reason"),
    [
        (b"", "head that does not end"),
        (b"<p>a\r\n\r\n", "several parts"),
        (b"Content-Type: multipart/related\r\n\r\nx", "between its parts"),
        (BY_CHROMIUM[:500], "cut off"),
        (BY_CHROMIUM.replace(b"text/html", b"text/plain"), "no page among its 4 parts"),
        (b"Content-Type: multipart/related; boundary=b\n\n" + b"--b\nA: b\n\nc\n" * 3_002, "3,000 parts"),
        (BY_OTHERS.replace(b"\n\n<p>", b"\nContent-Transfer-Encoding: base64\n\n<p>"), "damaged"),
    ],
)
def test_what_is_wrong_is_said(raw: bytes, reason: str) -> None:
    with pytest.raises(FormatError, match=reason):
        mhtml.record_of("a.mhtml", raw)


def test_a_page_that_is_whole_is_read_though_the_rest_is_cut_off() -> None:
    record = mhtml.record_of("a.mhtml", BY_CHROMIUM[: BY_CHROMIUM.index(b"image/png") + 100])
    assert [asset.media_type for asset in record.assets] == ["text/css"]


def test_a_folder_or_a_file_is_read(tmp_path: Path) -> None:
    (tmp_path / "b.MHT").write_bytes(BY_OTHERS)
    (tmp_path / "a.mhtml").write_bytes(b"nothing")
    (tmp_path / "c.txt").write_bytes(BY_OTHERS)
    reader = formats.READERS["mhtml"]
    bad, good = reader.read(tmp_path)
    assert isinstance(bad, BadRecord)
    assert bad.location == "a.mhtml"
    assert isinstance(good, PageRecord)
    assert reader.count(tmp_path) == 2
    assert [record.location for record in reader.read(tmp_path / "b.MHT")] == ["b.MHT"]
    with pytest.raises(FormatError):
        list(reader.read(tmp_path / "none"))


def test_a_compressed_file_among_others_is_read(tmp_path: Path) -> None:
    (tmp_path / "b.mht.gz").write_bytes(gzip.compress(BY_OTHERS))
    (found,) = formats.READERS["files"].read(tmp_path)
    assert found == mhtml.record_of("b.mht.gz", BY_OTHERS)


def test_advice_can_be_given_on_what_cannot_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mhtml, "MAX_FILE", 2000)
    (tmp_path / "cut.mhtml").write_bytes(BY_CHROMIUM[:500])
    (tmp_path / "large.mhtml").write_bytes(BY_CHROMIUM + bytes(2000))
    assert [(record.location, getattr(record, "cause", None)) for record in mhtml.read(tmp_path)] == [
        ("cut.mhtml", Cause.DAMAGED),
        ("large.mhtml", Cause.TOO_LARGE),
    ]


def test_a_file_is_known_by_its_head() -> None:
    assert mhtml.is_mhtml(BY_CHROMIUM)
    assert mhtml.is_mhtml(BY_OTHERS)
    assert not mhtml.is_mhtml(b"<html>\nContent-Type: multipart/related")
