"""The counts of a web server's process take their disk space at its start, as a full disk kills it later."""

import os
import subprocess
import sys
from pathlib import Path

ANSWER_A_REQUEST = """
import resource, sys
import django
django.setup()
from django.http import HttpResponse
from django.test import RequestFactory
from annotator.common import metrics
if sys.argv[1:]:
    resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[1]),) * 2)
metrics.reserve_space()
answered = metrics.measure_requests(lambda request: HttpResponse("ok"))(RequestFactory().get("/alive/"))
labels = {"route": "-", "status": "200"}
counted = metrics.of_all_processes().get_sample_value("goldpan_request_seconds_count", labels)
print(answered.status_code, counted)
"""


def answer_a_request(folder: Path, *largest_file: str) -> str:
    environment = {
        **os.environ,
        "DJANGO_SETTINGS_MODULE": "annotator.settings",
        "PROMETHEUS_MULTIPROC_DIR": str(folder),
    }
    command = [sys.executable, "-c", ANSWER_A_REQUEST, *largest_file]
    ran = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    return ran.stdout.strip()


def test_counts_lie_in_space_that_was_taken_before(tmp_path: Path) -> None:
    assert answer_a_request(tmp_path) == "200 1.0"
    (file,) = tmp_path.iterdir()
    assert file.stat().st_blocks * 512 >= file.stat().st_size


def test_a_process_that_finds_no_space_answers_and_counts_nothing(tmp_path: Path) -> None:
    assert answer_a_request(tmp_path, "1000") == "200 None"
    assert not list(tmp_path.iterdir())
