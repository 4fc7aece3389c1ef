# Goldpan's commands. `make` alone lists them.
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
MAKEFLAGS += --no-print-directory

VENV := .venv
PY := $(VENV)/bin/python
PINS := constraints.txt requirements-extraction.txt requirements.txt
# Processes of tests. Much of a browser's test is waiting, so there is one more than processors; a file of
# tests stays in one of them, and the files come in their order.
TESTERS := $(shell cores=$$(nproc); echo $$((cores < 8 ? cores : 8)))
SPREAD := --numprocesses $(TESTERS) --dist loadfile --no-loadscope-reorder
NODE_PINS := extraction/extractors/external/package-lock.json

.PHONY: help run test check invariants bench backup restore clean

help: ## list the commands
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1 ::\2/p' Makefile | awk -F'::' '{printf "%-20s %s\n", $$1, $$2}'

run: $(VENV)/ready ## start everything on this machine; PORT= and GOLDPAN_HOME= choose where
	@exec $(PY) -m launcher run

test: $(VENV)/ready-dev ## the whole suite, on real servers and a real browser; ARGS= goes to pytest, TESTERS= processes
	@$(PY) -m launcher chromium
	@if [ -d ../shared/corpora ]; then echo "Corpora: ../shared/corpora"; \
	 else echo "Corpora: our own pages (there is no ../shared/corpora)"; fi
	@$(MAKE) check
	@$(PY) -m pytest $(SPREAD) $(ARGS)

check: $(VENV)/ready-dev ## format, lint, types, import directions, migrations
	@$(PY) -m ruff format --check .
	@$(PY) -m ruff check .
	@$(PY) -m mypy
	@$(PY) -m pytest -q -c /dev/null --rootdir=. --noconftest -p no:django -p no:cacheprovider tests/test_architecture.py
	@$(PY) -m launcher test-servers -- $(PY) manage.py makemigrations --check --dry-run

invariants: $(VENV)/ready-dev ## random schedules of annotators, for long; SCHEDULES= and WAVES= say how long
	@GOLDPAN_SCHEDULES=$(or $(SCHEDULES),400) GOLDPAN_WAVES=$(or $(WAVES),200) \
	 $(PY) -m pytest tests/annotator/annotations/invariants $(ARGS)

bench: $(VENV)/ready-dev ## quality, speed and memory against the peers, in one run
	@$(PY) -m benchmarks

backup: $(VENV)/ready ## database and files into one archive; FILE= names it
	@$(PY) -m launcher backup $(if $(FILE),"$(FILE)")

restore: $(VENV)/ready ## the archive FILE= back into place; FORCE=1 overwrites what is there
	$(if $(FILE),,$(error Name the archive: make restore FILE=backups/...))
	@$(PY) -m launcher restore $(if $(FORCE),--force) "$(FILE)"

clean: ## remove the virtual environment and caches; data stays
	rm -rf $(VENV) .pytest_cache .ruff_cache .mypy_cache .hypothesis

# A stamp a set of requirements: pip runs again only when a pinned file changed.
$(VENV)/ready: $(PINS)
	@sh launcher/environment.sh $(VENV) requirements.txt
	@touch $@

$(VENV)/ready-dev: $(PINS) requirements-dev.txt requirements-peers.txt $(NODE_PINS)
	@sh launcher/environment.sh $(VENV) requirements-dev.txt
	@sh launcher/node.sh $(VENV)
	@touch $(VENV)/ready $@
