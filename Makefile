# Dormie in a few words: `make help` says them. Needs make, git and Python 3.11 or newer.

PYTHON ?= python3
ARGS ?=
JOBS ?= 2

BIN := .venv/bin
READY := .venv/stamp
PYTEST := $(BIN)/pytest -n $(JOBS) --dist loadgroup
HOUSES := tests/server tests/scenarios tests/stories tests/clients

.DEFAULT_GOAL := help
.PHONY: help run test test-all check docs bench lock

help: ## say what can be said
	@$(PYTHON) tools/words.py Makefile

run: $(READY) ## open the house: make run ARGS="--port 0"
	@$(BIN)/dormie-server $(ARGS)

test: $(READY) ## run every test: make test ARGS="-k bell"
	@$(PYTEST) $(ARGS)

test-all: check test ## read the code, then run every test, and those with a house once more on a file and on a Redis
	@TESTS_STORE=file $(PYTEST) $(HOUSES) $(ARGS)
	@TESTS_STORE=redis $(PYTEST) $(HOUSES) $(ARGS)

check: $(READY) ## read the code without running it: style, types, floors, lengths
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python -m dormie_protocol.schema --check
	$(BIN)/python tools/variants_page.py --check
	$(BIN)/python tools/file_length.py

docs: $(READY) ## run every example in the docs and write again what is generated
	$(BIN)/python -m dormie_protocol.schema
	$(BIN)/python tools/variants_page.py
	$(BIN)/pytest -n 0 --doctest-glob="*.md" docs README.md

bench: $(READY) ## measure; takes minutes and a quiet machine
	$(BIN)/python -m bench $(ARGS)

lock: $(READY) ## choose the newest libraries that pyproject.toml allows
	$(BIN)/python tools/lock.py $(ARGS)

# The environment is made again when the lock changes, and when it was moved or has lost its Python.
-include .venv/where.mk
ifneq ($(MADE_IN) $(shell test -x $(BIN)/python && echo works),$(CURDIR) works)
.PHONY: $(READY)
endif

$(READY): requirements-dev.lock pyproject.toml tools/environment.py
	@$(PYTHON) tools/environment.py
