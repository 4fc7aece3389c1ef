# Goldpan's commands. `make` alone lists them.
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
MAKEFLAGS += --no-print-directory

VENV := .venv
PY := $(VENV)/bin/python
PINS := constraints.txt requirements-extraction.txt requirements.txt
# Processes of tests: a file of tests stays in one of them. They wait for browsers and servers for a third of the time.
TESTERS := $(shell cores=$$(nproc); echo $$((cores < 8 ? cores * 3 / 2 : 12)))
SPREAD := --numprocesses $(TESTERS) --dist loadfile --no-loadscope-reorder
# SEED=1, 2, ... has the files of tests and the tests in them come in a random order, the same for the same seed.
SEED :=
ORDER := $(if $(SEED),--random-order-bucket=module --random-order-seed=$(SEED))
NODE_PINS := extraction/extractors/external/package-lock.json package-lock.json
TOOLS := $(VENV)/tools/node_modules

.PHONY: help run test test-long test-learned check bench bench-scale backup restore clean

help: ## list the commands
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1 ::\2/p' Makefile | awk -F'::' '{printf "%-20s %s\n", $$1, $$2}'

run: $(VENV)/ready ## start everything on this machine; PORT= and GOLDPAN_HOME= choose where
	@exec $(PY) -m launcher run

test: $(VENV)/ready-dev ## the whole suite; ARGS= goes to pytest, TESTERS= processes, SEED= a random order
	@$(PY) -m tests.chromium
	@$(PY) -m tests.firefox
	@if [ -d ../shared/corpora ]; then echo "Corpora: ../shared/corpora"; \
	 else echo "Corpora: our own pages (there is no ../shared/corpora)"; fi
	@$(MAKE) check
	@$(PY) -m pytest $(SPREAD) $(ORDER) $(ARGS)

test-long: $(VENV)/ready-dev ## the long form of the tests that have one; GOLDPAN_SCHEDULES=, GOLDPAN_WAVES= say how long
	@$(PY) -m tests.chromium
	@$(PY) -m tests.firefox
	@$(PY) -m pytest $(SPREAD) $(ORDER) -m long $(ARGS)

test-learned: $(VENV)/ready-learned ## learning the extractors of the papers, with PyTorch, which it installs
	@$(PY) -m pytest -m learned $(ARGS)

check: $(VENV)/ready-dev ## format, lint and types of Python and JavaScript, import directions, migrations
	@$(PY) -m ruff format --check .
	@$(PY) -m ruff check .
	@$(PY) -m mypy
	@$(TOOLS)/@biomejs/cli-linux-*/biome ci
	@$(VENV)/bin/node $(TOOLS)/typescript/bin/tsc
	@$(VENV)/bin/hadolint Dockerfile
	@$(VENV)/bin/djlint --lint --quiet annotator/templates
	@$(VENV)/bin/lint-imports --no-cache --no-logo
	@$(PY) -m tests.servers $(PY) manage.py makemigrations --check --dry-run

bench: $(VENV)/ready-dev ## all benchmarks, into benchmarks/RESULTS.md: some hours, and 4 GB of databases in a temporary folder
	@$(PY) -m benchmarks

bench-scale: $(VENV)/ready-dev ## screens at a thousand to a hundred thousand pages; GOLDPAN_SCALE= names others, GOLDPAN_SCALE_KEPT= a folder that keeps them
	@$(PY) -m benchmarks scale

backup: $(VENV)/ready ## database and files into one archive; FILE= names it
	@$(PY) -m launcher backup $(if $(FILE),"$(FILE)")

restore: $(VENV)/ready ## restore the archive FILE=; FORCE=1 replaces existing data, IDENTITY= names the key's file
	$(if $(FILE),,$(error Name the archive: make restore FILE=backups/...))
	@$(PY) -m launcher restore $(if $(FORCE),--force) $(if $(IDENTITY),--identity "$(IDENTITY)") "$(FILE)"

clean: ## remove the virtual environment and caches, not the data
	rm -rf $(VENV) .pytest_cache .ruff_cache .mypy_cache .hypothesis

# One stamp per set of requirements: pip runs again only when a pinned file changed.
$(VENV)/ready: $(PINS)
	@sh launcher/environment.sh $(VENV) requirements.txt
	@touch $@

$(VENV)/ready-dev: $(PINS) requirements-dev.txt requirements-peers.txt $(NODE_PINS)
	@sh launcher/environment.sh $(VENV) requirements-dev.txt
	@sh launcher/node.sh $(VENV)
	@touch $(VENV)/ready $@

$(VENV)/ready-learned: $(VENV)/ready-dev requirements-learned.txt
	@sh launcher/environment.sh $(VENV) requirements-learned.txt
	@touch $@
