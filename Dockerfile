# Goldpan as `pip install .` makes it. compose.yaml runs it with all that it needs: docs/operating.md, "With containers".
FROM python:3.11-slim

RUN useradd --system --uid 10001 --home-dir /var/lib/goldpan goldpan \
 && install --directory --owner goldpan --group goldpan --mode 0700 /var/lib/goldpan /var/backups/goldpan

WORKDIR /usr/src/goldpan
# First what changes seldom: the pinned packages stay in a layer of their own.
COPY constraints.txt requirements.txt requirements-extraction.txt ./
RUN pip install --no-cache-dir --constraint constraints.txt pip \
 && pip install --no-cache-dir --only-binary=:all: --requirement requirements.txt
COPY LICENSE README.md hatch_build.py pyproject.toml requirements-peers.txt ./
COPY annotator ./annotator
COPY extraction ./extraction
COPY launcher ./launcher
RUN pip install --no-cache-dir --no-deps .

# What it writes is in these folders and in /tmp; the rest may be read-only.
ENV GOLDPAN_ENV=production GOLDPAN_HOME=/var/lib/goldpan GOLDPAN_BACKUP_FOLDER=/var/backups/goldpan \
    OPENBLAS_NUM_THREADS=1 PYTHONUNBUFFERED=1 WEB_CONCURRENCY=3
USER 10001
# Not the folder of the sources: programs find modules in the working directory before the installed ones.
WORKDIR /
EXPOSE 8000
# As a proxy asks, whose header is believed with GOLDPAN_BEHIND_PROXY; without it the answer leads to HTTPS.
HEALTHCHECK --start-period=30s CMD ["python", "-c", "import os, urllib.request as http; host = os.environ['ALLOWED_HOSTS'].split(',')[0]; http.urlopen(http.Request('http://127.0.0.1:8000/alive/', headers={'Host': host, 'X-Forwarded-Proto': 'https'}), timeout=10)"]
CMD ["gunicorn", "annotator.wsgi", "--bind", "0.0.0.0:8000", "--worker-class", "annotator.web_worker.PromptWorker", "--threads", "8", "--preload", "--keep-alive", "75", "--no-control-socket", "--worker-tmp-dir", "/dev/shm"]
