# Everything from a fresh clone, with nothing but Python 3.11, git and make:
#   make demo    serve the examples, validate and rank them
#   make test    set everything up and run the tests

PYTHON ?= python3.11

BIN := .venv/bin
UV := $(BIN)/uv
COMPILE := $(UV) pip compile -q --universal --python-version 3.11 --generate-hashes --upgrade \
	--no-header --no-annotate --no-emit-index-url --no-emit-find-links
SERVERS := openenv-0.10.0 openenv-core-0.3.0 openenv-core-0.2.3
STAMPS := $(SERVERS:%=.servers/%/.installed)
APT := apt-get update -qq && DEBIAN_FRONTEND=noninteractive \
	apt-get install -qq -y --no-install-recommends

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: calibrate calibrate-quick help setup servers browser compiler check models test test-slow test-models \
	test-metamorphic test-ray demo dashboard docs lock clean

help:  ## Show this
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-16s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

setup: .venv/.installed  ## Install the project and its tools, pinned, into .venv

servers: $(STAMPS)  ## Install the real OpenEnv servers, each into its own interpreter

browser:  ## Install Chromium where there is none
	@for name in chromium chromium-browser google-chrome; do \
		command -v $$name >/dev/null && exit 0; \
	done; \
	if [ "$$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then \
		echo "Chromium is missing: install it, or run make browser as root on Debian" >&2; exit 1; \
	fi; \
	{ $(APT) chromium fonts-dejavu-core; } >/dev/null

compiler:
	@headers=$$($(PYTHON) -c 'import sysconfig; print(sysconfig.get_path("include"))'); \
	if command -v cc >/dev/null && [ -f "$$headers/Python.h" ]; then exit 0; fi; \
	if [ "$$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then \
		echo "reasoning-gym needs a C compiler and Python's headers: install them, or run this as root on Debian" >&2; \
		exit 1; \
	fi; \
	{ $(APT) gcc libc6-dev python3.11-dev; } >/dev/null

check: setup  ## Lint, formatting and types
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/mypy --allow-subclassing-any --ignore-missing-imports examples

models: setup  ## Fetch the small language model that a test asks, if it can be had
	-$(BIN)/envassay models fetch smollm2-135m

test: setup servers browser models  ## Run the tests
	$(BIN)/python -m pytest -n 2 --dist loadfile -m "not slow"

test-slow: setup servers browser  ## Run the slow tests
	$(BIN)/python -m pytest -m "slow and not metamorphic and not ray"

test-models: setup servers  ## Rank three language models in three environments (an hour)
	for name in smollm2-135m qwen2.5-coder-0.5b qwen2.5-coder-1.5b; do \
		$(BIN)/envassay models fetch $$name || exit 1; \
	done
	$(BIN)/python benchmarks/llm_ladder.py

test-metamorphic: setup servers  ## See that what is no difference makes none (20 minutes)
	$(BIN)/python -m pytest -m metamorphic

test-ray: setup servers .venv/.ray  ## See that a Ray cluster finds the same, and survives a killed worker
	$(BIN)/python -m pytest -m ray

calibrate: setup servers  ## Judge every environment whose faults are known
	$(BIN)/envassay calibrate --allow-intrusive

calibrate-quick: setup servers  ## Judge a faulty and a healthy one of each class
	$(BIN)/envassay calibrate --allow-intrusive --sample 1

demo: setup servers  ## Serve the examples, validate and rank them
	$(BIN)/envassay demo

dashboard: setup  ## See the results in a browser
	$(BIN)/envassay dashboard

docs: setup  ## Write the generated files anew and run every example of the docs
	$(BIN)/python -m reports.schema
	$(BIN)/python -m validator.policy.schema
	$(BIN)/python -m pytest tests/test_docs.py

lock: .venv/.uv  ## Pin the newest versions, with hashes
	for name in uv build $(SERVERS); do \
		$(COMPILE) requirements/$$name.in -o requirements/$$name.lock || exit 1; \
	done
	$(COMPILE) requirements/dev.in --group dev --no-emit-package envassay -o requirements/dev.lock
	$(COMPILE) requirements/ray.in -o requirements/ray.lock

clean:  ## Remove what make made
	rm -rf .venv .servers .mypy_cache .ruff_cache .pytest_cache .hypothesis build dist
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# Stamps: each stands for a step that is done until what it was made from changes.

.venv/.uv: requirements/uv.lock
	@command -v $(PYTHON) >/dev/null || { \
		echo "$(PYTHON) is missing: install Python 3.11, or name another: make PYTHON=python3.12" >&2; \
		exit 1; }
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install -q --disable-pip-version-check --require-hashes -r $<
	@touch $@

.venv/.locked: requirements/dev.lock .venv/.uv
	$(UV) pip install -q --python $(BIN)/python --require-hashes -r $<
	@touch $@

.venv/.installed: pyproject.toml .venv/.locked
	$(UV) pip install -q --python $(BIN)/python --no-deps --no-build-isolation -e .
	@touch $@

.venv/.ray: requirements/ray.lock .venv/.installed
	$(UV) pip install -q --python $(BIN)/python --require-hashes -r $<
	@touch $@

.servers/%/.installed: requirements/%.lock requirements/build.lock .venv/.uv | compiler
	$(PYTHON) -m venv --without-pip $(@D)
	$(UV) pip install -q --python $(@D)/bin/python --require-hashes \
		--build-constraints requirements/build.lock -r $<
	@touch $@
