# `make run` and `make test` need nothing but Python 3.11, make and a package registry; `make help` lists the rest.

PYTHON ?= $(shell command -v python3.11 || command -v python3)
BIN := .venv/bin
PACKAGES := $(BIN)/python scripts/packages.py
RUNTIME := .venv/runtime.stamp
DEV := .venv/dev.stamp
ARGS ?=

.DEFAULT_GOAL := help
.PHONY: help setup run test check soak lock docs screenshots vendor clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "make %-12s %s\n", $$1, $$2 }' Makefile

setup: $(RUNTIME) ## install what running needs

run: $(RUNTIME) ## open the sample memory in the browser
	$(BIN)/lpmm serve --demo $(ARGS)

test: $(DEV) ## run the tests; ARGS="tests/store -k undo" narrows them
	@$(BIN)/python scripts/browser.py
	$(BIN)/pytest -n 2 --dist loadfile $(ARGS)

check: $(DEV) ## format, lint, types and the direction of imports
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy $(wildcard lpmm_core webui)
	$(BIN)/lint-imports --no-logo

soak: $(DEV) ## run the tests that take minutes
	$(BIN)/pytest -m soak tests/soak $(ARGS)

lock: $(DEV) ## renew requirements/ from pyproject.toml
	$(PACKAGES) lock

docs: $(DEV) ## renew docs/reference from the program
	$(BIN)/python -m scripts.reference

screenshots: $(DEV) ## renew docs/screenshots from the running page
	@$(BIN)/python scripts/browser.py
	$(BIN)/python -m scripts.screenshots

vendor: | $(BIN)/python ## fetch the front-end libraries in the versions that scripts/vendor.py names; needs npm
	$(BIN)/python scripts/vendor.py $(ARGS)

clean: ## remove everything that make made; memories in data/ stay
	rm -rf .venv dist .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# A stamp is touched last, so an interrupted installation starts again.
$(RUNTIME): pyproject.toml requirements/build.txt requirements/runtime.txt scripts/packages.py | $(BIN)/python
	$(PACKAGES) install runtime
	@touch $@

$(DEV): requirements/dev.txt $(RUNTIME)
	$(PACKAGES) install dev
	@touch $@

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "needs Python 3.11 or newer: make PYTHON=...")'
	$(PYTHON) -m venv .venv || { rm -rf .venv; false; }
