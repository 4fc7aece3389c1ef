"""Which encoding, and how we knew."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from extraction.parsing.decode import decode
from extraction.parsing.prescan import declared_in_meta

WESTERN = "El Gobierno aprobó hoy el presupuesto; mañana habrá huelga, según informó el señor Núñez. " * 3
HUNGARIAN = (
    "Árvíztűrő tükörfúrógép. A kormány ma elfogadta a költségvetést, az ellenzék bírálja a tervet. " * 3
)


@pytest.mark.parametrize(
    ("mark", "codec", "name"),
    [
        (b"\xef\xbb\xbf", "utf-8", "utf-8"),
        (b"\xff\xfe", "utf-16-le", "utf-16le"),
        (b"\xfe\xff", "utf-16-be", "utf-16be"),
        (b"\xff\xfe\0\0", "utf-32-le", "utf-32le"),
        (b"\0\0\xfe\xff", "utf-32-be", "utf-32be"),
    ],
)
def test_a_byte_order_mark_wins_and_is_no_text(mark: bytes, codec: str, name: str) -> None:
    raw = mark + "<meta charset=gbk>señal".encode(codec)
    assert decode(raw, "latin1") == ("<meta charset=gbk>señal", name, "mark")


@pytest.mark.parametrize("codec", ["utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"])
def test_zeros_in_a_tag_tell_the_width_of_characters(codec: str) -> None:
    page = "\n 東京 <meta charset=utf-8>señal"
    name = codec[:6] + codec[7:]
    assert decode(page.encode(codec), "utf-8") == (page, name, "content")


def test_the_http_charset_wins_over_meta() -> None:
    assert decode("<meta charset=gbk>да".encode("cp1251"), "cp1251")[1:] == ("windows-1251", "http")


def test_an_unknown_http_charset_is_passed_over() -> None:
    assert decode("<meta charset=cp1251>да".encode("cp1251"), "klingon")[1:] == ("windows-1251", "meta")


def test_valid_utf_8_wins_over_what_was_declared() -> None:
    raw = "<meta charset=iso-8859-1>señal".encode()
    assert decode(raw) == (raw.decode(), "utf-8", "content")
    assert decode(raw, "cp1251").source == "content"


def test_utf_8_cut_off_in_a_character_is_still_utf_8() -> None:
    assert decode("señal: 40 €".encode()[:-1]) == ("señal: 40 \ufffd", "utf-8", "content")


def test_one_odd_byte_at_the_end_does_not_make_utf_8() -> None:
    assert decode(b"caf\xe9", "latin1") == ("café", "windows-1252", "http")


def test_ascii_bytes_keep_what_was_declared() -> None:
    assert decode(b"<meta charset=latin1>a")[1:] == ("windows-1252", "meta")


def test_ascii_bytes_without_a_word_are_windows_1252() -> None:
    assert decode(b"<p>a")[1:] == ("windows-1252", "default")


def test_a_declaration_after_the_first_kilobyte_counts() -> None:
    raw = b"<title>" + b"x" * 2000 + b"</title><meta charset=cp1251>" + "да".encode("cp1251")
    assert decode(raw)[1:] == ("windows-1251", "meta")


def test_utf_16_declared_in_meta_means_utf_8() -> None:
    assert decode(b"<meta charset=utf-16>a")[1:] == ("utf-8", "meta")


@pytest.mark.parametrize("label", ["x-user-defined", "hz-gb-2312", "iso-2022-kr"])
def test_encodings_that_cannot_read_text_fall_back(label: str) -> None:
    assert decode(b"caf\xe9", label).text == "café"


def test_bytes_that_do_not_decode_become_replacement_characters() -> None:
    assert decode(b"<meta charset=utf-8>a\xffb").text.endswith("a\ufffdb")


@pytest.mark.parametrize(
    ("text", "codec", "name"),
    [
        (WESTERN, "cp1252", "windows-1252"),
        (f"<html lang=hu>{HUNGARIAN}", "cp1250", "windows-1250"),
        ("Правительство сегодня одобрило бюджет. " * 3, "cp1251", "windows-1251"),
        ("政府は本日、教育費の削減を盛り込んだ予算案を承認した。" * 3, "shift_jis", "shift_jis"),
        ("정부는 오늘 교육비 삭감을 포함한 예산안을 승인했다." * 3, "cp949", "euc-kr"),
    ],
)
def test_undeclared_bytes_are_guessed(text: str, codec: str, name: str) -> None:
    assert decode(text.encode(codec)) == (text, name, "guess")


@given(st.binary(max_size=400), st.sampled_from([None, "", "utf-8", "latin1", "utf-16le", "gbk", "nonsense"]))
def test_any_bytes_decode_to_text_that_can_be_stored(raw: bytes, charset: str | None) -> None:
    decode(raw, charset).text.encode()


@pytest.mark.parametrize(
    ("head", "name"),
    [
        (b"<meta charset=latin1>", "windows-1252"),
        (b"<META http-equiv=Content-Type content='text/html; charset=iso-8859-2'>", "iso-8859-2"),
        (b'<meta content="charset=\'big5\'" http-equiv="content-type">', "big5"),
        (b"<meta http-equiv=content-type content='charset charset=gbk'>", "gbk"),
        (b"<meta/charset='windows-1251'/>", "windows-1251"),
        (b"<!-- <meta charset=gbk> --><meta charset=big5>", "big5"),
        (b"<!--><meta charset=gbk>", "gbk"),
        (b'<a title="<meta charset=gbk>"><meta charset=big5>', "big5"),
        (b"<meta charset=bogus><meta charset=gbk>", "gbk"),
        (b"<?xml encoding=gbk?><meta charset=big5>", "big5"),
        (b"<meta content='text/html; charset=gbk'>", None),
        (b"<meta charset='gbk", None),
        (b"<metal charset=gbk>", None),
        (b"<p>charset=gbk</p>", None),
        (b"", None),
    ],
)
def test_prescan_reads_meta_as_the_standard_says(head: bytes, name: str | None) -> None:
    assert declared_in_meta(head) == name
