# CONTRIBUTING.md says what each target is for. They work from a clean clone in any order.
SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
export UV_PYTHON_DOWNLOADS := never
# Without bytecode every process compiles Django anew: three seconds instead of half a second.
unexport PYTHONDONTWRITEBYTECODE

HOST ?= 127.0.0.1
PORT ?= 8000
export HOST PORT

PY := .venv/bin/python
READY := .venv/.ready

.PHONY: help setup requirements run test test-all chromium check bench screenshots messages
help:
	@echo "make run        play here: own PostgreSQL and Redis, web, worker, clock (HOST, PORT)"
	@echo "make setup      the environment alone (.venv)"
	@echo "make test       the whole suite, at most 20 minutes on two cores"
	@echo "make test-all   the suite without shortcuts"
	@echo "make check      format, lint, types, imports, migrations, catalogues, deployment"
	@echo "make screenshots    pictures of every page in var/screenshots"
	@echo "make bench      measure, as a table and in var/bench.json"
	@echo "make messages   extract the texts into locale/"
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
	sed -i '1i # Compiled from pyproject.toml by `make requirements`. The Python packages of the running site.' requirements/base.txt
	sed -i '1i # Compiled from pyproject.toml by `make requirements`. The site, its local servers and what tests it.' requirements/dev.txt

run: $(READY)
	@exec $(PY) -m config.local run

# --- Tests -----------------------------------------------------------------------------------
CHROMIUM := /usr/bin/chromium
chromium:
	@[ -x $(CHROMIUM) ] && exit; \
	if [ "$$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then \
		echo "The browser tests need $(CHROMIUM); on Debian: apt-get install chromium fonts-noto-core" >&2; exit 1; \
	fi; \
	echo "Installing Chromium from Debian"; \
	export DEBIAN_FRONTEND=noninteractive; \
	apt-get update -qq && apt-get install -y -qq chromium fonts-noto-core >/dev/null

# A site as in production, but for https; fresh servers, so that no run meets the data of another.
STAGE := DEBUG=0 HTTPS=0 TEST_CLOCK=1 LOG_LEVEL=WARNING ALLOWED_HOSTS=127.0.0.1,localhost \
	STATIC_ROOT=$(CURDIR)/var/tests/static
# A test that hangs ends the run and says where.
HANG := -o faulthandler_timeout=300 -o faulthandler_exit_on_timeout=true
FRESH := $(PY) -m config.local with --passing --
PYTEST = $(FRESH) $(PY) -m pytest $(HANG)
# Without ARGS first what says how quick a start is, which wants the machine for itself; then two
# halves side by side, each with servers of its own: what drives a browser mostly waits for it, as
# does what waits for the clock of a worker. The words of the second half follow those of the first.
ALONE := tests/faults/test_local_servers.py
WAITS := tests/browser tests/faults/test_told.py
test: $(READY) chromium
ifdef ARGS
	@exec env $(STAGE) $(PYTEST) $(ARGS)
else
	@env $(STAGE) $(PYTEST) $(ALONE)
	@mkdir -p var/tests; \
	env $(STAGE) STATIC_ROOT=$(CURDIR)/var/tests/static-browser $(PYTEST) $(WAITS) >var/tests/browser.log 2>&1 & \
	browser=$$!; \
	env $(STAGE) $(PYTEST) $(WAITS:%=--ignore %) --ignore $(ALONE); rest=$$?; \
	wait $$browser; browser=$$?; \
	cat var/tests/browser.log; \
	[ $$rest = 0 ] && [ $$browser = 0 ]
endif

test-all: $(READY) chromium
	@exec env $(STAGE) $(FRESH) $(PY) -m pytest --full $(ARGS)

screenshots: $(READY) chromium
	@exec env $(STAGE) $(FRESH) $(PY) -m pytest --full tests/browser/pictures.py $(ARGS)

bench: $(READY)
	@exec env $(STAGE) TEST_CLOCK=0 $(FRESH) $(PY) -m tests.bench $(ARGS)

# --- Checks ----------------------------------------------------------------------------------
KEY = SECRET_KEY=$$($(PY) -c 'import secrets; print(secrets.token_urlsafe(50))')
# What a production site sets; nothing here is connected to.
PRODUCTION = $(KEY) ALLOWED_HOSTS=ikarita.example SITE_URL=https://ikarita.example OPERATOR_NAME=Ikarita \
	DATABASE_URL=postgres://ikarita.example/ikarita REDIS_URL=redis://ikarita.example/0
check: $(READY)
	$(PY) -m ruff format --check --quiet .
	$(PY) -m ruff check --quiet .
	@$(KEY) DEBUG=1 $(PY) -m mypy
	@.venv/bin/lint-imports
	@$(FRESH) $(PY) manage.py makemigrations --check --dry-run
	@$(KEY) DEBUG=1 $(PY) manage.py catalogues check
	@$(PRODUCTION) $(PY) manage.py check --deploy --fail-level WARNING

messages: $(READY)
	@for each in merge compile check; do $(KEY) DEBUG=1 $(PY) manage.py catalogues $$each || exit 1; done
