"""Images of strangers are decoded under limits and encoded again; drawings are written again."""

import io

import pytest
from lxml import etree
from PIL import Image

from extraction.assets import images, svg
from extraction.assets.errors import AssetRefused
from tests.extraction.assets.files import bomb, frames, png, saved


@pytest.mark.parametrize(
    ("kind", "mode"),
    [
        ("PNG", "RGB"), ("PNG", "RGBA"), ("PNG", "P"), ("PNG", "1"), ("PNG", "LA"), ("PNG", "I;16"),
        ("JPEG", "RGB"), ("JPEG", "CMYK"), ("JPEG", "L"), ("GIF", "P"), ("WEBP", "RGBA"), ("BMP", "RGB"),
    ],
)  # fmt: skip
def test_every_usual_image_is_made_anew(kind: str, mode: str) -> None:
    image = Image.new(mode, (40, 30))
    out = io.BytesIO()
    image.save(out, kind)
    made = images.remake(out.getvalue())
    shown = Image.open(io.BytesIO(made.data))
    assert (shown.format, shown.size, made.width, made.height) == ("WEBP", (40, 30), 40, 30)


def test_transparency_stays_and_metadata_goes() -> None:
    out = io.BytesIO()
    exif = Image.Exif()
    exif[0x010E] = "secret words"
    Image.new("RGBA", (80, 80), (1, 2, 3, 0)).save(out, "PNG", exif=exif, icc_profile=b"profile" * 50)
    made = Image.open(io.BytesIO(images.remake(out.getvalue()).data))
    assert made.mode == "RGBA"
    assert made.getchannel("A").getpixel((5, 5)) == 0
    assert not {"exif", "icc_profile"} & made.info.keys()


def test_a_turned_photograph_is_turned() -> None:
    exif = Image.Exif()
    exif[0x0112] = 6
    made = images.remake(saved("JPEG", exif=exif))
    assert (made.width, made.height) == (30, 40)


def test_of_a_moving_picture_the_first_frame_is_kept() -> None:
    made = Image.open(io.BytesIO(images.remake(frames(200)).data))
    assert getattr(made, "n_frames", 1) == 1


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"GIF89a",
        png(50, 50)[:60],
        saved("JPEG")[:-300],
        bomb(60_000, 60_000),
        bomb(16_001, 1),
        b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 9 9\n",
        b"\x00" * 100,
    ],
)
def test_the_rest_is_refused(raw: bytes) -> None:
    with pytest.raises(AssetRefused):
        images.remake(raw)


def test_a_page_that_is_an_image_too_is_only_an_image() -> None:
    comment = b"/*<script>alert(1)</script>*/=1;"
    made = images.remake(saved("GIF", "P", comment=comment) + b"<html><script src=//canary.example></script>")
    assert b"script" not in made.data
    assert b"canary" not in made.data


HOSTILE = """<?xml version="1.0"?><?xml-stylesheet href="http://canary.example/a"?>
<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" onload="alert(1)"
 width="20" height="10px" viewBox="0 0 20 10">
<script>alert(1)</script><script xlink:href="http://canary.example/b"/>
<style>@import "http://canary.example/c"; .a { fill: url(http://canary.example/d); color: red }</style>
<foreignObject><body xmlns="http://www.w3.org/1999/xhtml"><iframe src="http://canary.example/e"/></body>
</foreignObject><image href="http://canary.example/f"/>
<use xlink:href="http://canary.example/g#a"/><use href="#a"/>
<a href="javascript:alert(1)"><path d="M0 0"/></a><animate attributeName="href" to="javascript:alert(1)"/>
<filter id="f"><feImage href="http://canary.example/h"/></filter>
<set attributeName="onload" to="alert(1)"/>
<rect id="a" class="a" width="5" fill="url(http://canary.example/i)" onclick="x"
 style="fill:url(http://canary.example/j)"/>
<path d="M0 0L5 5" fill="url(#g)" filter="url(http://canary.example/k)"/>
<linearGradient id="g"><stop offset="0"/></linearGradient>
<g xmlns:x="http://www.w3.org/1999/xhtml"><x:script>alert(1)</x:script></g>
<text>one <tspan>two</tspan> three</text></svg>"""

GONE = ["canary", "script", "alert", "onload", "onclick", "foreign", "use", "image", "href", "xml-style"]


def test_a_drawing_is_written_anew_from_what_draws() -> None:
    made = svg.remake(HOSTILE.encode())
    assert (made.media_type, made.width, made.height) == ("image/svg+xml", 20, 10)
    text = made.data.decode()
    assert [word for word in GONE if word in text] == []
    root = etree.fromstring(made.data)
    names = [str(element.tag).rpartition("}")[2] for element in root.iter()]
    assert names == ["svg", "style", "rect", "path", "linearGradient", "stop", "g", "text", "tspan"]
    assert 'fill="url(#g)"' in text
    assert "".join(map(str, root[-1].itertext())) == "one two three"


@pytest.mark.parametrize(
    "raw",
    [
        b"<svg xmlns='http://www.w3.org/2000/svg'>" + b"<g/>" * (svg.MAX_ELEMENTS + 1) + b"</svg>",
        b"<!DOCTYPE svg [<!ENTITY a 'b'>]><svg xmlns='http://www.w3.org/2000/svg'><text>&a;</text></svg>",
        b"<html><svg/></html>",
        b"<svg xmlns='http://www.w3.org/2000/svg'>" + b" " * svg.MAX_BYTES + b"</svg>",
        b"nothing",
    ],
)
def test_bombs_and_what_is_no_drawing_are_refused(raw: bytes) -> None:
    with pytest.raises(AssetRefused):
        svg.remake(raw)


def test_a_deep_drawing_ends_somewhere() -> None:
    deep = b"<svg xmlns='http://www.w3.org/2000/svg'>" + b"<g>" * 200 + b"</g>" * 200 + b"</svg>"
    assert svg.remake(deep).data.count(b"<g") == svg.MAX_DEPTH
