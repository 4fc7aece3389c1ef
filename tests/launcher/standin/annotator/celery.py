"""A Celery application whose one task leaves a trace."""

import os
from pathlib import Path

from celery import Celery

url = os.environ["REDIS_URL"].replace("unix:", "redis+socket:").replace("?db=", "?virtual_host=")
app = Celery("standin", broker=url)
app.conf.update(task_ignore_result=True, task_default_queue="live")


@app.task(name="leave_trace")
def leave_trace(text: str) -> None:
    """Write `text` into the home."""
    (Path(os.environ["GOLDPAN_HOME"]) / "trace.txt").write_text(text, encoding="utf-8")
