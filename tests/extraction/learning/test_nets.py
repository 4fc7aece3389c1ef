"""Learning with PyTorch, for `make test-learned`: killed or not it ends the same; NumPy agrees."""

import fcntl
import hashlib
import json
import mmap
import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from extraction.__main__ import main
from extraction.extractors.learned.tensors import Tensors
from extraction.learning.runs import MODEL
from extraction.learning.samples import Sample, samples
from extraction.learning.training import Settings
from extraction.spans import LABEL_SETS
from tests.extraction.learning.pages import records, write_corpus

pytestmark = pytest.mark.learned

#: How many rounds each architecture learns in these tests.
ROUNDS = {"boilernet": 2, "crf": 1, "goldpan": 3, "mss-supervised": 1, "web2text": 2}
#: The files that are waited for before learning is killed, the first and the second time. The folder is there
#: before the first round; a `.new` one is killed while it is written.
KILLED_AT = {
    "boilernet": ("texts.checkpoint", "texts.checkpoint.new"),
    "crf": (".", "."),
    "goldpan": ("body.checkpoint", "body.checkpoint.new"),
    "mss-supervised": (".", "."),
    "web2text": ("leaves.checkpoint", "pairs.checkpoint"),
}
#: Those whose weights depend on the seed.
SEEDED = ("boilernet", "goldpan", "web2text")


def command(name: str, corpus: Path, folder: Path) -> list[str]:
    chosen = ["--pages", f"scrapinghub:{corpus}", "--labels", "body", "--in-order", "14", "4"]
    return [
        "train",
        name,
        *chosen,
        "--seed",
        "3",
        "--rounds",
        str(ROUNDS[name]),
        "--to",
        str(folder),
        "--json",
    ]


def start(name: str, corpus: Path, folder: Path) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, "-m", "extraction", *command(name, corpus, folder)],
        env=os.environ | {"OMP_NUM_THREADS": "1"},
        stdout=subprocess.PIPE,
        text=True,
    )


def kill_when_there(process: "subprocess.Popen[str]", path: Path) -> None:
    wait_until(path.exists, process)
    kill(process)


def kill_while_it_writes(process: "subprocess.Popen[str]", path: Path) -> None:
    """Kill the process when it has written a page of the file, and waits to write more.

    The file is a pipe until then, which takes no more than that; what it took is left as a file.
    """
    reader = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    held = fcntl.fcntl(reader, fcntl.F_SETPIPE_SZ, mmap.PAGESIZE)
    wait_until(lambda: bool(select.select([reader], [], [], 0)[0]), process)
    kill(process)
    written = os.read(reader, held)
    os.close(reader)
    path.unlink()
    path.write_bytes(written)


def wait_until(is_so: Callable[[], bool], process: "subprocess.Popen[str]") -> None:
    while not is_so():
        assert process.poll() is None, "it ended before it could be killed"
        time.sleep(0.002)


def kill(process: "subprocess.Popen[str]") -> None:
    process.send_signal(signal.SIGKILL)
    assert process.wait() == -signal.SIGKILL


def ended(process: "subprocess.Popen[str]") -> dict[str, Any]:
    out, _ = process.communicate()
    assert process.returncode == 0
    found: dict[str, Any] = json.loads(out)
    return found


@pytest.mark.parametrize("name", ROUNDS)
def test_learning_that_was_killed_twice_ends_with_the_same_model(name: str, tmp_path: Path) -> None:
    corpus = write_corpus(tmp_path / "corpus")
    undisturbed = ended(start(name, corpus, tmp_path / "whole"))
    folder = tmp_path / "killed"
    for file in KILLED_AT[name]:
        if file.endswith(".new"):
            os.mkfifo(folder / file)
            kill_while_it_writes(start(name, corpus, folder), folder / file)
        else:
            kill_when_there(start(name, corpus, folder), folder / file)
        assert not (folder / MODEL).exists()
    resumed = ended(start(name, corpus, folder))
    assert resumed["digest"] == undisturbed["digest"]
    assert resumed["digest"] == hashlib.sha256((folder / MODEL).read_bytes()).hexdigest()
    assert resumed["unseen"] == undisturbed["unseen"]
    assert resumed["unseen"]["pages"] == 6
    assert resumed["seen"]["pages"] == 0


@pytest.mark.parametrize("name", SEEDED)
def test_another_seed_is_another_model_and_other_pages_are_refused(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    corpus = write_corpus(tmp_path / "corpus")
    assert main(command(name, corpus, tmp_path / "a")) == 0
    assert main([*command(name, corpus, tmp_path / "b"), "--seed", "4"]) == 0
    assert (tmp_path / "a" / MODEL).read_bytes() != (tmp_path / "b" / MODEL).read_bytes()
    assert main([*command(name, corpus, tmp_path / "a"), "--class-weights"]) == 2
    assert "of other pages or settings" in capsys.readouterr().err


def examples() -> list[Sample]:
    return list(samples(records(12), LABEL_SETS["body"]))


def test_numpy_gives_the_probabilities_of_web2text_s_networks() -> None:
    import torch

    from extraction.extractors.web2text.network import Web2Text
    from extraction.learning.web2text import Web2TextArchitecture

    chosen = Web2TextArchitecture()
    made = [chosen.example(sample) for sample in examples()]
    learners = chosen.learners(made, made, Settings(seed=5))
    for learner in learners:
        learner.learn(0)
    model = Web2Text.of(chosen.tensors({learner.name: learner.weights() for learner in learners}))
    for example in made:
        for rows, learner, found in zip(
            (example.page.blocks, example.page.edges),
            learners,
            model.log_probabilities(example.page),
            strict=True,
        ):
            scores = learner.net(torch.tensor(rows.T[None]))[0]
            wanted = torch.log_softmax(scores, dim=0).detach().numpy().T
            assert np.abs(np.exp(found) - np.exp(wanted)).max() < 1e-5


def test_boilernet_has_the_parameters_of_the_paper() -> None:
    from extraction.learning.boilernet import MOST_TAGS, MOST_WORDS, RecurrentNet

    net = RecurrentNet(MOST_WORDS + MOST_TAGS + 2)
    assert sum(one.numel() for one in net.parameters() if one.requires_grad) == 2_895_617


def test_numpy_gives_the_probabilities_of_boilernet_s_network() -> None:
    """Of the weights as they are stored, and of those that were learned but for the rounding."""
    import torch

    from extraction.extractors.boilernet.network import BoilerNet
    from extraction.learning.boilernet import BoilerNetArchitecture

    chosen = BoilerNetArchitecture()
    made = [chosen.example(sample) for sample in examples()]
    (learner,) = chosen.learners(made, made, Settings(seed=5))
    for number in range(2):
        learner.learn(number)
    tensors = chosen.tensors({learner.name: learner.weights()})
    weights = learner.weights()
    exact = Tensors(weights | {"embedding.bias": weights["bias"]})
    rounded, model = BoilerNet.of(tensors), BoilerNet.of(exact)
    for example in made:
        with torch.no_grad():
            wanted = torch.sigmoid(learner.net(model.vocabulary.rows(example.page))).numpy()
        assert np.abs(model.probabilities(example.page) - wanted).max() < 1e-5
        assert np.abs(rounded.probabilities(example.page) - wanted).max() < 0.05


def test_class_weights_and_a_page_that_was_learned_from(tmp_path: Path) -> None:
    """A page of the training split among those to test on is set apart."""
    from extraction.learning.runs import figures, run
    from extraction.learning.samples import split_in_order
    from extraction.learning.web2text import Web2TextArchitecture

    pages = examples()
    split = split_in_order(pages, 7, 2)
    planted = split._replace(test=[pages[0], *split.test])
    trained = run(
        Web2TextArchitecture(), planted, settings=Settings(rounds=1, class_weights=True), folder=tmp_path
    )
    assert (trained.seen.pages, trained.unseen.pages) == (1, 3)
    assert figures(Web2TextArchitecture(), Tensors.load(tmp_path / MODEL), split.test)[0] == trained.unseen
