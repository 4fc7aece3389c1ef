"""On a full disk requests are answered and not counted: the counts would have the kernel kill the process."""

import os
import subprocess
import sys
from pathlib import Path

ANSWER_A_REQUEST = """
import os, sys
import django
django.setup()
from django.http import HttpResponse
from django.test import RequestFactory
from annotator.common import metrics
if sys.argv[1:]:
    metrics.LEAST_BYTES = int(sys.argv[1])
answered = metrics.measure_requests(lambda request: HttpResponse("ok"))(RequestFactory().get("/alive/"))
labels = {"route": "-", "status": "200"}
is_there = os.path.isdir(os.environ["PROMETHEUS_MULTIPROC_DIR"])
registry = metrics.of_all_processes() if is_there else metrics.REGISTRY
counted = registry.get_sample_value("goldpan_request_seconds_count", labels)
print(answered.status_code, counted)
"""


def answer_a_request(folder: Path, *least_bytes: str) -> str:
    environment = {
        **os.environ,
        "DJANGO_SETTINGS_MODULE": "annotator.settings",
        "PROMETHEUS_MULTIPROC_DIR": str(folder),
    }
    command = [sys.executable, "-c", ANSWER_A_REQUEST, *least_bytes]
    ran = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    return ran.stdout.strip()


def test_a_request_is_counted_while_there_is_space(tmp_path: Path) -> None:
    assert answer_a_request(tmp_path) == "200 1.0"


def test_a_process_that_finds_no_space_answers_and_counts_nothing(tmp_path: Path) -> None:
    assert answer_a_request(tmp_path, str(1 << 60)) == "200 None"
    assert not list(tmp_path.iterdir())
    assert answer_a_request(tmp_path / "gone") == "200 None"
