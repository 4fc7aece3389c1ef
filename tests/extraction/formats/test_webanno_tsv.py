"""WebAnno TSV 3: what goes out is what its program would read, and what that writes comes in."""

from pathlib import Path

import pytest

from extraction.formats import BadRecord, PageRecord, webanno_tsv
from extraction.formats.detection import detect
from extraction.formats.writing import Loss
from extraction.parsing.parse import parse
from extraction.spans import Span
from tests.extraction.formats.exported import ASTRAL, FACTS, of_document, pages

# As INCEpTION writes it: a layer that is not asked for first, parts of words, one mark over two sentences.
OF_INCEPTION = """#FORMAT=WebAnno TSV 3.3
#T_SP=webanno.custom.Note|comment|kind
#T_RL=webanno.custom.Link|role|BT_webanno.custom.Note
#T_SP=de.tudarmstadt.ukp.dkpro.core.api.ner.type.NamedEntity|identifier|value


#Sentence.id=one
#Text=Bridge 🌉 opens.
1-1\t0-6\tBridge\t*\tseen\t_\t_\t*[1]\tHeadline[1]\t
1-2\t7-9\t🌉\t_\t_\t_\t_\t*[1]\tHeadline[1]\t
1-3\t10-15\topens\t_\t_\t_\t_\t_\t_\t
1-3.1\t10-12\top\t_\t_\t_\t_\t*[1]\tHeadline[1]\t
1-3.2\t12-15\tens\t_\t_\t_\t_\t*\tmy\\_label\t
1-4\t15-16\t.\t_\t_\t_\t_\t*\t*\t

#Text=They said \\\\ so,
#Text=on Monday.
2-1\t18-22\tThey\t_\t_\t_\t_\t*[2]\tbody[2]\t
2-2\t23-27\tsaid\t_\t_\t_\t_\t*[2]\tbody[2]\t
"""


def read_one(folder: Path, text: str) -> PageRecord | BadRecord:
    (folder / "one.tsv").write_text(text, encoding="utf-8")
    (found,) = webanno_tsv.read(folder)
    return found


def test_what_inception_writes_comes_in(tmp_path: Path) -> None:
    found = read_one(tmp_path, OF_INCEPTION)
    assert detect(tmp_path).format == "webanno-tsv"
    assert isinstance(found, PageRecord)
    assert found.gold
    base = found.gold.base or ""
    assert base == "Bridge 🌉 opens.\n They said \\ so,\non Monday."
    assert [(base[start:end], label) for start, end, label in found.gold.spans or ()] == [
        ("Bridge 🌉 op", "headline"),
        ("ens", "my_label"),
        ("They said", "body"),
    ]


def test_a_file_that_went_through_windows_has_the_same_marks(tmp_path: Path) -> None:
    """An editor there adds a byte-order mark and ends lines with CR LF: the last layer's name ends in CR."""
    plain = read_one(tmp_path, OF_INCEPTION)
    (tmp_path / "one.tsv").write_bytes(b"\xef\xbb\xbf" + OF_INCEPTION.replace("\n", "\r\n").encode())
    assert detect(tmp_path).format == "webanno-tsv"
    assert list(webanno_tsv.read(tmp_path)) == [plain]


def test_texts_are_exact_and_each_line_quotes_them(tmp_path: Path) -> None:
    found = [each for each in pages() if each.gold and each.gold.verdict == "article"]
    webanno_tsv.WRITER.write_folder(found, tmp_path, FACTS)
    back = {each.location: each for each in webanno_tsv.read(tmp_path) if isinstance(each, PageRecord)}
    for record in found:
        text = record.document.text if record.document else ""
        gold = back[record.sha256].gold
        assert gold
        assert (gold.base or "").strip() == text.strip()
        units = text.encode("utf-16-le")
        for line in (tmp_path / f"{record.sha256}.tsv").read_text("utf-8").split("\n"):
            if "\t" in line:
                start, end = map(int, line.split("\t")[1].split("-"))
                quoted = units[2 * start : 2 * end].decode("utf-16-le")
                assert line.split("\t")[2].replace("\\\\", "\\") == quoted


def test_a_text_that_begins_with_other_blanks_than_spaces_comes_back(tmp_path: Path) -> None:
    raw = "<p>\x85</p><p>¨</p>".encode()
    document = parse(raw)
    assert document.text == "\x85\n\n¨"
    record = of_document(document, raw, [Span(3, 4, "body")], 0)
    webanno_tsv.WRITER.write_folder([record], tmp_path, FACTS)
    (back,) = webanno_tsv.read(tmp_path)
    assert isinstance(back, PageRecord)
    assert back.gold
    assert (back.gold.base, back.gold.spans) == (document.text, (Span(3, 4, "body"),))


def test_blanks_at_the_ends_of_marks_are_named_as_lost() -> None:
    document = parse(ASTRAL.encode())
    (first, end), *_ = document.blocks
    for start, lost in ((first, set()), (document.text.index(" "), {Loss.EDGES})):
        record = of_document(document, ASTRAL.encode(), [Span(start, end, "body")], 0)
        assert webanno_tsv.WRITER.losses_of(record) == lost


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("TSV 3.3", "TSV 2.0", "does not begin"),
        ("2-1\t18-22", "2-1\t999999999-999999999", "does not begin where its sentence does"),
        ("2-1\t18-22", "2-1\t5-22", "does not begin where its sentence does"),
        ("2-2\t23-27", "2-2\t23-99", "outside its sentence"),
        ("2-2\t23-27", "2-2\tx", "is no token"),
        ("1-3.2\t12-15", "1-3.2\t8-15", "lies inside a character"),
        ("Headline[1]\t\n1-2", "Headline[1]|body[3]\t\n1-2", "cannot be gold"),
    ],
)
def test_what_does_not_fit_is_refused(tmp_path: Path, old: str, new: str, reason: str) -> None:
    assert old in OF_INCEPTION
    found = read_one(tmp_path, OF_INCEPTION.replace(old, new, 1))
    assert isinstance(found, BadRecord)
    assert reason in found.reason
