"""The environment of Goldpan's programs."""

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

TIME_ZONE = """
import json, sys
from pathlib import Path
from launcher import application
from launcher.data_folder import DataFolder
known, given = map(json.loads, sys.argv[2:])
values = application.environment(DataFolder(Path(sys.argv[1])), known, {"SECRET_KEY": "s", **given})
print(values["TIME_ZONE"])
"""


@pytest.mark.parametrize(
    ("machine", "known", "given", "zone"),
    [
        ("Europe/Madrid", {}, {}, "Europe/Madrid"),
        ("Europe/Madrid", {}, {"TIME_ZONE": ""}, "Europe/Madrid"),
        ("Europe/Madrid", {}, {"TIME_ZONE": "Asia/Tokyo"}, "Asia/Tokyo"),
        ("Europe/Madrid", {"TIME_ZONE": "America/Lima"}, {}, "America/Lima"),
    ],
)
def test_the_time_zone_is_the_machines_unless_one_is_given_or_runs_already(
    machine: str, known: Mapping[str, str], given: Mapping[str, str], zone: str, tmp_path: Path
) -> None:
    command = [sys.executable, "-c", TIME_ZONE, str(tmp_path), json.dumps(known), json.dumps(given)]
    ran = subprocess.run(
        command, env={**os.environ, "TZ": machine}, capture_output=True, text=True, check=False
    )
    assert ran.stdout.strip() == zone, ran.stderr
