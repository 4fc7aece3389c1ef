"""Whose CPU time counts."""

import subprocess
import sys
import time

from benchmarks.load_server import cpu_seconds


def test_children_that_have_ended_count() -> None:
    before, own = cpu_seconds({})["annotators"], time.process_time()
    subprocess.run([sys.executable, "-c", "sum(range(10**7))"], check=True)
    of_children = cpu_seconds({})["annotators"] - before - (time.process_time() - own)
    assert of_children > 0.05
