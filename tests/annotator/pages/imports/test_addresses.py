"""Lists of addresses: each is fetched in its turn, refused with a reason, or tried again later."""

import socket
import time
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.test import Client
from django.utils import timezone
from django.utils.translation import override

from annotator.common.errors import GoldpanError
from annotator.common.progress import oldest_waiting
from annotator.corpora.models import Corpus
from annotator.fetching import crawl
from annotator.fetching.crawl import ATTEMPTS
from annotator.fetching.limits import FetchLimits
from annotator.fetching.pace import LONGEST_PAUSE
from annotator.pages.imports.addresses import MAX_ADDRESSES, create_import, read_list
from annotator.pages.imports.models import Import, ImportAddress, Stage
from annotator.pages.models import Page
from tests.annotator.fetching.sites import PATIENCE, Site, redirect, response
from tests.annotator.pages.imports.made import work_on
from tests.factories import ARTICLE

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("shared_cast")]


def article(number: int, **headers: Any) -> bytes:
    return response(ARTICLE.format(number=number).encode(), **headers)


def import_lines(client: object, *lines: str) -> Import:
    """Preview the list, have all of it fetched, and fetch it as a worker would."""
    client.post("/c/dailies/imports/addresses/", {"addresses": "\n".join(lines)})  # type: ignore[attr-defined]
    return fetch(client)


def fetch(client: object, **chosen: str) -> Import:
    run = Import.objects.latest("pk")
    client.post(f"/c/dailies/imports/{run.pk}/confirm/", chosen)  # type: ignore[attr-defined]
    return work_on(run)


def outcomes(run: Import) -> dict[str, tuple[str, str]]:
    return {row.location: (row.outcome, row.reason) for row in run.records.all()}


def test_a_pasted_list_is_fetched_and_reported_by_address(corpus: Corpus, hanne: Client, good: Site) -> None:
    good.answers |= {
        "/robots.txt": response(b"User-agent: *\nDisallow: /private\n", content_type="text/plain"),
        "/one": article(1, content_type="text/html; charset=iso-8859-1"),
        "/moved": redirect("/two"),
        "/two": article(2),
        "/same": article(1),
        "/picture": response(b"\x89PNG", content_type="image/png"),
        "/inside": redirect("http://169.254.169.254/latest/"),
    }
    paths = ("/one", "/moved", "/same", "/picture", "/inside", "/private", "/missing", "/one")
    run = import_lines(hanne, "# the list", "", *map(good.url, paths), "ftp://gazette.example/", "nonsense")
    assert (run.stage, run.name) == (Stage.COMPLETED, "9 addresses")
    assert (run.new, run.duplicates, run.refused, run.total) == (2, 1, 6, 9)
    found = outcomes(run)
    assert "private" not in found[good.url("/private")][0]
    for path, reason in {
        "/picture": "image/png",
        "/inside": "169.254.169.254",
        "/private": "robots.txt",
        "/missing": "404",
    }.items():
        outcome, why = found[good.url(path)]
        assert outcome == "refused"
        assert reason in why
    assert "http and https" in found["nonsense"][1]
    page = Page.objects.get(url=good.url("/one"))
    assert (page.charset, page.site) == ("iso-8859-1", "127.0.0.1")
    assert abs(timezone.now() - page.captured_at) < timedelta(minutes=5)
    assert Page.objects.filter(url=good.url("/two")).exists()
    screen = hanne.get(f"/c/dailies/imports/{run.pk}/?kind=refused").content.decode()
    assert "never asked" in screen  # what to do about a private network


def test_why_an_address_is_refused_is_kept_in_one_language(corpus: Corpus, hanne: Client) -> None:
    hanne.cookies["django_language"] = "es"
    hanne.post("/c/dailies/imports/addresses/", {"addresses": "ftp://gazette.example/"})
    ((_address, _cause, reason),) = Import.objects.get().preview["refusals"]
    assert reason.startswith("only http and https are fetched")


def test_a_list_of_addresses_is_of_no_other_format(corpus: Corpus, hanne: Client, good: Site) -> None:
    good.answers["/one"] = article(1)
    hanne.post("/c/dailies/imports/addresses/", {"addresses": good.url("/one")})
    run = Import.objects.get()
    hanne.post(f"/c/dailies/imports/{run.pk}/preview/", {"format": "html"})
    assert (work_on(run).format, run.stage) == ("urls", Stage.PREVIEWED)
    assert not good.log


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-le"])
def test_a_file_of_addresses_is_a_list_too(corpus: Corpus, hanne: Client, good: Site, encoding: str) -> None:
    """Notepad and spreadsheets save UTF-16, too; without its mark it looks like text with NUL in it."""
    good.answers |= {"/one": article(1), "/two": article(2)}
    file = SimpleUploadedFile("list.txt", f"{good.url('/two')}\r\n".encode(encoding))
    given = {"addresses": good.url("/one"), "file": file}
    hanne.post("/c/dailies/imports/addresses/", given)
    assert fetch(hanne).new == 2


def test_nothing_is_fetched_before_the_preview_is_confirmed(
    corpus: Corpus, hanne: Client, good: Site
) -> None:
    """What is never asked and what is here already is named first; the latter can be fetched all the same."""
    good.answers |= {f"/{name}": article(n) for n, name in enumerate(("one", "two", "moved-here"))}
    good.answers["/moved"] = redirect("/moved-here")
    import_lines(hanne, good.url("/one"), good.url("/moved"))
    good.log.clear()
    given = [*map(good.url, ("/one#top", "/moved", "/two")), "http://10.0.0.1/", "ftp://x.example/"]
    asked = hanne.post("/c/dailies/imports/addresses/", {"addresses": "\n".join(given)}, follow=True)
    screen = " ".join(asked.content.decode().split())
    assert "10.0.0.1, which is no address of the public internet" in screen
    assert 'Unusable address: <span lang="en">only http and https are fetched' in screen
    assert "Fetch 1 page <kbd>" in screen
    run = Import.objects.latest("pk")
    assert (run.stage, run.preview["duplicates"], run.preview["refused"]) == (Stage.PREVIEWED, 2, 2)
    assert good.log == []
    assert (fetch(hanne).new, Import.objects.latest("pk").total) == (1, 3)
    assert good.paths().count("/two") == 1
    assert "/one" not in good.paths()
    hanne.post("/c/dailies/imports/addresses/", {"addresses": good.url("/two")})
    last = fetch(hanne)
    assert last.stage == Stage.PREVIEWED  # there is nothing new
    good.answers["/two"] = article(7)
    assert fetch(hanne, fetch_known="1").new == 1


@pytest.mark.parametrize(
    "text", ["", "  \n# only a remark\n", "\n".join(f"https://a.example/{n}" for n in range(5_001))]
)
def test_no_or_too_many_addresses_are_no_import(text: str, corpus: Corpus, hanne: Client) -> None:
    asked = hanne.post("/c/dailies/imports/addresses/", {"addresses": text}, follow=True)
    assert "addresses" in asked.content.decode() or "no address" in asked.content.decode()
    assert not Import.objects.exists()


def test_messages_have_figures_as_the_language_writes_them() -> None:
    lines = "\n".join(f"https://a.example/{number}" for number in range(MAX_ADDRESSES + 1))
    with override("es"), pytest.raises(GoldpanError, match=r"5\xa0001 direcciones.* 5\xa0000"):
        read_list(lines)


def test_a_long_address_is_an_import_with_a_name_that_is_cut(corpus: Corpus) -> None:
    address = f"https://gazette.example/1?{'x' * 1900}"
    made = create_import(corpus=corpus, addresses=[address], with_assets=False)
    assert made.addresses.get().url == address
    assert address.startswith(made.name.partition("…")[0])
    assert made.name == made.addresses.get().location


def test_a_site_that_does_not_answer_is_asked_again_later_and_blocks_no_other(
    corpus: Corpus, hanne: Client, good: Site
) -> None:
    good.answers |= {"/busy": response(status="503 Later"), "/one": article(1)}
    run = import_lines(hanne, good.url("/busy", host="localhost"), good.url("/one"))
    assert (run.stage, run.new, run.position) == (Stage.QUEUED, 1, 1)
    assert run.enqueued_at > timezone.now()
    screen = hanne.get(f"/c/dailies/imports/{run.pk}/").content.decode()
    assert "tried again later" in screen
    assert "503" in screen
    good.answers["/busy"] = article(2)
    ImportAddress.objects.update(not_before=timezone.now())
    assert (work_on(run).stage, run.new) == (Stage.COMPLETED, 2)
    assert good.paths().count("/one") == 1


def test_an_import_that_waits_for_sites_is_no_sign_that_workers_are_behind(
    corpus: Corpus, good: Site
) -> None:
    good.answers |= {"/busy": response(status="503 Later"), "/one": article(1)}
    asked = [good.url("/busy", host="localhost"), good.url("/one")]
    run = create_import(corpus=corpus, addresses=asked, with_assets=False)
    long_ago = timezone.now() - timedelta(hours=7)
    Import.objects.update(requested_at=long_ago)
    assert oldest_waiting()[Import] == long_ago
    assert work_on(run).stage == Stage.QUEUED
    Import.objects.update(enqueued_at=timezone.now())
    assert Import not in oldest_waiting()


def test_load_ends_as_a_site_that_did_not_answer(corpus: Corpus, hanne: Client, good: Site) -> None:
    good.answers["/busy"] = response(status="503 Later")
    run = import_lines(hanne, good.url("/busy"))
    for _attempt in range(1, ATTEMPTS):
        assert run.stage == Stage.QUEUED
        ImportAddress.objects.update(not_before=None)
        work_on(run)
    record = run.records.get()
    assert (run.stage, record.cause) == (Stage.COMPLETED, "not-answered")
    assert f"503 ({ATTEMPTS} attempts)" in record.reason
    assert good.paths().count("/busy") == ATTEMPTS


def test_a_site_cannot_keep_an_import_waiting_for_years(corpus: Corpus, hanne: Client, good: Site) -> None:
    good.answers["/busy"] = response(status="503 Later", retry_after="999999999")
    run = import_lines(hanne, good.url("/busy"))
    assert run.addresses.get().not_before <= timezone.now() + timedelta(seconds=LONGEST_PAUSE)
    assert run.enqueued_at <= timezone.now() + timedelta(seconds=LONGEST_PAUSE)


def test_a_slow_site_can_be_paused_at_once(
    corpus: Corpus,
    hanne: Client,
    good: Site,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # Whoever waits for the site waits for as long as it says nothing.
    for limit in ("read_seconds", "total_seconds"):
        monkeypatch.setitem(FetchLimits.__init__.__kwdefaults__, limit, 2 * PATIENCE)

    def slow(connection: socket.socket) -> None:
        connection.recv(1)  # until the other end hangs up

    good.answers |= {"/slow": slow, "/one": article(1)}
    hanne.post(
        "/c/dailies/imports/addresses/",
        {"addresses": f"{good.url('/slow', host='localhost')}\n{good.url('/one')}"},
    )
    run = Import.objects.get()
    hanne.post(f"/c/dailies/imports/{run.pk}/confirm/")
    Import.objects.filter(pk=run.pk).update(paused_at=timezone.now())
    began = time.monotonic()
    assert work_on(run).stage == Stage.PAUSED
    assert time.monotonic() - began < PATIENCE
    assert run.new == Page.objects.count()


def test_the_command_line_waits_for_slow_sites_and_resumes(
    corpus: Corpus,
    good: Site,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(crawl, "RETRY_AFTER", (1, 1, 1))
    answers = iter([response(status="503 Later"), article(1)])
    good.answers |= {"/busy": lambda connection: connection.sendall(next(answers)), "/two": article(2)}
    listed = tmp_path / "list.txt"
    listed.write_text(f"{good.url('/busy')}\n{good.url('/two')}\n{good.url('/missing')}\n")
    call_command("import_pages", "dailies", "urls", str(listed))
    assert "that do not answer are asked again after" in capsys.readouterr().err
    run = Import.objects.get()
    assert (run.new, run.refused, run.stage) == (2, 1, Stage.COMPLETED)
