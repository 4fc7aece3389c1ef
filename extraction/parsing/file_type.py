"""Are these bytes a page at all? Images, archives, documents and programs are known by how they begin.

Signatures and binary bytes are those of the MIME Sniffing standard (https://mimesniff.spec.whatwg.org,
sections 3 and 6), with signatures for office files and programs. They are anchored, and longer than the
standard's where a text could begin so, too. Whatever has no signature is refused for its share of binary
bytes, unless it begins as a page does: saved pages may be filled up with zeros.
"""

import re

from extraction.parsing.errors import ParseError

# A tenth of random and of compressed bytes are binary ones, and none of the bytes of nearly all pages.
MAX_BINARY_SHARE = 0.02

_MIN_BINARY = 8  # bytes: fewer may stand in any text

_SAMPLE = 64 * 1024  # bytes
_HEAD = 4 * 1024  # bytes in which a page has its first tag
_BINARY = bytes([*range(0x09), 0x0B, *range(0x0E, 0x1B), *range(0x1C, 0x20)])
_SIGNATURES = [
    (re.compile(pattern, re.DOTALL), name)
    for pattern, name in (
        (rb"%PDF-", "a PDF file"),
        (rb"%!PS-Adobe-", "a PostScript file"),
        (rb"PK(?:\x03\x04|\x05\x06|\x07\x08)", "a ZIP archive or an office document"),
        (rb"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an office document"),
        (rb"\{\\rtf", "an RTF document"),
        (rb"\x1f\x8b\x08", "a gzip archive"),
        (rb"BZh[1-9]1AY&SY", "a bzip2 archive"),
        (rb"\xfd7zXZ\0", "an xz archive"),
        (rb"\x28\xb5\x2f\xfd", "a Zstandard archive"),
        (rb"7z\xbc\xaf\x27\x1c", "a 7z archive"),
        (rb"Rar!\x1a\x07", "a RAR archive"),
        (rb"\x89PNG\r\n\x1a\n", "a PNG image"),
        (rb"\xff\xd8\xff", "a JPEG image"),
        (rb"GIF8[79]a", "a GIF image"),
        (rb"RIFF.{4}WEBPVP", "a WebP image"),
        (rb"\0\0\0.ftyp(?:avi[fs]|hei[cfsx]|mif1)", "an AVIF or HEIC image"),
        (rb"BM.{4}\0{4}", "a BMP image"),
        (rb"II\x2a\0|MM\0\x2a", "a TIFF image"),
        (rb"\0\0[\x01\x02]\0", "an icon"),
        (rb"8BPS\0", "a Photoshop image"),
        (rb"\0\0\0.ftyp", "an MP4 video"),
        (rb"\x1a\x45\xdf\xa3", "a WebM or Matroska video"),
        (rb"RIFF.{4}AVI ", "an AVI video"),
        (rb"\0\0\x01[\xb3\xba]", "an MPEG video"),
        (rb"FLV\x01", "a Flash video"),
        (rb"ID3[\x02-\x04]", "an MP3 file"),
        (rb"OggS\0", "an Ogg file"),
        (rb"fLaC\0", "a FLAC file"),
        (rb"RIFF.{4}WAVE", "a WAVE file"),
        (rb"FORM.{4}AIF[FC]", "an AIFF file"),
        (rb"MThd\0\0\0\x06", "a MIDI file"),
        (rb"wOF[F2]|OTTO\0|ttcf\0|\0\x01\0\0\0", "a font"),
        (rb"\x7fELF|MZ.[\0-\x03]|[\xce\xcf]\xfa\xed\xfe|\xfe\xed\xfa[\xce\xcf]|\0asm\x01", "a program"),
        (rb"\xca\xfe\xba\xbe\0", "a program"),
        (rb"SQLite format 3\0", "an SQLite database"),
        (rb"bplist00", "a property list"),
    )
]
# The record at the end of a ZIP archive, and how far from the end of the file it may be.
_ZIP_END, _ZIP_TAIL = re.compile(rb"PK\x05\x06.{18}", re.DOTALL), 1 << 20
# As SingleFile marks such pages.
_ZIP_HTML = re.compile(rb"<html[^>]*\sdata-sfz\b", re.IGNORECASE)
_BYTE_ORDER_MARKS = (b"\xff\xfe", b"\xfe\xff", b"\xef\xbb\xbf", b"\0\0\xfe\xff")
# Any tag at the very beginning; further on only those that are not met by chance.
_MARKUP = re.compile(
    rb"\A\s*<[a-z][a-z0-9]*[\s/>]|<(?:!--|(?:!doctype|\?xml|html|head|title|meta|link|base|script|style|body|iframe|div|table|center|font"
    rb"|article|section|main|header|h[1-6]|br|img|ul|ol|span|form|text)[\s/>])",
    re.IGNORECASE,
)


def check_is_page(raw: bytes) -> None:
    """Raise ParseError for bytes that are another kind of file, or no text; takes microseconds."""
    name = next((name for signature, name in _SIGNATURES if signature.match(raw)), None)
    if name:
        raise ParseError("not-html", f"This is {name}, not an HTML page")
    sample = raw[:_SAMPLE]
    binary = len(sample) - len(sample.translate(None, _BINARY))
    if binary >= max(_MIN_BINARY, MAX_BINARY_SHARE * len(sample)) and not _begins_as_page(raw[:_HEAD]):
        share = f"{binary / len(sample):.0%} of its bytes are control characters"
        raise ParseError("not-html", f"This is binary data, not an HTML page: {share}")


def is_zip_html(raw: bytes) -> bool:
    """Whether these bytes are an HTML page that unpacks a ZIP archive of itself by a script."""
    if _ZIP_HTML.search(raw[:_HEAD]):
        return True
    return b"PK\x03\x04" in raw and _ZIP_END.search(raw, max(0, len(raw) - _ZIP_TAIL)) is not None


def _begins_as_page(head: bytes) -> bool:
    """True for a byte order mark, and for a tag; in UTF-16 and UTF-32 zeros stand between its letters."""
    return head.startswith(_BYTE_ORDER_MARKS) or _MARKUP.search(head.replace(b"\0", b"")) is not None
