"""An import stopped by Ctrl-C says so, and goes on with the next record."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
from django.core.management import call_command
from django.utils import timezone

from annotator.common.work import STALE
from annotator.corpora.models import Corpus
from annotator.pages.imports.models import Import, Stage
from annotator.pages.models import Page
from tests.factories import ARTICLE, SignedIn
from tests.held import settings
from tests.processes import A_WHILE, ROOT, environment, wait_for

pytestmark = pytest.mark.django_db(transaction=True)

MANY = 300
AGAIN = "Run the command import_pages again."


def test_ctrl_c_stops_an_import_that_goes_on_later(
    corpus: Corpus, cast: SimpleNamespace, signed_in: SignedIn, tmp_path: Path
) -> None:
    path = tmp_path / "many.jsonl"
    with path.open("w", encoding="utf-8") as file:
        for number in range(MANY):
            file.write(json.dumps({"html": ARTICLE.format(number=number)}) + "\n")
    command = [sys.executable, "-m", "tests.held", "import_pages", "dailies", "jsonl", str(path)]
    variables = environment(**settings("annotator.pages.imports.importing:_add", after=MANY // 2))
    started = subprocess.Popen(
        command, cwd=ROOT, env=variables, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    wait_for(lambda: Page.objects.count() > 20, "the first pages")
    screen = f"/c/dailies/imports/{Import.objects.get().pk}/"
    client = signed_in(cast.hanne)
    assert Import.objects.get().stage == Stage.RUNNING
    assert AGAIN not in client.get(screen).content.decode()
    os.kill(started.pid, signal.SIGINT)
    said, _nothing = started.communicate(timeout=A_WHILE)
    assert started.returncode == 130
    assert "run the same command again to continue" in said
    assert "Traceback" not in said
    position = Import.objects.get().position
    assert 20 < position == Page.objects.count() < MANY
    # Stopped so, or killed a while ago.
    for silent_since in (None, timezone.now() - 2 * STALE):
        Import.objects.update(heartbeat_at=silent_since)
        assert Import.objects.get().stage == Stage.PAUSED
        assert AGAIN in client.get(screen).content.decode()
    call_command("import_pages", "dailies", "jsonl", str(path))
    assert Page.objects.count() == MANY
    assert Import.objects.get().duplicates == 0
