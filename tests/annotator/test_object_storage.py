"""Files in a bucket, on a server that speaks S3; what is worked out, on machines that share nothing else."""

import json
import socket
import subprocess
import sys
import uuid
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from types import SimpleNamespace
from typing import Any

import boto3
import httpx
import pytest
from django.conf import settings as django_settings
from django.core.files.storage import default_storage
from django.test import client as django_client
from django.test import override_settings

from annotator import pipeline
from annotator.annotations.models import Slot
from annotator.common import storage, work
from annotator.common.errors import StorageAway
from annotator.common.work import MACHINE_FAULTS
from annotator.corpora.models import Corpus, User
from annotator.gold.actions import decisions_of, letters_of
from annotator.gold.models import Adjudication, Gold
from annotator.pages.actions import add_page
from annotator.pages.assets.actions import build_look, request_look, store_assets
from annotator.pages.assets.models import Look
from annotator.pages.imports.models import Stage
from annotator.pages.imports.undoing import request_undo
from annotator.pages.imports.uploads import remove_files
from annotator.pages.models import Page
from annotator.releases.actions import take_down
from annotator.releases.models import Takedown
from annotator.scoring.models import Score
from extraction.asset_sandbox import AssetSandbox
from extraction.formats.records import Asset
from extraction.sandbox import Parser
from tests.annotator.api.client import token_for
from tests.annotator.pages.imports.made import completed_import, work_on
from tests.extraction.assets.files import png
from tests.factories import ARTICLE, page_maker
from tests.processes import free_port, periodic, wait_for, web, worker

BUCKET = "corpora-of-tests"
KEYS = ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY")


@pytest.fixture(scope="module")
def endpoint(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server of S3's protocol."""
    port = free_port()
    log = tmp_path_factory.mktemp("s3") / "log"
    command = [sys.executable, "-m", "moto.server", "-H", "127.0.0.1", "-p", str(port)]
    with log.open("wb") as output, subprocess.Popen(command, stdout=output, stderr=output) as server:
        wait_for(lambda: _listens(port), "the server of S3's protocol")
        yield f"http://127.0.0.1:{port}"
        server.kill()


def _listens(port: int) -> bool:
    with socket.socket() as asking:
        return asking.connect_ex(("127.0.0.1", port)) == 0


@pytest.fixture
def bucket(endpoint: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A bucket for this process and those that it starts."""
    for name in KEYS:
        monkeypatch.setenv(name, "of-tests")
    values = {"FILES_BUCKET": BUCKET, "FILES_ENDPOINT": endpoint, "FILES_REGION": "us-east-1"}
    for name, value in values.items():
        monkeypatch.setenv(name, value)
    boto3.client("s3", endpoint_url=endpoint, region_name="us-east-1").create_bucket(Bucket=BUCKET)
    with storing_in(BUCKET, endpoint):
        yield BUCKET


def storing_in(name: str, endpoint: str) -> override_settings:
    """Settings by which this process keeps its files in such a bucket."""
    options = {"bucket": name, "endpoint": endpoint, "region": "us-east-1", "prefix": ""}
    backend = {"BACKEND": "annotator.common.object_storage.ObjectStorage", "OPTIONS": options}
    return override_settings(STORAGES={**django_settings.STORAGES, "default": backend})


def test_files_are_stored_once_and_checked(bucket: str) -> None:
    digest = storage.put(b"a page")
    assert storage.put(b"a page") == digest
    assert storage.get(digest) == b"a page"
    with storage.open_file(digest) as file:
        file.seek(2)
        assert len(file.read()) > 2
    storage.remove(digest)
    with pytest.raises(FileNotFoundError):
        storage.get(digest)
    storage.put_part("parts/1", b"one")
    storage.put_part("parts/1", b"two")
    with storage.open_part("parts/1") as part:
        assert part.read() == b"two"


def test_what_the_bucket_refuses_is_a_fault_of_the_machine(endpoint: str, bucket: str) -> None:
    assert issubclass(StorageAway, MACHINE_FAULTS)
    with storing_in("no-such-bucket", endpoint), pytest.raises(StorageAway):
        storage.put(b"a page")


class Breaking(BaseHTTPRequestHandler):
    """Breaks off in the middle of every object."""

    def do_HEAD(self) -> None:
        self.send_response(200)
        self.send_header("Content-Length", "100")
        self.end_headers()

    def do_GET(self) -> None:
        self.do_HEAD()
        self.wfile.write(b"half a page")

    def log_message(self, *_args: object) -> None: ...


def test_a_download_that_breaks_off_is_a_fault_of_the_machine(bucket: str) -> None:
    with ThreadingHTTPServer(("127.0.0.1", 0), Breaking) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        with storing_in(BUCKET, f"http://127.0.0.1:{server.server_port}"), pytest.raises(StorageAway):
            storage.get("0" * 64)
        server.shutdown()


def objects(endpoint: str) -> list[str]:
    s3 = boto3.client("s3", endpoint_url=endpoint, region_name="us-east-1")
    return [found["Key"] for found in s3.list_objects_v2(Bucket=BUCKET).get("Contents", [])]


@pytest.mark.django_db(transaction=True)
def test_nothing_is_taken_down_or_undone_while_its_files_would_stay(
    bucket: str, endpoint: str, corpus: Corpus, cast: SimpleNamespace, parser: Parser
) -> None:
    for left in objects(endpoint):  # of other tests, which store some of the same bytes
        default_storage.delete(left)
    undone = completed_import(corpus, cast.hanne)
    remove_files(undone)
    with AssetSandbox() as sandbox:
        page = page_maker(corpus, parser)(ARTICLE.format(number=1))
        store_assets(page=page, assets=[Asset("https://news.example/a.png", png(60, 40), "image/png")])
        look = request_look(document=page.document)
        assert look
        assert work.run(Look, look.pk, lambda claimed: build_look(claimed, sandbox))
    request_undo(run=undone)
    # The page, its document, its two views, its image as it came and as it is served, and two imported pages.
    assert len(objects(endpoint)) == 8
    with storing_in(BUCKET, f"http://127.0.0.1:{free_port()}"):
        with pytest.raises(StorageAway):
            take_down(page=page, reason="asked for")
        assert work_on(undone).stage == Stage.UNDOING
    assert not Takedown.objects.exists()
    take_down(page=page, reason="asked for")
    assert work_on(undone).stage == Stage.UNDONE
    assert objects(endpoint) == []


@pytest.mark.django_db(transaction=True)
def test_a_worker_that_is_let_in_by_nobody_fails_nothing_for_good(
    bucket: str, corpus: Corpus, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pipeline.enqueue(add_page(corpus=corpus, raw=ARTICLE.format(number=1).encode()).page)
    folder = _folder(tmp_path, "lost")
    for name in KEYS:
        monkeypatch.delenv(name)
    monkeypatch.setenv("GOLDPAN_HOME", str(folder))
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    with worker(folder, name="lost", queues=["import"]):
        wait_for(lambda: Page.objects.get().faults > 0, "a fault of the machine")
    assert Page.objects.get().error == ""
    assert "credentials" in Page.objects.get().last_fault


@pytest.mark.django_db(transaction=True)
def test_the_whole_journey_on_folders_of_their_own(
    bucket: str, corpus: Corpus, cast: SimpleNamespace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Import, parse, annotate, adjudicate, score, export: two web servers and two workers, one bucket."""
    folders = [_folder(tmp_path, name) for name in ("web-one", "web-two", "one", "two")]
    with ExitStack() as stack:
        sites = []
        for folder in folders:
            monkeypatch.setenv("GOLDPAN_HOME", str(folder))
            if folder.name.startswith("web"):
                sites.append(stack.enter_context(web(folder)))
            else:
                stack.enter_context(worker(folder, name=folder.name, concurrency=1))
        stack.enter_context(periodic(folders[-1]))
        programs = [stack.enter_context(program(site, cast.hanne)) for site in sites]

        by_import(programs)
        wait_for(lambda: Slot.objects.count() == 2 * PAGES, "the rounds")
        for person in (cast.ada, cast.ben):
            with window(sites, person) as (one, two):
                for _page in range(PAGES):
                    annotate(one, two, disagrees=person == cast.ben)
        wait_for(lambda: Adjudication.objects.count() == 1, "the dispute")
        with window(sites, cast.cleo) as (one, two):
            adjudicate(one, two)
        wait_for(lambda: Gold.objects.count() == PAGES, "gold")
        wanted = PAGES * corpus.enabled.count()
        scored = Score.objects.filter(finished_at__isnull=False, error="")
        wait_for(lambda: scored.count() == wanted, "the scores")
        lines = by_export(programs)
    golds = {json.loads(line)["sha256"]: json.loads(line)["gold"]["spans"] for line in lines}
    assert golds == {gold.page.sha256: [list(span[:3]) for span in gold.spans] for gold in Gold.objects.all()}
    assert sorted(map(len, golds.values())) == [1, 2]
    # What people read is parsed and drawn from the bucket; nothing lies in a folder.
    assert not [path for folder in folders for path in (folder / "files").rglob("*") if path.is_file()]


PAGES = 2
HEADLINE, DISPUTED = "Bridge opens", "number 1."


@contextmanager
def program(site: str, user: User) -> Iterator[httpx.Client]:
    headers = {"Authorization": f"Bearer {token_for(user)}"}
    with httpx.Client(base_url=f"{site}/api/v1/corpora/dailies", headers=headers, timeout=120) as client:
        yield client


@contextmanager
def window(sites: list[str], user: User) -> Iterator[list[httpx.Client]]:
    """Somebody signed in, at each of the web servers in turn."""
    signed_in = django_client.Client()
    signed_in.force_login(user)
    token = "a" * 32
    cookies = {"sessionid": signed_in.cookies["sessionid"].value, "csrftoken": token}
    with ExitStack() as stack:
        yield [
            stack.enter_context(
                httpx.Client(base_url=site, cookies=cookies, headers={"X-CSRFToken": token}, timeout=120)
            )
            for site in sites
        ]


def done(answer: httpx.Response) -> dict[str, Any]:
    assert answer.is_success, answer.text
    found: dict[str, Any] = answer.json()
    return found


def by_import(programs: list[httpx.Client]) -> None:
    """Send the pages to one web server, look at the preview on the other, and start it there."""
    one, two = programs
    pages = [ARTICLE.format(number=number) for number in range(PAGES)]
    lines = [json.dumps({"html": html, "url": f"https://news.example/{n}"}) for n, html in enumerate(pages)]
    run = done(one.post("/imports", files={"files": ("pages.jsonl", "\n".join(lines))}))["id"]
    wait_for(lambda: done(two.get(f"/imports/{run}"))["stage"] == "previewed", "the preview")
    done(two.post(f"/imports/{run}/start", json={"with_gold": False}))
    wait_for(lambda: done(one.get(f"/imports/{run}"))["stage"] == "completed", "the import")


def annotate(one: httpx.Client, two: httpx.Client, *, disagrees: bool) -> None:
    """Open the next page on one web server, read and mark it on the other; only one page is disputed."""
    address = one.post("/c/dailies/next/").headers["location"]
    slot = Slot.objects.select_related("round__page__document").get(key=address.rstrip("/")[-36:])
    document = slot.round.page.document
    assert document
    assert one.get(address).is_success
    assert HEADLINE in two.get(f"{address}view.json").text
    marked = [HEADLINE, DISPUTED] if disagrees and DISPUTED in document.text else [HEADLINE]
    starts = [document.text.index(words) for words in marked]
    body = {
        "document": document.sha256,
        "based_on": 0,
        "operation": str(uuid.uuid4()),
        "spans": [
            {"start": start, "end": start + len(words), "label": "body", "text": words}
            for start, words in zip(starts, marked, strict=True)
        ],
        "verdict": "article",
    }
    done(two.post(f"{address}save/", json=body))
    done(one.post(f"{address}submit/", json={"based_on": 1}))


def adjudicate(one: httpx.Client, two: httpx.Client) -> None:
    """Decide for the marks of the one who has more."""
    address = one.post("/c/dailies/adjudicate/next/").headers["location"]
    assert two.get(f"{address}view.json").is_success
    dispute = Adjudication.objects.get()
    (segment,) = dispute.segments.all()
    numbers = list(dispute.round.slots.order_by("number").values_list("annotator__username", flat=True))
    letter = letters_of(dispute)[dispute.order.index(numbers.index("ben"))]
    done(two.post(f"{address}decide/", json={"segments": [segment.number], "choice": letter}))
    done(one.post(f"{address}submit/", json={"shown": decisions_of(dispute)}))


def by_export(programs: list[httpx.Client]) -> list[str]:
    """Ask one web server for an export, and get its file from the other."""
    one, two = programs
    number = done(one.post("/exports", json={"format": "jsonl"}))["id"]
    wait_for(lambda: done(two.get(f"/exports/{number}"))["state"] == "done", "the export")
    return two.get(f"/exports/{number}/file").text.splitlines()


def _folder(parent: Path, name: str) -> Path:
    """A data folder of a machine, with the static files that all have."""
    folder = parent / name
    folder.mkdir()
    (folder / "static").symlink_to(django_settings.STATIC_ROOT)
    return folder
