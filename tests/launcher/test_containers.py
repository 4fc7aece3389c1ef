"""The container files, as far as they can be checked without containers."""

import ast
import json
import os
import re
import secrets
import shlex
import shutil
import subprocess
import sys
import time
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from annotator.common.queues import QUEUES
from launcher.application import open_port
from tests.launcher.conftest import CODE, plain_environment
from tests.processes import A_WHILE


class UniqueKeys(yaml.SafeLoader):
    """Refuses a mapping that has a key twice, as Compose does."""

    def compose_mapping_node(self, anchor: Any) -> yaml.MappingNode:
        node = super().compose_mapping_node(anchor)
        keys = [key.value for key, _value in node.value]
        assert len(keys) == len(set(keys)), f"a key is there twice, {node.start_mark}: {keys}"
        return node


COMPOSE: dict[str, Any] = UniqueKeys((CODE / "compose.yaml").read_text(encoding="utf-8")).get_single_data()
OURS = {name: service for name, service in COMPOSE["services"].items() if service["image"] == "goldpan"}
EXAMPLE = dict(re.findall(r"^(\w+)=(.*)$", (CODE / ".env.example").read_text(encoding="utf-8"), re.MULTILINE))


def instructions() -> Iterator[tuple[str, str]]:
    """What the Dockerfile says, in order: the instruction and its arguments."""
    text = (CODE / "Dockerfile").read_text(encoding="utf-8").replace("\\\n", "")
    for line in text.splitlines():
        if line and not line.startswith("#"):
            yield line.partition(" ")[0], line.partition(" ")[2]


def command(name: str) -> list[str]:
    """The last arguments of an instruction, in their JSON form."""
    found = [arguments for instruction, arguments in instructions() if instruction == name]
    parsed: list[str] = json.loads(found[-1].partition("[")[1] + found[-1].partition("[")[2])
    return parsed


def test_what_is_copied_is_there_and_nothing_else_is_sent() -> None:
    copied = {
        source for name, arguments in instructions() if name == "COPY" for source in arguments.split()[:-1]
    }
    sent = re.findall(r"^!(.+)$", (CODE / ".dockerignore").read_text(encoding="utf-8"), re.MULTILINE)
    assert sorted(copied) == sent
    assert all((CODE / source).exists() for source in copied)
    build = tomllib.loads((CODE / "pyproject.toml").read_text(encoding="utf-8"))
    assert set(build["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"]) <= copied


def test_commands_are_programs_and_take_every_queue() -> None:
    commands = [shlex.split(service["command"]) for service in OURS.values() if "command" in service]
    for program in {command("CMD")[0], *(words[0] for words in commands)}:
        assert (
            program == "goldpan" or (Path(sys.executable).parent / program).exists() or shutil.which(program)
        )
    queues = [words[words.index("-Q") + 1].split(",") for words in commands if "-Q" in words]
    assert sorted(queue for taken in queues for queue in taken) == sorted(QUEUES)


def test_slow_visitors_are_cut_off_by_proxy_and_web_server() -> None:
    assert "annotator.web_worker.PromptWorker" in command("CMD")
    proxy = (CODE / "Caddyfile").read_text(encoding="utf-8").split()
    assert {"read_header", "read_body", "request_buffers"} <= set(proxy)


def test_settings_are_read_and_secrets_have_no_default() -> None:
    sources = ("annotator/settings.py", "annotator/common/metrics.py", "launcher/schedule.py")
    read = "".join((CODE / path).read_text() for path in sources)
    read_names = {node.value for node in ast.walk(ast.parse(read)) if isinstance(node, ast.Constant)}
    assert [
        name for service in OURS.values() for name in service["environment"] if name not in read_names
    ] == []
    used = set(re.findall(r"\$\{(\w+)(:[-?])", (CODE / "compose.yaml").read_text(encoding="utf-8")))
    assert {name for name, _kind in used} == EXAMPLE.keys()
    assert {name for name, kind in used if kind == ":?"} == {
        "DOMAIN",
        "SECRET_KEY",
        "POSTGRES_PASSWORD",
        "VALKEY_PASSWORD",
    }


def test_services_are_restarted_and_only_the_proxy_is_published() -> None:
    services = COMPOSE["services"]
    assert {name for name, service in services.items() if service["restart"] != "unless-stopped"} == {
        "migrate"
    }
    assert {name for name, service in services.items() if "ports" in service} == {"proxy"}
    for service in services.values():
        assert service.get("depends_on", {}).keys() <= services.keys()
        volumes = [volume.split(":")[0] for volume in service.get("volumes", ())]
        assert all(name in COMPOSE["volumes"] or (CODE / name).exists() for name in volumes)


@pytest.mark.long
def test_steps_of_the_dockerfile_make_a_web_server_that_is_healthy(folder: Path) -> None:
    """In a fresh virtual environment instead of an image; the account is not made."""
    subprocess.run([sys.executable, "-m", "venv", folder / "venv"], check=True)
    at, values = folder, plain_environment(PATH=f"{folder}/venv/bin:{os.environ['PATH']}")
    for name, arguments in instructions():
        arguments = re.sub(r"(?<![\w.])/(usr/src|var/lib|var/backups)\b", rf"{folder}\g<0>", arguments)
        if name == "WORKDIR":
            at = Path(arguments) if arguments != "/" else folder / "empty"
            at.mkdir(parents=True)
        elif name == "COPY":
            *sources, _target = arguments.split()
            subprocess.run(["cp", "-r", *(CODE / source for source in sources), at], check=True)
        elif name == "RUN" and "useradd" not in arguments:
            subprocess.run(["/bin/sh", "-c", arguments], check=True, cwd=at, env=values)
        elif name == "ENV":
            values |= dict(part.split("=", 1) for part in shlex.split(arguments))

    values |= {name: os.environ[name] for name in ("DATABASE_URL", "REDIS_URL")}
    values |= {
        "SECRET_KEY": secrets.token_urlsafe(50),
        "ALLOWED_HOSTS": "gold.example,other.example",
        "GOLDPAN_BEHIND_PROXY": "1",
    }
    for step in shlex.split(OURS["migrate"]["command"])[-1].split("&&"):
        subprocess.run(shlex.split(step), check=True, cwd=at, env=values)
    with open_port(None) as free:
        port = str(free.getsockname()[1])
    web, check = ([word.replace("8000", port) for word in command(name)] for name in ("CMD", "HEALTHCHECK"))
    with subprocess.Popen(web, cwd=at, env=values) as process:
        try:
            deadline = time.monotonic() + A_WHILE
            while subprocess.run(
                check, cwd=at, env=values, stderr=subprocess.DEVNULL, check=False
            ).returncode:
                assert time.monotonic() < deadline
                time.sleep(0.5)
            wrong = subprocess.run(
                check, env=values | {"ALLOWED_HOSTS": "wrong.example"}, capture_output=True, check=False
            )
            assert b"400" in wrong.stderr
        finally:
            process.terminate()
