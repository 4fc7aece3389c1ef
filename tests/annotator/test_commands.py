"""Management commands refuse what they cannot do in one line, with a status of their own."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from annotator.administration.danger.actions import archive
from annotator.corpora.models import Corpus, User
from annotator.pages.imports.models import Import
from annotator.pages.models import Page
from tests.launcher.conftest import plain_environment
from tests.processes import ROOT

LONG = "x" * 300
SERVERS = ("SECRET_KEY", "DATABASE_URL", "REDIS_URL")


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("command", "message"),
    [
        (f"create_corpus {LONG}", "The address of a corpus (its slug) has at most 50 characters."),
        (f"create_corpus new --name={LONG}", "A corpus name has at most 200 characters."),
        ("create_corpus --language=en -- ", "The address of a corpus (its slug) may contain only letters"),
        ("create_corpus new --audit-share=nan", "between 0 and 1"),
        ("create_corpus dailies", "A corpus “dailies” already exists."),
        ("create_corpus new --name=\udcff", "is no text that can be stored"),
        (f"create_admin --password-stdin {LONG}", "is no username: Ensure this value has at most 150"),
        ("create_admin --password-stdin -- ", "“” is no username: This field cannot be blank."),
        ("create_admin --password-stdin ada", "No password was given."),
        ("createsuperuser", "Create admins with create_admin NAME."),
        ("changepassword nobody", "There is no account “nobody”."),
        ("create_demo --credentials {here}", "{here}: Is a directory"),
        ("create_demo --credentials {here}/missing/file", "{here}/missing/file: No such file or directory"),
        ("create_demo --credentials {here}/file", "{here}/file holds no sign-ins"),
        ("create_demo --credentials {here}/new --pages abc", "GOLDPAN_DEMO_PAGES or --pages is abc: write a"),
        ("create_demo --credentials {here}/new --pages=-3", "GOLDPAN_DEMO_PAGES or --pages is -3: write a"),
        ("import_pages nowhere html {here}", "There is no corpus “nowhere”. There are: dailies."),
        ("import_pages dailies docx {here}", "unknown format 'docx'; known formats: boilernet"),
        ("import_pages dailies html {here}/missing", "{here}/missing does not exist"),
        (f"import_pages dailies html {LONG}", f"{LONG}: File name too long"),
        ("import_pages dailies html {here}/file", "{here}/file is not a folder"),
        ("import_pages dailies jsonl {here}", "{here} cannot be read: Is a directory"),
        ("import_pages dailies html {here}/empty", "There are no pages in {here}/empty: check the format"),
        ("run_extractors dailies nobody", "no extractor is called 'nobody'"),
        ("run_extractors dailies bte:a=b", "bte has no parameter 'a'"),
        ("run_extractors dailies bte --only half", "“half” is no part of a corpus. Known: language:CODE"),
        ("run_extractors dailies --only failed", "--only is for the extractors that are named"),
        ("leaderboard dailies --metric beauty", "There is no metric “beauty”. Known: "),
        ("leaderboard dailies --labels best", "There is no label set “best”. Known: "),
        ("export dailies jsonl {here}/missing/gold.jsonl", "The parent folder of {here}/missing/gold.jsonl"),
        ("export dailies jsonl {here}", "{here} is a folder; name a file."),
        (f"export dailies jsonl {LONG}", "File name too long"),
        ("export dailies jsonl {here}/gold.jsonl --release 0", "dailies has no release 0. Releases: none."),
        ("release dailies", "There is no gold to release yet."),
        ("release dailies --diff 1 99999999999999999999", "dailies has no release 1. Releases: none."),
        ("open_rounds dailies --share nan", "the share must be above 0 and at most 1"),
        ("open_rounds dailies --page abc", "no page with digest: abc"),
        ("take_down dailies abc --reason=x", "dailies has no page with digest or URL abc."),
        ("reparse nowhere", "There is no corpus “nowhere”"),
    ],
    ids=lambda value: value[:60] if " " in value else "",
)
def test_what_cannot_be_done_is_said_in_one_line(
    corpus: Corpus, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str, message: str
) -> None:
    (tmp_path / "file").write_text("no JSON")
    (tmp_path / "empty").mkdir()
    monkeypatch.setattr("sys.stdin", open(os.devnull))  # noqa: PTH123, SIM115
    with pytest.raises(CommandError) as refusal:
        call_command(*command.replace("{here}", str(tmp_path)).split(" "))
    assert message.replace("{here}", str(tmp_path)) in str(refusal.value)
    assert "\n" not in str(refusal.value)
    assert not User.objects.exists()
    assert list(Corpus.objects.all()) == [corpus]


@pytest.mark.django_db
@pytest.mark.parametrize(
    "command",
    ["release dailies", "reparse dailies", "open_rounds dailies", "run_extractors dailies",
     "train dailies goldpan", "upload_outputs dailies x 1 file.json"],
)  # fmt: skip
def test_an_archived_corpus_is_not_changed(corpus: Corpus, command: str) -> None:
    archive(corpus=corpus)
    with pytest.raises(CommandError, match="dailies is archived: restore it first"):
        call_command(*command.split(" "))


@pytest.mark.django_db
def test_an_import_of_which_every_record_was_refused_fails(
    corpus: Corpus, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a.html").write_bytes(b"%PDF-1.7")
    (tmp_path / "b.html").symlink_to("a.html")
    with pytest.raises(CommandError, match="Every record was refused"):
        call_command("import_pages", "dailies", "html", str(tmp_path))
    assert capsys.readouterr().err.splitlines() == [
        "a.html: This is a PDF file, not an HTML page",
        "b.html: is a symbolic link: links are not followed, copy what it points to",
    ]
    (tmp_path / "c.html").write_bytes(b"<p>c")
    call_command("import_pages", "dailies", "html", str(tmp_path))
    assert Page.objects.count() == 1
    assert list(Import.objects.values_list("new", "refused").order_by("pk")) == [(0, 2), (1, 2)]


def manage(home: Path, *arguments: str, **settings: str) -> tuple[int, str]:
    """Status and standard error of manage.py with these settings alone."""
    done = subprocess.run(
        [sys.executable, "manage.py", *arguments],
        check=False,
        cwd=ROOT,
        env=plain_environment(GOLDPAN_HOME=str(home), **settings),
        capture_output=True,
        text=True,
    )
    return done.returncode, done.stderr


def test_manage_finds_the_servers_of_a_running_goldpan(tmp_path: Path) -> None:
    running = {name: os.environ[name] for name in SERVERS}
    (tmp_path / "environment.json").write_text(json.dumps(running))
    # The database of the tests' own servers, in which nobody has made tables.
    for settings in ({}, {"DATABASE_URL": running["DATABASE_URL"]}):
        status, said = manage(tmp_path, "leaderboard", "demo", **settings)
        assert said.startswith("CommandError: The database does not fit this version of Goldpan: relation ")
        assert (status, said.count("\n")) == (1, 1)


@pytest.mark.parametrize(
    ("written", "settings", "message"),
    [
        (None, {}, "SECRET_KEY is not set, and Goldpan does not run in {home}: start it with `make run`"),
        (None, {"SECRET_KEY": "x"}, "DATABASE_URL is not set, and Goldpan does not run in {home}"),
        ("{", {}, "{home}/environment.json cannot be read: Expecting property name"),
        ("killed", {}, "The database cannot be used: connection to server on socket "),
        (
            "killed",
            {"DATABASE_URL": "postgresql://a@b/c"},
            "DATABASE_URL is set, but not to that of the Gold",
        ),
        ("killed", {"GOLDPAN_ENV": "production"}, "SECRET_KEY is not set: set it to a long random text"),
    ],
)
def test_manage_says_what_to_start(
    tmp_path: Path, written: str | None, settings: dict[str, str], message: str
) -> None:
    url = f"postgresql://goldpan@/goldpan?host={tmp_path}"
    killed = json.dumps(
        {"SECRET_KEY": "x", "DATABASE_URL": url, "REDIS_URL": f"unix://{tmp_path}/valkey.sock"}
    )
    if written:
        (tmp_path / "environment.json").write_text(written.replace("killed", killed))
    status, said = manage(tmp_path, "leaderboard", "demo", **settings)
    assert said.startswith("CommandError: " + message.replace("{home}", str(tmp_path)))
    assert (status, said.count("\n")) == (1, 1)


@pytest.mark.parametrize("command", [["manage.py"], ["-m", "launcher", "manage"]])
def test_a_data_folder_that_is_a_file_is_refused(tmp_path: Path, command: list[str]) -> None:
    home = tmp_path / "file"
    home.touch()
    done = subprocess.run(
        [sys.executable, *command, "leaderboard", "demo"],
        check=False,
        cwd=ROOT,
        env=plain_environment(GOLDPAN_HOME=str(home)),
        capture_output=True,
        text=True,
    )
    assert done.returncode == 1
    assert str(home) in done.stderr
    assert "GOLDPAN_HOME" in done.stderr
    assert done.stderr.count("\n") == 1
