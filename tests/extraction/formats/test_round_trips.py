"""What is written for another program comes back with equal spans, or the loss is named."""

import dataclasses
import io
import json
import zipfile
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from annotator.demo.older import PAGES as DEMO
from extraction.documents.utf16 import Units
from extraction.formats import READERS, WRITERS, FormatError, PageRecord, place
from extraction.formats.detection import detect
from extraction.formats.records import BadRecord
from extraction.formats.writing import FolderWriter, Loss
from extraction.parsing.parse import parse
from extraction.spans import LABEL_SETS, LABELS, Span, normalise, text_of
from tests.extraction.corpora import PUBLISHED
from tests.extraction.formats.exported import ASTRAL, FACTS, TEXTS, made_pages, of_document, pages, record

#: Formats with positions that we read back, and the labels that each keeps apart.
EXACT = ("inception", "l3s-gn1", "label-studio", "webanno-tsv")
TEXT_ONLY = ("cleaneval", "dragnet", "wcxb")
FOLDERS = count()


@pytest.fixture
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp(f"out{next(FOLDERS)}")


def articles(records: tuple[PageRecord, ...] | list[PageRecord], name: str) -> list[PageRecord]:
    """What goes into the format, with the text of its label set."""
    labels = WRITERS[name].articles
    kept = [each for each in records if not labels or each.gold.verdict == "article"]
    if not labels:
        return kept
    return [
        dataclasses.replace(
            each, gold=dataclasses.replace(each.gold, text=text_of(each.tree, each.gold.spans, labels))
        )
        for each in kept
    ]


def folder_writer(name: str) -> FolderWriter:
    writer = WRITERS[name]
    assert isinstance(writer, FolderWriter)
    return writer


def there_and_back(name: str, records: list[PageRecord], folder: Path) -> dict[str, PageRecord]:
    """What the reader makes of what the writer wrote, by digest."""
    folder_writer(name).write_folder(records, folder, FACTS)
    if records:
        assert detect(folder) == (name, folder)
    found = list(READERS[name].read(folder))
    assert not [each for each in found if isinstance(each, BadRecord)]
    return {each.sha256: each for each in found if isinstance(each, PageRecord)}


def placed(back: PageRecord) -> list[Span]:
    assert back.gold
    return place(back.gold, parse(back.raw, back.charset)).spans


def check_exact(name: str, records: list[PageRecord], folder: Path) -> int:
    back = there_and_back(name, records, folder)
    equal = 0
    assert back.keys() == {each.sha256 for each in records}
    for each in records:
        if WRITERS[name].losses_of(each):
            continue
        found = back[each.sha256]
        assert found.gold
        assert placed(found) == list(each.gold.spans)
        assert found.gold.verdict == each.gold.verdict
        equal += 1
    return equal


@pytest.mark.parametrize("name", EXACT)
def test_spans_come_back_equal(name: str, folder: Path) -> None:
    found = articles(pages(), name)
    assert check_exact(name, found, folder) >= len(found) - 3


@pytest.mark.parametrize("name", EXACT)
@given(data=st.data())
@settings(max_examples=40, deadline=None)
def test_spans_of_any_text_come_back_equal(
    name: str, data: st.DataObject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    found = articles(data.draw(made_pages()), name)
    assume(found)  # nothing is read from a folder without pages
    check_exact(name, found, tmp_path_factory.mktemp(f"any{next(FOLDERS)}"))


@pytest.mark.parametrize("name", EXACT)
def test_spans_beside_spaces_of_other_kinds_come_back_equal(name: str, folder: Path) -> None:
    """A no-break space is part of a page's text, also where a paragraph begins or ends with it."""
    raw = b"<p>One</p><p>Two</p><p>&nbsp;Three&nbsp;</p><p>\x7f</p><p>Five</p>"
    document = parse(raw)
    spaces = document.text.index("\xa0Three\xa0")
    marks = [Span(*document.blocks[0], "headline"), Span(spaces + 1, spaces + 6, "body")]
    marks += [Span(*block, "comments") for block in document.blocks[3:]]
    page = articles([of_document(document, raw, marks, 0)], name)
    assert check_exact(name, page, folder) == 1


@pytest.mark.parametrize("name", ["inception", "label-studio", "webanno-tsv"])
def test_texts_without_pages_come_back_as_pages(name: str, folder: Path) -> None:
    """The page that is made of a text has that text, and the marks on it."""
    bare = [dataclasses.replace(each, raw=b"") for each in articles(pages(), name)]
    folder_writer(name).write_folder(bare, folder, dataclasses.replace(FACTS, raw_pages=False))
    found = {each.gold.base: each for each in READERS[name].read(folder)}
    for each in bare:
        back = found[each.document.text]
        document = parse(back.raw)
        quotes = [(document.text[start:end].split(), label) for start, end, label in placed(back)]
        expected = [(each.document.text[start:end].split(), label) for start, end, label in each.gold.spans]
        assert [word for words, _ in quotes for word in words] == [
            word for words, _ in expected for word in words
        ]


def test_boilernet_tells_content_from_boilerplate(folder: Path) -> None:
    found = articles(pages(), "boilernet")
    back = there_and_back("boilernet", found, folder)
    for each in found:
        if not WRITERS["boilernet"].losses_of(each):
            kept = [span for span in each.gold.spans if span.label in LABEL_SETS["article"]]
            content = normalise(Span(start, end, "content") for start, end, _ in kept)
            assert placed(back[each.sha256]) == content


@pytest.mark.parametrize("name", TEXT_ONLY)
def test_texts_come_back_in_their_places(name: str, folder: Path) -> None:
    """Without positions: the text is aligned again, and lies where it did."""
    two = ("headline", "body")
    found = articles([record(each.raw, number, two) for number, each in enumerate(pages())], name)
    back = there_and_back(name, found, folder)
    for each in found:
        gold = placed(back[each.sha256])
        main = [span for span in each.gold.spans if span.label in LABEL_SETS["main"]]
        text = each.document.text
        assert visible(text, gold, LABEL_SETS["main"]) >= 0.98 * visible(text, main, LABEL_SETS["main"])


def test_dragnet_has_comments_after_the_content(folder: Path) -> None:
    document = parse(ASTRAL.encode())
    *content, comment = document.blocks
    marks = [*(Span(start, end, "body") for start, end in content), Span(*comment, "comments")]
    page = of_document(document, ASTRAL.encode(), marks, 0)
    (back,) = there_and_back("dragnet", [page], folder).values()
    assert [(start, end) for start, end, label in placed(back) if label == "comments"] == [tuple(comment)]
    assert [(start, end) for start, end, label in placed(back) if label == "content"] == list(
        map(tuple, content)
    )


def test_comments_before_content_are_named_as_lost_by_dragnet() -> None:
    document = parse(ASTRAL.encode())
    first, second, *_ = document.blocks
    losses = WRITERS["dragnet"].losses_of
    for labels, lost in ((("comments", "body"), {Loss.ORDER}), (("body", "comments"), set())):
        marks = [Span(*first, labels[0]), Span(*second, labels[1])]
        assert losses(of_document(document, ASTRAL.encode(), marks, 0)) == lost


def visible(text: str, spans: list[Span], labels: frozenset[str]) -> int:
    kept = (span for span in spans if span.label in labels | {"content", "body+headline"})
    return sum(not char.isspace() for start, end, _ in kept for char in text[start:end])


@given(texts=st.lists(TEXTS, min_size=1, max_size=4))
@settings(max_examples=60, deadline=None)
@pytest.mark.parametrize("name", TEXT_ONLY)
def test_any_bytes_of_a_page_come_back(
    name: str, texts: list[str], tmp_path_factory: pytest.TempPathFactory
) -> None:
    raw = "".join(texts).encode("utf-8", "replace")
    bare = record(b"<p>One</p>", labels=("body",))
    changed = dataclasses.replace(bare, raw=raw, known_sha256="")
    back = there_and_back(name, [changed], tmp_path_factory.mktemp(f"bytes{next(FOLDERS)}"))
    assert [each.raw for each in back.values()] == [raw]


@pytest.mark.parametrize("name", EXACT)
def test_spans_of_real_pages_come_back_equal(name: str, folder: Path) -> None:
    """Published pages where they lie beside the project, or pages of the demo."""
    files = sorted((PUBLISHED / "html").glob("*.html.gz"))[:12]
    raws = [READERS["scrapinghub"].read_bytes(file) for file in files]
    raws = raws or [file.read_bytes() for file in sorted(DEMO.glob("*.html"))[:12]]
    assert len(raws) >= 10
    found = sorted((record(raw, number) for number, raw in enumerate(raws)), key=lambda each: each.sha256)
    assert check_exact(name, articles(found, name), folder) >= 8


def test_a_label_of_ones_own_is_lost_in_l3s_gn1_and_named() -> None:
    own = record(b"<p>One</p><p>Two</p>", labels=("tags",))
    assert Loss.LABELS in WRITERS["l3s-gn1"].losses_of(own)


@given(TEXTS, st.data())
def test_units_are_those_of_utf_16(text: str, data: st.DataObject) -> None:
    units = Units(text)
    at = data.draw(st.integers(0, len(text)))
    assert units.of(at) == len(text[:at].encode("utf-16-le", "surrogatepass")) // 2
    assert units.code_point(units.of(at)) == at


def test_a_unit_inside_a_character_is_refused() -> None:
    units = Units("a😀b")
    for wrong in (2, 5, -1):
        with pytest.raises(ValueError, match="lies"):
            units.code_point(wrong)


# ---- as other programs read them ----


def web_annotations(folder: Path) -> list[dict[str, Any]]:
    folder_writer("web-annotation").write_folder(pages(), folder, FACTS)
    found = json.loads((folder / "annotations.jsonld").read_text(encoding="utf-8"))
    assert found["@context"] == "http://www.w3.org/ns/anno.jsonld"
    assert len({item["id"] for item in found["items"]}) == len(found["items"])
    return list(found["items"])


def test_positions_and_quotes_of_web_annotations_agree(folder: Path) -> None:
    """The specification counts code points: `Selections ... in terms of unicode code points`."""
    spans: dict[str, list[Span]] = {}
    for item in web_annotations(folder):
        target = item["target"]
        if "selector" not in target or "creator" in item:
            continue
        text = (folder / target["source"]).read_text(encoding="utf-8")
        position, quote = target["selector"]
        start, end = position["start"], position["end"]
        assert quote["exact"] == text[start:end]
        assert text[:start].endswith(quote["prefix"])
        assert text[end:].startswith(quote["suffix"])
        digest = target["source"].removeprefix("texts/").removesuffix(".txt")
        spans.setdefault(digest, []).append(Span(start, end, item["body"]["value"]))
    assert spans == {each.sha256: list(each.gold.spans) for each in pages() if each.gold.spans}


def test_annotators_of_web_annotations_have_pseudonyms(folder: Path) -> None:
    nicknames = {item["creator"]["nickname"] for item in web_annotations(folder) if "creator" in item}
    assert nicknames == {"annotator-1", "annotator-2"}


def test_cassis_reads_the_xmi(folder: Path) -> None:
    import cassis

    found = articles(pages(), "inception")
    stream = io.BytesIO()
    WRITERS["inception"].write(found, stream, FACTS)
    with zipfile.ZipFile(stream) as archive:
        types = cassis.load_typesystem(archive.read("TypeSystem.xml").decode())
        for each in found:
            xmi = archive.read(f"{each.sha256}.xmi").decode()
            cas = cassis.load_cas_from_xmi(xmi, typesystem=types)
            assert cas.sofa_string == each.document.text
            marks = cas.select("de.tudarmstadt.ukp.dkpro.core.api.ner.type.NamedEntity")
            assert [Span(mark.begin, mark.end, mark.value) for mark in marks] == list(each.gold.spans)


def test_offsets_of_xmi_and_of_label_studio_are_those_of_utf_16(folder: Path) -> None:
    astral = record("<h1>🌉 opens</h1><p>a 😀 b</p>".encode())
    for name in ("inception", "label-studio"):
        folder_writer(name).write_folder([astral], folder / name, FACTS)
    xmi = (folder / "inception" / f"{astral.sha256}.xmi").read_text(encoding="utf-8")
    assert 'begin="0" end="8" value="headline"' in xmi
    (task,) = json.loads((folder / "label-studio" / "tasks.json").read_text(encoding="utf-8"))
    values = [each["value"] for each in task["annotations"][0]["result"] if each["type"] == "labels"]
    text = task["data"]["text"].encode("utf-16-le")
    assert [text[2 * v["start"] : 2 * v["end"]].decode("utf-16-le") for v in values] == [
        v["text"] for v in values
    ]
    assert (values[0]["start"], values[0]["end"]) == (0, 8)


# ---- what others write ----


def read_tasks(folder: Path, *tasks: object) -> list[PageRecord | BadRecord]:
    (folder / "project-1-at-2026.json").write_text(json.dumps(tasks), encoding="utf-8")
    assert detect(folder).format == "label-studio"
    return list(READERS["label-studio"].read(folder))


def region(start: int, end: int, text: str, label: str, **more: object) -> dict[str, object]:
    return {"type": "labels", "value": {"start": start, "end": end, "text": text, "labels": [label], **more}}


def test_a_project_of_label_studio_comes_in(folder: Path) -> None:
    text = "Bridge 🌉 opens\n\nIt opened on Monday."
    task = {
        "id": 5,
        "data": {"text": text},
        "annotations": [
            {"was_cancelled": True, "result": []},
            {
                "result": [
                    region(0, 15, "Bridge 🌉 opens", "Headline"),
                    region(17, 37, "It opened on Monday.", "Body"),
                ]
            },
        ],
    }
    (found,) = read_tasks(folder, task)
    assert isinstance(found, PageRecord)
    document = parse(found.raw)
    marks = [(document.text[start:end], label) for start, end, label in placed(found)]
    assert marks == [("Bridge 🌉 opens", "headline"), ("It opened on Monday.", "body")]


def test_gold_of_label_studio_can_tell_the_labels_that_are_in_it(folder: Path) -> None:
    marks = [region(0, 1, "a", "Tags"), region(1, 2, "b", "content")]
    (found,) = read_tasks(folder, {"data": {"text": "ab"}, "annotations": [{"result": marks}]})
    assert isinstance(found, PageRecord)
    assert found.gold
    assert found.gold.labels == {*LABELS, "Tags"}


def test_a_mark_over_several_paragraphs_of_label_studio_comes_in(folder: Path) -> None:
    """Label Studio quotes what a browser selects: line breaks as backslash and n, several blanks as one."""
    text = "Bridge opens\n\nIt opened  on Monday.\n\nIt rained."
    quote = r"It opened on Monday.\n\nIt rained."
    one = {"data": {"text": text}, "annotations": [{"result": [region(14, len(text), quote, "Body")]}]}
    html = "<p>Menu</p><h1>Bridge opens</h1><p>It opened on Monday.</p><p>It rained.</p>"
    value = {"text": quote, "hypertextlabels": ["body"], "globalOffsets": {"start": 16}}
    other = {
        "data": {"html": html},
        "annotations": [{"result": [{"type": "hypertextlabels", "value": value}]}],
    }
    for found in read_tasks(folder, one, other):
        assert isinstance(found, PageRecord)
        assert found.gold
        document = parse(found.raw)
        gold = place(found.gold, document)
        assert gold.placed == gold.total
        assert text_of(document, gold.spans, "body").split() == quote.replace(r"\n", " ").split()


def test_html_of_label_studio_comes_in_by_its_quotes(folder: Path) -> None:
    html = "<p>Menu</p><h1>Bridge opens</h1><p>It opened on Monday.</p>"
    regions = [
        {
            "type": "hypertextlabels",
            "value": {"text": text, "hypertextlabels": [label], "globalOffsets": {"start": at}},
        }
        for text, label, at in [("It opened on Monday.", "body", 16), ("Bridge opens", "headline", 4)]
    ]
    (found,) = read_tasks(folder, {"data": {"html": html}, "annotations": [{"result": regions}]})
    assert isinstance(found, PageRecord)
    document = parse(found.raw)
    assert [(document.text[s:e], label) for s, e, label in placed(found)] == [
        ("Bridge opens", "headline"),
        ("It opened on Monday.", "body"),
    ]


@pytest.mark.parametrize(
    ("task", "reason"),
    [
        ("x", "has no data"),
        ({"data": {}}, "neither text nor html"),
        (
            {"data": {"text": "a😀"}, "annotations": [{"result": [region(1, 2, "?", "body")]}]},
            "inside a character",
        ),
        (
            {"data": {"text": "ab"}, "annotations": [{"result": [region(0, 9, "ab", "body")]}]},
            "outside the text",
        ),
        (
            {"data": {"text": "ab"}, "annotations": [{"result": [region(0, 1, "b", "body")]}]},
            "not that of the task",
        ),
        ({"data": {"text": "ab"}, "annotations": [{"result": [region(0, 1, "a", "")]}]}, "has no label"),
        (
            {
                "data": {"text": "ab"},
                "annotations": [{"result": [region(0, 2, "ab", "x"), region(1, 2, "b", "y")]}],
            },
            "overlap",
        ),
    ],
)
def test_a_task_that_cannot_be_read_says_why(folder: Path, task: object, reason: str) -> None:
    good = {"data": {"text": "A good one"}, "annotations": []}
    first, bad = read_tasks(folder, good, task)
    assert isinstance(first, PageRecord)
    assert isinstance(bad, BadRecord)
    assert reason in bad.reason


def test_tasks_with_a_byte_order_mark_come_in(folder: Path) -> None:
    file = folder / "tasks.json"
    file.write_text(json.dumps([{"data": {"text": "A good one"}}]), encoding="utf-8-sig")
    assert detect(folder).format == "label-studio"
    (found,) = READERS["label-studio"].read(folder)
    assert isinstance(found, PageRecord)


def test_tasks_in_another_encoding_are_refused_with_what_to_do(folder: Path) -> None:
    tasks = json.dumps([{"data": {"text": "Una buena señal"}}], ensure_ascii=False)
    (folder / "tasks.json").write_text(tasks, encoding="latin-1")
    with pytest.raises(FormatError, match=r"tasks\.json is not in UTF-8: save the file again"):
        list(READERS["label-studio"].read(folder))


def test_a_task_without_a_list_of_annotations_has_no_gold(folder: Path) -> None:
    (found,) = read_tasks(folder, {"data": {"text": "A good one"}, "annotations": 5})
    assert isinstance(found, PageRecord)
    assert found.gold is None


@pytest.mark.parametrize(
    ("chosen", "verdict"), [("Not_article", "not_article"), ("Listing", "listing"), (5, "article")]
)
def test_a_verdict_of_label_studio_is_kept_for_the_import_to_judge(
    folder: Path, chosen: object, verdict: str
) -> None:
    choice = {"type": "choices", "from_name": "verdict", "value": {"choices": [chosen]}}
    (found,) = read_tasks(folder, {"data": {"text": "ab"}, "annotations": [{"result": [choice]}]})
    assert isinstance(found, PageRecord)
    assert found.gold
    assert found.gold.verdict == verdict


def test_a_region_without_a_label_is_not_said_to_lie_elsewhere(folder: Path) -> None:
    unlabelled = {"data": {"text": "ab"}, "annotations": [{"result": [region(0, 1, "a", "")]}]}
    (bad,) = read_tasks(folder, unlabelled)
    assert isinstance(bad, BadRecord)
    assert bad.reason == "a region has no label"


def test_xml_that_defines_entities_is_refused(folder: Path) -> None:
    folder_writer("inception").write_folder(articles(pages(), "inception")[:1], folder, FACTS)
    (file,) = folder.glob("*.xmi")
    bomb = '<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>'
    file.write_text(
        file.read_text(encoding="utf-8").replace("<xmi:XMI", f"{bomb}<xmi:XMI", 1), encoding="utf-8"
    )
    (bad,) = READERS["inception"].read(folder)
    assert isinstance(bad, BadRecord)
    assert bad.cause == "entities"
    (folder / "TypeSystem.xml").write_text("<broken", encoding="utf-8")
    with pytest.raises(FormatError, match="cannot be read"):
        list(READERS["inception"].read(folder))


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ('end="8"', 'end="900"', "does not fit the text"),
        ('begin="0" end="8" value', 'begin="0" end="1" value', "does not fit the text"),
        ('begin="0" end="8" value', 'begin="8" end="2" value', "cannot be gold"),
    ],
)
def test_a_mark_of_inception_that_does_not_fit_is_refused(
    folder: Path, old: str, new: str, reason: str
) -> None:
    """It would be lost, or lie elsewhere: unit 1 lies inside the first character."""
    astral = record("<h1>🌉 opens</h1><p>a 😀 b</p>".encode())
    folder_writer("inception").write_folder([astral], folder, FACTS)
    (file,) = folder.glob("*.xmi")
    text = file.read_text(encoding="utf-8")
    assert old in text
    file.write_text(text.replace(old, new, 1), encoding="utf-8")
    (bad,) = READERS["inception"].read(folder)
    assert isinstance(bad, BadRecord)
    assert reason in bad.reason
    assert bad.cause == "gold"


@pytest.mark.parametrize("name", ["inception", "webanno-tsv"])
def test_a_document_that_nobody_has_annotated_has_no_gold(name: str, folder: Path) -> None:
    """It would be an article of which nothing is content, and every extractor would be wrong about it."""
    untouched = record(b"<h1>Bridge opens</h1><p>It opened on Monday.</p>", labels=())
    folder_writer(name).write_folder([untouched], folder, FACTS)
    (found,) = READERS[name].read(folder)
    assert isinstance(found, PageRecord)
    assert found.gold is None
