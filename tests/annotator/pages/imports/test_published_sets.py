"""Published sets come in through the browser with their gold; their malformed twins lose nothing."""

import gzip
import io
import json
import random
import zipfile
from collections.abc import Callable
from itertools import islice
from pathlib import Path
from types import SimpleNamespace

import pytest
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

from annotator.corpora.models import Corpus
from annotator.pages.imports.models import Import, Outcome, Stage
from annotator.pages.models import ImportedGold, Page
from tests.annotator.pages.imports.made import import_all, upload, work_on, zipped
from tests.annotator.releases.test_report import l3s_folder
from tests.corpora import SCRAPINGHUB
from tests.factories import ARTICLE, SignedIn

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("shared_cast")]

CORPORA = SCRAPINGHUB.parent
PAGES = 40

Files = dict[str, bytes]


def page(number: int) -> bytes:
    return ARTICLE.format(number=number).encode()


# ---- each set: pages of the real one where that lies beside the project, of its shape otherwise ----


def scrapinghub(count: int = PAGES) -> Files:
    if SCRAPINGHUB.is_dir():
        truth = dict(islice(json.loads((SCRAPINGHUB / "ground-truth.json").read_bytes()).items(), count))
        pages = {
            f"html/{name}.html.gz": (SCRAPINGHUB / f"html/{name}.html.gz").read_bytes() for name in truth
        }
    else:
        truth = {f"{n:04x}": {"articleBody": "It said the work", "url": ""} for n in range(count)}
        pages = {f"html/{n:04x}.html.gz": gzip.compress(page(n)) for n in range(count)}
    return {"ground-truth.json": json.dumps(truth).encode(), **pages}


def wcxb(count: int = PAGES) -> Files:
    if (CORPORA / "wcxb").is_dir():
        truths = sorted((CORPORA / "wcxb/ground-truth").glob("*.json"))[:count]
        return files_of(
            CORPORA / "wcxb",
            *(name for t in truths for name in (f"ground-truth/{t.name}", f"html/{t.stem}.html.gz")),
        )
    truth = json.dumps({"ground_truth": {"main_content": "It said the work"}}).encode()
    names = [f"{n:04}" for n in range(count)]
    pages = {f"html/{name}.html.gz": gzip.compress(page(int(name))) for name in names}
    return {**{f"ground-truth/{name}.json": truth for name in names}, **pages}


def cleaneval(count: int = PAGES) -> Files:
    folder = CORPORA / "cleaneval/final"
    if folder.is_dir():
        names = [file.stem for file in sorted((folder / "GoldStandard").glob("*.txt"))[:count]]
        return files_of(
            folder, *(n for name in names for n in (f"input/{name}.html", f"GoldStandard/{name}.txt"))
        )
    pages = {
        f"input/{n}.html": b'<text id="http://x.example/" encoding="utf-8">' + page(n) for n in range(count)
    }
    return {**pages, **{f"GoldStandard/{n}.txt": b"URL: http://x.example/\n<p>It said" for n in range(count)}}


def dragnet(count: int = PAGES) -> Files:
    folder = CORPORA / "dragnet"
    if folder.is_dir():
        names = [file.name for file in sorted((folder / "HTML").glob("*.html"))[:count]]
        pairs = ((f"HTML/{name}", f"Corrected/{name}.corrected.txt") for name in names)
        return files_of(folder, *(name for pair in pairs for name in pair))
    pages = {f"HTML/{n}.html": page(n) for n in range(count)}
    return {**pages, **{f"Corrected/{n}.html.corrected.txt": b"It said the work" for n in range(count)}}


def l3s(count: int = PAGES) -> Files:
    marked = b'<p><span class="x-nc-sel2">It said the work</span></p>'
    pages = {f"original/{n}.html": page(n) for n in range(count)}
    return {**pages, **{f"annotated/{n}.html": b"<html><body>%b %d" % (marked, n) for n in range(count)}}


def boilernet(count: int = PAGES) -> Files:
    marked = b'<html><body><p __boilernet_label="1">It said the work</p>'
    pages = {f"raw_html/{n}.html": page(n) for n in range(count)}
    return {**pages, **{f"prepared_html/{n}.html": marked for n in range(count)}}


SETS: dict[str, Callable[[], Files]] = {
    "scrapinghub": scrapinghub,
    "wcxb": wcxb,
    "cleaneval": cleaneval,
    "dragnet": dragnet,
    "l3s-gn1": l3s,
    "boilernet": boilernet,
}


def files_of(folder: Path, *names: str) -> Files:
    return {name: (folder / name).read_bytes() for name in names if (folder / name).exists()}


@pytest.mark.parametrize("name", SETS)
def test_a_set_comes_in_with_its_gold(
    cast: SimpleNamespace, corpus: Corpus, signed_in: SignedIn, name: str
) -> None:
    """As a ZIP archive of a folder with a licence beside it, as it is downloaded; recognised by itself."""
    packed = {f"{name}-main/{path}": data for path, data in SETS[name]().items()}
    run = import_all(signed_in(cast.hanne), {"set.zip": zipped(packed)}, with_gold=True)
    assert (run.stage, run.format, run.error) == (Stage.COMPLETED, name, "")
    assert run.new + run.duplicates == run.position == PAGES
    assert run.gold == ImportedGold.objects.count() == PAGES
    assert Page.objects.count() == run.new


# ---- their malformed twins ----


def imported(cast: SimpleNamespace, signed_in: SignedIn, files: Files) -> Import:
    return import_all(signed_in(cast.hanne), files, with_gold=True)


def refusals(run: Import) -> dict[str, str]:
    """Of what was refused: location -> cause."""
    return dict(run.records.filter(outcome=Outcome.REFUSED).values_list("location", "cause"))


def test_a_set_with_holes_loses_nothing(cast: SimpleNamespace, corpus: Corpus, signed_in: SignedIn) -> None:
    """A page without gold comes in without; an id that comes twice and gold without its page are named."""
    names = [f"{number:04x}" for number in range(6)]
    entries = [f'"{name}": {{"articleBody": "It said the work", "url": ""}}' for name in names[:4]]
    truth = "{" + ", ".join([*entries, entries[1], '"ffff": {"articleBody": "gone"}']) + "}"
    pages = {f"html/{name}.html.gz": gzip.compress(page(n)) for n, name in enumerate(names)}
    run = imported(cast, signed_in, {"set.zip": zipped({"ground-truth.json": truth.encode(), **pages})})
    assert (run.new, run.gold) == (6, 4)
    assert refusals(run) == {names[1]: "repeated", "ffff": "missing-file"}
    noted = run.records.filter(outcome=Outcome.ADDED).exclude(reason="")
    assert list(noted.values_list("location", "cause")) == [(names[4], "gold"), (names[5], "gold")]


def test_pages_in_the_wrong_encoding_come_in_and_damaged_ones_are_named(
    cast: SimpleNamespace, corpus: Corpus, signed_in: SignedIn
) -> None:
    files = {
        "HTML/1.html": "<meta charset=utf-8><p>caf\xe9 au lait".encode("latin-1"),
        "Corrected/1.html.corrected.txt": "caf\xe9 au lait".encode("utf-16"),
        "HTML/2.html": b"",
        "HTML/3.html": b"%PDF-1.7",
        "Corrected/4.html.corrected.txt": b"no page",
    }
    run = imported(cast, signed_in, {"set.zip": zipped(files)})
    assert (run.format, run.new) == ("dragnet", 1)
    assert refusals(run) == {"2": "not-a-page", "3": "not-a-page", "4": "missing-file"}


@pytest.mark.parametrize(
    ("truth", "reason"),
    [
        (b'{"0000": {"articleBody": "It said', "ground-truth.json"),
        ('{"caf\xe9": 1}'.encode("latin-1"), "ground-truth.json is not in UTF-8"),
    ],
)
def test_a_set_whose_truth_cannot_be_read_says_so_and_can_be_read_as_pages(
    cast: SimpleNamespace, corpus: Corpus, signed_in: SignedIn, truth: bytes, reason: str
) -> None:
    client = signed_in(cast.hanne)
    files = {"ground-truth.json": truth, "html/0000.html.gz": gzip.compress(page(0))}
    run = work_on(upload(client, {"set.zip": zipped(files)}))
    assert run.stage == Stage.FAILED
    assert reason in run.error
    client.post(f"/c/dailies/imports/{run.pk}/preview/", {"format": "files"})
    assert work_on(run).preview["pages"] == 1


def bomb(size: int = 40 << 20) -> bytes:
    """A page of so many zeros."""
    return b"<html>" + bytes(size)


def traversal() -> bytes:
    return zipped(
        {"../../etc/evil.html": page(1), "/abs.html": page(2), "C:\\win.html": page(3), "good.html": page(4)}
    )


def encrypted() -> bytes:
    """As if with a password: the flag is set, which is all that is looked at."""
    data = bytearray(zipped({"secret.html": page(1)}))
    data[6] |= 1
    data[data.index(b"PK\x01\x02") + 8] |= 1
    return bytes(data)


def linked() -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        info = zipfile.ZipInfo("link.html")
        info.external_attr = 0o120777 << 16
        archive.writestr(info, "/etc/passwd")
    return buffer.getvalue()


def corrupt() -> bytes:
    """One byte of the first page is another one."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_STORED) as archive:
        archive.writestr("bad.html", page(1))
        archive.writestr("good.html", page(2))
    data = bytearray(buffer.getvalue())
    data[100] ^= 1
    return bytes(data)


LAUGHS = b"""<?xml version="1.0"?><!DOCTYPE lolz [<!ENTITY a "lol"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">
<!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;">]><html><body>&c;</body></html>"""

HOSTILE: dict[str, tuple[Files, int, dict[str, str]]] = {
    "traversal": (
        {"t.zip": traversal()},
        1,
        {
            "t.zip/../../etc/evil.html": "unsafe-name",
            "t.zip//abs.html": "unsafe-name",
            "t.zip/C:\\win.html": "unsafe-name",
        },
    ),
    "zip bomb": (
        {"b.zip": zipped({"bomb.html": bomb(), "good.html": page(1)})},
        1,
        {"b.zip/bomb.html": "bomb"},
    ),
    "zip in zip": ({"n.zip": zipped({"in.zip": zipped({"a.html": page(1)})})}, 0, {"n.zip/in.zip": "nested"}),
    "longer than a path": (
        {"p.zip": zipped({f"{'a' * 200}/{'b' * 200}/" * 12 + "long.html": page(1), "good.html": page(2)})},
        1,
        {f"p.zip/{'a' * 200}": "unsafe-name"},
    ),
    "longest name": ({f"{'n' * 246}.zip": zipped({"a.html": page(1)})}, 1, {}),
    "encrypted": ({"e.zip": encrypted()}, 0, {"e.zip/secret.html": "encrypted"}),
    "link": ({"l.zip": linked()}, 0, {"l.zip/link.html": "link"}),
    "corrupt": ({"c.zip": corrupt()}, 1, {"c.zip/bad.html": "damaged"}),
    "truncated": ({"t.zip": zipped({"a.html": page(1)})[:-30], "b.html": page(2)}, 1, {"t.zip": "damaged"}),
    "gzip bomb": ({"b.html.gz": gzip.compress(bomb()), "a.html": page(1)}, 1, {"b.html.gz": "too-large"}),
    "more than is parsed": (
        {"l.html.gz": gzip.compress(page(1) + bytes(10 << 20)), "a.html": page(2)},
        1,
        {"l.html.gz": "too-large"},
    ),
    "truncated gzip": ({"t.html.gz": gzip.compress(page(1))[:-12]}, 0, {"t.html.gz": "damaged"}),
    "billion laughs": ({"l.xml": LAUGHS, "l.html": LAUGHS}, 0, {"l.xml": "entities", "l.html": "entities"}),
    "feed": (
        {
            "f.xml": b"<?xml version='1.0'?><!-- <b> --><rss><channel><title>Gazette</title></channel></rss>",
            "g.atom": b"<feed xmlns='http://www.w3.org/2005/Atom'><title>Gazette</title></feed>",
            "h.xml": b"<!-- <rss> --><html><title>Of feeds</title><p>&lt;rss> <rss> is a feed",
        },
        1,
        {"f.xml": "feed", "g.atom": "feed"},
    ),
    "no pages": (
        {
            "empty.html": b"",
            "print.html": b"%PDF-1.7",
            "dated.html": page(1),
            "dated.json": b'{"captured_at": "yesterday"}',
            "good.html": page(2),
        },
        1,
        {"empty.html": "not-a-page", "print.html": "not-a-page", "dated.html": "syntax"},
    ),
    "data that quotes pages": (
        {
            "a.json": b'{"html": "<html><p>A story.", "url": "https://gazette.example/a"}',
            "b.json": b'[{"html": "<p>A story."}]',
            "c.csv": b"url,html\nhttps://gazette.example/c,<p>A story.\n",
        },
        0,
        {"a.json": "not-a-page", "b.json": "not-a-page", "c.csv": "not-a-page"},
    ),
    "json": ({"j.jsonl": b"[" * 100_000 + b"\n" + b'{"html": "<p>a"}\n'}, 1, {"j.jsonl:1": "syntax"}),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_files_are_named_and_the_others_come_in(
    cast: SimpleNamespace, corpus: Corpus, signed_in: SignedIn, name: str
) -> None:
    files, new, refused = HOSTILE[name]
    client = signed_in(cast.hanne)
    run = work_on(upload(client, files))
    assert run.stage == Stage.PREVIEWED, run.error
    assert {location: cause for location, cause, _reason in run.preview["refusals"]} == refused
    assert run.preview["pages"] == new
    client.post(f"/c/dailies/imports/{run.pk}/confirm/")
    work_on(run)
    assert (run.new, refusals(run)) == (new, refused)


# ---- web archives ----


def web_archive(*answers: tuple[str, str, bytes], encoding: str = "", packed: bool = True) -> bytes:
    """A WARC that warcio wrote: address, media type and body of each answer."""
    buffer = io.BytesIO()
    writer = WARCWriter(buffer, gzip=packed)
    for url, media_type, body in answers:
        headers = [("Content-Type", media_type)] + ([("Content-Encoding", encoding)] if encoding else [])
        http = StatusAndHeaders("200 OK", headers, protocol="HTTP/1.1")
        writer.write_record(writer.create_warc_record(url, "response", io.BytesIO(body), http_headers=http))
    return buffer.getvalue()


STYLED = b'<html><head><link rel=stylesheet href="/a.css"></head><body><img src=b.png><p>A story of a bridge.'
SITE = "https://gazette.example"
ANSWERS = (
    (f"{SITE}/story", "text/html; charset=iso-8859-1", STYLED),
    (f"{SITE}/a.css", "text/css", b"@import 'c.css'; p { background: url(d.png) }"),
    (f"{SITE}/b.png", "image/png", b"\x89PNG\r\n\x1a\n"),
    (f"{SITE}/c.css", "text/css", b"p { color: red }"),
    (f"{SITE}/unused.css", "text/css", b"i { color: red }"),
)


@pytest.mark.parametrize("name", ["a.warc", "a.warc.gz", "a.wacz", "whole.warc.gz"])
def test_a_web_archive_comes_in_with_what_its_pages_look_like(
    cast: SimpleNamespace, corpus: Corpus, signed_in: SignedIn, name: str
) -> None:
    data = web_archive(*ANSWERS, packed=name.endswith((".gz", ".wacz")))
    if name.startswith("whole"):
        data = gzip.compress(gzip.decompress(data))
    if name.endswith(".wacz"):
        data = zipped({"datapackage.json": b"{}", "archive/data.warc.gz": data, "pages/pages.jsonl": b"{}"})
    run = imported(cast, signed_in, {name: data})
    assert (run.new, run.refused) == (1, 0)
    page = Page.objects.get()
    assert (page.url, page.charset, page.site) == (f"{SITE}/story", "iso-8859-1", "gazette.example")
    assert page.captured_at is not None
    captured = set(page.assets.values_list("url", flat=True))
    # Compressed as a whole, nothing in it can be looked up.
    wanted = set() if name.startswith("whole") else {f"{SITE}/{path}" for path in ("a.css", "b.png", "c.css")}
    assert captured == wanted


def test_a_bomb_in_a_web_archive_is_one_refusal(
    cast: SimpleNamespace, corpus: Corpus, signed_in: SignedIn
) -> None:
    packed = web_archive(
        (f"{SITE}/bomb", "text/html", gzip.compress(bomb())),
        (f"{SITE}/good", "text/html", gzip.compress(page(1))),
        encoding="gzip",
    )
    run = imported(cast, signed_in, {"b.warc.gz": packed})
    assert (run.new, refusals(run)) == (1, {"b.warc.gz:1": "too-large"})


def test_a_web_archive_that_ends_early_keeps_what_came_before(
    cast: SimpleNamespace, corpus: Corpus, signed_in: SignedIn
) -> None:
    rare = random.Random(1).randbytes(5000).hex().encode()
    whole = web_archive((f"{SITE}/1", "text/html", page(1)), (f"{SITE}/2", "text/html", page(2) + rare))
    run = imported(cast, signed_in, {"t.warc.gz": whole[:-900]})
    assert (run.new, run.refused, refusals(run)) == (1, 1, {"t.warc.gz": "damaged"})


def test_the_gold_of_an_l3s_folder_is_read_from_its_marks(
    cast: SimpleNamespace, corpus: Corpus, signed_in: SignedIn, tmp_path: Path
) -> None:
    folder = l3s_folder(tmp_path / "l3s", 2)
    files = {file.relative_to(tmp_path).as_posix(): file.read_bytes() for file in folder.rglob("*.html")}
    run = imported(cast, signed_in, files)
    assert (run.format, run.name, run.new, run.gold) == ("l3s-gn1", "l3s", 2, 2)
