# CONTRIBUTING.md says what each target is for. They work from a clean clone in any order.
SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
export UV_PYTHON_DOWNLOADS := never
export PYTHONDONTWRITEBYTECODE ?=

HOST ?= 127.0.0.1
PORT ?= 8000
export HOST PORT

PY := .venv/bin/python
READY := .venv/.ready

.PHONY: help setup requirements
help:
	@echo "make run        play here: own PostgreSQL and Redis, web, worker, clock (HOST, PORT)"
	@echo "make setup      the environment alone (.venv)"
	@echo "make test       the whole suite, at most 20 minutes on two cores"
	@echo "make test-all   the suite without shortcuts"
	@echo "make check      format, lint, types, imports, migrations, catalogues, deployment"
	@echo "make bench      measure, as a table and in var/bench.json"
	@echo "make requirements   compile requirements/ again from pyproject.toml"

setup: $(READY)

# The first of these that is new enough and can make an environment; PYTHON=... chooses another.
define FIND_PYTHON
python=; new=; \
for each in $${PYTHON:-python3.13 python3.12 python3.11 python3}; do \
	"$$each" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || continue; \
	new=$$each; \
	if "$$each" -c 'import ensurepip, venv' 2>/dev/null; then python=$$each; break; fi; \
done; \
if [ -z "$$new" ]; then echo "Ikarita needs Python 3.11 or newer; none is on the PATH." >&2; exit 1; fi; \
if [ -z "$$python" ]; then echo "$$new has no venv module; on Debian: apt-get install python3-venv" >&2; exit 1; fi
endef

# uv is five times as fast; pip reads the same hashed files where uv cannot be had.
$(READY): requirements/uv.txt requirements/dev.txt
	@$(FIND_PYTHON); \
	[ -x $(PY) ] && $(PY) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || "$$python" -m venv --clear .venv
	@echo "Installing the hashed requirements into .venv"
	@$(PY) -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/uv.txt \
	&& .venv/bin/uv pip sync --quiet --python $(PY) --require-hashes requirements/uv.txt requirements/dev.txt \
	|| $(PY) -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/dev.txt
	@touch $@

COMPILE := .venv/bin/uv pip compile --universal --python-version 3.11 --generate-hashes --no-annotate --no-header --quiet
requirements: $(READY)
	$(COMPILE) pyproject.toml -o requirements/base.txt
	$(COMPILE) pyproject.toml --group dev -c requirements/base.txt -o requirements/dev.txt
